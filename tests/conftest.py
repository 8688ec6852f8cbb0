"""What every test shares: recorded sessions, Hypothesis profiles, and the rule about skips."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

SHARED = Path(__file__).resolve().parents[2] / "shared"

requires_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the recorded sessions in ../shared are not here"
)


def shared_path(*parts: str) -> Path:
    """Gives the path of a recording in ../shared; skips the test where the folder is absent."""
    if not SHARED.is_dir():
        pytest.skip("the recorded sessions in ../shared are not here")
    path = SHARED.joinpath(*parts)
    if not path.exists():
        raise FileNotFoundError(f"../shared holds no {'/'.join(parts)}")
    return path


settings.register_profile("default", max_examples=60, deadline=None, print_blob=True)
# CI draws the same examples each time, for most laws in each of the four formats: more of them
# prove no more the second time. New ones are drawn at a desk, and in number by the nightly profile.
settings.register_profile("ci", max_examples=100, deadline=None, print_blob=True)
settings.register_profile(
    "nightly",
    max_examples=100_000,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "default")
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A real model takes minutes: first, so that no worker is left alone with it at the end."""
    items.sort(key=lambda item: item.get_closest_marker("livellm") is None)


def _forbid_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Where every condition of a test is provided, a skip hides a test that did not run."""
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"skipped where CLEW_NO_SKIPS forbids it: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if os.environ.get("CLEW_NO_SKIPS") == "1":
        _forbid_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if os.environ.get("CLEW_NO_SKIPS") == "1":
        _forbid_skip(report)
    return report
