"""What carrying tokens costs, what a rewrite costs, and when one has paid for the other.

The unit is one uncached input token. A token is folded at most once, however often one compacts,
so what folding costs by the token does not depend on the schedule. What does is the setup cost of
each compaction, and the carrying cost between two. Compacting once the carrying cost has reached
the setup cost is the ski-rental rule; with even growth it is also the best there is (Wilson's
formula). docs/design/schedule.md derives it.
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


def setup_cost(ratios: Ratios, *, record_tokens: int, rewritten_tokens: int) -> float:
    """What a compaction costs however much it folds, in uncached input tokens.

    Writing the record (when a model does it), and writing what follows the unchanged head to the
    cache instead of reading it from there.
    """
    made = record_tokens * ratios.output if ratios.summarizer_reads else 0.0
    return made + rewritten_tokens * max(0.0, ratios.cache_write - ratios.cached_read)


def folding_cost(ratios: Ratios, *, middle_tokens: int) -> float:
    """What folding these tokens costs, once, whenever it is done, in uncached input tokens.

    Reading them (when a model does it), and fetching back what will be missed.
    """
    read = middle_tokens * 1.0 if ratios.summarizer_reads else 0.0
    return read + middle_tokens * ratios.refetch_share * ratios.cache_write


def carrying_cost(ratios: Ratios, *, token_calls: int) -> float:
    """Price of having carried tokens beyond the floor: the sum over calls of tokens carried."""
    return max(0, token_calls) * ratios.cached_read


def compaction_price(
    ratios: Ratios, *, setup: float, folded_tokens: int, planned_calls: float | None
) -> float:
    """What carrying has to cost before these tokens are folded, in uncached input tokens.

    The setup cost, since tokens that will be folded anyway cost that much whenever it is done.
    Where the agent's plan ends before a compaction has earned its price, they never need to be, and
    folding them is part of the price. `planned_calls` None is a plan that does not tell.
    """
    whole = setup + folding_cost(ratios, middle_tokens=folded_tokens)
    if planned_calls is None:
        return setup
    saved = folded_tokens * ratios.cached_read * planned_calls
    return setup if saved >= whole else whole


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
