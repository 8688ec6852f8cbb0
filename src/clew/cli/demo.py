"""`clew demo`."""


def demo() -> None:
    """Later."""
