"""Every error Clew raises, drawn at the top so that a reader sees the whole tree.

    ClewError
    ├── BudgetError              numbers that cannot work, with the arithmetic
    ├── FloorExceededError       what is protected alone does not fit
    ├── PolicyError              a policy document that cannot be read
    ├── InvalidTranscriptError   input that breaks the wire format beyond neutral repair
    ├── UnknownFormatError       no codec or importer recognises the input
    ├── ImportSourceError        a recorded session that cannot be read
    ├── RecordError              a record or a delta that breaks a rule of the record
    │   └── LineageError         the books of a compaction do not balance
    ├── UnknownHandleError       a handle that this session never gave out
    ├── SummarizerError          a summarizer that failed, and whether a retry can help
    ├── HandoffError             a handoff document that cannot be resumed
    ├── StoreError               the archive cannot be read or written
    │   ├── StoreLockedError
    │   ├── StoreReadOnlyError
    │   ├── StoreFullError
    │   ├── StoreCorruptError
    │   └── StoreVersionError
    └── MissingExtraError        an optional package is not installed

Errors carry facts as attributes; the class writes the sentence.
"""

from __future__ import annotations

from typing import Any


def _again(kind: type[ClewError], args: tuple[Any, ...], facts: dict[str, Any]) -> ClewError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(facts)
    return error


class ClewError(Exception):
    """Base of every error that Clew raises on purpose."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors come out of process pools whole, though their sentence is not what made them."""
        return (_again, (type(self), self.args, dict(self.__dict__)))


class BudgetError(ClewError):
    """A budget whose numbers cannot work.

    `problem` says what is wrong, `arithmetic` shows the sum that fails (tokens).
    """

    def __init__(self, problem: str, *, arithmetic: str = "") -> None:
        self.problem = problem
        self.arithmetic = arithmetic
        super().__init__(f"{problem}: {arithmetic}" if arithmetic else problem)


class FloorExceededError(ClewError):
    """What must stay in the context is larger than what may go out.

    `parts` names what holds the floor up, in tokens; `limit_tokens` is the transcript budget.
    """

    def __init__(
        self, *, floor_tokens: int, limit_tokens: int, parts: tuple[tuple[str, int], ...]
    ) -> None:
        self.floor_tokens = floor_tokens
        self.limit_tokens = limit_tokens
        self.parts = parts
        held = ", ".join(f"{name} {tokens:,}" for name, tokens in parts)
        super().__init__(
            f"the protected floor of {floor_tokens:,} tokens does not fit the transcript budget "
            f"of {limit_tokens:,} ({held}); unpin or externalise the largest part, raise the "
            f"window, or hand off to a fresh run"
        )


class PolicyError(ClewError):
    """A policy document that cannot be read or holds a value out of range."""

    def __init__(self, problem: str, *, where: str = "") -> None:
        self.problem = problem
        self.where = where
        super().__init__(f"{where}: {problem}" if where else problem)


class InvalidTranscriptError(ClewError):
    """Input that breaks its wire format and cannot be repaired without inventing content.

    `index` is the position of the offending message (0-based), `expected` what should stand there.
    """

    def __init__(self, problem: str, *, index: int | None = None, expected: str = "") -> None:
        self.problem = problem
        self.index = index
        self.expected = expected
        where = "" if index is None else f"message {index}: "
        tail = f"; expected {expected}" if expected else ""
        super().__init__(f"{where}{problem}{tail}")


class UnknownFormatError(ClewError):
    """No codec or importer recognises the input; `tried` lists the formats that were asked."""

    def __init__(self, what: str, *, tried: tuple[str, ...] = ()) -> None:
        self.what = what
        self.tried = tried
        asked = f"; tried {', '.join(tried)}" if tried else ""
        super().__init__(f"{what} is in no format that Clew knows{asked}; name it with format=")


class ImportSourceError(ClewError):
    """A recorded session that cannot be read; `line` is 1-based where the source has lines."""

    def __init__(self, source: str, problem: str, *, line: int | None = None) -> None:
        self.source = source
        self.problem = problem
        self.line = line
        at = f"{source}:{line}" if line is not None else source
        super().__init__(f"{at}: {problem}")


class RecordError(ClewError):
    """A record, item or delta that breaks a rule of the record; `item` names it when known."""

    def __init__(self, problem: str, *, item: str = "") -> None:
        self.problem = problem
        self.item = item
        super().__init__(f"{item}: {problem}" if item else problem)


class LineageError(RecordError):
    """The books of a compaction do not balance; `missing` ids went in and never came out."""

    def __init__(self, *, missing: tuple[str, ...], unknown: tuple[str, ...] = ()) -> None:
        self.missing = missing
        self.unknown = unknown
        parts = []
        if missing:
            parts.append(f"went in and were not accounted for: {', '.join(missing)}")
        if unknown:
            parts.append(f"accounted for but never went in: {', '.join(unknown)}")
        super().__init__(f"lineage does not balance ({'; '.join(parts)})")


class UnknownHandleError(ClewError):
    """A handle that this session's own chain never gave out."""

    def __init__(self, handle: str) -> None:
        self.handle = handle
        super().__init__(
            f"{handle!r} is not a handle of this session; handles look like S-41 or R-17, "
            f"and search finds the ones that exist"
        )


class SummarizerError(ClewError):
    """A summarizer that gave nothing usable.

    `permanent` tells whether the same request can ever work; `retry_after_seconds` is the
    provider's own wish, when it stated one. `too_long`: the request did not fit the model's
    window, so that a smaller one may work.
    """

    def __init__(
        self,
        problem: str,
        *,
        summarizer: str = "",
        permanent: bool = False,
        retry_after_seconds: float | None = None,
        too_long: bool = False,
    ) -> None:
        self.problem = problem
        self.summarizer = summarizer
        self.permanent = permanent
        self.retry_after_seconds = retry_after_seconds
        self.too_long = too_long
        super().__init__(f"{summarizer}: {problem}" if summarizer else problem)


class HandoffError(ClewError):
    """A handoff document that cannot be resumed; `line` is 1-based, `source` a file, when known."""

    def __init__(self, problem: str, *, line: int | None = None, source: str = "") -> None:
        self.problem = problem
        self.line = line
        self.source = source
        place = f"line {line}" if line is not None else ""
        if source:
            place = f"{source}:{line}" if line is not None else source
        super().__init__(f"{place}: {problem}" if place else problem)


class StoreError(ClewError):
    """The archive cannot be read or written; the history in memory is untouched."""

    step = "check the path and the permissions"

    def __init__(self, location: str, problem: str) -> None:
        self.location = location
        self.problem = problem
        super().__init__(f"store {location}: {problem}; {self.step}")


class StoreLockedError(StoreError):
    """Another process held the store for longer than the time-out."""

    step = "close the other writer or raise the busy time-out"


class StoreReadOnlyError(StoreError):
    """The store cannot be written."""

    step = "make the file and its directory writable, or name another store"


class StoreFullError(StoreError):
    """The disk under the store is full."""

    step = "free some space; nothing was committed"


class StoreCorruptError(StoreError):
    """The store holds something that is not a Clew store, or is damaged."""

    step = "restore a backup or name another store; Clew does not repair it in place"


class StoreVersionError(StoreError):
    """The store was written by a newer Clew."""

    step = "upgrade Clew to read it"


class MissingExtraError(ClewError):
    """An optional package is not installed; `extra` is what to install."""

    def __init__(self, *, package: str, extra: str, purpose: str) -> None:
        self.package = package
        self.extra = extra
        self.purpose = purpose
        super().__init__(
            f"{purpose} needs the package {package!r}; install it with: pip install 'clew[{extra}]'"
        )
