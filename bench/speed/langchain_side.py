"""What LangChain takes for the same work; only the environment of the benchmarks has it."""

from __future__ import annotations

import importlib.util
from typing import Any

from bench.speed.histories import Message
from bench.speed.timing import Watch


def here() -> bool:
    """Whether LangChain is installed."""
    return importlib.util.find_spec("langchain") is not None


class Rival:
    """SummarizationMiddleware with a scripted model, and trim_messages, on converted messages.

    Its counting is the approximate one (characters by four) that it uses by default; converting
    the messages is not in its times.
    """

    def __init__(self) -> None:
        from langchain.agents.middleware import SummarizationMiddleware
        from langchain_core.language_models.fake_chat_models import FakeListChatModel
        from langchain_core.messages import convert_to_messages, trim_messages
        from langchain_core.messages.utils import count_tokens_approximately

        self._convert = convert_to_messages
        self._trim = trim_messages
        self._count = count_tokens_approximately
        model = FakeListChatModel(responses=["A summary of what happened so far."])
        self._waiting = SummarizationMiddleware(
            model=model, trigger=("tokens", 50_000_000), keep=("messages", 20)
        )
        self._armed = SummarizationMiddleware(
            model=model, trigger=("tokens", 1_000), keep=("messages", 20)
        )

    def messages(self, history: list[Message]) -> list[Any]:
        """The history in its own classes, with the ids that its graphs give."""
        converted = self._convert(history)
        for number, message in enumerate(converted):
            message.id = f"m{number}"
        return list(converted)

    def preflight(self, messages: list[Any], watch: Watch) -> None:
        """The middleware before a model call, with nothing to do."""
        result = watch.take(lambda: self._waiting.before_model({"messages": messages}, None))
        assert result is None

    def trim(self, messages: list[Any], watch: Watch) -> None:
        """trim_messages with nothing to trim."""
        kept = watch.take(
            lambda: self._trim(
                messages, max_tokens=50_000_000, token_counter=self._count, strategy="last"
            )
        )
        assert len(kept) == len(messages)

    def compaction(self, messages: list[Any], watch: Watch) -> None:
        """The middleware making one summary; its model answers at once."""
        result = watch.take(lambda: self._armed.before_model({"messages": messages}, None))
        assert result is not None
