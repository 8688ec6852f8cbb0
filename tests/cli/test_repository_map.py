"""`clew map` on small trees: text within the budget, the JSON document, one clear error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clew.cli import main

SAMPLES = Path(__file__).parents[1] / "repomap" / "samples"


def test_a_map_starts_with_what_is_at_work(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["map", str(SAMPLES), "--tokens", "150", "--touched", "rust/shop.rs"]) == 0
    assert capsys.readouterr().out.startswith("rust/shop.rs\n")


def test_the_document_holds_ranks_and_the_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["map", str(SAMPLES), "--tokens", "2k", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["files"] == 9
    assert document["tokens"] <= 2_000
    assert {"path", "rank", "symbol", "kind", "line"} <= set(document["ranked"][0])
    assert "python" in document["languages"]
    assert document["text"].endswith("to see more.]")


def test_detail_shows_one_symbol(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["map", str(SAMPLES), "--detail", "TWICE"]) == 0
    assert "#define TWICE(x) ((x) * 2)" in capsys.readouterr().out


def test_a_folder_that_is_not_there_is_one_line_on_standard_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["map", str(SAMPLES / "nowhere")]) == 2
    assert "is no folder that can be mapped" in capsys.readouterr().err


@pytest.mark.parametrize("size", ["0", "-5", "many"])
def test_a_map_of_no_tokens_is_refused(capsys: pytest.CaptureFixture[str], size: str) -> None:
    assert main(["map", str(SAMPLES), "--tokens", size]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_detail_of_what_the_map_does_not_have_is_one_line_with_the_nearest_names(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["map", str(SAMPLES), "--detail", "TWICEE", "--json"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "no file, folder or symbol 'TWICEE'" in said.err
    assert "TWICE" in said.err.partition("Nearest")[2]


@pytest.mark.parametrize(
    ("name", "known"), [("rust/shop.rs", True), ("TWICE", True), ("rust/shpo.rs", False)]
)
def test_a_touched_name_that_the_map_does_not_have_is_said(
    capsys: pytest.CaptureFixture[str], name: str, known: bool
) -> None:
    assert main(["map", str(SAMPLES), "--touched", name, "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["unknown"] == ([] if known else [name])
    assert said.err == (
        "" if known else f"clew: --touched {name}: the map has no such file or name\n"
    )
