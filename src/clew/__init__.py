"""Clew decides what an agent's context holds at every turn."""

__version__ = "0.1.0"

__all__ = ["__version__"]
