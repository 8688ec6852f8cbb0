"""Values given to names that say what they are: `password=`, `"token": "…"`, lines of `.env`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from clew.secrets.found import Found, positions

_OPERATOR = (
    r"(?:\\{0,3}[\"'])?\]?"
    r"(?:[ \t]{0,8}(?:=>|:=|=|:)(?!=)[ \t]{0,8}(?:\\n)?|(?P<option>[ \t]{1,2}))"
    r"(?P<quote>\\{0,3}[\"'])?"
)
_VALUE = r"(?P<value>(?(quote)[^\"'\\\r\n]|[^\s\"',;<>\\&|]){4,500})"
_NAMES = (
    ("password", ("password", "passwd", "passphrase", "pwd", "pass")),
    ("secret", ("secret", "secrets", "credential", "credentials")),
    ("token", ("token",)),
    ("api-key", ("key",)),
)
_STEMS = {"password": ("pass", "pwd"), "secret": ("secret", "credential")}
_OPTION = re.compile(r"(?:^|[\s\"'])--[\w-]*$")
_KEY_NAME = re.compile(
    r"(?i)(?:api|access|account|auth|encryption|signing|master|shared|subscription|secret|client"
    r"|service|license)[_.-]?(?:access)?[_-]?$"
)
_ENV_NAME = re.compile(r"(?:^|[\n\"'])[ \t]*(?:export[ \t]+|set[ \t]+)?([A-Z][A-Z0-9_]*)$")
_NOT_SECRET = re.compile(
    r"""(?ix)
    [\$<%\[\({*.#`~].*            # a variable, a placeholder, a mask, code
    | \\?/.* | [a-z]:[\\/].* | (?:https?|file|s3)://.*
    | (?:none|null|true|false|undefined|nil|string|str|bytes|int|bool|any|required|optional
        |redacted|hidden|masked|changeme|example|placeholder|dummy|password|secret|token)
    | your[-_ ].* | my[-_ ].*key.* | x{3,} | .*\.{3}
    | 0x[0-9a-f]{1,8} | -?\d+(?:\.\d+)?[a-z%]{0,4}
    """
)
_CODE = re.compile(
    r"(?x) .*[()\[\]{}].*"
    r" | [A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+"  # a dotted name
    r" | _{0,4}[A-Za-z]+(?:[_-]{1,4}[A-Za-z0-9]{1,16})+"  # words of a name
)
_NAME_END = re.compile(r"[^A-Za-z0-9_]")
_LEAST = {"password": 6, "secret": 12, "token": 16, "api-key": 16}
_BACK = 64
_LONG_VALUE = 120
_MAY_FOLLOW = frozenset(b"\"'\\]=: \t")


def _patterns() -> tuple[tuple[str, bytes, bool, re.Pattern[str]], ...]:
    made: list[tuple[str, bytes, bool, re.Pattern[str]]] = []
    for kind, names in _NAMES:
        for stem in _STEMS.get(kind, names):
            mine = sorted((n for n in names if n.startswith(stem)), key=len, reverse=True)
            pattern = re.compile(f"(?i:{'|'.join(mine)}){_OPERATOR}{_VALUE}")
            made.append((kind, stem.encode(), mine == [stem], pattern))
    return tuple(made)


_PATTERNS = _patterns()


def assigned(text: str, view: bytes) -> Iterator[Found]:
    """The values that names give away; `view` is the folded text."""
    for kind, stem, alone, pattern in _PATTERNS:
        if stem not in view:
            continue
        upto = 0
        for at in positions(view, stem):
            behind = at + len(stem)
            if at < upto:
                continue
            if alone and (behind >= len(view) or view[behind] not in _MAY_FOLLOW):
                continue
            if found := pattern.match(text, at):
                # A name inside a long value of the same name is not worth a second look.
                upto = found.end() if found.end() - at > _LONG_VALUE else 0
                yield from _judged(text, found, kind)


def _judged(text: str, found: re.Match[str], kind: str) -> Iterator[Found]:
    at = found.start()
    before = text[max(0, at - _BACK) : at]
    if found["option"] is not None and not _OPTION.search(before):
        return
    if kind == "api-key" and not _KEY_NAME.search(before):
        return
    start, end = found.span("value")
    if _is_secret(found, kind, before, text[at:start]):
        yield Found(start=start, end=end, kind=kind, chosen=kind in ("password", "secret"))


def _is_secret(found: re.Match[str], kind: str, before: str, named: str) -> bool:
    value: str = found["value"].rstrip()
    tight = "=" in named and " " not in named
    if (len(value) < _LEAST[kind] and not tight) or _NOT_SECRET.fullmatch(value):
        return False
    if tight and _ENV_NAME.search(before + _NAME_END.split(named, maxsplit=1)[0]):
        return True
    if len(value) < _LEAST[kind] or (" " in value and kind != "password"):
        return False
    quoted = found["quote"] is not None
    if _CODE.fullmatch(value) and not (quoted and kind == "password"):
        return False
    digits = sum(char.isdigit() for char in value)
    if kind == "password":
        marks = sum(not char.isalnum() and char not in "._ " for char in value)
        return digits > 0 or (quoted and marks > 0 and " " not in value)
    letters = sum(char.isalpha() for char in value)
    return digits >= 2 and letters >= 2
