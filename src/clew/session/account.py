"""Keeps the account of a session: what each call cost, and how much of the cache it broke."""

from __future__ import annotations

from dataclasses import replace

from clew.outcome import Compacted, Evicted, Report
from clew.pipeline import Prepared
from clew.policy import Ratios
from clew.policy.spending import Outgoing, Spending, spent_on
from clew.ports import Prices, Rates
from clew.session.rounds import Rounds
from clew.transcript import Message


class Account:
    """The running sum; `model` None, or one without known rates, is priced in units alone."""

    def __init__(self, ratios: Ratios, prices: Prices, model: str | None) -> None:
        self._ratios = ratios
        self._prices = prices
        self._model = model
        self._rates: Rates | None = None
        self._known = model is None
        self._before: Outgoing | None = None
        self._sent: tuple[Message, ...] = ()
        self._given_tokens = 0
        self._last_given = 0
        self._last_sent = 0
        self._rounds = Rounds()
        self.total = Spending()

    def entered(self, prepared: Prepared, report: Report) -> Report:
        """The report of a call with its account, and a warning where the floor keeps rising."""
        spent = self.add(
            prepared, tokens_before=report.tokens_before, prefix_tokens=report.prefix_tokens
        )
        grown = self._rounds.warned(prepared.outcome, report)
        return replace(report, spending=spent, warnings=(*report.warnings, *grown))

    def add(self, prepared: Prepared, *, tokens_before: int, prefix_tokens: int) -> Spending:
        """The account of one more call; `tokens_before` is what the caller gave, without prefix."""
        if not self._known:
            self._rates = self._prices.rates(self._model or "")
            self._known = True
        ratios = Ratios.from_rates(self._rates) if self._rates is not None else self._ratios
        call = Outgoing(
            given_tokens=self._given(tokens_before) + prefix_tokens,
            sent_tokens=prepared.tokens_after + prefix_tokens,
            kept_tokens=self._kept(prepared, prefix_tokens),
        )
        spent = spent_on(call, self._before, ratios, self._rates)
        self._before = call
        self._sent = tuple(prepared.rendered.messages)
        self._last_given, self._last_sent = tokens_before, prepared.tokens_after
        self.total = self.total.plus(spent)
        return spent

    def _given(self, tokens_before: int) -> int:
        """What would have gone out: a caller that keeps our contexts gives only what is new."""
        whole = tokens_before >= self._last_given
        grown = tokens_before - (self._last_given if whole else self._last_sent)
        self._given_tokens = max(tokens_before, self._given_tokens + grown)
        return self._given_tokens

    def _kept(self, prepared: Prepared, prefix_tokens: int) -> int | None:
        """Tokens in front of the first message that an eviction or a compaction changed."""
        if not isinstance(prepared.outcome, Evicted | Compacted):
            return None
        messages = prepared.rendered.messages
        same = 0
        for old, new in zip(self._sent, messages, strict=False):
            if old.digest != new.digest:
                break
            same += 1
        behind = len(messages) - same
        if not messages or not behind:
            return None
        return prefix_tokens + prepared.tokens_after - self._sizes(prepared, same)

    @staticmethod
    def _sizes(prepared: Prepared, same: int) -> int:
        """Tokens of the rendered messages from the first changed one on."""
        sizes = dict(zip(prepared.history.positions, prepared.history.sizes, strict=True))
        layout = prepared.rendered.layout
        known = sum(sizes.get(place, 0) for place in layout)
        inserted = max(0, prepared.tokens_after - known)
        behind = sum(sizes.get(place, 0) for place in layout[same:])
        return behind + (inserted if any(place < 0 for place in layout[same:]) else 0)
