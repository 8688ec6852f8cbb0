"""A server on loopback that answers by a script, and the dialects of three providers."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from clew.clients import AnthropicClient, GeminiClient, OpenAIClient
from clew.ports import ModelClient

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scripted:
    """One answer: a status, a body (JSON or raw text), headers, and how long it takes."""

    status: int = 200
    body: Any = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_seconds: float = 0.0


@dataclass(slots=True)
class Seen:
    """One request that came in."""

    path: str
    headers: Mapping[str, str]
    body: Json


class LoopbackServer:
    """Answers each request with the next step of its script, the last one for ever."""

    def __init__(self, *script: Scripted) -> None:
        self.script = list(script)
        self.seen: list[Seen] = []
        self.broken = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> LoopbackServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _next(self) -> Scripted:
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                size = int(self.headers.get("content-length") or 0)
                read = json.loads(self.rfile.read(size) or b"{}")
                headers = {k.lower(): v for k, v in self.headers.items()}
                outer.seen.append(Seen(self.path, headers, read))
                step = outer._next()
                until = time.monotonic() + step.delay_seconds
                while time.monotonic() < until:
                    time.sleep(0.02)
                raw = step.body if isinstance(step.body, str) else json.dumps(step.body)
                try:
                    self._send(step, raw.encode())
                except OSError:
                    outer.broken.set()

            def _send(self, step: Scripted, raw: bytes) -> None:
                self.send_response(step.status)
                headers = {"content-type": "application/json", **step.headers}
                self.send_header("content-length", str(len(raw)))
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(raw)

            def log_message(self, *_: object) -> None:
                return

        return Handler


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How one provider says the same things.

    `overflow` is the message of a request over the window, `stops` the provider's words for
    length, refusal and tool call.
    """

    name: str
    make: Callable[..., ModelClient]
    base: str
    answer: Callable[..., Json]
    error: Callable[[int, str], Json]
    overflow: str
    stops: Mapping[str, str]
    prompt_of: Callable[[Json], str]
    schema_of: Callable[[Json], Any]
    no_schema: str


def _openai_answer(text: str | None, stop: str = "stop", **message: Any) -> Json:
    said = {"role": "assistant", "content": text, **message}
    return {
        "id": "c1", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "finish_reason": stop, "message": said}],
        "usage": {"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150,
                  "prompt_tokens_details": {"cached_tokens": 100}},
    }  # fmt: skip


def _anthropic_answer(text: str | None, stop: str = "end_turn", **_: Any) -> Json:
    thought = {"type": "thinking", "thinking": "hm", "signature": "s"}
    content = [thought, {"type": "text", "text": text}] if text is not None else [thought]
    return {
        "id": "m1", "type": "message", "role": "assistant", "model": "m", "content": content,
        "stop_reason": stop, "stop_sequence": None,
        "usage": {"input_tokens": 20, "output_tokens": 30, "cache_read_input_tokens": 100,
                  "cache_creation_input_tokens": 0},
    }  # fmt: skip


def _gemini_answer(text: str | None, stop: str = "STOP", **_: Any) -> Json:
    parts = [{"text": "hm", "thought": True}]
    parts += [{"text": text}] if text is not None else []
    return {
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": stop}],
        "usageMetadata": {"promptTokenCount": 120, "cachedContentTokenCount": 100,
                          "candidatesTokenCount": 20, "thoughtsTokenCount": 10},
    }  # fmt: skip


OPENAI = Dialect(
    name="openai",
    make=OpenAIClient,
    base="/v1",
    answer=_openai_answer,
    error=lambda status, message: {"error": {"message": message, "type": "t", "code": None}},
    overflow="This model's maximum context length is 8192 tokens, however you requested 9000.",
    stops={"length": "length", "refusal": "content_filter", "tool_call": "tool_calls"},
    prompt_of=lambda body: "\n".join(str(m["content"]) for m in body["messages"]),
    schema_of=lambda body: body.get("response_format", {}).get("json_schema", {}).get("schema"),
    no_schema="response_format json_schema is not supported by this model",
)
ANTHROPIC = Dialect(
    name="anthropic",
    make=AnthropicClient,
    base="",
    answer=_anthropic_answer,
    error=lambda status, message: {"type": "error", "error": {"type": "t", "message": message}},
    overflow="prompt is too long: 9000 tokens > 8192 maximum",
    stops={"length": "max_tokens", "refusal": "refusal", "tool_call": "tool_use"},
    prompt_of=lambda body: f"{body['system']}\n{body['messages'][0]['content']}",
    schema_of=lambda body: body.get("output_config", {}).get("format", {}).get("schema"),
    no_schema="output_config.format is not supported by this model",
)
GEMINI = Dialect(
    name="gemini",
    make=GeminiClient,
    base="",
    answer=_gemini_answer,
    error=lambda status, message: {
        "error": {"code": status, "message": message, "status": "S", "details": []}
    },
    overflow="The input token count (9000) exceeds the maximum number of tokens allowed (8192).",
    stops={"length": "MAX_TOKENS", "refusal": "SAFETY", "tool_call": "MALFORMED_FUNCTION_CALL"},
    prompt_of=lambda body: "\n".join(
        part["text"]
        for content in (body["systemInstruction"], *body["contents"])
        for part in content["parts"]
    ),
    schema_of=lambda body: body["generationConfig"].get("responseJsonSchema"),
    no_schema="JSON mode with response_json_schema is not enabled for this model",
)
DIALECTS = (OPENAI, ANTHROPIC, GEMINI)
