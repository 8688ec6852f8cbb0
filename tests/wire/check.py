"""The independent checker of a format, by name."""

from __future__ import annotations

from typing import Any

from tests.wire.anthropic import check_anthropic
from tests.wire.chat import check_openai_chat
from tests.wire.gemini import check_gemini
from tests.wire.responses import check_openai_responses
from tests.wire.violation import Violation


def violations(wire: str, messages: list[Any], *, sent: bool = True) -> list[Violation]:
    """What the provider of this format would say against a request with these messages."""
    match wire:
        case "openai-chat":
            return check_openai_chat(messages, sent=sent)
        case "openai-responses":
            return check_openai_responses(messages, sent=sent)
        case "anthropic":
            return check_anthropic(None, messages, sent=sent)
        case "gemini":
            return check_gemini(messages, sent=sent)
        case _:
            raise ValueError(wire)
