"""Histories to measure with: an agent that reads real source files, in OpenAI chat form."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).resolve().parents[2] / "src" / "clew"

GOAL = (
    "Move every reader of the ledger to the new store, keep the public names, and do not touch "
    "the billing folder. Run the tests behind each change."
)

_SAID = (
    "Reading {path} from line {line} to see who calls it.",
    "The check in {path} fails for an empty list because the key is unique only per tenant.",
    "I will use the store instead of the cache, since the cache is not shared by two workers.",
    "Now the tests of {path}.",
    "That did not work: the import of {path} is circular, so I move it into the function.",
    "Done with {path}; {line} lines were checked.",
)

Message = dict[str, Any]


@cache
def _files() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(
        (str(path.relative_to(SOURCE)), tuple(path.read_text(encoding="utf-8").splitlines()))
        for path in sorted(SOURCE.rglob("*.py"))
    )


def steps(lines_each: int) -> Iterator[tuple[Message, Message]]:
    """Assistant messages with one call, and their results of so many lines, without end."""
    files = _files()
    number = 0
    while True:
        path, lines = files[(number * 7) % len(files)]
        first = (number * 31) % max(1, len(lines) - lines_each)
        shown = lines[first : first + lines_each]
        said = _SAID[number % len(_SAID)].format(path=f"src/{path}", line=first + 1)
        arguments = json.dumps({"path": f"src/{path}", "offset": first + 1})
        call_id = f"call_{number:06d}"
        call = {"name": "read_file", "arguments": arguments}
        yield (
            {
                "role": "assistant",
                "content": said,
                "tool_calls": [{"id": call_id, "type": "function", "function": call}],
            },
            {
                "role": "tool",
                "tool_call_id": call_id,
                "content": "\n".join(f"{first + n + 1}\t{line}" for n, line in enumerate(shown)),
            },
        )
        number += 1


def of_messages(count: int, *, lines_each: int = 6) -> list[Message]:
    """A history of exactly `count` messages."""
    made: list[Message] = [{"role": "user", "content": GOAL}]
    for pair in steps(lines_each):
        made.extend(pair)
        if len(made) >= count:
            return made[:count] if (count - len(made)) % 2 == 0 else [*made[: count - 1], _last()]
    return made


def _last() -> Message:
    return {"role": "user", "content": "Go on."}


def of_tokens(tokens: int, *, lines_each: int = 40, chars_per_token: float = 4.0) -> list[Message]:
    """A history of about so many tokens."""
    made: list[Message] = [{"role": "user", "content": GOAL}]
    chars = 0
    for said, result in steps(lines_each):
        made += [said, result]
        chars += len(said["content"]) + len(result["content"]) + 60
        if chars >= tokens * chars_per_token:
            return made
    return made


def grown(history: list[Message], times: int) -> Iterator[list[Message]]:
    """The history, each time with one more call and its result; the earlier objects stay."""
    more = steps(6)
    growing = list(history)
    for number in range(times):
        said, result = next(more)
        call_id = f"more_{number:06d}"
        calls = [{**said["tool_calls"][0], "id": call_id}]
        growing = [
            *growing,
            {**said, "tool_calls": calls},
            {**result, "tool_call_id": call_id},
        ]
        yield growing


def compared(tokens: int = 122_000) -> list[Message]:
    """A run of the size and shape that rivals were compared on.

    373 messages with 200 calls, some in parallel, 14 things that were said, one result of 60 KB,
    about 122,000 tokens by characters; with fewer `tokens` every part is as much shorter.
    """
    share = tokens / 122_000
    calls, said = max(4, round(200 * share)), max(1, round(14 * share))
    pairs = round(calls * 0.21)  # 42 messages with two calls, 116 with one
    sizes = [2] * pairs + [1] * (calls - 2 * pairs)
    large = round(60_000 * share)
    each = (4 * tokens - large) // calls
    made: list[Message] = [{"role": "user", "content": GOAL}]
    number = 0
    for turn, size in enumerate(sizes):
        if turn % (len(sizes) // said) == 0 and len(made) > 1:
            made.append({"role": "user", "content": f"Batch {turn} stays at {turn * 7} cents."})
        ids = [f"call_{number + n:06d}" for n in range(size)]
        number += size
        made.append({
            "role": "assistant",
            "content": f"Copying batch {turn + 100} and comparing it with the source.",
            "tool_calls": [_copying(call_id, turn) for call_id in ids],
        })  # fmt: skip
        for call_id in ids:
            room = large if number == calls and call_id == ids[-1] else each
            made.append({"role": "tool", "tool_call_id": call_id, "content": _log(turn, room)})
    return made


def _copying(call_id: str, turn: int) -> Message:
    arguments = json.dumps({"batch": turn + 100, "table": "accounts_eu"})
    function = {"name": "copy_batch", "arguments": arguments}
    return {"id": call_id, "type": "function", "function": function}


def _log(turn: int, chars: int) -> str:
    """Lines of a log, about so many characters."""
    lines = (
        f"row {turn * 97 + n}: compared with the source and found to be the same in every column"
        for n in range(chars // 60 + 1)
    )
    return "\n".join(lines)[:chars]
