"""Each measurement has a quick form that needs no third party; here it runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

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
    assert {"Clew, same list", "Clew, list grew by two", "`import clew`"} <= names
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
    assert share["a call in 10 s", "no"] == 0
    assert share["a call in 10 s", "yes"] >= 50
    longest = {(row[0], row[2]): float(row[6].split()[0]) for row in rows}
    assert all(longest[name, "yes"] <= longest[name, "no"] for name, _ in longest)


@pytest.mark.parametrize("name", ["bench.speed", "bench.folding", "bench.suites", "bench.waiting"])
def test_a_measurement_says_how_to_run_it(name: str) -> None:
    assert "--write" in run(name, "--help")


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
