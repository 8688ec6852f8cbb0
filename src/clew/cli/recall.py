"""`clew recall`."""


def recall() -> None:
    """Later."""
