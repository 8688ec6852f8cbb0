"""What one exchange claims by itself, in one look-up each: a compaction asks every exchange.

What the exchange says and what it leads to are kept apart: who goes on has handed nothing over.
"""

from __future__ import annotations

from clew.summarize.extractive.asked import answers_given
from clew.summarize.extractive.choice_lists import listed_choices
from clew.summarize.extractive.claims import Claim
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.designs import designs_in
from clew.summarize.extractive.grounded import grounded_choices
from clew.summarize.extractive.handed_in import handed_in
from clew.summarize.extractive.once import once
from clew.summarize.extractive.prose import claims_of_agent
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.remaining import remaining_work
from clew.summarize.extractive.reports import reported_in


@once
def led_to(doing: Reading, cues: Cues) -> tuple[Claim, ...]:
    """What the agent claims, chooses and designs, by the calls that this leads to."""
    return (*claims_of_agent(doing, cues), *grounded_choices(doing), *designs_in(doing))


@once
def handed_over(said: Reading, cues: Cues) -> tuple[Claim, ...]:
    """What the agent says is left, and what it reports."""
    return (*remaining_work(said, cues), *reported_in(said, cues))


@once
def held(reading: Reading, cues: Cues) -> tuple[Claim, ...]:
    """What was handed in, listed as a choice and answered, whoever goes on."""
    return (*handed_in(reading, cues), *listed_choices(reading), *answers_given(reading))
