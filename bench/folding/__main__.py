"""python -m bench.folding [FILE …] [--window TOKENS] [--quick] [--write]

Plays long recordings through twenty compactions: survival by kind after 1, 2, 5, 10 and 20, items
lost without a line in the books, and records above their target. `--quick` plays a short list
made from the project's own source.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench.folding.playing import RECORD_TOKENS, Run, play, survival
from bench.suites.haystack import haystack
from clew.importers import load_session

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT.parent / "shared" / "corpora" / "dev"
LONG = (
    "claude_code/cli_f4237e82.jsonl",
    "codex_cli/rollout-git-sync_019d6d29-8cf7-7fe3-adc9-8c3e4d9d5603.jsonl",
)
README = Path(__file__).with_name("README.md")
MARK = "<!-- measured -->"
STAGES = (1, 2, 5, 10, 20)


def report(name: str, run: Run) -> str:
    """The table of one recording and its three counts."""
    lines = [
        f"### {name}",
        "",
        "| after | kind | earned before | in view | behind a handle | settled |",
        "|--:|---|--:|--:|--:|--:|",
    ]
    for stage in STAGES:
        if stage > len(run.foldings):
            break
        for kind, row in sorted(survival(run, stage).items()):
            numbers = (row["earned"], row["visible"], row["behind"], row["settled"])
            lines.append(f"| {stage} | {kind} | {' | '.join(map(str, numbers))} |")
    sizes = [folding.record_tokens for folding in run.foldings]
    silent = sum(f.over_target and not f.warned for f in run.foldings)
    lines += [
        "",
        f"{len(run.foldings)} compactions; {len(run.earned)} items; "
        f"{sum(len(f.missing) for f in run.foldings)} lost without a line in the books; record of "
        f"{min(sizes, default=0)} to {max(sizes, default=0)} tokens for a target of "
        f"{RECORD_TOKENS}; {sum(f.warned for f in run.foldings)} times with the warning that its "
        f"protected items are its floor, {silent} times above the target without it."
        + (f" The run ended at its floor: {run.floor_reached}." if run.floor_reached else ""),
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--window", type=int, default=24_000)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    if chosen.quick:
        print(report("the package's own source", play(haystack(14_000), 8_000, most=3)))
        return
    files = [Path(f) for f in chosen.files] or [CORPUS / name for name in LONG]
    parts = []
    for path in files:
        print(f"playing {path.name}", file=sys.stderr)
        session = load_session(path)
        parts.append(report(path.name, play(session.messages, chosen.window)))
        print(parts[-1])
    if chosen.write:
        head = README.read_text(encoding="utf-8").partition(MARK)[0]
        tables = "\n\n".join(parts)
        README.write_text(f"{head}{MARK}\n\n{tables}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
