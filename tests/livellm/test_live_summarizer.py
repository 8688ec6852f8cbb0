"""The summarizer and its clients with a real model behind a real server.

Such small models prove the plumbing and supply real bad summaries; they prove no quality.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress

import pytest

from clew.clients import AnthropicClient, OpenAIClient
from clew.errors import SummarizerError
from clew.ports import ModelReply, ModelRequest, StopReason
from clew.propose import combine
from clew.record import DEFAULT_KINDS, apply_delta
from clew.summarize.breaker import CallLimits
from clew.summarize.extractive import ExtractiveSummarizer
from clew.summarize.model import ModelSummarizer
from clew.summarize.parse import Context, Parsed, read_reply
from clew.summarize.prompt import request_tokens
from tests.livellm.conftest import SMALL_CONTEXT
from tests.summarize.building import COUNTER, GOAL, TIDES, request, span

pytestmark = [pytest.mark.livellm, pytest.mark.timeout(600)]

ONE_CALL = CallLimits(repairs=0, retries=0)
SCHEMA = {
    "type": "object",
    "properties": {"colour": {"type": "string", "enum": ["red", "green"]}},
    "required": ["colour"],
    "additionalProperties": False,
}
SKY = ModelRequest(
    system="Answer in JSON.", prompt="Which colour is grass?", max_output_tokens=30, schema=SCHEMA
)
TOO_LONG = ModelRequest(system="Count.", prompt="one two three " * 3_000, max_output_tokens=8)


class Watched(OpenAIClient):
    """Remembers the size of each request and what came back."""

    def __init__(self, address: str, *, window_tokens: int) -> None:
        super().__init__(
            "local", base_url=f"{address}/v1", window_tokens=window_tokens, timeout_seconds=500
        )
        self.sizes: list[int] = []
        self.replies: list[ModelReply] = []

    def complete(self, request: ModelRequest) -> ModelReply:
        self.sizes.append(request_tokens(request, COUNTER))
        self.replies.append(super().complete(request))
        return self.replies[-1]


def test_structured_output_and_usage_over_the_openai_interface(small_server: str) -> None:
    client = Watched(small_server, window_tokens=SMALL_CONTEXT)
    first, second = client.complete(SKY), client.complete(SKY)
    assert json.loads(first.text)["colour"] in {"red", "green"}
    assert first.stop is StopReason.END
    assert first.usage.input_tokens > 10
    assert first.usage.output_tokens > 3
    assert first.text == second.text
    assert second.usage.cached_tokens > 0


def test_an_answer_in_pieces_is_the_answer_in_one(small_server: str) -> None:
    whole = Watched(small_server, window_tokens=SMALL_CONTEXT).complete(SKY)
    client = OpenAIClient(
        "local",
        base_url=f"{small_server}/v1",
        window_tokens=SMALL_CONTEXT,
        timeout_seconds=300,
        stream=True,
    )
    pieces = client.complete(SKY)
    assert pieces.text == whole.text
    assert pieces.stop is StopReason.END
    assert pieces.usage.output_tokens == whole.usage.output_tokens


def test_the_same_server_over_the_anthropic_interface(small_server: str) -> None:
    client = AnthropicClient(
        "local",
        base_url=small_server,
        api_key="none",
        window_tokens=SMALL_CONTEXT,
        timeout_seconds=300,
    )
    found = client.complete(
        ModelRequest(system="Be brief.", prompt="Say hello.", max_output_tokens=12)
    )
    assert found.text.strip()
    assert found.usage.input_tokens > 5


def test_an_answer_at_the_output_limit_says_so(small_server: str) -> None:
    client = Watched(small_server, window_tokens=SMALL_CONTEXT)
    found = client.complete(
        ModelRequest(system="Tell stories.", prompt="Tell a long one.", max_output_tokens=8)
    )
    assert found.stop is StopReason.LENGTH


def test_a_request_over_the_real_window_is_refused_as_too_long(small_server: str) -> None:
    for client in (
        Watched(small_server, window_tokens=SMALL_CONTEXT),
        AnthropicClient(
            "local", base_url=small_server, api_key="none", window_tokens=SMALL_CONTEXT
        ),
    ):
        with pytest.raises(SummarizerError) as raised:
            client.complete(TOO_LONG)
        assert (raised.value.too_long, raised.value.permanent) == (True, True)


def test_a_window_that_was_declared_too_large_is_found_out(small_server: str) -> None:
    client = Watched(small_server, window_tokens=16_000)
    spans = [
        span(n, agent=f"Step {n}.", arguments="{}", result=f"value {n} " * 250) for n in range(20)
    ]
    model = ModelSummarizer(client, limits=ONE_CALL, max_output_tokens=40)
    with suppress(SummarizerError):
        model.propose(request(spans))
    facts = model.last_facts
    assert facts["shrunk"] >= 1
    refused = client.sizes[: facts["shrunk"] + 1]
    assert refused == sorted(set(refused), reverse=True)
    assert facts["calls"] <= ONE_CALL.per_compaction


def numbers_in(text: str) -> set[str]:
    return set(re.findall(r"\d+", text))


def test_whatever_a_real_model_says_the_record_holds_nothing_its_source_lacks(
    larger_server: str,
) -> None:
    client = Watched(larger_server, window_tokens=4_096)
    asked = request(target_tokens=300)
    model = ModelSummarizer(client, limits=ONE_CALL, max_output_tokens=300)
    offline = ExtractiveSummarizer().propose(asked)
    applied = apply_delta(asked.old, offline, position=20)
    with suppress(SummarizerError):
        accepted = combine(asked, model.propose(asked)).accepted
        applied = apply_delta(applied.record, accepted, position=20)
    (answer,) = client.replies
    assert answer.usage.output_tokens > 20
    context = Context(kinds=DEFAULT_KINDS, spans=TIDES)
    assert answer.stop is StopReason.LENGTH or isinstance(read_reply(answer, context), Parsed)
    assert applied.record.goal == GOAL
    assert applied.record.live()
    parts = [p for s in TIDES for m in s.messages for p in m.parts]
    shown = f"{parts} {asked.old} {GOAL}"
    for item in applied.record.items:
        assert numbers_in(item.text) <= numbers_in(shown), item
        for evidence in item.evidence:
            assert evidence.span in {"S-1", *(s.handle for s in TIDES)}
