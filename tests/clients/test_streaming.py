"""An answer that comes in pieces, over a real connection."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from clew.clients import OpenAIClient
from clew.errors import SummarizerError
from clew.ports import ModelReply, ModelRequest, ModelUsage, StopReason
from tests.clients.server import LoopbackServer, Scripted

REQUEST = ModelRequest(system="s", prompt="p", max_output_tokens=50)


def chunk(delta: dict[str, Any], stop: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": stop}
    return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m",
            "choices": [choice]}  # fmt: skip


USAGE = {
    **chunk({}),
    "choices": [],
    "usage": {"prompt_tokens": 120, "completion_tokens": 3, "total_tokens": 123},
}


def streamed(*chunks: dict[str, Any], done: bool = True) -> Scripted:
    lines = [f"data: {json.dumps(each)}\n\n" for each in chunks]
    body = "".join([*lines, "data: [DONE]\n\n"] if done else lines)
    return Scripted(body=body, headers={"content-type": "text/event-stream"})


def asked(server: LoopbackServer, *, awaited: bool, request: ModelRequest = REQUEST) -> ModelReply:
    client = OpenAIClient(
        "m", base_url=f"{server.url}/v1", window_tokens=9_000, timeout_seconds=5.0, stream=True
    )
    return asyncio.run(client.acomplete(request)) if awaited else client.complete(request)


both = pytest.mark.parametrize("awaited", [False, True], ids=["sync", "async"])


@both
def test_pieces_make_the_answer_and_the_last_one_its_usage(awaited: bool) -> None:
    pieces = [chunk({"role": "assistant", "content": ""}), chunk({"content": "ADD fact: "}),
              chunk({"content": "x é"}), chunk({}, "stop"), USAGE]  # fmt: skip
    with LoopbackServer(streamed(*pieces)) as server:
        reply = asked(server, awaited=awaited)
    assert reply.text == "ADD fact: x é"
    assert reply.stop is StopReason.END
    assert reply.usage == ModelUsage(input_tokens=120, output_tokens=3)
    assert server.seen[0].body["stream"] is True
    assert server.seen[0].body["stream_options"] == {"include_usage": True}


@both
@pytest.mark.parametrize(
    ("pieces", "stop"),
    [
        ([chunk({"content": "half"}, "length")], StopReason.LENGTH),
        ([chunk({"tool_calls": [{"index": 0, "id": "t", "type": "function",
                                 "function": {"name": "f", "arguments": "{}"}}]})],
         StopReason.TOOL_CALL),
        ([chunk({"refusal": "no"}), chunk({}, "stop")], StopReason.REFUSAL),
        ([chunk({"content": "broken off"})], StopReason.OTHER),
        ([], StopReason.OTHER),
    ],
)  # fmt: skip
def test_why_it_stopped_is_told(
    awaited: bool, pieces: list[dict[str, Any]], stop: StopReason
) -> None:
    with LoopbackServer(streamed(*pieces, done=False)) as server:
        assert asked(server, awaited=awaited).stop is stop


@both
def test_an_answer_without_end_is_left_where_it_is_too_long(awaited: bool) -> None:
    pieces = [chunk({"content": "x" * 400}) for _ in range(1_000)]
    with LoopbackServer(streamed(*pieces, USAGE)) as server:
        reply = asked(server, awaited=awaited)
    assert reply.text == "x" * 800
    assert reply.stop is StopReason.LENGTH


@both
def test_a_server_that_knows_no_stream_options_is_asked_without(awaited: bool) -> None:
    refused = {"error": {"message": "unknown field stream_options", "type": "invalid"}}
    ready = streamed(chunk({"content": "ok"}, "stop"))
    with LoopbackServer(Scripted(status=400, body=refused), ready) as server:
        assert asked(server, awaited=awaited).text == "ok"
    assert "stream_options" not in server.seen[1].body


@both
def test_an_error_amid_the_pieces_is_a_summarizer_error(awaited: bool) -> None:
    broken = {"error": {"message": "the model fell over", "type": "server_error"}}
    with (
        LoopbackServer(streamed(chunk({"content": "half"}), broken)) as server,
        pytest.raises(SummarizerError),
    ):
        asked(server, awaited=awaited)
