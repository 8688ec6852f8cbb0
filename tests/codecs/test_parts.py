"""What each native message says, format by format."""

from __future__ import annotations

from typing import Any

import pytest

from clew.codecs import codec_for
from clew.transcript import (
    CallKind,
    CompactionPart,
    MediaKind,
    MediaPart,
    Message,
    OpaquePart,
    Part,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from tests.telling import PNG

DATA_URL = f"data:image/png;base64,{PNG}"


def parse(wire: str, native: Any) -> Message:
    return codec_for(wire).parse(native, 0)


def brief(part: Part) -> tuple[Any, ...]:
    """The facts of a part that a table can show in one line."""
    match part:
        case TextPart():
            return "text", part.text, part.path
        case ReasoningPart():
            return "reasoning", part.text, part.sealed, part.path
        case ToolCallPart():
            side = "server" if part.server_side else "client"
            return "call", part.kind.value, side, part.call_id, part.name, part.arguments
        case ToolResultPart():
            side = "server" if part.server_side else "client"
            return "result", side, part.call_id, part.is_error, tuple(map(brief, part.parts))
        case MediaPart():
            return "media", part.kind.value, part.media_type, part.inline, part.width, part.path
        case CompactionPart():
            return "compaction", part.sealed, part.text
        case OpaquePart():
            return "opaque", part.type_name, part.path


def call_message(**call: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": [call]}


@pytest.mark.parametrize(
    ("native", "role", "parts"),
    [
        ({"role": "user", "content": "hi"}, Role.USER, [("text", "hi", ("content",))]),
        ({"role": "developer", "content": "d"}, Role.DEVELOPER, [("text", "d", ("content",))]),
        (
            {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "zz", "q": 1}]},
            Role.USER,
            [("text", "a", ("content", 0, "text")), ("opaque", "zz", ("content", 1))],
        ),
        (
            {"role": "user", "content": [{"type": "image_url", "image_url": {"url": DATA_URL}}]},
            Role.USER,
            [("media", "image", "image/png", True, 1, ("content", 0))],
        ),
        (
            {
                "role": "user",
                "content": [
                    {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}}
                ],
            },
            Role.USER,
            [("media", "audio", "audio/wav", True, 0, ("content", 0))],
        ),
        (
            {"role": "user", "content": [{"type": "file", "file": {"file_id": "file-1"}}]},
            Role.USER,
            [("media", "document", "", False, 0, ("content", 0))],
        ),
        (
            {"role": "assistant", "content": "x", "reasoning_content": "r", "refusal": "no"},
            Role.ASSISTANT,
            [
                ("reasoning", "r", "", ("reasoning_content",)),
                ("text", "x", ("content",)),
                ("text", "no", ("refusal",)),
            ],
        ),
        (
            {
                "role": "assistant",
                "content": "x",
                "reasoning": "r",
                "reasoning_details": [
                    {"type": "reasoning.text", "text": "r", "signature": "sig"},
                    {"type": "reasoning.encrypted", "data": "enc"},
                ],
            },
            Role.ASSISTANT,
            [
                ("reasoning", "r", "sig", ("reasoning_details", 0)),
                ("reasoning", "", "enc", ("reasoning_details", 1)),
                ("text", "x", ("content",)),
            ],
        ),
        (
            call_message(id="c", type="function", function={"name": "f", "arguments": "{bad"}),
            Role.ASSISTANT,
            [("call", "function", "client", "c", "f", "{bad")],
        ),
        (
            call_message(id="c", type="custom", custom={"name": "f", "input": "raw"}),
            Role.ASSISTANT,
            [("call", "custom", "client", "c", "f", "raw")],
        ),
        (
            call_message(id="c", type="zz", zz={"k": 1}),
            Role.ASSISTANT,
            [("call", "unknown", "client", "c", "zz", '{"k":1}')],
        ),
        (
            {
                "role": "assistant",
                "content": None,
                "function_call": {"name": "f", "arguments": "{}"},
            },
            Role.ASSISTANT,
            [("call", "function", "client", "", "f", "{}")],
        ),
        (
            {"role": "tool", "tool_call_id": "c", "content": "out"},
            Role.TOOL,
            [("result", "client", "c", None, (("text", "out", ("content",)),))],
        ),
        (
            {"role": "function", "name": "f", "content": "out"},
            Role.TOOL,
            [("result", "client", "", None, (("text", "out", ("content",)),))],
        ),
    ],
)
def test_chat(native: dict[str, Any], role: Role, parts: list[Any]) -> None:
    message = parse("openai-chat", native)
    assert message.role is role
    assert [brief(part) for part in message.parts] == parts


def test_a_signature_beside_a_chat_call_is_its_seal() -> None:
    body = {"name": "f", "arguments": "{}"}
    sealed = {"google": {"thought_signature": "S"}}
    native = call_message(id="c", type="function", function=body, extra_content=sealed)
    assert parse("openai-chat", native).calls[0].seal == "S"


@pytest.mark.parametrize(
    ("role", "block", "part"),
    [
        ("user", {"type": "text", "text": "a"}, ("text", "a", ("content", 0, "text"))),
        (
            "assistant",
            {"type": "thinking", "thinking": "t", "signature": "s"},
            ("reasoning", "t", "s", ("content", 0)),
        ),
        (
            "assistant",
            {"type": "redacted_thinking", "data": "d"},
            ("reasoning", "", "d", ("content", 0)),
        ),
        (
            "assistant",
            {"type": "tool_use", "id": "t", "name": "f", "input": {"a": "等"}},
            ("call", "function", "client", "t", "f", '{"a":"等"}'),
        ),
        (
            "assistant",
            {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
            ("call", "server", "server", "s", "web_search", "{}"),
        ),
        (
            "assistant",
            {"type": "mcp_tool_use", "id": "m", "name": "f", "server_name": "x", "input": {}},
            ("call", "mcp", "server", "m", "f", "{}"),
        ),
        (
            "assistant",
            {"type": "zz_tool_result", "tool_use_id": "s", "content": {"k": 1}},
            ("result", "server", "s", None, (("opaque", "dict", ("content", 0, "content")),)),
        ),
        (
            "assistant",
            {
                "type": "web_search_tool_result",
                "tool_use_id": "s",
                "content": {"type": "e", "error_code": "x"},
            },
            ("result", "server", "s", True, (("opaque", "e", ("content", 0, "content")),)),
        ),
        (
            "user",
            {"type": "tool_result", "tool_use_id": "t", "content": "out", "is_error": True},
            ("result", "client", "t", True, (("text", "out", ("content", 0, "content")),)),
        ),
        (
            "user",
            {
                "type": "tool_result",
                "tool_use_id": "t",
                "content": [{"type": "tool_reference", "tool_name": "x"}],
            },
            (
                "result",
                "client",
                "t",
                None,
                (("opaque", "tool_reference", ("content", 0, "content", 0)),),
            ),
        ),
        ("user", {"type": "tool_result", "tool_use_id": "t"}, ("result", "client", "t", None, ())),
        (
            "user",
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}},
            ("media", "image", "image/png", True, 1, ("content", 0)),
        ),
        (
            "user",
            {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
            ("media", "image", "", False, 0, ("content", 0)),
        ),
        (
            "user",
            {
                "type": "document",
                "source": {"type": "text", "media_type": "text/plain", "data": "x"},
            },
            ("media", "document", "text/plain", True, 0, ("content", 0)),
        ),
        ("assistant", {"type": "compaction", "content": "sum"}, ("compaction", "", "sum")),
        (
            "user",
            {"type": "from_the_future", "x": 1},
            ("opaque", "from_the_future", ("content", 0)),
        ),
    ],
)
def test_anthropic(role: str, block: dict[str, Any], part: Any) -> None:
    message = parse("anthropic", {"role": role, "content": [block]})
    assert [brief(p) for p in message.parts] == [part]


def test_an_anthropic_message_of_results_only_is_no_user_turn() -> None:
    result = {"type": "tool_result", "tool_use_id": "t", "content": "x"}
    text = {"type": "text", "text": "and"}
    assert parse("anthropic", {"role": "user", "content": [result]}).role is Role.TOOL
    assert parse("anthropic", {"role": "user", "content": [result, text]}).is_user_turn


@pytest.mark.parametrize(
    ("item", "role", "parts"),
    [
        ({"role": "user", "content": "hi"}, Role.USER, [("text", "hi", ("content",))]),
        (
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": "a"}],
            },
            Role.ASSISTANT,
            [("text", "a", ("content", 0, "text"))],
        ),
        (
            {
                "type": "reasoning",
                "id": "r",
                "summary": [{"type": "summary_text", "text": "s"}],
                "encrypted_content": "e",
            },
            Role.ASSISTANT,
            [("reasoning", "s", "e", ())],
        ),
        (
            {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"},
            Role.ASSISTANT,
            [("call", "function", "client", "c", "f", "{}")],
        ),
        (
            {"type": "custom_tool_call", "call_id": "c", "name": "f", "input": "raw"},
            Role.ASSISTANT,
            [("call", "custom", "client", "c", "f", "raw")],
        ),
        (
            {
                "type": "local_shell_call",
                "call_id": "c",
                "id": "l",
                "action": {"type": "exec", "command": ["ls"]},
            },
            Role.ASSISTANT,
            [("call", "shell", "client", "c", "local_shell", '{"type":"exec","command":["ls"]}')],
        ),
        (
            {"type": "local_shell_call_output", "id": "c", "output": "a"},
            Role.TOOL,
            [("result", "client", "c", None, (("text", "a", ("output",)),))],
        ),
        (
            {
                "type": "shell_call_output",
                "call_id": "c",
                "output": [
                    {"stdout": "o", "stderr": "e", "outcome": {"type": "exit", "exit_code": 2}}
                ],
            },
            Role.TOOL,
            [
                (
                    "result",
                    "client",
                    "c",
                    True,
                    (
                        ("text", "o", ("output", 0, "stdout")),
                        ("text", "e", ("output", 0, "stderr")),
                    ),
                )
            ],
        ),
        (
            {"type": "apply_patch_call_output", "call_id": "c", "status": "failed", "output": "no"},
            Role.TOOL,
            [("result", "client", "c", True, (("text", "no", ("output",)),))],
        ),
        (
            {
                "type": "computer_call_output",
                "call_id": "c",
                "output": {"type": "computer_screenshot", "image_url": DATA_URL},
            },
            Role.TOOL,
            [
                (
                    "result",
                    "client",
                    "c",
                    None,
                    (("media", "image", "image/png", True, 1, ("output",)),),
                )
            ],
        ),
        (
            {
                "type": "function_call_output",
                "call_id": "c",
                "output": [{"type": "input_text", "text": "a"}],
            },
            Role.TOOL,
            [("result", "client", "c", None, (("text", "a", ("output", 0, "text")),))],
        ),
        (
            {"type": "mcp_call", "id": "m", "name": "f", "arguments": "{}", "output": "o"},
            Role.ASSISTANT,
            [
                ("call", "mcp", "server", "m", "f", "{}"),
                ("result", "server", "m", None, (("text", "o", ("output",)),)),
            ],
        ),
        (
            {
                "type": "code_interpreter_call",
                "id": "k",
                "code": "1",
                "outputs": [{"type": "logs", "logs": "L"}],
            },
            Role.ASSISTANT,
            [
                ("call", "server", "server", "k", "code_interpreter", "1"),
                ("result", "server", "k", None, (("text", "L", ("outputs", 0, "logs")),)),
            ],
        ),
        (
            {"type": "web_search_call", "id": "w", "action": {"type": "search", "query": "q"}},
            Role.ASSISTANT,
            [("call", "server", "server", "w", "web_search", '{"type":"search","query":"q"}')],
        ),
        (
            {"type": "mcp_approval_request", "id": "a", "name": "pay", "arguments": "{}"},
            Role.ASSISTANT,
            [("call", "mcp", "client", "a", "pay", "{}")],
        ),
        (
            {"type": "zz_call", "call_id": "c", "name": "f", "arguments": "{}"},
            Role.ASSISTANT,
            [("call", "unknown", "client", "c", "f", "{}")],
        ),
        (
            {"type": "compaction", "encrypted_content": "e"},
            Role.ASSISTANT,
            [("compaction", "e", "")],
        ),
        ({"type": "item_reference", "id": "x"}, Role.ASSISTANT, [("opaque", "item_reference", ())]),
        ({"id": "x"}, Role.ASSISTANT, [("opaque", "item_reference", ())]),
        ({"type": "from_the_future", "q": 1}, Role.ASSISTANT, [("opaque", "from_the_future", ())]),
    ],
)
def test_responses(item: dict[str, Any], role: Role, parts: list[Any]) -> None:
    message = parse("openai-responses", item)
    assert message.role is role
    assert [brief(part) for part in message.parts] == parts


@pytest.mark.parametrize(
    ("part", "briefs"),
    [
        ({"text": "a"}, [("text", "a", ("parts", 0, "text"))]),
        (
            {"text": "t", "thought": True, "thoughtSignature": "S"},
            [("reasoning", "t", "S", ("parts", 0))],
        ),
        (
            {"text": "a", "thoughtSignature": "S"},
            [
                ("text", "a", ("parts", 0, "text")),
                ("reasoning", "", "S", ("parts", 0, "thoughtSignature")),
            ],
        ),
        (
            {"functionCall": {"name": "f", "args": {"a": 1}}},
            [("call", "function", "client", "", "f", '{"a":1}')],
        ),
        (
            {"function_call": {"id": "i", "name": "f"}},
            [("call", "function", "client", "i", "f", "")],
        ),
        (
            {"functionResponse": {"name": "f", "response": {"output": "o", "n": 3}}},
            [
                (
                    "result",
                    "client",
                    "",
                    None,
                    (
                        ("text", "o", ("parts", 0, "functionResponse", "response", "output")),
                        ("opaque", "n", ("parts", 0, "functionResponse", "response", "n")),
                    ),
                )
            ],
        ),
        (
            {"inline_data": {"mime_type": "image/png", "data": PNG}},
            [("media", "image", "image/png", True, 1, ("parts", 0))],
        ),
        (
            {"fileData": {"mimeType": "video/mp4", "fileUri": "gs://a"}},
            [("media", "video", "video/mp4", False, 0, ("parts", 0))],
        ),
        (
            {"executableCode": {"language": "PYTHON", "code": "1"}},
            [("call", "server", "server", "", "code_execution", "1")],
        ),
        (
            {"codeExecutionResult": {"outcome": "OUTCOME_FAILED", "output": "o"}},
            [
                (
                    "result",
                    "server",
                    "",
                    True,
                    (("text", "o", ("parts", 0, "codeExecutionResult", "output")),),
                )
            ],
        ),
        ({"fromTheFuture": {"q": 1}}, [("opaque", "fromTheFuture", ("parts", 0))]),
    ],
)
def test_gemini(part: dict[str, Any], briefs: list[Any]) -> None:
    message = parse("gemini", {"role": "model", "parts": [part]})
    assert [brief(p) for p in message.parts] == briefs


def test_the_signature_of_a_gemini_call_is_its_seal() -> None:
    part = {"function_call": {"name": "f"}, "thought_signature": b"\x00\x01"}
    (found,) = parse("gemini", {"role": "model", "parts": [part]}).parts
    assert isinstance(found, ToolCallPart)
    assert found.seal == "AAE="
    assert found.kind is CallKind.FUNCTION


def test_image_detail_is_kept() -> None:
    block = {"type": "input_image", "image_url": DATA_URL, "detail": "low"}
    (part,) = parse("openai-responses", {"role": "user", "content": [block]}).parts
    assert isinstance(part, MediaPart)
    assert (part.detail, part.width, part.height, part.kind) == ("low", 1, 1, MediaKind.IMAGE)
