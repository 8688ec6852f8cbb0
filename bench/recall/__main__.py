"""python -m bench.recall [--quick] [--write] [--embeddings] [--spans N …] [--hints]

Whether search brings back what answers a question: evidence recall on recorded conversations beside
plain BM25 and an embedding model alone; search latency by the size of the archive; use of hints.
`--quick` takes a small invented conversation and a small archive.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from bench.recall.conversations import Conversation, conversations, invented
from bench.recall.hinting import Hinted, play
from bench.recall.latency import measured
from bench.recall.ranking import DEPTHS, Archived, Recalled, plain_bm25, recalled
from clew.embedders import resolve_embedder
from clew.importers import load_session
from clew.ports import Embedder

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT.parent / "shared" / "corpora" / "dev"
BENCHMARKS = CORPUS / "memory_benchmarks"
RECORDED = (
    "claude_code/cli_f4237e82.jsonl",
    "codex_cli/rollout-git-sync_019d6d29-8cf7-7fe3-adc9-8c3e4d9d5603.jsonl",
)
TUNED_ON = 4
"""The first so many conversations were looked at while the ranking was made; the rest were not."""

README = Path(__file__).with_name("README.md")
MARK = "<!-- measured: {} -->"


def compared(said: Iterable[Conversation], embedder: Embedder | None) -> dict[str, Recalled]:
    """Each search over some conversations."""
    sums: dict[str, Recalled] = {}

    def add(name: str, found: Recalled) -> None:
        sums[name] = sums.get(name, Recalled()) + found

    for each in said:
        print(f"asking {each.name}", file=sys.stderr)
        archived = Archived(each, embedder)
        add("plain BM25", recalled(plain_bm25(each.texts), each))
        add("archive search", recalled(archived.by_words, each))
        if embedder is not None:
            add("embedding model alone", recalled(archived.by_meaning, each))
            add("archive search with the model", recalled(archived.by_both, each))
    return sums


def recall_table(groups: dict[str, dict[str, Recalled]]) -> str:
    lines = [
        f"| conversations | search | questions | {' | '.join(f'at {d}' for d in DEPTHS)} |",
        f"|---|---|--:|{'--:|' * len(DEPTHS)}",
    ]
    for group, searches in groups.items():
        for name, found in searches.items():
            shares = " | ".join(f"{share:.1f} %" for share in found.percent)
            lines.append(f"| {group} | {name} | {found.questions:,} | {shares} |")
    return "\n".join(lines)


def latency_table(sizes: Iterable[int], each: int) -> str:
    lines = ["| spans | query | p50 ms | p99 ms |", "|--:|---|--:|--:|"]
    for size in sizes:
        print(f"filling {size:,} spans", file=sys.stderr)
        for kind, median, high in measured(size, each):
            lines.append(f"| {size:,} | {kind} | {median:.1f} | {high:.1f} |")
    return "\n".join(lines)


def hint_table(rows: dict[str, Hinted]) -> str:
    lines = [
        "| recording | messages | hints | named again | span needed | a span at random needed |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name, row in rows.items():
        numbers = (row.messages, row.given, row.named, row.needed, row.by_chance)
        lines.append(f"| {name} | {' | '.join(f'{number:,}' for number in numbers)} |")
    return "\n".join(lines)


def put(name: str, table: str, *, write: bool) -> None:
    """Print a table, and put it behind its mark in the README when asked to."""
    print(table, end="\n\n")
    if not write:
        return
    mark = MARK.format(name)
    before, found, after = README.read_text(encoding="utf-8").partition(mark)
    assert found, f"the README has no {mark}"
    rest = after.lstrip("\n").split("\n\n", 1)
    behind = rest[1] if len(rest) > 1 else ""
    README.write_text(f"{before}{mark}\n{table}\n\n{behind}".rstrip() + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--embeddings", action="store_true", help="ask the embedding model too")
    parser.add_argument("--spans", type=int, nargs="*", default=[], help="sizes of archives")
    parser.add_argument("--queries", type=int, default=60, help="of each kind, for latency")
    parser.add_argument("--hints", action="store_true")
    parser.add_argument("--window", type=int, default=30_000)
    chosen = parser.parse_args()
    if chosen.quick:
        put("recall", recall_table({"invented": compared([invented()], None)}), write=False)
        put("latency", latency_table([500], 5), write=False)
        return
    if not chosen.spans and not chosen.hints:
        embedder = resolve_embedder("minilm") if chosen.embeddings else None
        for path in sorted(BENCHMARKS.glob("*.json")):
            said = conversations(path)
            groups = {
                "tuned on": compared(said[:TUNED_ON], embedder),
                "held out": compared(said[TUNED_ON:], embedder),
            }
            both = zip(groups["tuned on"].items(), groups["held out"].values(), strict=True)
            groups["all"] = {name: one + two for (name, one), two in both}
            put("recall", recall_table(groups), write=chosen.write)
    if chosen.spans:
        put("latency", latency_table(chosen.spans, chosen.queries), write=chosen.write)
    if chosen.hints:
        rows: dict[str, Hinted] = {}
        for name in RECORDED:
            print(f"playing {name}", file=sys.stderr)
            rows[Path(name).stem[:24]] = play(load_session(CORPUS / name).messages, chosen.window)
        put("hints", hint_table(rows), write=chosen.write)


if __name__ == "__main__":
    main()
