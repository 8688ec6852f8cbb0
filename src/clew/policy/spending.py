"""What the calls of one session cost, beside what the caller's own list would have cost.

The unit is one uncached input token; money is dollars by the rates of the model, where they are
known. What the agent writes costs the same either way and is left out, and so are the calls of a
summarizer's model, which are counted apart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from clew.policy.cost import Ratios
from clew.ports import Rates

MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """One call, or the sum of several, by an account of prompt tokens.

    `given_tokens` would have gone out without Clew, `sent_tokens` did, system and tools included in
    both. Of those sent, `cached_tokens` were the beginning of the call before and `fresh_tokens`
    were not; `rewritten_tokens` are the part of the fresh ones that the cache already held and that
    an eviction or a compaction moved. `units` and `given_units` price both, `money` and
    `given_money` in dollars, None where the rates are not known.
    """

    calls: int = 0
    given_tokens: int = 0
    sent_tokens: int = 0
    cached_tokens: int = 0
    fresh_tokens: int = 0
    rewritten_tokens: int = 0
    units: float = 0.0
    given_units: float = 0.0
    money: float | None = None
    given_money: float | None = None

    @property
    def saved_tokens(self) -> int:
        """Prompt tokens that were not sent."""
        return self.given_tokens - self.sent_tokens

    @property
    def saved_units(self) -> float:
        """What was saved, in uncached input tokens; below zero where the cache was dearer."""
        return self.given_units - self.units

    @property
    def saved_money(self) -> float | None:
        """The same in dollars, None where the rates are not known."""
        if self.money is None or self.given_money is None:
            return None
        return self.given_money - self.money

    def plus(self, other: Spending) -> Spending:
        """Both together; money is known where it is known of both."""
        known = self if self.calls else replace(self, money=other.money and 0.0, given_money=0.0)
        return Spending(
            calls=self.calls + other.calls,
            given_tokens=self.given_tokens + other.given_tokens,
            sent_tokens=self.sent_tokens + other.sent_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            fresh_tokens=self.fresh_tokens + other.fresh_tokens,
            rewritten_tokens=self.rewritten_tokens + other.rewritten_tokens,
            units=self.units + other.units,
            given_units=self.given_units + other.given_units,
            money=_sum(known.money, other.money),
            given_money=_sum(known.given_money, other.given_money),
        )


def _sum(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one + other


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """One call for the account: tokens of the prompt without Clew and with it.

    `kept_tokens` of what was sent are the same as the beginning of the call before; None when
    nothing was moved, so that all of that call is still there.
    """

    given_tokens: int
    sent_tokens: int
    kept_tokens: int | None = None


def spent_on(
    call: Outgoing, before: Outgoing | None, ratios: Ratios, rates: Rates | None
) -> Spending:
    """The account of one call that follows another."""
    held = before.sent_tokens if before is not None else 0
    whole = min(held, call.sent_tokens)
    cached = whole if call.kept_tokens is None else min(call.kept_tokens, whole)
    fresh = call.sent_tokens - cached
    given_held = min(before.given_tokens, call.given_tokens) if before is not None else 0
    units = cached * ratios.cached_read + fresh * ratios.cache_write
    given_fresh = call.given_tokens - given_held
    given_units = given_held * ratios.cached_read + given_fresh * ratios.cache_write
    dollars = None if rates is None else rates.input / MILLION
    return Spending(
        calls=1,
        given_tokens=call.given_tokens,
        sent_tokens=call.sent_tokens,
        cached_tokens=cached,
        fresh_tokens=fresh,
        rewritten_tokens=0 if call.kept_tokens is None else whole - cached,
        units=units,
        given_units=given_units,
        money=None if dollars is None else units * dollars,
        given_money=None if dollars is None else given_units * dollars,
    )
