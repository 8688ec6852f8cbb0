"""One short line that says what an exchange did."""

from __future__ import annotations

import re

from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import first_line, shortened
from clew.tools_seen.seen import Action, CallSeen, Outcome
from clew.tools_seen.worded import worded

LONGEST_LABEL = 56

_VERBS = {
    Action.READ: "read",
    Action.WRITE: "edited",
    Action.SEARCH: "searched",
    Action.RUN: "ran",
    Action.EFFECT: "did",
    Action.PLAN: "planned",
    Action.ASK: "asked",
    Action.DELEGATE: "delegated",
    Action.OTHER: "called",
}
_LONG_PATH = worded(
    r"(?:[~.\w@+-]*/){2,}(?=[\w.@+-])",
    needs="/",
)
_SUMMED_UP = re.compile(r"<summary>\s*([^<]+?)\s*</summary>")
_LONGEST_HEAD = 2_000
_MOVED = re.compile(r"^\s*cd\s+\S+\s*(?:&&|;)\s*")


@once
def label_of(reading: Reading) -> str:
    """What the exchange did: its calls, else who said what."""
    if reading.calls:
        return _label_of_calls(reading.calls)
    for who, texts in (
        ("user", reading.typed),
        ("agent", reading.prose),
        ("output", reading.results),
        ("harness", tuple(map(_told_in, reading.harness))),
        ("thought", reading.reasoning),
    ):
        line = first_line("\n".join(texts), most=LONGEST_LABEL - 8) if texts else ""
        if line:
            return f"{who}: {line}"
    return "empty exchange"


def _told_in(text: str) -> str:
    """What a notice of the harness says in short, where it does; else the whole text."""
    found = _SUMMED_UP.search(text[:_LONGEST_HEAD])
    return found.group(1) if found is not None else text


def _label_of_calls(calls: tuple[CallSeen, ...]) -> str:
    shown: dict[str, list[str]] = {}
    for call in calls:
        verb, what = _verb_and_object(call)
        objects = shown.setdefault(verb, [])
        if what and what not in objects:
            objects.append(what)
    label = "; ".join(f"{verb} {', '.join(what)}".strip() for verb, what in shown.items())
    return shortened(label, LONGEST_LABEL)


def _verb_and_object(call: CallSeen) -> tuple[str, str]:
    running = call.action in {Action.RUN, Action.EFFECT} and bool(call.command)
    what = call.command if running else call.resource or call.command
    # The directories are in the list of files; here the last part says enough.
    bare = _LONG_PATH.sub("", _MOVED.sub("", what or call.tool))
    outcome = ""
    if call.tests is not None:
        outcome = f": {shortened(call.tests.line, 32)}"
    elif call.outcome in {Outcome.FAILED, Outcome.REFUSED}:
        outcome = f": {call.outcome.value}"
    verb = call.effect if call.action is Action.EFFECT and call.effect else _VERBS[call.action]
    if running and verb and bare.startswith(verb):
        bare = bare[len(verb) :].strip()
    return verb, f"{shortened(bare, 36)}{outcome}"
