"""Names of artifacts: whatever a name says, the file stays in its folder."""

from __future__ import annotations

import hashlib
import re

LONGEST = 120
"""Characters of an artifact's name; file systems allow 255 bytes."""

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\.|$)")


def safe_name(name: str) -> str:
    """A file name made of a name: letters, digits, `.`, `_` and `-`; no two names become one.

    A name that had to be changed carries a part of its own digest.
    """
    made = _UNSAFE.sub("_", name).strip(".")[:LONGEST]
    if made == name and made and not _RESERVED.match(made):
        return made
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    stem, dot, suffix = made.rpartition(".")
    if not dot or not stem or len(suffix) > 12:
        stem, suffix = made, ""
    stem = stem.lstrip("._-")[: LONGEST - 24] or "artifact"
    return (
        f"{stem}-{digest}{'.' + suffix if suffix else ''}"
        if not _RESERVED.match(stem)
        else (f"artifact-{digest}{'.' + suffix if suffix else ''}")
    )
