"""Every label of a hand-labelled middle quotes what its exchange really says."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path

import pytest

from bench.labels.labelled import (
    BLIND,
    FOLDER,
    FRESH,
    HELD_OUT,
    LAST,
    LATER,
    NEWEST,
    UNSEEN,
    Label,
    Labelled,
    all_labels,
    spans_of,
)
from clew.summarize.request import SpanView
from clew.transcript import Part, ToolCallPart, ToolResultPart
from tests.conftest import shared_path

FOLDERS = (FOLDER, HELD_OUT, FRESH, UNSEEN, LATER, LAST, BLIND, NEWEST)
PERMISSIVE = {"MIT", "Apache-2.0", "CC0-1.0"}


def strings(value: object) -> Iterator[str]:
    """The strings inside a parsed JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def said(parts: Iterable[Part]) -> Iterator[str]:
    """What the parts say, the arguments of calls both as written and as meant."""
    for part in parts:
        if isinstance(part, ToolCallPart):
            yield part.arguments
            try:
                yield from strings(json.loads(part.arguments))
            except ValueError:
                continue
        elif isinstance(part, ToolResultPart):
            yield from said(part.parts)
        else:
            yield getattr(part, "text", "")


def stands(label: Label, middle: Labelled, spans: dict[int, SpanView]) -> bool:
    """Whether the quote stands, white space collapsed, in the exchange it is about."""
    if label.at not in spans or not middle.first <= label.at < middle.end:
        return False
    parts = (part for message in spans[label.at].messages for part in message.parts)
    return label.quote in " ".join("\n".join(said(parts)).split())


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_quote_stands_where_its_label_says(folder: Path) -> None:
    shared_path("corpora", "dev")
    for middle in all_labels(folder):
        spans = {span.position: span for span in spans_of(middle.recording)}
        absent = [label for label in middle.labels if not stands(label, middle, spans)]
        assert (middle.name, absent) == (middle.name, [])


def test_middles_are_permissive_bear_one_name_and_never_overlap() -> None:
    middles = [middle for folder in FOLDERS for middle in all_labels(folder)]
    assert {middle.licence for middle in middles} <= PERMISSIVE
    assert len({middle.name for middle in middles}) == len(middles)
    assert not [
        (one.name, other.name)
        for one, other in combinations(middles, 2)
        if one.recording == other.recording
        and max(one.first, other.first) < min(one.end, other.end)
    ]
