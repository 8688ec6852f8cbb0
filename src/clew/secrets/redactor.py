"""The redactor: finds secrets and puts placeholders in their place."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from clew.secrets.assignments import assigned
from clew.secrets.found import PLACEHOLDER, Found, fold
from clew.secrets.keys import private_keys
from clew.secrets.tokens import in_addresses, shaped

_MOST_ROUNDS = 4
"""A placeholder can lay bare the border of the next secret; more than one more round is rare."""


def placeholder(kind: str, value: str, *, key: str = "", chosen: bool = False) -> str:
    """What stands in the place of a secret, such as `[secret:aws-key:1a2b3c]`.

    The digest is a truncated SHA-256 of key, kind and value, so that workers agree without
    talking. 24 bits tell the secrets of one session apart; a value that a person may have chosen
    gets 12, so that a list of ten million common passwords leaves thousands of candidates. With a
    `key` that only the store's owner has, nobody else can try candidates at all.
    """
    digest = hashlib.sha256("\x00".join((key, kind, value)).encode("utf-8", "surrogatepass"))
    return f"[secret:{kind}:{digest.hexdigest()[: 3 if chosen else 6]}]"


class SecretRedactor:
    """Replaces secrets by typed placeholders. Has no state: the same text gives the same text.

    Finds tokens of providers, private keys, passwords in addresses and values given to names such
    as `password` or `api_key`. What stands around a secret stays. `key` is mixed into the digests.
    """

    def __init__(self, *, key: str = "") -> None:
        self._key = key

    def redact(self, text: str) -> str:
        """The text without secrets; the very same object when there are none. Never raises."""
        for _ in range(_MOST_ROUNDS):
            found = _merged(_outside_placeholders(text, _all(text, fold(text))))
            if not found:
                return text
            text = self._replaced(text, found)
        return text

    def _replaced(self, text: str, found: Iterable[Found]) -> str:
        pieces: list[str] = []
        upto = 0
        for secret in found:
            value = text[secret.start : secret.end]
            mark = placeholder(secret.kind, value, key=self._key, chosen=secret.chosen)
            self._replacing(mark, value)
            pieces += (text[upto : secret.start], mark)
            upto = secret.end
        pieces.append(text[upto:])
        return "".join(pieces)

    def _replacing(self, mark: str, value: str) -> None:
        """Told of every replacement; the plain redactor forgets it."""


class ReversibleRedactor(SecretRedactor):
    """A redactor that keeps what it replaced, apart from every text, until it is dropped.

    The map lives in this object only: nothing writes it to a store, a log or a record.
    """

    def __init__(self, *, key: str = "") -> None:
        super().__init__(key=key)
        self._values: dict[str, set[str]] = {}

    def restore(self, text: str) -> str:
        """The text with its secrets back; a placeholder that stands for two values stays."""

        def value_of(mark: str) -> str:
            values = self._values.get(mark, set())
            return next(iter(values)) if len(values) == 1 else mark

        for _ in range(_MOST_ROUNDS):
            restored = PLACEHOLDER.sub(lambda found: value_of(found.group()), text)
            if restored == text:
                break
            text = restored
        return text

    def _replacing(self, mark: str, value: str) -> None:
        self._values.setdefault(mark, set()).add(value)


def _all(text: str, view: bytes) -> Iterator[Found]:
    for finder in (private_keys, shaped, in_addresses, assigned):
        yield from finder(text, view)


def _outside_placeholders(text: str, found: Iterable[Found]) -> list[Found]:
    """Findings that do not touch a placeholder that stands already."""
    kept = list(found)
    if not kept or "[secret:" not in text:
        return kept
    marks = [match.span() for match in PLACEHOLDER.finditer(text)]
    return [
        secret
        for secret in kept
        if not any(start < secret.end and secret.start < end for start, end in marks)
    ]


def _merged(found: list[Found]) -> list[Found]:
    """Findings in order; where two overlap, one that covers both, of the kind that began first."""
    merged: list[Found] = []
    for secret in sorted(found, key=lambda one: (one.start, -one.end, one.kind)):
        last = merged[-1] if merged else None
        if last is None or secret.start >= last.end:
            merged.append(secret)
        elif secret.end > last.end:
            merged[-1] = Found(start=last.start, end=secret.end, kind=last.kind, chosen=last.chosen)
    return merged
