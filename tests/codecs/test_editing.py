"""Edits at a path share what they do not touch."""

from __future__ import annotations

import json
from typing import Any

import pytest

from clew.codecs import codec_for
from clew.codecs.editing import delete_at, deleted, get_at, set_at
from clew.codecs.media import image_size
from clew.errors import InvalidTranscriptError
from clew.transcript import CallKind, Role, ToolCallPart
from clew.transcript.parts import Path
from tests.telling import PNG

VALUE: dict[str, Any] = {"a": [{"b": 1}, {"c": "x"}], "d": {"e": 2}, "json": '{"k": [1, "é"]}'}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ((), 9),
        (("d", "e"), {**VALUE, "d": {"e": 9}}),
        (("a", 1, "c"), {**VALUE, "a": [{"b": 1}, {"c": 9}]}),
        (("json", "k", 0), {**VALUE, "json": '{"k":[9,"\\u00e9"]}'}),
    ],
)
def test_set_at_changes_one_place(path: Path, expected: Any) -> None:
    before = json.dumps(VALUE)
    edited = set_at(VALUE, path, 9)
    assert edited == expected
    assert get_at(edited, path) == 9
    assert json.dumps(VALUE) == before


def test_untouched_subtrees_are_shared() -> None:
    edited = set_at(VALUE, ("a", 1, "c"), "y")
    assert edited["d"] is VALUE["d"]
    assert edited["a"][0] is VALUE["a"][0]
    assert edited["a"] is not VALUE["a"]


def test_delete_at_takes_out_one_place_and_deleted_several_of_the_original() -> None:
    value = {"a": ["0", "1", "2", "3"], "b": 1}
    assert delete_at(value, ("a", 1)) == {"a": ["0", "2", "3"], "b": 1}
    assert delete_at(value, ("b",)) == {"a": value["a"]}
    assert deleted(value, [("a", 0), ("b",), ("a", 2), ("a", 0)]) == {"a": ["1", "3"]}
    assert value == {"a": ["0", "1", "2", "3"], "b": 1}


@pytest.mark.parametrize("path", [("zz",), ("a", 7), ("a", "b"), ("d", "e", "f"), ("json", "q")])
def test_a_path_that_leads_nowhere_is_an_error(path: Path) -> None:
    with pytest.raises(KeyError):
        set_at(VALUE, path, 1)
    with pytest.raises(KeyError):
        delete_at(VALUE, path)


MESSAGES: dict[str, tuple[Any, Path, Any]] = {
    "openai-chat": (
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "u"}}]},
        ("content", 0),
        {"type": "text", "text": "stub"},
    ),
    "openai-responses": (
        {"role": "user", "content": [{"type": "input_image", "image_url": "u"}]},
        ("content", 0),
        {"type": "input_text", "text": "stub"},
    ),
    "anthropic": (
        {"role": "user", "content": [{"type": "image", "source": {"type": "url", "url": "u"}}]},
        ("content", 0),
        {"type": "text", "text": "stub"},
    ),
    "gemini": (
        {"role": "user", "parts": [{"inlineData": {"mimeType": "image/png", "data": PNG}}]},
        ("parts", 0),
        {"text": "stub"},
    ),
}


@pytest.mark.parametrize("wire", list(MESSAGES))
def test_media_becomes_text_of_the_format(wire: str) -> None:
    native, path, expected = MESSAGES[wire]
    codec = codec_for(wire)
    assert get_at(codec.replace(codec.parse(native, 0), {path: "stub"}), path) == expected


def test_media_in_a_gemini_response_leaves_its_text_in_the_response() -> None:
    media = {"inlineData": {"mimeType": "image/png", "data": PNG}}
    body = {"name": "f", "response": {"output": "o"}, "parts": [media, media]}
    codec = codec_for("gemini")
    message = codec.parse({"role": "user", "parts": [{"functionResponse": body}]}, 0)
    edits = {part.path: f"S-{n}" for n, part in enumerate(message.results[0].parts[1:])}
    edited = codec.replace(message, edits)["parts"][0]["functionResponse"]
    assert edited == {"name": "f", "response": {"output": "o", "media": "S-0\nS-1"}, "parts": []}


def test_one_value_inside_argument_text_can_be_replaced() -> None:
    arguments = '{"path": "a", "content": "\\ud83d\\ude00 long"}'
    body = {"name": "f", "arguments": arguments}
    native = {
        "role": "assistant",
        "tool_calls": [{"id": "c", "type": "function", "function": body}],
    }
    codec = codec_for("openai-chat")
    message = codec.parse(native, 0)
    path = (*message.calls[0].arguments_path, "content")
    edited = codec.replace(message, {path: "stub"})
    assert json.loads(codec.parse(edited, 0).calls[0].arguments) == {"path": "a", "content": "stub"}


@pytest.mark.parametrize(
    ("wire", "native", "paths", "left"),
    [
        ("openai-chat", {"role": "user", "content": "x"}, [("content",)], None),
        ("openai-chat", {"role": "tool", "tool_call_id": "c", "content": "x"}, [()], None),
        (
            "openai-chat",
            {"role": "assistant", "content": "x", "reasoning_content": "r"},
            [("reasoning_content",)],
            {"role": "assistant", "content": "x"},
        ),
        (
            "anthropic",
            {
                "role": "user",
                "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
            },
            [("content", 0)],
            {"role": "user", "content": [{"type": "text", "text": "b"}]},
        ),
        (
            "anthropic",
            {"role": "user", "content": [{"type": "text", "text": "a"}]},
            [("content", 0)],
            None,
        ),
        ("gemini", {"role": "user", "parts": [{"text": "a"}]}, [("parts", 0)], None),
        ("openai-responses", {"type": "reasoning", "id": "r", "summary": []}, [()], None),
        (
            "openai-responses",
            {"type": "message", "id": "m", "role": "assistant", "content": "x"},
            [("id",)],
            {"type": "message", "role": "assistant", "content": "x"},
        ),
    ],
)
def test_without(wire: str, native: Any, paths: list[Path], left: Any) -> None:
    codec = codec_for(wire)
    assert codec.without(codec.parse(native, 0), paths) == left


def test_join_makes_one_content_of_two_with_responses_first_and_refuses_what_is_signed() -> None:
    codec = codec_for("gemini")
    one = {"functionResponse": {"name": "a", "response": {}}}
    two = {"functionResponse": {"name": "b", "response": {}}}
    text = {"text": "and now?"}
    given = {"role": "user", "parts": [one]}, {"role": "user", "parts": [text, two]}
    assert codec.join(*given) == {"role": "user", "parts": [one, two, text]}
    assert codec.join(given[0], {"role": "model", "parts": [text]}) is None
    signed = {"role": "user", "parts": [{**two, "thoughtSignature": "s"}]}
    assert codec.join(given[0], signed) is None


@pytest.mark.parametrize("wire", ["anthropic", "openai-chat", "openai-responses"])
def test_join_has_nothing_to_do_where_results_may_stand_in_several_messages(wire: str) -> None:
    native, _, _ = MESSAGES[wire]
    assert codec_for(wire).join(native, native) is None


@pytest.mark.parametrize("wire", list(MESSAGES))
def test_new_text_messages_are_read_back(wire: str) -> None:
    codec = codec_for(wire)
    for role in (Role.USER, Role.ASSISTANT):
        message = codec.parse(codec.text_message(role, "half \ud83d"), 0)
        assert (message.role, message.text) == (role, "half \ud83d")
    with pytest.raises(InvalidTranscriptError):
        codec.text_message(Role.TOOL, "x")


@pytest.mark.parametrize("kind", list(CallKind))
def test_responses_answer_claims_no_outcome(kind: CallKind) -> None:
    call = ToolCallPart(call_id="c", name="zz", arguments="", kind=kind)
    (answer, *more) = codec_for("openai-responses").answer(None, [call], "unknown") or [{}]
    assert more == []
    assert answer.get("status") in (None, "incomplete")


@pytest.mark.parametrize(
    ("source", "size"),
    [
        (PNG, (1, 1)),
        ("R0lGODlhAgADAIAAAAAAAP///yH5BAEAAAAALAAAAAACAAMAAAICRF4AOw==", (2, 3)),
        ("/9j/4AAQSkZJRgABAQAAAQABAAD/wAARCAAGAAUDASIAAhEBAxEB", (5, 6)),
        ("UklGRhYAAABXRUJQVlA4WAoAAAAAAAAABwAACQAA", (8, 10)),
        ("", (0, 0)),
        ("not base64 at all!", (0, 0)),
        (PNG[:16], (0, 0)),
    ],
)
def test_image_sizes_are_read_from_the_header(source: str, size: tuple[int, int]) -> None:
    assert image_size(source) == size
