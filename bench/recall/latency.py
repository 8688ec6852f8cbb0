"""How long a search takes in an archive of many spans: CPU time, so that a busy machine counts."""

from __future__ import annotations

import itertools
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from clew.ports import Checkpoint, CheckpointKind, Span
from clew.store import SqliteStore
from clew.transcript import Format

KINDS = ("identifier", "path", "question", "common words", "middling words", "absent", "beginning")
_WORDS = 30_000
_IN_A_SPAN = 45
_IN_A_COMPACTION = 5_000


class Language:
    """Invented words, the n-th as frequent as 1/n; a pool of them, for speed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        letters = "abcdefghijklmnopqrstuvwxyz"
        self.words = [
            "".join(letters[n // 26**k % 26] for k in range(4)) + "xq" for n in range(_WORDS)
        ]
        self.random.shuffle(self.words)
        self.weights = list(itertools.accumulate(1 / (rank + 2) for rank in range(_WORDS)))
        self.pool = self.spoken(1_000_000)

    def spoken(self, count: int) -> list[str]:
        return self.random.choices(self.words, cum_weights=self.weights, k=count)

    def path(self) -> str:
        return f"src/{self.words[self.random.randrange(300)]}/{self.random.choice(self.words)}.py"

    def span(self, number: int) -> str:
        start = self.random.randrange(len(self.pool) - _IN_A_SPAN)
        said = self.pool[start : start + _IN_A_SPAN]
        return f"{' '.join(said)} {self.path()} TICK-{number % 5_000}"

    def query(self, kind: str, spans: int) -> str:
        pick, words = self.random.randrange, self.words
        match kind:
            case "identifier":
                return f"TICK-{pick(5_000)}"
            case "path":
                return self.path()
            case "question":
                return "when did the " + " ".join(self.spoken(7))
            case "common words":
                return " ".join(words[pick(20)] for _ in range(6))
            case "middling words":
                return " ".join(words[pick(100, 1_000)] for _ in range(3))
            case "absent":
                return f"zz{pick(10**6)}zz nothing{pick(10**6)}"
            case _:
                return words[pick(2_000)][:4] + "x"


def filled(path: Path, count: int, language: Language) -> str:
    """Makes a store of one session with so many spans; gives its newest checkpoint."""
    parent = None
    with closing(SqliteStore(path)) as store:
        for depth, start in enumerate(range(0, count, _IN_A_COMPACTION), 1):
            upto = min(count, start + _IN_A_COMPACTION)
            made = Checkpoint(
                checkpoint_id=f"c{depth}",
                session_id="session",
                kind=CheckpointKind.COMPACT,
                format=Format.ANTHROPIC,
                key=f"key {depth}",
                key_count=depth,
                absorbed_count=upto,
                parent=parent,
                depth=depth,
                spans=tuple(
                    Span(handle=f"S-{n + 1}", position=n, digests=(), text=language.span(n))
                    for n in range(start, upto)
                ),
            )
            parent = store.commit(made, []).checkpoint_id
    assert parent is not None
    return parent


def timed(store: SqliteStore, newest: str, queries: list[str]) -> list[float]:
    """Milliseconds of CPU time for each query, the process warm."""
    taken = []
    for query in queries:
        begin = time.process_time()
        store.search(newest, query, limit=10)
        taken.append(1_000 * (time.process_time() - begin))
    return sorted(taken)


def percentile(values: list[float], share: float) -> float:
    return values[min(len(values) - 1, int(share * len(values)))]


def measured(
    count: int, each: int, folder: Path | None = None
) -> Iterator[tuple[str, float, float]]:
    """Kind of query, median and 99th percentile; the last row is of all together."""
    language = Language(7)
    with tempfile.TemporaryDirectory() as made:
        path = (folder or Path(made)) / f"spans-{count}.db"
        newest = f"c{-(-count // _IN_A_COMPACTION)}" if path.exists() else ""
        newest = newest or filled(path, count, language)
        asking = Language(11)
        queries = {kind: [asking.query(kind, count) for _ in range(each)] for kind in KINDS}
        every: list[float] = []
        with closing(SqliteStore(path)) as store:
            timed(store, newest, [queries[kind][0] for kind in KINDS])
            for kind in KINDS:
                taken = timed(store, newest, queries[kind])
                every += taken
                yield kind, percentile(taken, 0.5), percentile(taken, 0.99)
        every.sort()
        yield "all", percentile(every, 0.5), percentile(every, 0.99)
