"""The command line: one file per command."""

from clew.cli.start import main

__all__ = ["main"]
