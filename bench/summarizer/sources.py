"""python bench/summarizer/sources.py FILE: has any record a literal that its source lacks?

Imports nothing of the project, so that it shares no mistake with the project's own checks. FILE
has a JSON object a line: `case`; `sources`, the messages of the recording up to the end of the
tail; `items`, each with `id`, `by` and `texts`; `quotes`, each with `id`, `by` and `quote`. A
number, a path, an identifier or a quoted text of an item, and every quotation of its evidence, has
to stand in the sources letter by letter; only blanks, kinds of quotation marks and Unicode's
compatible forms may differ. Names that the record itself gives (`S-12`, `D-3`) and its marks of
what was left out are no literals. Prints what is missing and ends with 1 when there is any.
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

OWN = re.compile(
    r"(?<![\w-])[A-Z]-\d+(?![\w-])"
    r"|\[(?:…|\.\.\.)[^\]\n]*\]|(?:…|\.\.\.) \([\d,]+ characters left out[^)]*\)"
)
NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,:]\d+)*|\d+(?:\.\d+)+|\d+")
PATH = re.compile(r"(?:[~.]{0,2}/|[\w@.-]+/)[\w@.+/-]*[\w+-]")
NAME = re.compile(
    r"[A-Za-z]\w*(?:[._]\w+)+(?:\(\))?|_+\w+|[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*"
    r"|[A-Za-z]+\d\w*|\b[A-Z]{2,}[A-Z0-9_]*\b"
)
QUOTED = re.compile(r"`([^`\n]{3,200})`|\"([^\"\n]{3,200})\"|(?<!\w)'([^'\n]{3,200})'(?!\w)")
MARKS = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'"})
CUT = re.compile(r"\s*(?:\[…[^\]]*\]|…)\s*")


def plain(text: str) -> str:
    """A text in one form of blanks, quotation marks and letters."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(MARKS).split())


def strings(value: Any) -> Iterator[str]:
    """Every string in a JSON value, and those in strings that are JSON themselves.

    An object counts in its JSON form too: so do clients show the arguments of a call.
    """
    if isinstance(value, dict):
        yield json.dumps(value, ensure_ascii=False)
        for name, inner in value.items():
            yield str(name)
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)
    elif isinstance(value, str):
        yield value
        if value[:1] in ("{", "["):
            with suppress(ValueError):
                yield from strings(json.loads(value))
    elif value is not None:
        yield json.dumps(value)


def literals(text: str) -> Iterator[tuple[str, str]]:
    """What of a claim has to be literally true, with its kind."""
    bare = OWN.sub(" ", text)
    for match in QUOTED.finditer(bare):
        yield "quotation", next(group for group in match.groups() if group)
    for kind, pattern in (("path", PATH), ("identifier", NAME), ("number", NUMBER)):
        for match in pattern.finditer(bare):
            yield kind, match.group()


def stands(kind: str, literal: str, source: str) -> bool:
    """Whether the source has it, a number only as a whole number."""
    pieces = [plain(piece) for piece in CUT.split(literal) if piece.strip()]
    if kind == "number":
        shapes = {literal, literal.replace(",", "")}
        return any(
            re.search(rf"(?<!\d){re.escape(shape)}(?!\d)", source) is not None for shape in shapes
        )
    return all(piece in source for piece in pieces)


def missing(case: dict[str, Any]) -> tuple[int, list[str]]:
    """How many literals the items of a record have, and those that the sources lack."""
    source = plain("\n".join(strings(case["sources"])))
    checked, lacking = 0, []
    for item in case["items"]:
        for text in item["texts"]:
            for kind, literal in literals(plain(text)):
                checked += 1
                if not stands(kind, literal, source):
                    lacking.append(f"{case['case']} {item['id']} ({item['by']}): {kind} {literal}")
    for quote in case["quotes"]:
        if quote["quote"].strip():
            checked += 1
            if not stands("quotation", quote["quote"], source):
                said = f"evidence {quote['quote'][:120]!r}"
                lacking.append(f"{case['case']} {quote['id']} ({quote['by']}): {said}")
    return checked, lacking


def main() -> int:
    """Check the file that the command line names."""
    total, lacking = 0, list[str]()
    for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
        checked, found = missing(json.loads(line))
        total += checked
        lacking += found
    for each in dict.fromkeys(lacking):
        print(each)
    print(f"{total} literals and quotations checked, {len(lacking)} lacking")
    return 1 if lacking else 0


if __name__ == "__main__":
    raise SystemExit(main())
