"""Reading JSON that somebody else wrote: no text is too deep, too long a number or too broken."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def object_in(text: str) -> Mapping[str, Any]:
    """The JSON object that a text is; empty for anything else."""
    if not text.lstrip().startswith("{"):
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
