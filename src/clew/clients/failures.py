"""From a provider's refusal to a SummarizerError that tells the truth about a retry."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from time import time
from typing import Any, Final

from clew.errors import SummarizerError

_SHOWN_CHARS: Final = 300
_PASSING: Final = frozenset({408, 409, 423, 425, 429})
_NEVER: Final = frozenset({501, 505})
_LENGTH_STATUS: Final = frozenset({400, 413, 422})

_TOO_LONG = re.compile(
    r"context[_ ](?:length|window|size)|exceed_context|maximum (?:context|prompt|input) length"
    r"|prompt (?:is )?too (?:long|large)|(?:input|request|prompt)\W+(?:is |was )?too (?:long|large)"
    r"|request_too_large|too many (?:input )?tokens|maximum number of (?:input )?tokens"
    r"|input token count|n_ctx|reduce the length|exceeds the (?:available )?context"
    r"|string_above_max_length",
    re.IGNORECASE,
)
_PAID_UP = re.compile(r"insufficient_quota|billing|credit balance|out of credits", re.IGNORECASE)
_KEYS = re.compile(r"\b(?:sk|pk|rk|key|AIza|ya29|gh[pousr]|xox[abp])[-_.]?[\w*.-]{8,}")
_DELAY = re.compile(r"""retryDelay["']?\s*[:=]\s*["']?(\d+(?:\.\d+)?)s""")
_BLANKS = re.compile(r"\s+")


def refusal(
    client: str, status: int, message: str, *, headers: Mapping[str, str] | None = None
) -> SummarizerError:
    """The error for an HTTP status and the provider's message.

    Time-outs, conflicts, rate limits and server errors pass; an empty account does not, nor does
    anything else that the same request would meet again. Keys are cut out of the message.
    """
    too_long = status in _LENGTH_STATUS and bool(_TOO_LONG.search(message) or status == 413)
    passing = status in _PASSING or (status >= 500 and status not in _NEVER)
    if status == 429 and _PAID_UP.search(message):
        passing = False
    return SummarizerError(
        f"HTTP {status}: {shown(message)}",
        summarizer=client,
        permanent=not passing,
        retry_after_seconds=retry_after_seconds(headers or {}, message) if passing else None,
        too_long=too_long,
    )


def lost(client: str, problem: str) -> SummarizerError:
    """The error for a connection that failed, broke off or took too long."""
    return SummarizerError(shown(problem), summarizer=client, permanent=False)


def unreadable(client: str, problem: str) -> SummarizerError:
    """The error for an answer that is not what the provider's interface promises."""
    return SummarizerError(f"unreadable answer: {shown(problem)}", summarizer=client)


def shown(message: str) -> str:
    """A provider's message as one short line without keys."""
    line = _BLANKS.sub(" ", _KEYS.sub("[key]", message)).strip()
    return line if len(line) <= _SHOWN_CHARS else f"{line[:_SHOWN_CHARS]}…"


def retry_after_seconds(headers: Mapping[str, str], message: str = "") -> float | None:
    """The wait a provider asks for: in milliseconds, seconds, as a date, or in its message."""
    named = {name.lower(): value.strip() for name, value in headers.items()}
    if (milliseconds := _number(named.get("retry-after-ms", ""))) is not None:
        return milliseconds / 1000
    wished = named.get("retry-after", "")
    if (seconds := _number(wished)) is not None:
        return seconds
    if wished:
        try:
            return max(0.0, parsedate_to_datetime(wished).timestamp() - time())
        except ValueError:
            pass
    if found := _DELAY.search(message):
        return float(found[1])
    return None


def sdk_failure(sdk: Any, client: str, error: Any, *, timeout_seconds: float) -> SummarizerError:
    """What an error of the `openai` or the `anthropic` package says; both name theirs alike."""
    match error:
        case sdk.APIStatusError():
            headers = error.response.headers
            return refusal(client, error.status_code, said_by(sdk, error), headers=headers)
        case sdk.APITimeoutError() | TimeoutError():
            return lost(client, f"no answer within {timeout_seconds:g} s")
        case sdk.APIConnectionError() | OSError():
            return lost(client, f"no connection ({type(error.__cause__ or error).__name__})")
        case sdk.APIResponseValidationError() | json.JSONDecodeError():
            return unreadable(client, type(error).__name__)
        case _:
            # One package says with a TypeError that it finds no key anywhere.
            return SummarizerError(str(error)[:_SHOWN_CHARS], summarizer=client, permanent=True)


def said_by(sdk: Any, error: Any) -> str:
    """The provider's message and code, from whatever shape its error body has; empty for none."""
    if not isinstance(error, sdk.APIStatusError):
        return ""
    body = error.body
    inner = body.get("error", body) if isinstance(body, Mapping) else body
    if isinstance(inner, Mapping):
        parts = (inner.get(name) for name in ("message", "code", "type", "detail"))
        return " ".join(str(part) for part in parts if part) or str(error.message)
    return str(inner or error.message)


def without_bounds(schema: Any) -> Any:
    """A JSON schema without the bounds that not every provider's structured output takes."""
    if isinstance(schema, Mapping):
        return {name: without_bounds(value) for name, value in schema.items() if name != "maxItems"}
    if isinstance(schema, list):
        return [without_bounds(value) for value in schema]
    return schema


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 <= value < 1e9 else None
