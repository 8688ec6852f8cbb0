"""A shop."""

from decimal import Decimal

LIMIT: int = 3


class Basket:
    """What a customer carries."""

    def add(self, name: str, *, price: Decimal = Decimal(1)) -> None:
        def local() -> None: ...

        local()

    @property
    def total(self) -> Decimal:
        return checkout(self)


def checkout(basket: Basket) -> Decimal:
    return basket.total
