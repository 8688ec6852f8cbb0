"""Agents whose calls are text: Cline tags, bash fences, SWE-agent, OpenHands, aider's edits.

Such an agent writes its call into an assistant message, and the result comes back as a message
in the user's role. Nothing here changes a message; it only says what is in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from clew.tools_seen.families import DEFAULT_TABLE
from clew.tools_seen.families.open_agents import CLINE
from clew.tools_seen.see import see_call, see_exchange
from clew.tools_seen.seen import CallSeen
from clew.tools_seen.shown_calls import ShownCall, shown_call
from clew.tools_seen.table import ToolTable
from clew.transcript import Message, Role, TextPart


@dataclass(frozen=True, slots=True, kw_only=True)
class TextCall:
    """A call written as text: the tool, its arguments, and which protocol it speaks."""

    name: str
    arguments: dict[str, str]
    protocol: str


CLINE_TOOLS = (*(rule.name for rule in CLINE), "use_mcp_tool")
_CLINE_RESULT = re.compile(r"\A\s*\[([a-z_]+)(?: for '[^\n]{0,2000}')?\] Result:")
_CLINE_NOTES = ("[TASK RESUMPTION]", "[ERROR] You did not use a tool")
_FENCE = re.compile(
    r"^```(?:bash|sh|shell|console|mswea_bash_command)?[ \t]*\n(.*?)\n?^```[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
PRINTED_BY_AIDER = "Printed by aider:"
"""Opens what aider's history holds of its own output, between the words of user and agent."""

_AIDER_EDIT = re.compile(
    r"^(?P<path>[\w@.][^\n`*:]{0,200}?)[ \t]*\n(?:```[^\n]*\n)?(?:(?P=path)[ \t]*\n)?"
    r"(?:```[^\n]*\n)?"
    r"(?P<opens><{5,9} SEARCH\n)(?P<old>.*?)^={5,9}\n(?P<new>.*?)^>{5,9} REPLACE",
    re.MULTILINE | re.DOTALL,
)
_AIDER_RAN = re.compile(
    r"^(?:Test Script: |Running |Run: )(?P<command>[^\n]{3,2000})$", re.MULTILINE
)
_RETURN = ("<returncode>", "<output>")
_OBSERVATION = ("OBSERVATION:", "Observation:", "EXECUTION RESULT of [", "Tool output:")
_TERMINAL = ("New Terminal Output:", "Current terminal state:", "Current Terminal Screen:")
_SWE_TAIL = re.compile(r"\(Current directory: [^\n]*\)\nbash-\$\s*\Z")
_FUNCTION = re.compile(r"<function=([\w.-]+)>")
_PARAMETER = re.compile(r"<parameter=([\w.-]+)>")
_OLD_TAGS = {
    "execute_bash": ("execute_bash", "command"),
    "execute_ipython": ("execute_ipython_cell", "code"),
    "execute_browse": ("browser", "code"),
}


def is_observation(message: Message) -> bool:
    """Whether a message in the user's role is really the output of a tool."""
    return message.role is Role.USER and not message.results and bool(_protocol(message))


def text_calls(text: str, protocol: str = "") -> tuple[TextCall, ...]:
    """The calls written in an assistant's text.

    `protocol` is what the following message speaks: fences count as calls only when it is `bash`
    or `swe`, because anybody may write a fence.
    """
    if calls := _functions(text) or _old_tags(text):
        return calls
    if protocol in ("", "cline") and (calls := _cline(text)):
        return calls
    if protocol == "aider":
        return _aider(text)
    if protocol in ("bash", "swe") and (fences := _FENCE.findall(text)):
        return (TextCall(name="bash", arguments={"command": fences[-1]}, protocol=protocol),)
    return ()


def words_and_call(text: str) -> tuple[str, str]:
    """What an assistant's text says before the first call that is written into it, and the rest."""
    starts = (text.find(f"<{name}>") for name in (*CLINE_TOOLS, *_OLD_TAGS))
    function = _FUNCTION.search(text)
    edit = _AIDER_EDIT.search(text) if "< SEARCH\n" in text else None
    marks = (function.start() if function else -1, edit.start() if edit else -1)
    found = [at for at in (*starts, *marks) if at >= 0]
    return (text[: min(found)], text[min(found) :]) if found else (text, "")


def observed_text(message: Message) -> str:
    """The output that an observation carries, without the line that introduces it."""
    texts = [p.text for p in message.parts if isinstance(p, TextPart)]
    kept = [t for t in texts if not t.lstrip().startswith(("<environment_details>", "<reasoning"))]
    whole = "\n".join(kept)
    if whole.startswith(PRINTED_BY_AIDER):
        return whole[len(PRINTED_BY_AIDER) :].lstrip("\n")
    if found := _CLINE_RESULT.match(whole):
        return whole[found.end() :].lstrip("\n")
    for opening in _OBSERVATION:
        if whole.lstrip().startswith(opening):
            rest = whole.lstrip()[len(opening) :]
            return rest.split("]:", 1)[-1].lstrip() if opening.endswith("[") else rest.lstrip()
    return whole


def textual_calls(
    assistant: Message, following: Message | None, table: ToolTable = DEFAULT_TABLE
) -> tuple[CallSeen, ...]:
    """The calls that an assistant message holds as text, with what the next message shows.

    Only the last of several calls takes the result: these protocols run one call a message.
    """
    if assistant.role is not Role.ASSISTANT or assistant.calls:
        return ()
    if (shown := shown_call(assistant.text)) is not None:
        return (_see_shown(shown, table),)
    protocol = _protocol(following) if following is not None else ""
    calls = text_calls(assistant.text, protocol)
    text = observed_text(following) if following is not None and protocol else None
    if protocol == "aider" and text and (ran := _AIDER_RAN.search(text)):
        command = {"command": ran["command"]}
        calls = (*calls, TextCall(name="bash", arguments=command, protocol=protocol))
    return tuple(
        see_call(
            name=call.name,
            arguments=call.arguments,
            text=text if i == len(calls) - 1 else None,
            table=table,
        )
        for i, call in enumerate(calls)
    )


def _see_shown(shown: ShownCall, table: ToolTable) -> CallSeen:
    """A call that an export wrote into one text with its output."""
    name, arguments = "bash", {"command": shown.command}
    if shown.path:
        name, arguments = "edit", {"path": shown.path}
    elif shown.file:
        name, arguments = "read", {"path": shown.file}
    return see_call(name=name, arguments=arguments, text=shown.output, table=table)


def see_transcript(
    messages: Sequence[Message], table: ToolTable = DEFAULT_TABLE
) -> tuple[tuple[int, CallSeen], ...]:
    """Every call of a transcript, structured or written as text, with its message position."""
    structured = iter(see_exchange(messages, table))
    seen: list[tuple[int, CallSeen]] = []
    for index, message in enumerate(messages):
        if message.calls:
            seen.extend((index, next(structured)) for _ in message.calls)
            continue
        following = messages[index + 1] if index + 1 < len(messages) else None
        seen.extend((index, call) for call in textual_calls(message, following, table))
    return tuple(seen)


def _protocol(message: Message) -> str:
    """Which protocol's result a message is, or nothing."""
    first = next((p.text for p in message.parts if isinstance(p, TextPart)), "")
    start = first.lstrip()[:2500]
    if start.startswith(_RETURN):
        return "bash"
    if start.startswith(PRINTED_BY_AIDER):
        return "aider"
    if _CLINE_RESULT.match(start) or start.startswith(_CLINE_NOTES[1:]):
        return "cline"
    if start.startswith(_OBSERVATION):
        return "swe"
    if start.startswith(_TERMINAL):
        return "terminal"
    # The task of SWE-agent ends with a prompt, too.
    task = "We're currently solving" in start[:300] or "INSTRUCTIONS:" in first
    return "swe" if _SWE_TAIL.search(first[-600:]) and not task else ""


def _aider(text: str) -> tuple[TextCall, ...]:
    """The edits that aider takes out of an answer: a path, what stands there and what is to."""
    return tuple(
        TextCall(
            name="edit",
            arguments={
                "path": found["path"].strip(), "old_str": found["old"], "new_str": found["new"],
            },
            protocol="aider",
        )
        for found in _AIDER_EDIT.finditer(text)
    )  # fmt: skip


def _cline(text: str) -> tuple[TextCall, ...]:
    calls: list[tuple[int, TextCall]] = []
    for name in CLINE_TOOLS:
        start = text.find(f"<{name}>")
        if start < 0:
            continue
        end = text.find(f"</{name}>", start)
        body = text[start + len(name) + 2 : end if end >= 0 else len(text)]
        calls.append((start, TextCall(name=name, arguments=_children(body), protocol="cline")))
    calls.sort(key=lambda found: found[0])
    return (calls[0][1],) if calls else ()


_LONG = frozenset({"content", "diff", "arguments", "result", "response", "command", "args"})
_CHILD = re.compile(r"<([a-z_]+)>")


def _children(body: str) -> dict[str, str]:
    """The parameters of a tag; those that hold code reach to their last closing tag."""
    found: dict[str, str] = {}
    at = 0
    while opening := _CHILD.search(body, at):
        name = opening.group(1)
        find = body.rfind if name in _LONG else body.find
        end = find(f"</{name}>", opening.end())
        if end < 0:
            at = opening.end()
            continue
        found[name] = body[opening.end() : end].strip("\n")
        at = end + len(name) + 3
    return found


def _functions(text: str) -> tuple[TextCall, ...]:
    calls = []
    for opening in _FUNCTION.finditer(text):
        end = text.find("</function>", opening.end())
        body = text[opening.end() : end if end >= 0 else len(text)]
        arguments: dict[str, str] = {}
        for parameter in _PARAMETER.finditer(body):
            close = body.find("</parameter>", parameter.end())
            value = body[parameter.end() : close if close >= 0 else len(body)]
            arguments[parameter.group(1)] = value.strip("\n")
        calls.append(TextCall(name=opening.group(1), arguments=arguments, protocol="openhands"))
    return tuple(calls)


def _old_tags(text: str) -> tuple[TextCall, ...]:
    for tag, (name, key) in _OLD_TAGS.items():
        start = text.find(f"<{tag}>")
        if start >= 0:
            end = text.find(f"</{tag}>", start)
            body = text[start + len(tag) + 2 : end if end >= 0 else len(text)]
            return (TextCall(name=name, arguments={key: body.strip()}, protocol="openhands"),)
    return ()
