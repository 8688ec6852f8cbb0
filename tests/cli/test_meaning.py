"""`clew recall` searches by meaning when asked to, and `clew doctor` says whether it could."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import clew
from clew import embedders
from clew.cli import main
from clew.cli.doctor import examine

ASKED = "Which animal does Ben keep?"
TOLD = ("Ben bought a puppy.", "The tax form is late.", "Rain is expected all week.")


@pytest.fixture
def archive(tmp_path: Path) -> str:
    path = str(tmp_path / "clew.db")
    session = clew.Session(goal="Remember what they say.", store=path)
    messages = [
        {"role": role, "content": text}
        for text in TOLD
        for role, text in (("user", text), ("assistant", "Noted."))
    ]
    session.handoff(messages=[{"role": "user", "content": "Remember what they say."}, *messages])
    session.store.close()
    return path


def answer(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> list[str]:
    """The excerpts of the hits; none where nothing was found."""
    main(["recall", ASKED, "--json", *arguments])
    said = json.loads(capsys.readouterr().out)
    assert said["not_embedded"] == 0
    return [hit["excerpt"] for hit in said["hits"] if hit["kind"] == "span"]


def test_with_an_embedder_what_shares_no_word_is_found(
    archive: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = ["--store", archive]
    assert TOLD[0] in answer(capsys, [*store, "--embedder", "minilm"])[0]
    monkeypatch.setenv("CLEW_EMBEDDER", "minilm")
    by_environment = answer(capsys, store)
    assert TOLD[0] in by_environment[0]
    assert len(by_environment) > len(answer(capsys, [*store, "--embedder", "none"]))


def test_the_archive_keeps_the_vectors_and_a_handle_needs_none(
    archive: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(capsys, ["--store", archive, "--embedder", "minilm"])
    read: list[str] = []
    embed = embedders.MiniLmEmbedder.embed

    def counted(self: embedders.MiniLmEmbedder, texts: list[str]) -> list[bytes]:
        read.extend(texts)
        return embed(self, texts)

    monkeypatch.setattr(embedders.MiniLmEmbedder, "embed", counted)
    answer(capsys, ["--store", archive, "--embedder", "minilm"])
    assert read == [ASKED]
    assert main(["recall", "S-2", "--store", archive, "--embedder", "minilm"]) == 0
    assert read == [ASKED]


def test_an_unknown_embedder_is_bad_usage(archive: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recall", ASKED, "--store", archive, "--embedder", "big"]) == 2
    assert "'big' is not one of minilm" in capsys.readouterr().err


def test_the_doctor_tries_the_model_and_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    found = examine()
    assert (found.embedder, found.embedder_usable) == (
        "minilm (all-MiniLM-L6-v2-int8, offline)",
        True,
    )
    monkeypatch.setattr(embedders, "minilm_installed", lambda: False)
    found = examine()
    assert (found.embedder, found.embedder_usable) == (
        "none; pip install 'clew[embeddings]'",
        False,
    )
    assert found.problems == ()


def test_the_doctor_reports_a_model_that_does_not_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: embedders.MiniLmEmbedder, texts: list[str]) -> list[bytes]:
        raise RuntimeError("no such opset")

    monkeypatch.setattr(embedders.MiniLmEmbedder, "embed", broken)
    found = examine()
    assert not found.embedder_usable
    assert found.problems == ("the model for search by meaning does not work: no such opset",)
