"""What a result that is a JSON object says about itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clew.tools_seen.json_text import object_in
from clew.tools_seen.seen import Outcome

_GOOD = frozenset({"ok", "success", "successful", "succeeded", "completed", "complete", "done"})
_BAD = frozenset({"error", "failed", "failure", "errored", "exception", "timeout", "timed_out"})


def fields_of(text: str) -> Mapping[str, Any]:
    """The top level of a result that is one JSON object, else nothing."""
    bare = text.strip()
    if not bare.endswith("}") or len(bare) > 200_000:
        return {}
    return object_in(bare)


def handle_in(fields: Mapping[str, Any]) -> str:
    """The handle of a job or helper that a JSON result names, or nothing."""
    for key in ("job_id", "job", "task_id", "agent_id", "agentId", "run_id", "id", "handle"):
        value = fields.get(key)
        if isinstance(value, str | int) and str(value):
            return str(value)
    for key, value in fields.items():
        if key.endswith("_id") and isinstance(value, str | int) and not isinstance(value, bool):
            return str(value)
    return ""


def stated_outcome(fields: Mapping[str, Any]) -> Outcome | None:
    """What a JSON result says about itself."""
    if not fields:
        return None
    for key in ("ok", "success", "succeeded"):
        if isinstance(fields.get(key), bool):
            return Outcome.OK if fields[key] else Outcome.FAILED
    if fields.get("error") or fields.get("errors") or fields.get("isError") is True:
        return Outcome.FAILED
    status = fields.get("status", fields.get("status_code", fields.get("code")))
    if isinstance(status, int) and not isinstance(status, bool) and 100 <= status < 600:
        return Outcome.OK if status < 400 else Outcome.FAILED
    word = str(status).lower() if isinstance(status, str) else ""
    if word in _GOOD:
        return Outcome.OK
    return Outcome.FAILED if word in _BAD else None


def reason_in(fields: Mapping[str, Any]) -> str:
    """The first line of the reason that a JSON result gives, or nothing."""
    for key in ("error", "message", "reason", "detail", "stderr", "errors"):
        value = fields.get(key)
        if isinstance(value, dict):
            value = value.get("message", "")
        if isinstance(value, str) and value.strip():
            return value.strip().split("\n")[0][:500]
    return ""
