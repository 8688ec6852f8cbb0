"""Suites that others made, played against Clew with the offline summarizer."""
