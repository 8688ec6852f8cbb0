"""Summary lines of test and build runners: the numbers and the line they stand in."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from clew.tools_seen.seen import TestRun

_Counter = Callable[[str], TestRun | None]

_DIGIT = re.compile(r"\d")
_NUMBERED = re.compile(r"(\d+) (passed|failed|errors?|skipped|pending|todo|xfailed|xpassed)\b")
_PYTEST = re.compile(r"^=*\s*(?:\d+ \w+,? ?)+ ?in [\d.]+ ?s")
_UNITTEST_RAN = re.compile(r"^Ran (\d+) tests? in ")
_UNITTEST_END = re.compile(r"^(OK|FAILED)(?: \((.*)\))?\s*$")
_PAIR = re.compile(r"(\w+)=(\d+)")
_GO = re.compile(r"^\s*(?:\S+ )?(ok|FAIL)\s+\S+\s+(?:[\d.]+s|\(cached\)|\[.*\])")
_GO_CASE = re.compile(r"^\s*--- (PASS|FAIL|SKIP): ")
_CARGO = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;")
_NEXTEST = re.compile(r"^\s*Summary \[.*\] \d+ tests? run: (\d+) passed.*?(?:, (\d+) failed)?")
_JEST = re.compile(r"^\s*Tests:?\s+(?=.*\b\d+ (?:passed|failed|skipped|todo|total)\b)")
_MOCHA = re.compile(r"^\s+(\d+) (passing|failing|pending)\b")
_NODE = re.compile(r"^(?:#|ℹ) (pass|fail|skipped) (\d+)\s*$")
_BUN = re.compile(r"^\s*(\d+) (pass|fail|skip)\s*$")
_RSPEC = re.compile(r"^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?")
_MAVEN = re.compile(r"Tests run: (\d+), Failures: (\d+), Errors: (\d+)(?:, Skipped: (\d+))?")
_GRADLE = re.compile(r"^(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?")
_PHPUNIT_OK = re.compile(r"^OK \((\d+) tests?, \d+ assertions?\)")
_PHPUNIT = re.compile(r"^Tests: (\d+), Assertions: \d+(.*)$")
_PHPUNIT_PART = re.compile(r"(Failures|Errors|Skipped|Incomplete): (\d+)")
_DOTNET = re.compile(r"(?:Passed|Failed)!\s+-\s+Failed:\s+(\d+), Passed:\s+(\d+), Skipped:\s+(\d+)")
_CTEST = re.compile(r"^\d+% tests passed, (\d+) tests? failed out of (\d+)")
_SYMPY = re.compile(r"^\s*tests finished: (?=\d)")
_SYMPY_PART = re.compile(r"(\d+) (passed|failed|exceptions?|skipped|expected to fail)\b(?! but)")
_TAP = re.compile(r"^(ok|not ok) \d+\b(.*)$")
_BATS = re.compile(r"^(\d+) tests?, (\d+) failures?(?:, (\d+) skipped)?\s*$")


def see_tests(text: str) -> TestRun | None:
    """The last test summary in a text, or None. Counts of several summaries of one run add up."""
    lines = [line.rstrip("\r") for line in text.split("\n")]
    for whole in (_go, _unittest, _listed, _tap):
        if (run := whole(lines)) is not None:
            return run
    found: TestRun | None = None
    for line in lines:
        if len(line) > 400 or not _DIGIT.search(line):
            continue
        for reader in _READERS:
            if (run := reader(line)) is not None:
                found = run
                break
    return found


def _numbers(line: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for number, word in _NUMBERED.findall(line):
        counts[word.rstrip("s") if word.startswith("error") else word] = int(number)
    return counts


def _from_words(line: str) -> TestRun | None:
    counts = _numbers(line)
    if not counts:
        return None
    return TestRun(
        line=line.strip(),
        passed=counts.get("passed", 0) + counts.get("xpassed", 0),
        failed=counts.get("failed", 0) + counts.get("error", 0),
        skipped=sum(counts.get(k, 0) for k in ("skipped", "pending", "todo", "xfailed")),
    )


def _pytest(line: str) -> TestRun | None:
    return _from_words(line) if _PYTEST.match(line.strip()) else None


def _jest(line: str) -> TestRun | None:
    return _from_words(line) if _JEST.match(line) else None


def _cargo(line: str) -> TestRun | None:
    if not (found := _CARGO.match(line.strip())):
        return None
    passed, failed, skipped = map(int, found.groups())
    return TestRun(line=line.strip(), passed=passed, failed=failed, skipped=skipped)


def _rspec(line: str) -> TestRun | None:
    if not (found := _RSPEC.match(line.strip()) or _BATS.match(line.strip())):
        return None
    total, failed, skipped = (int(n or 0) for n in found.groups())
    return TestRun(
        line=line.strip(), passed=max(total - failed - skipped, 0), failed=failed, skipped=skipped
    )


def _maven(line: str) -> TestRun | None:
    if not (found := _MAVEN.search(line)):
        return None
    total, failures, errors, skipped = (int(n or 0) for n in found.groups())
    failed = failures + errors
    return TestRun(
        line=line.strip(), passed=max(total - failed - skipped, 0), failed=failed, skipped=skipped
    )


def _gradle(line: str) -> TestRun | None:
    if not (found := _GRADLE.match(line.strip())):
        return None
    total, failed, skipped = (int(n or 0) for n in found.groups())
    return TestRun(
        line=line.strip(), passed=max(total - failed - skipped, 0), failed=failed, skipped=skipped
    )


def _phpunit(line: str) -> TestRun | None:
    if found := _PHPUNIT_OK.match(line.strip()):
        return TestRun(line=line.strip(), passed=int(found.group(1)))
    if not (found := _PHPUNIT.match(line.strip())):
        return None
    parts = {name: int(number) for name, number in _PHPUNIT_PART.findall(found.group(2))}
    failed = parts.get("Failures", 0) + parts.get("Errors", 0)
    skipped = parts.get("Skipped", 0) + parts.get("Incomplete", 0)
    return TestRun(
        line=line.strip(),
        passed=max(int(found.group(1)) - failed - skipped, 0),
        failed=failed,
        skipped=skipped,
    )


def _dotnet(line: str) -> TestRun | None:
    if not (found := _DOTNET.search(line)):
        return None
    failed, passed, skipped = map(int, found.groups())
    return TestRun(line=line.strip(), passed=passed, failed=failed, skipped=skipped)


def _ctest(line: str) -> TestRun | None:
    if not (found := _CTEST.match(line.strip())):
        return None
    failed, total = map(int, found.groups())
    return TestRun(line=line.strip(), passed=total - failed, failed=failed)


def _sympy(line: str) -> TestRun | None:
    if not _SYMPY.match(line):
        return None
    counts = {name.rstrip("s"): int(number) for number, name in _SYMPY_PART.findall(line)}
    return TestRun(
        line=line.strip(),
        passed=counts.get("passed", 0),
        failed=counts.get("failed", 0) + counts.get("exception", 0),
        skipped=counts.get("skipped", 0) + counts.get("expected to fail", 0),
    )


_READERS: tuple[_Counter, ...] = (
    _pytest, _cargo, _jest, _maven, _rspec, _gradle, _phpunit, _dotnet, _ctest, _sympy,
)  # fmt: skip


# ---- summaries that stand on several lines --------------------------------------------------


def _go(lines: Sequence[str]) -> TestRun | None:
    """Go prints one line a package; cases count where `-v` shows them."""
    packages = {"ok": 0, "FAIL": 0}
    cases = {"PASS": 0, "FAIL": 0, "SKIP": 0}
    line_of = ""
    for line in lines:
        if found := _GO.match(line):
            packages[found.group(1)] += 1
            better = found.group(1) == "FAIL" and not line_of.startswith("--- FAIL")
            if better or not line_of.startswith(("FAIL", "---")):
                line_of = line.strip()
        elif found := _GO_CASE.match(line):
            cases[found.group(1)] += 1
            if found.group(1) == "FAIL" and not line_of.startswith("--- FAIL"):
                line_of = line.strip()
    if not (packages["ok"] or packages["FAIL"] or cases["FAIL"] or cases["PASS"]):
        return None
    return TestRun(
        line=line_of,
        passed=cases["PASS"] or packages["ok"],
        failed=cases["FAIL"] or packages["FAIL"],
        skipped=cases["SKIP"],
    )


def _unittest(lines: Sequence[str]) -> TestRun | None:
    total = None
    for line in lines:
        if found := _UNITTEST_RAN.match(line):
            total = int(found.group(1))
        elif total is not None and (found := _UNITTEST_END.match(line)):
            counts = {k: int(v) for k, v in _PAIR.findall(found.group(2) or "")}
            failed = counts.get("failures", 0) + counts.get("errors", 0)
            skipped = counts.get("skipped", 0)
            return TestRun(
                line=line.strip(),
                passed=max(total - failed - skipped, 0),
                failed=failed,
                skipped=skipped,
            )
    return None


def _listed(lines: Sequence[str]) -> TestRun | None:
    """Mocha, bun and node print one count a line."""
    counts = {"pass": 0, "fail": 0, "skip": 0}
    shown = ""
    for line in lines:
        if (found := _MOCHA.match(line)) or (found := _BUN.match(line)):
            number, word = int(found.group(1)), found.group(2)
        elif found := _NODE.match(line):
            number, word = int(found.group(2)), found.group(1)
        else:
            continue
        key = {"passing": "pass", "failing": "fail", "pending": "skip", "skipped": "skip"}
        name = key.get(word, word)
        counts[name] = number
        if not shown or (name == "fail" and number):
            shown = line.strip()
    if not shown:
        return None
    return TestRun(line=shown, passed=counts["pass"], failed=counts["fail"], skipped=counts["skip"])


def _tap(lines: Sequence[str]) -> TestRun | None:
    passed = failed = skipped = 0
    shown = ""
    for line in lines:
        if not (found := _TAP.match(line)):
            continue
        if "# skip" in found.group(2).lower():
            skipped += 1
        elif found.group(1) == "ok":
            passed += 1
        else:
            failed += 1
        if not shown or found.group(1) != "ok":
            shown = line.strip()
    if passed + failed + skipped < 2:
        return None
    return TestRun(line=shown, passed=passed, failed=failed, skipped=skipped)
