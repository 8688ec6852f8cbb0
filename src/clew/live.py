"""The prompt that would go out now, for a summarizer that is the agent's own model."""

from __future__ import annotations

from functools import partial

from clew.history import History
from clew.ports import LivePrompt
from clew.render import Insertions, render
from clew.transcript import Role, chain, digest_of
from clew.turn import Turn


def live_prompt(turn: Turn, history: History, insertions: Insertions) -> LivePrompt | None:
    """The live prompt with the place of every exchange in it; None where none may be asked."""
    live = turn.live
    if live is None or any(exchange.open_calls for exchange in history.exchanges):
        return None  # no message may stand between a call and its result
    rendered = render(history, insertions, turn.codec, turn.shown)
    lead = len(history.lead)
    number = {position: lead + n for n, position in enumerate(rendered.layout, start=1)}
    places = {}
    for exchange in history.exchanges:
        there = [number[history.positions[i]] for i in exchange.indices]
        places[history.handle_at(history.positions[exchange.first])] = (min(there), max(there))
    messages = [*history.lead, *rendered.messages]
    return LivePrompt(
        format=history.format,
        messages=tuple(rendered.natives),
        system=live.system,
        tools=live.tools,
        tokens=sum(turn.meter.count(messages)) + live.prefix_tokens,
        digest=digest_of(
            [chain(m.digest for m in messages)[-1:], repr(live.system), repr(live.tools)]
        ),
        places=places,
        message_of=partial(turn.codec.text_message, Role.USER),
        clean=turn.redact_text,
        cached=[m.digest for m in messages[: len(live.sent)]] == list(live.sent),
    )
