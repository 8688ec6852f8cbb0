"""`clew compact`."""


def compact() -> None:
    """Later."""
