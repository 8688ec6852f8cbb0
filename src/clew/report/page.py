"""A self-contained HTML page: no script, no font, no address; every text is escaped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import assert_never

STYLE = """
:root { color-scheme: light dark;
  --ink: #1f2933; --paper: #ffffff; --line: #d9e2ec; --shade: #f5f7fa; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e7eb; --paper: #17191c; --line: #3e4c59; --shade: #22262b; }
  figure { background: #ffffff; }
}
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem;
  color: var(--ink); background: var(--paper); font: 16px/1.5 system-ui, sans-serif; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--line); padding: .4rem .6rem;
  text-align: left; vertical-align: top; }
td.number, th.number { text-align: right; white-space: nowrap; }
pre { background: var(--shade); padding: 1rem; overflow-x: auto;
  white-space: pre-wrap; font-size: 13px; }
figure { margin: 1rem 0; overflow-x: auto; }
figure svg { max-width: 100%; height: auto; }
.wide { overflow-x: auto; }
"""
NUMBER = re.compile(r"[-+]?[\d,]+(\.\d+)?\s?%?")
SVG = re.compile(r"<svg\b.*</svg>", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows under headings; columns of numbers are aligned to the right."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """Text that keeps its lines."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A picture that this program drew, as SVG text, with what it shows in words."""

    svg: str
    alt: str


Block = Note | Table | Code | Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading and what stands under it."""

    heading: str
    blocks: tuple[Block, ...]


def page(title: str, lead: str, sections: Sequence[Section]) -> str:
    """One HTML document that needs nothing beside itself."""
    body = "\n".join(
        f"<section><h2>{_text(section.heading)}</h2>\n"
        + "\n".join(_block(block) for block in section.blocks)
        + "\n</section>"
        for section in sections
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{_text(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{_text(title)}</h1>\n<p>{_text(lead)}</p>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _block(block: Block) -> str:
    match block:
        case Note(text=text):
            return f"<p>{_text(text)}</p>"
        case Code(text=text):
            return f'<pre tabindex="0">{_text(text)}</pre>'
        case Figure(svg=svg, alt=alt):
            found = SVG.search(svg)
            picture = found.group() if found else ""
            return f'<figure role="img" aria-label="{_text(alt)}">{picture}</figure>'
        case Table():
            return _table(block)
        case _:
            assert_never(block)


def _table(table: Table) -> str:
    numbers = [
        bool(table.rows) and all(NUMBER.fullmatch(row[i].strip()) for row in table.rows)
        for i in range(len(table.columns))
    ]

    def cells(tag: str, values: Sequence[str], attributes: str = "") -> str:
        right = ' class="number"'
        return "".join(
            f"<{tag}{attributes}{right if number else ''}>{_text(value)}</{tag}>"
            for value, number in zip(values, numbers, strict=True)
        )

    head = cells("th", table.columns, ' scope="col"')
    rows = "\n".join(f"<tr>{cells('td', row)}</tr>" for row in table.rows)
    body = f"<thead><tr>{head}</tr></thead>\n<tbody>{rows}</tbody>"
    return f'<div class="wide"><table>{body}</table></div>'


def _text(text: str) -> str:
    """Escaped, with lone surrogates replaced: a page is UTF-8."""
    return escape(text.encode("utf-8", "replace").decode("utf-8"), quote=True)
