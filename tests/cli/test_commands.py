"""Each command on real input: the JSON document, and what people see."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from clew.cli import main
from clew.cli.doctor import examine
from clew.cli.options import share, tokens
from tests.conftest import shared_path

WORKED_EXAMPLE = [
    "budget", "--window", "200000", "--prefix", "19000", "--plan", "800", "--retrieval", "8000",
    "--reserve", "7200", "--trigger", "0.70", "--backstop", "85%", "--head", "1000",
    "--tail", "12k", "--record", "900", "--growth", "2400", "--p95", "18_000", "--p99", "31,000",
]  # fmt: skip
SESSION = ("corpora", "dev", "claude_code", "cli_2577a596.jsonl")
LONGER = ("corpora", "dev", "claude_code", "cli_d563fb6b.jsonl")
RESPONSES = (
    "corpora", "dev", "codex_cli", "rollout-skills_019dad77-8919-7173-a0d5-61b781415e5a.jsonl",
)  # fmt: skip


def document(capsys: pytest.CaptureFixture[str], arguments: list[str], code: int = 0) -> Any:
    """The one JSON document that a command writes."""
    assert main([*arguments, "--json"]) == code
    said = capsys.readouterr()
    assert said.err == ""
    return json.loads(said.out)


class TestBudget:
    def test_the_worked_example_to_the_token(self, capsys: pytest.CaptureFixture[str]) -> None:
        result = document(capsys, WORKED_EXAMPLE)
        advice = result.pop("advice")
        assert result == {
            "transcript_budget_tokens": 165_000,
            "trigger_tokens": 115_500,
            "backstop_tokens": 140_250,
            "gap_tokens": 24_750,
            "floor_tokens": 13_900,
            "reclaimed_tokens": 101_600,
            "turns_bought": 42,
            "p95_left_tokens": 6_750,
            "p99_left_tokens": -6_250,
        }
        assert len(advice) == 1
        assert "31,000" in advice[0]

    def test_a_person_sees_a_table(
        self, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
    ) -> None:
        assert main(WORKED_EXAMPLE) == 0
        assert capsys.readouterr().out == snapshot


@pytest.mark.parametrize(
    ("text", "expected"),
    [("200000", 200_000), ("200k", 200_000), ("1m", 1_000_000), ("12,000", 12_000), (" 7 ", 7)],
)
def test_tokens_are_written_in_several_ways(text: str, expected: int) -> None:
    assert tokens("window", text) == expected


@pytest.mark.parametrize(("text", "expected"), [("0.7", 0.7), ("70%", 0.7), ("9000", 9_000)])
def test_a_share_is_a_fraction_or_tokens(text: str, expected: float) -> None:
    assert share("trigger", text) == expected


OWN_PRICES = """
model = "openai:our-model"
[[prices]]
model = "openai:our-model"
input = 3.0
output = 15.0
"""


class TestReplay:
    def test_the_document_has_the_shape_of_the_contract(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        result = document(capsys, ["replay", str(shared_path(*SESSION)), "--window", "16k"])
        assert result["session"]["format"] == "anthropic"
        assert len(result["calls"]) == result["session"]["calls"] == result["valid_calls"]
        assert result["goal_intact"] is True
        assert result["archive"]["all_back"] is True
        assert result["compactions"]
        for compaction in result["compactions"]:
            lineage = compaction["lineage"]
            out = ("active", "superseded", "closed", "externalised")
            assert lineage["in"] == sum(lineage[fate] for fate in out)
            assert compaction["tokens_after"] < compaction["tokens_before"]
        for call in result["calls"]:
            assert {"n", "raw_tokens", "prepared_tokens", "outcome"} <= call.keys()
            assert call["prepared_tokens"] <= result["policy"]["transcript_budget_tokens"]
        assert set(result["repeats"]) == {"raw", "same_version", "unexplained"}
        assert set(result["reference_coverage"]) == {
            "needed", "visible", "addressable", "searchable", "lost",
        }  # fmt: skip
        assert 0 < result["cost"]["optimum"] <= result["cost"]["raw"]
        spending = result["spending"]
        assert spending["saved_tokens"] == spending["given_tokens"] - spending["sent_tokens"]
        assert spending["rewritten_tokens"] > 0
        assert result["record"]["goal"]

    @pytest.mark.parametrize(
        ("policy", "money"),
        [
            ('model = "openai:our-model"', "no price of openai:our-model is known"),
            (OWN_PRICES, "by the policy's prices of openai:our-model"),
            ("", "no model is named"),
        ],
    )
    def test_money_is_told_where_a_price_is_known_and_units_elsewhere(
        self, policy: str, money: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "policy.toml").write_text(policy)
        turns = [{"role": r, "content": "word " * 400} for r in ("user", "assistant") * 20]
        (tmp_path / "told.json").write_text(json.dumps(turns))
        told = [str(tmp_path / "told.json"), "--policy", str(tmp_path / "policy.toml")]
        assert main(["replay", *told, "--window", "8k"]) == 0
        shown = " ".join(capsys.readouterr().out.split())
        assert money in shown
        assert ("$" in shown) is ("policy's" in money)
        assert "of the cached prefix written again" in shown

    def test_items_of_one_answer_are_one_call(self, capsys: pytest.CaptureFixture[str]) -> None:
        result = document(capsys, ["replay", str(shared_path(*RESPONSES)), "--window", "32k"])
        assert result["session"]["format"] == "openai-responses"
        assert 0 < result["session"]["calls"] < result["session"]["messages"] / 2
        assert result["valid_calls"] == result["session"]["calls"]

    def test_files_are_written_and_a_person_reads_a_summary(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out = tmp_path / "out"
        session = str(shared_path(*SESSION))
        assert main(["replay", session, "--window", "16k", "--out", str(out)]) == 0
        said = capsys.readouterr().out
        assert "byte-identical in every context" in said
        assert "\x1b" not in said
        assert {path.name for path in out.iterdir()} == {
            "timeline.json", "record.md", "context.json", "sawtooth.png", "sawtooth.svg",
            "report.html",
        }  # fmt: skip
        timeline = json.loads((out / "timeline.json").read_text())
        assert timeline["compactions"]
        assert main(["record", "show", str(out / "record.md"), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["items"] == timeline["record"]["items"]

    def test_a_floor_that_does_not_fit_is_an_outcome_with_its_facts(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        words = " ".join(f"word{n}" for n in range(3_000))
        path = tmp_path / "huge.json"
        messages = [
            {"role": "system", "content": words},
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": "done"},
        ]
        path.write_text(json.dumps(messages))
        result = document(capsys, ["replay", str(path), "--window", "2k"])
        (call,) = result["calls"]
        assert call["outcome"] == "floor_exceeded"
        assert "does not fit" in call["detail"]
        assert result["valid_calls"] == 0


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("archive") / "clew.db")
    session = str(shared_path(*LONGER))
    assert main(["compact", session, "--window", "16k", "--store", path]) == 0
    return path


class TestCompactAndRecall:
    def test_messages_come_out_alone_and_one_line_says_what_was_done(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["compact", str(shared_path(*LONGER)), "--window", "16k"]) == 0
        said = capsys.readouterr()
        assert {message["role"] for message in json.loads(said.out)} == {"user", "assistant"}
        assert said.err.count("\n") == 1

    @pytest.mark.parametrize("option", ["-o", "--out"])
    def test_messages_go_to_a_file_where_one_is_named(
        self, option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        asked = ["compact", str(shared_path(*LONGER)), "--window", "16k"]
        assert main(asked) == 0
        shown = capsys.readouterr().out
        path = tmp_path / "left.json"
        assert main([*asked, option, str(path)]) == 0
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.count("\n") == 1
        assert path.read_text() == shown
        result = document(capsys, [*asked, option, str(path)])
        assert result["messages"] == json.loads(path.read_text())

    def test_a_search_gives_handles_and_a_handle_gives_its_bytes(
        self, archive: str, capsysbinary: pytest.CaptureFixture[bytes]
    ) -> None:
        assert main(["recall", "test", "--store", archive, "--json"]) == 0
        hits = json.loads(capsysbinary.readouterr().out)["hits"]
        handle = next(hit["handle"] for hit in hits if hit["handle"].startswith("S-"))
        assert main(["recall", handle, "--store", archive]) == 0
        raw = capsysbinary.readouterr().out
        assert main(["recall", handle, "--store", archive, "--json"]) == 0
        found = json.loads(capsysbinary.readouterr().out)
        assert found["text"].encode() == raw
        assert found["bytes"] == len(raw)
        assert {message["role"] for message in json.loads(raw)} <= {"user", "assistant"}

    def test_nothing_found_is_1_and_an_unknown_handle_2(
        self, archive: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["recall", "xyzzyplugh", "--store", archive]) == 1
        assert capsys.readouterr().out == "Nothing was found.\n"
        assert main(["recall", "S-99999", "--store", archive]) == 2
        assert "S-99999" in capsys.readouterr().err

    def test_the_record_of_an_archive_is_shown(
        self, archive: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        record = document(capsys, ["record", "show", archive])
        assert record["goal"]
        assert main(["record", "show", archive]) == 0
        said = capsys.readouterr().out
        assert said.startswith("goal (")
        live = [i for i in record["items"] if i["status"] in ("active", "open", "unknown")]
        assert f"{len(live):,} live items" in said

    def test_the_record_of_a_recording_in_a_folder_is_shown(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        folder = str(shared_path("corpora", "dev", "cline", "task_1746821184192"))
        assert document(capsys, ["record", "show", folder, "--window", "12k"])["items"]
        assert main(["record", "show", str(tmp_path)]) == 2
        said = capsys.readouterr().err
        assert "no work directory" in said
        assert "no recorded session" in said

    def test_the_json_of_compact_tells_outcome_and_report(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        result = document(capsys, ["compact", str(shared_path(*LONGER)), "--window", "16k"])
        assert result["outcome"]["kind"] == "compacted"
        assert result["report"]["tokens_after"] < result["report"]["tokens_before"]
        assert result["format"] == "anthropic"


class TestDoctor:
    def test_the_default_install_is_whole(self, capsys: pytest.CaptureFixture[str]) -> None:
        found = document(capsys, ["doctor"])
        assert found["problems"] == []
        assert found["counter"] == "o200k_base"
        assert found["full_text_search"] is True
        default = {p["package"] for p in found["packages"] if not p["extra"]}
        assert {"toktok-rs", "typer", "rich"} <= default

    def test_extras_name_how_to_install_them(self) -> None:
        extras = {package.extra for package in examine().packages}
        assert {"", "openai", "anthropic", "gemini", "tokenizers"} <= extras
        assert all(package.purpose for package in examine().packages)


class TestDemo:
    def test_the_document_and_the_files(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        result = document(capsys, ["demo", "--out", str(tmp_path)])
        assert {arm["name"]: arm["rows"]["lost"] for arm in result["arms"]} == {
            "full history": 0, "sliding window": 47, "prose summary": 47, "clew": 0,
        }  # fmt: skip
        assert result["holds"] is True
        assert {path.name for path in tmp_path.iterdir()} == {
            "demo.json", "record.md", "sawtooth.png", "sawtooth.svg", "demo.html",
        }  # fmt: skip
        page = (tmp_path / "demo.html").read_text()
        assert "case_id is unique only within a tenant." in page
        assert "<script" not in page

    def test_a_person_sees_which_arm_loses_rows_and_why(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["demo"]) == 0
        said = capsys.readouterr().out
        assert 'case_id."' not in said.split("clew: read ")[1].splitlines()[0]
        assert "case_id is unique only within a tenant." in said.split("clew: read ")[1]
        assert 'each case_id." and nothing about tenants' in said.split("prose summary: ")[1]
        assert "The full history does not fit the window" in said
        assert "BROKEN" not in said
        assert "\x1b" not in said


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("clew ")
