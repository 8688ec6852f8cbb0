"""One short line that says what an exchange did."""

from __future__ import annotations

from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import first_line, shortened
from clew.tools_seen.seen import Action, CallSeen, Outcome

LONGEST_LABEL = 72

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


def label_of(reading: Reading) -> str:
    """What the exchange did: its calls, else who said what."""
    if reading.calls:
        return _label_of_calls(reading.calls)
    for who, texts in (
        ("user", reading.typed),
        ("agent", reading.prose),
        ("output", reading.results),
        ("harness", reading.harness),
        ("thought", reading.reasoning),
    ):
        line = first_line("\n".join(texts), most=LONGEST_LABEL - 8) if texts else ""
        if line:
            return f"{who}: {line}"
    return "empty exchange"


def _label_of_calls(calls: tuple[CallSeen, ...]) -> str:
    shown: dict[str, list[str]] = {}
    for call in calls:
        verb, what = _verb_and_object(call)
        objects = shown.setdefault(verb, [])
        if what not in objects:
            objects.append(what)
    label = "; ".join(f"{verb} {', '.join(w for w in what if w)}" for verb, what in shown.items())
    return shortened(label, LONGEST_LABEL)


def _verb_and_object(call: CallSeen) -> tuple[str, str]:
    what = call.command if call.action is Action.RUN else call.resource or call.command
    what = shortened(what or call.tool, LONGEST_LABEL - 24)
    outcome = ""
    if call.tests is not None:
        outcome = f": {shortened(call.tests.line, 40)}"
    elif call.outcome in {Outcome.FAILED, Outcome.REFUSED}:
        outcome = f": {call.outcome.value}"
    verb = call.effect if call.action is Action.EFFECT and call.effect else _VERBS[call.action]
    return verb, f"{what}{outcome}"
