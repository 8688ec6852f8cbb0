"""The plain form of a reply, for servers without structured output, read into the JSON form.

A word opens an operation, lines below belong to it, `END` closes the reply. What is no operation
is passed over: text around the operations is no harm, and an operation that is not whole is
refused later by what it lacks.
"""

from __future__ import annotations

import re
from typing import Any

_OPENING = re.compile(
    r"^[\s>*`-]*(?:"
    r"ADD\s+(?P<add>[A-Za-z_]+)\s*(?:\([^()\n]*\)\s*)?:\s*(?P<claim>.*)"
    r"|SUPERSEDE\s+(?P<ids>[\w ,-]+?)\s+(?P<kind>[A-Za-z_]+)\s*:\s*(?P<new>.*)"
    r"|REVISE\s+(?P<revise>[\w-]+)\s*:\s*(?P<better>.*)"
    r"|CLOSE\s+(?P<close>[\w-]+)\s+(?P<status>[A-Za-z]+)\s*:?\s*(?P<because>.*)"
    r"|DISMISS\s+(?P<dismiss>[\w-]+)\s*:\s*(?P<why>.*)"
    r"|NEXT\s*:\s*(?P<next>.*)"
    r")$"
)
_BELOW = re.compile(r"^[\s>*`-]*(SPAN|QUOTE|WHY|REASON|REJECTED|DETAIL)\b\s*:?\s*(.*)$")
_END = re.compile(r"^[\s>*`-]*END[\s.`*]*$")
_QUOTES = "\"'“”„«»`"


def looks_plain(text: str) -> bool:
    """Whether any line of the text opens an operation."""
    return any(_OPENING.match(line) for line in text.splitlines())


def ended(text: str) -> bool:
    """Whether the reply says that it is whole."""
    return any(_END.match(line) for line in text.splitlines())


def read_lines(text: str) -> dict[str, Any]:
    """The reply in the members of the JSON form."""
    reply: dict[str, Any] = {
        "add": [], "supersede": [], "revise": [], "close": [], "dismiss": [], "next": "",
    }  # fmt: skip
    current: dict[str, Any] = {}
    for line in text.splitlines():
        if _END.match(line):
            break
        if opening := _OPENING.match(line):
            current = _opened(opening, reply)
        elif (below := _BELOW.match(line)) and current:
            _below(current, below[1], below[2].strip())
        elif not line.strip():
            continue
        else:
            current = {}
    return reply


def _opened(match: re.Match[str], reply: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any]
    if match["add"]:
        made = {"kind": match["add"].lower(), "text": match["claim"].strip()}
        reply["add"].append(made)
    elif match["ids"]:
        ids = re.split(r"[\s,]+", match["ids"].strip())
        made = {"ids": ids, "kind": match["kind"].lower(), "text": match["new"].strip()}
        reply["supersede"].append(made)
    elif match["revise"]:
        made = {"id": match["revise"], "text": match["better"].strip()}
        reply["revise"].append(made)
    elif match["close"]:
        made = {
            "id": match["close"],
            "status": match["status"].lower(),
            "reason": match["because"].strip(),
        }
        reply["close"].append(made)
    elif match["dismiss"]:
        made = {"span": match["dismiss"], "reason": match["why"].strip()}
        reply["dismiss"].append(made)
    else:
        made = {}
        reply["next"] = match["next"].strip()
    return made


def _below(current: dict[str, Any], word: str, value: str) -> None:
    match word:
        case "SPAN" | "WHY" | "REASON":
            current[word.lower()] = current.get(word.lower()) or value
        case "QUOTE":
            current["quote"] = current.get("quote") or _unquoted(value)
        case "REJECTED":
            option, _, why = value.partition("::")
            rejected = {"option": option.strip(), "why": why.strip()}
            current.setdefault("rejected", []).append(rejected)
        case "DETAIL":
            name, _, detail = value.partition(":")
            found = {"name": name.strip().lower(), "value": detail.strip()}
            current.setdefault("details", []).append(found)
        case _:
            return


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] in _QUOTES and text[-1] in _QUOTES:
        return text[1:-1].strip()
    return text
