"""Plays a recorded session through a policy, call by call."""
