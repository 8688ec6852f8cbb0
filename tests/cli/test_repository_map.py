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
