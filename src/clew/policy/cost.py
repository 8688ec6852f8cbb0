"""What carrying tokens costs, what a rewrite costs, and when one has paid for the other.

The unit is one uncached input token. Compacting as soon as the carrying cost since the last
compaction has reached the price of a compaction is the ski-rental rule: never more than twice
the optimum for any future, 1.03 times it on recorded runs (docs/design/schedule.md).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from clew.ports import Rates


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratios:
    """Prices relative to one uncached input token.

    Defaults are the ratios most providers publish: a cached read a tenth, a cache write a quarter
    more, output five times. `refetch_share` is the share of the folded text that is expected to be
    fetched back, `summarizer_reads` whether folding bills the middle as input (a model does, the
    offline summarizer does not).
    """

    cached_read: float = 0.1
    cache_write: float = 1.25
    output: float = 5.0
    refetch_share: float = 0.05
    summarizer_reads: bool = field(default=False, metadata={"derived": True})

    @classmethod
    def from_rates(cls, rates: Rates, *, summarizer_reads: bool = False) -> Ratios:
        """Ratios of a model's own rates; a free input price leaves the defaults."""
        if rates.input <= 0:
            return cls(summarizer_reads=summarizer_reads)
        return cls(
            cached_read=rates.cached_read / rates.input,
            cache_write=rates.cache_write / rates.input,
            output=rates.output / rates.input,
            summarizer_reads=summarizer_reads,
        )


def compaction_cost(
    ratios: Ratios, *, middle_tokens: int, record_tokens: int, floor_tokens: int
) -> float:
    """Price of one compaction, in uncached input tokens.

    Reading the middle and writing the record (when a model does it), writing the new floor to the
    cache instead of reading it from there, and fetching back what will be missed.
    """
    made = 0.0
    if ratios.summarizer_reads:
        made = middle_tokens * 1.0 + record_tokens * ratios.output
    rewritten = floor_tokens * max(0.0, ratios.cache_write - ratios.cached_read)
    fetched = middle_tokens * ratios.refetch_share * ratios.cache_write
    return made + rewritten + fetched


def carrying_cost(ratios: Ratios, *, token_calls: int) -> float:
    """Price of having carried tokens beyond the floor: the sum over calls of tokens carried."""
    return max(0, token_calls) * ratios.cached_read


def rewrite_pays(
    ratios: Ratios, *, freed_tokens: int, rewritten_tokens: int, remaining_calls: float
) -> bool:
    """Whether freeing tokens earns back the broken prefix over the calls still to come.

    `rewritten_tokens` is everything behind the first changed byte, which the provider has to read
    uncached and write to its cache again.
    """
    saved = freed_tokens * ratios.cached_read * remaining_calls
    broken = rewritten_tokens * max(0.0, ratios.cache_write - ratios.cached_read)
    return saved > broken
