"""Tokens that show by their own shape what they are, and addresses with a password in them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from clew.secrets.found import Found, long_words, positions
from clew.secrets.known import known_to_providers

_SHAPES = (
    ("github-token", r"gh[pousr]_[A-Za-z0-9_]{30,255}"),
    ("github-token", r"github_pat_[A-Za-z0-9_]{20,255}"),
    ("gitlab-token", r"glpat-[A-Za-z0-9_-]{18,300}(?:\.[A-Za-z0-9_.-]{2,40})?"),
    ("shop-token", r"shp[a-z]{2}_[A-Fa-f0-9]{32}"),
    ("aws-key", r"A[KS]IA[0-9A-Z]{16}(?![0-9A-Za-z])"),
    ("google-key", r"AIza[A-Za-z0-9_-]{35}"),
    ("anthropic-key", r"sk-ant-[A-Za-z0-9_-]{8,300}"),
    ("api-key", r"sk-(?=[^\d]{0,60}\d)(?=[a-z0-9_-]{0,60}[A-Z]|(?:[A-Za-z_-]*\d){4})[\w-]{20,300}"),
    ("api-key", r"(?:xai|gsk|pplx|r8|dop_v1|whsec)[_-](?=[A-Za-z]*\d)[A-Za-z0-9]{24,200}"),
    ("live-token", r"[a-z]{1,6}_(?:live|test|prod)_(?=[A-Za-z]*\d)[A-Za-z0-9]{11,200}"),
    ("slack-token", r"x(?:ox[a-z]|app)(?:\.xox[a-z])?-[A-Za-z0-9-]{10,300}"),
    ("huggingface-token", r"hf_(?=[a-z]*[A-Z0-9])[A-Za-z0-9]{30,60}"),
    ("npm-token", r"npm_[A-Za-z0-9]{36}"),
    ("pypi-token", r"pypi-AgE[A-Za-z0-9_-]{50,400}"),
    ("artifactory-key", r"(?<![/+])AKC(?=[A-Za-z]*\d)[A-Za-z0-9]{40,120}"),
    ("jwt", r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,3}"),
)  # fmt: skip
_KINDS = tuple(kind for kind, _ in _SHAPES)
_SHAPE = re.compile("|".join(f"({pattern})" for _, pattern in _SHAPES), re.ASCII)

_BEARER = re.compile(
    r"(?i:bearer|basic)[ \t]{1,4}(?=[A-Za-z._~+/=-]{0,80}\d)([A-Za-z0-9._~+/=-]{16,4000})"
)
_CREDENTIALS = re.compile(r"://[^\s:/@\"'<>\[\]]{0,200}:([^\s/@\"'<>\\]{1,200})@")
_COMMAND_USER = re.compile(
    r"[^\n]{0,300}?\s(?:-u|--user)[ =]{0,3}[\"']?[^\s:\"'/]{1,80}:([^\s\"'@]{4,200})"
)
_WEBHOOK = re.compile(r"(?i)hooks\.slack\.com/services/(T\w{1,40}/B\w{1,40}/\w{1,80})")
_STAND_INS = re.compile(
    r"(?i)(?:pass(?:word|wd)?|pwd|secret|token|user(?:name)?|x+|\*+|\.{3}|example|changeme)"
    r"|[<\[{$%(].*|.*[}>)]"
)
_FARTHEST = 400
"""Characters before an `@` in which its address has to begin."""


def shaped(text: str, view: bytes) -> Iterator[Found]:
    """The tokens in a text, by our own shapes and by those of the maintained detectors."""
    for start, end in long_words(text, view):
        if found := _SHAPE.match(text, start):
            kind = _KINDS[(found.lastindex or 1) - 1]
            yield Found(start=start, end=found.end(), kind=kind)
        else:
            yield from known_to_providers(text, start, end)


def in_addresses(text: str, view: bytes) -> Iterator[Found]:
    """Passwords in addresses, headers and the user option of a command."""
    if b"@" in view:
        yield from _before_at(text)
    for at in positions(view, b"bearer"):
        if found := _BEARER.match(text, at):
            yield Found(start=found.start(1), end=found.end(1), kind="bearer-token")
    for at in positions(view, b"authorization"):
        if found := _BEARER.search(text, at + 13, min(len(text), at + 40)):
            # The search only finds where it begins; the token may be far longer.
            found = _BEARER.match(text, found.start()) or found
            yield Found(start=found.start(1), end=found.end(1), kind="bearer-token")
    for at in positions(view, b"hooks.slack"):
        if found := _WEBHOOK.match(text, at):
            yield Found(start=found.start(1), end=found.end(1), kind="slack-webhook")
    for at in positions(view, b"curl "):
        found = _COMMAND_USER.match(text, at)
        if found and not _STAND_INS.fullmatch(found.group(1)):
            yield Found(start=found.start(1), end=found.end(1), kind="password", chosen=True)


def _before_at(text: str) -> Iterator[Found]:
    looked_upto = 0
    at = text.find("@")
    while at >= 0:
        scheme = text.rfind("://", max(looked_upto, at - _FARTHEST), at)
        if scheme >= 0 and (found := _CREDENTIALS.match(text, scheme)):
            looked_upto = found.end()
            if not _STAND_INS.fullmatch(found.group(1)):
                yield Found(
                    start=found.start(1), end=found.end(1), kind="url-password", chosen=True
                )
        at = text.find("@", at + 1)
