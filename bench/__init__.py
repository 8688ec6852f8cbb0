"""Measurements: one folder for each figure that the project quotes."""
