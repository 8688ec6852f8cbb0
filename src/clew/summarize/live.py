"""Asking behind the agent's live prompt, so that the provider reads it from its cache.

Nothing in the live prompt may change, so everything the model needs beside it stands in one more
message: the rules, which messages make up which span, what is owed. A schema would change the
prefix that the provider has cached; the answer is in the plain form.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from clew.policy import Ratios
from clew.ports import LivePrompt, ModelClient, ModelRequest, Rates
from clew.record.claims import one_line
from clew.record.fence import neutral
from clew.record.items import Item
from clew.summarize.chunks import plan_parts
from clew.summarize.prompt import (
    Asking,
    Part,
    ReplyStyle,
    behind_live,
    model_request,
    prompt_file,
    request_tokens,
)
from clew.summarize.request import SpanView
from clew.summarize.speech import passages

_FIRST_CHARS: Final = 60
_MOST_PARTS: Final = 1_000


def reason_against(
    asking: Asking,
    spans: tuple[SpanView, ...],
    client: ModelClient,
    rates: Rates | None,
    window_tokens: int,
) -> str:
    """Why the live prompt is not the one to ask; empty when it is.

    Both are priced as input: the live prompt at the price of a cached read and the message behind
    it in full, the fresh prompts in full. The answers cost the same.
    """
    live = asking.request.live
    if live is None:
        return "there is no live prompt"
    if not live.cached:
        return "the prompt that went out last was another, so no cache holds this one"
    if live.format not in getattr(client, "live_formats", ()):
        return f"{client.name} does not take messages of {live.format.value}"
    if missing := [span.handle for span in spans if span.handle not in live.places]:
        return f"{len(missing)} spans do not stand in the live prompt"
    part = Part(spans=spans, texts=())
    tokens = request_tokens(live_request(asking, part, live), asking.request.counter)
    if tokens > window_tokens:
        return f"{tokens:,} tokens do not fit the window of {window_tokens:,}"
    ratios = Ratios.from_rates(rates) if rates is not None else Ratios()
    added = tokens - live.tokens - asking.max_output_tokens
    behind = live.tokens * ratios.cached_read + added
    fresh = _fresh_tokens(asking, spans, window_tokens)
    if behind >= fresh:
        return f"a fresh prompt is cheaper: {fresh:,} against {behind:,.0f} input tokens"
    return ""


def live_request(
    asking: Asking, part: Part, live: LivePrompt, carried: Sequence[Item] = ()
) -> ModelRequest:
    """The request with one message behind the live prompt."""
    spans = [_place(span, live) for span in part.spans]
    return ModelRequest(
        system="",
        prompt=behind_live(asking, part, prompt_file("live"), spans, carried),
        max_output_tokens=asking.max_output_tokens,
        live=live,
    )


def _fresh_tokens(asking: Asking, spans: tuple[SpanView, ...], window_tokens: int) -> int:
    plan = plan_parts(asking, spans, window_tokens=window_tokens, max_parts=_MOST_PARTS)
    requests = [model_request(asking, part, style=ReplyStyle.JSON) for part in plan.parts]
    counter = asking.request.counter
    return sum(request_tokens(each, counter) - each.max_output_tokens for each in requests)


def _place(span: SpanView, live: LivePrompt) -> str:
    """A span by the numbers of its messages and the first words of the first."""
    first, last = live.places[span.handle]
    where = f"message {first}" if first == last else f"messages {first} to {last}"
    said = next((p for p in passages(span) if p.text.strip()), None)
    words = neutral(one_line(said.text))[:_FIRST_CHARS] if said is not None else ""
    voice = said.voice.value if said is not None else "nothing readable"
    return f"- {span.handle}: {where}, {voice}: {words}"
