"""Every reply of the model on file, so that all figures can be worked out again without it."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clew.errors import SummarizerError
from clew.ports import ModelClient, ModelReply, ModelRequest
from clew.summarize.effects import reply_from_text, reply_to_text, request_digest


@dataclass(frozen=True, slots=True)
class Heard:
    """One call: of which compaction, the how many-th, what was asked, answered, how long it took.

    `reply` None is a call that failed with `error`.
    """

    case: str
    number: int
    digest: str
    reply: ModelReply | None
    seconds: float
    error: str = ""

    def to_line(self) -> str:
        """One line of the file."""
        kept = json.loads(reply_to_text(self.reply)) if self.reply is not None else None
        return json.dumps(
            {
                "case": self.case,
                "number": self.number,
                "digest": self.digest,
                "seconds": round(self.seconds, 1),
                "error": self.error,
                "reply": kept,
            },
            ensure_ascii=False,
        )


def heard_from(line: str) -> Heard:
    """A call from its line."""
    value: dict[str, Any] = json.loads(line)
    reply = reply_from_text(json.dumps(value["reply"])) if value["reply"] is not None else None
    return Heard(
        value["case"], value["number"], value["digest"], reply, value["seconds"], value["error"]
    )


@dataclass(slots=True)
class Cassette:
    """The calls of all compactions, in a file that grows by a line a call."""

    path: Path
    calls: dict[tuple[str, int], Heard] = field(default_factory=dict)

    @classmethod
    def opened(cls, path: Path) -> Cassette:
        """What the file holds already; a later line stands for an earlier one."""
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        heard = [heard_from(line) for line in lines if line.strip()]
        return cls(path, {(each.case, each.number): each for each in heard})

    def add(self, heard: Heard) -> None:
        """Keep a call and write it down at once."""
        self.calls[heard.case, heard.number] = heard
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(f"{heard.to_line()}\n")

    def of(self, case: str) -> list[Heard]:
        """The calls of one compaction, in order."""
        found = [heard for (name, _), heard in self.calls.items() if name == case]
        return sorted(found, key=lambda heard: heard.number)


class RecordedClient:
    """Answers from the file; what it lacks is asked of the model, where there is one."""

    structured_output = True

    def __init__(
        self, cassette: Cassette, case: str, window_tokens: int, live: ModelClient | None
    ) -> None:
        self._cassette = cassette
        self._case = case
        self._live = live
        self._number = 0
        self.window_tokens = window_tokens
        self.heard: list[Heard] = []
        self.stale = 0

    @property
    def name(self) -> str:
        """The name by which calls are counted."""
        return "bench:recorded"

    def complete(self, request: ModelRequest) -> ModelReply:
        """The reply on file, else a new one, which is then on file."""
        self._number += 1
        digest = request_digest(self.name, request)
        heard = self._cassette.calls.get((self._case, self._number))
        if heard is not None and heard.digest != digest:
            self.stale += 1
            if self._live is not None:
                heard = None
        if heard is None:
            if self._live is None:
                raise SummarizerError("no such reply on file", summarizer=self.name, permanent=True)
            heard = self._asked(self._live, request, digest)
            self._cassette.add(heard)
        self.heard.append(heard)
        if heard.reply is None:
            raise SummarizerError(heard.error, summarizer=self.name)
        return heard.reply

    async def acomplete(self, request: ModelRequest) -> ModelReply:
        """The same, for whoever awaits."""
        return self.complete(request)

    def _asked(self, live: ModelClient, request: ModelRequest, digest: str) -> Heard:
        started = time.monotonic()
        reply: ModelReply | None = None
        error = ""
        try:
            reply = live.complete(request)
        except SummarizerError as failed:
            error = str(failed)
        seconds = time.monotonic() - started
        return Heard(self._case, self._number, digest, reply, seconds, error)
