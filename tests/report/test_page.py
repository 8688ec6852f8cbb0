from __future__ import annotations

from html.parser import HTMLParser

import pytest

from clew.report import Code, Figure, Note, Section, Table, page

HOSTILE = "</pre><script>alert(1)</script><img src=x onerror=alert(1)>"


class Reader(HTMLParser):
    """Collects elements and attributes, and checks that every element is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    return reader


@pytest.mark.parametrize(
    "block",
    [
        Note(text=HOSTILE),
        Code(text=HOSTILE),
        Table(columns=(HOSTILE, "b"), rows=((HOSTILE, "1"),)),
        Figure(svg="<svg></svg>", alt=f'"{HOSTILE}'),
    ],
)
def test_text_from_a_recording_stays_text(block: Note | Code | Table | Figure) -> None:
    reader = read(page(HOSTILE, HOSTILE, [Section(heading=HOSTILE, blocks=(block,))]))
    assert "script" not in reader.tags
    assert "img" not in reader.tags
    assert not [name for name, _ in reader.attributes if name.startswith("on")]


def test_a_page_needs_nothing_from_elsewhere() -> None:
    text = page("t", "l", [Section(heading="h", blocks=(Figure(svg="<svg/></svg>", alt="a"),))])
    assert "http://" not in text
    assert "https://" not in text
    assert "default-src 'none'" in text


def test_a_figure_keeps_only_the_drawing_of_an_svg_document() -> None:
    document = '<?xml version="1.0"?><!DOCTYPE svg><svg id="x"><g/></svg>'
    text = page("t", "l", [Section(heading="h", blocks=(Figure(svg=document, alt="a"),))])
    assert '<svg id="x"><g/></svg>' in text
    assert "<?xml" not in text


def test_columns_of_numbers_are_aligned_to_the_right() -> None:
    table = Table(columns=("arm", "tokens", "note"), rows=(("a", "1,200", "1 x"), ("b", "7 %", "")))
    text = page("t", "l", [Section(heading="h", blocks=(table,))])
    assert '<td class="number">1,200</td>' in text
    assert "<td>1 x</td>" in text


def test_a_lone_surrogate_does_not_break_the_page() -> None:
    text = page("t", "half a pair \ud83d", [])
    assert text.encode("utf-8")
