"""python -m bench.summarizer [--most N] [--only NAME] [--cassette FILE] [--replay] [--write]

Compactions from recordings with a real model of 1.5 billion parameters behind the summarizer. Each
reply goes to the cassette as it comes; `--replay` works everything out again from there.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.summarizer.cassette import Cassette, RecordedClient
from bench.summarizer.compactions import Case, cases
from bench.summarizer.model import NAME, served
from bench.summarizer.tables import dump, report
from bench.summarizer.weighing import Weighed, weighed
from clew.clients.openai import OpenAIClient
from clew.ports import ModelClient
from clew.session.summarizers import findings_of
from clew.summarize.breaker import CallLimits
from clew.summarize.model import ModelSummarizer

CONTEXT_TOKENS = 6_144
WINDOW_TOKENS = 5_600
OUTPUT_TOKENS = 260
README = Path(__file__).with_name("README.md")
SOURCES = Path(__file__).with_name("sources.py")
MARK = "<!-- measured -->"
LIMITS = CallLimits(per_compaction=3, retries=0, repairs=1, failures=1_000)


def summarizer_with(client: RecordedClient) -> ModelSummarizer:
    """The summarizer as a session makes it, with the limits of this measurement."""
    return ModelSummarizer(
        client, check=findings_of, limits=LIMITS, max_output_tokens=OUTPUT_TOKENS
    )


@contextmanager
def model(replay: bool) -> Iterator[ModelClient | None]:
    """The live model, or none where only the file counts."""
    if replay:
        yield None
        return
    with served(CONTEXT_TOKENS) as address:
        yield OpenAIClient(
            NAME, base_url=f"{address}/v1", window_tokens=WINDOW_TOKENS, timeout_seconds=1_800
        )


def run(case: Case, cassette: Cassette, live: ModelClient | None) -> Weighed:
    """One compaction, weighed; says so in a line."""
    client = RecordedClient(cassette, case.name, WINDOW_TOKENS, live)
    found = weighed(case, client, summarizer_with(client))
    seconds = sum(heard.seconds for heard in found.heard)
    said = found.failure or f"{len(found.accepted)} accepted"
    print(f"{case.name}: {len(found.heard)} calls, {seconds:.0f} s, {said}", file=sys.stderr)
    return found


def checked(weighed: list[Weighed]) -> str:
    """What the independent script says of all records."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.jsonl"
        path.write_text("".join(f"{dump(each)}\n" for each in weighed), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-S", "-E", str(SOURCES), str(path)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    return done.stdout.strip() or done.stderr.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=24)
    parser.add_argument("--only", default="")
    parser.add_argument("--share", default="0/1", help="the K-th of N shares, to run side by side")
    parser.add_argument("--cassette", type=Path)
    parser.add_argument("--replay", action="store_true")
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    path = chosen.cassette or Path(tempfile.gettempdir()) / "clew-bench-summarizer.jsonl"
    cassette = Cassette.opened(path)
    share, shares = map(int, chosen.share.split("/"))
    wanted = cases(chosen.only)
    done: list[Weighed] = []
    with model(chosen.replay) as live:
        for place, case in enumerate(wanted[: chosen.most]):
            if place % shares == share and (live is not None or cassette.of(case.name)):
                done.append(run(case, cassette, live))
    told = f"{report(done)}\n\n{checked(done)}"
    print(told)
    if chosen.write:
        head = README.read_text(encoding="utf-8").partition(MARK)[0]
        README.write_text(f"{head}{MARK}\n\n{told}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
