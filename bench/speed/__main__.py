"""python -m bench.speed [--quick] [--here] [--write]

Measures Clew, and LangChain beside it, in one process and in turns. `--quick` takes seconds and
uses what is installed; `--here` the full sizes without the environment of the benchmarks;
`--write` puts the tables into the README of this folder.
"""

from __future__ import annotations

import argparse
import platform
from pathlib import Path
from typing import Any

from bench.environment import run_inside
from bench.speed import clew_side, langchain_side
from bench.speed.histories import compared, grown, of_messages, of_tokens
from bench.speed.importing import STATEMENTS, import_times
from bench.speed.recorded import beginnings
from bench.speed.timing import Times, Watch, pace_ms

README = Path(__file__).with_name("README.md")
MARK = "<!-- measured -->"


def preflights(counts: tuple[int, ...], rounds: int) -> list[list[str]]:
    """Nothing to do: the same list again, and a list that grew by a call and its result."""
    rows = []
    rival = langchain_side.Rival() if langchain_side.here() else None
    for count in counts:
        history = of_messages(count)
        session, watches = clew_side.holding(history), [Watch() for _ in range(4)]
        theirs = rival.messages(history) if rival is not None else []
        for growing in grown(history, rounds):
            clew_side.preflight(session, growing, watches[1])
            if rival is not None:
                rival.preflight(theirs, watches[2])
                rival.trim(theirs, watches[3])
        session = clew_side.holding(history)
        for _ in range(rounds):
            clew_side.preflight(session, history, watches[0])
        alone = clew_side.preflights_in_a_fresh_process(count, rounds)
        rows.append(["Clew, same list, a process of its own", f"{count:,}", *cells(alone)])
        names = ("Clew, same list", "Clew, list grew by two",
                 "LangChain SummarizationMiddleware", "LangChain trim_messages")  # fmt: skip
        rows += [
            [name, f"{count:,}", *cells(watch.times)]
            for name, watch in zip(names, watches, strict=True)
            if watch.taken
        ]
    return rows


def compactions(tokens: int, rounds: int) -> list[list[str]]:
    """One compaction of histories that the session has seen before, in turns."""
    histories = {
        "source files": clew_side.beginning(of_tokens(tokens), tokens),
        "rivals' run": compared(tokens),
    }
    rival = langchain_side.Rival() if langchain_side.here() else None
    rows = []
    for what, history in histories.items():
        ours, theirs = Watch(), Watch()
        for _ in range(rounds):
            clew_side.compaction(history, ours)
            if rival is not None:
                rival.compaction(rival.messages(history), theirs)
        size = [f"{len(history)}", f"{clew_side.tokens_of(history):,}"]
        rows.append([f"Clew, {what}", *size, *cells(ours.times)])
        if theirs.taken:
            rows.append([f"LangChain, {what}", *size, *cells(theirs.times)])
    return rows


def recorded(tokens: int, rounds: int) -> list[list[str]]:
    """One compaction of the first so many tokens of recorded sessions, where those are here."""
    rows = []
    for name, messages, wire in beginnings(tokens) if tokens else ():
        watch = Watch()
        for _ in range(rounds):
            clew_side.compaction(messages, watch, wire)
        size = [f"{len(messages)}", f"{clew_side.tokens_of(messages, wire):,}"]
        rows.append([f"Clew, recorded: {name[:40]}", *size, *cells(watch.times)])
    return rows


def growth(sizes: tuple[int, ...], window: int) -> list[list[str]]:
    """Reading, counting and compacting a list never seen before: CPU a thousand tokens."""
    rows = []
    for tokens in sizes:
        history = of_tokens(tokens)
        watch = Watch()
        context = clew_side.at_once(history, min(window, tokens * 3 // 4), watch)
        before = context.report.tokens_before
        per = watch.times.cpu_ms / before * 1e3
        rows.append(
            [f"{before:,}", f"{len(history):,}", f"{watch.times.cpu_ms:,.0f}", f"{per:.2f}"]
        )
    return rows


def imports(rounds: int) -> list[list[str]]:
    """Fresh interpreters."""
    statements = dict(STATEMENTS)
    if langchain_side.here():
        name = "from langchain.agents.middleware import SummarizationMiddleware"
        statements[name] = name
    return [[f"`{n}`", *cells(import_times(s, rounds))] for n, s in statements.items()]


def cells(times: Times) -> list[str]:
    return [f"{times.cpu_ms:.2f}", f"{times.least_cpu_ms:.2f}", f"{times.wall_ms:.2f}"]


def table(head: str, rows: list[list[str]]) -> str:
    """A Markdown table; all columns but the first are numbers."""
    columns = head.split(" | ")
    lines = [f"| {head} |", f"|---|{'--:|' * (len(columns) - 1)}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def measured(sizes: dict[str, Any]) -> str:
    """All tables."""
    clew_side.compaction(of_tokens(10_000), Watch())  # loads the vocabulary and the patterns
    times = "CPU ms, median | CPU ms, least | wall ms, median"
    rounds = sizes["compactions"]
    compacted = [*compactions(sizes["tokens"], rounds), *recorded(sizes["recorded"], rounds)]
    machine = (
        f"Python {platform.python_version()}, {platform.machine()}; three million multiplications "
        f"in a loop took {pace_ms():.0f} ms of CPU on this machine in this run."
    )
    growing = "tokens | messages | CPU ms | CPU ms a 1,000 tokens"
    return "\n\n".join([
        machine,
        "### Preflight with nothing to do",
        table(f"who | messages | {times}", preflights(sizes["counts"], sizes["rounds"])),
        "### One compaction",
        table(f"who, what | messages | tokens | {times}", compacted),
        "### Growth: a list never seen before, read, counted and compacted in one call",
        table(growing, growth(sizes["growth"], 200_000)),
        "### Import in a fresh interpreter",
        table(f"statement | {times}", imports(sizes["imports"])),
    ])  # fmt: skip


FULL = {
    "counts": (200, 2_000), "rounds": 60, "tokens": 120_000, "recorded": 120_000,
    "compactions": 15, "growth": (10_000, 100_000, 500_000, 2_000_000), "imports": 7,
}  # fmt: skip
QUICK = {
    "counts": (20, 100), "rounds": 5, "tokens": 20_000, "recorded": 0,
    "compactions": 1, "growth": (8_000, 16_000), "imports": 1,
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--here", action="store_true")
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    if not (chosen.quick or chosen.here):
        run_inside("bench.speed")
    text = measured(QUICK if chosen.quick else FULL)
    print(text)
    if chosen.write:
        head = README.read_text(encoding="utf-8").partition(MARK)[0]
        README.write_text(f"{head}{MARK}\n\n{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
