"""Middles read by hand, and how much of them the offline summarizer finds."""
