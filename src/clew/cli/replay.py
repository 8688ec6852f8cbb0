"""`clew replay`."""


def replay() -> None:
    """Later."""
