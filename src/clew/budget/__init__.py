"""How large the context may be, how large it is, and how sure that is.

`Budget` is what somebody asked for, `ResolvedBudget` what it works out to, `sawtooth` what that
means in turns. `estimate` counts without a tokenizer, `media` prices pictures, `measure` counts
whole messages, `families` relates tokenizers, `calibration` learns from reported usage.
"""

from __future__ import annotations

from clew.budget.budget import Budget, ResolvedBudget
from clew.budget.calibration import Believed, Calibration, Ignored, IgnoredReason
from clew.budget.estimate import Chars4Counter, EstimateCounter, estimate_tokens
from clew.budget.families import FAMILIES, UNKNOWN_FAMILY, Family, family_of
from clew.budget.image_size import base64_image_size, image_size
from clew.budget.media import media_part_tokens, media_tokens
from clew.budget.sawtooth import Sawtooth, sawtooth

__all__ = [
    "FAMILIES",
    "UNKNOWN_FAMILY",
    "Believed",
    "Budget",
    "Calibration",
    "Chars4Counter",
    "EstimateCounter",
    "Family",
    "Ignored",
    "IgnoredReason",
    "ResolvedBudget",
    "Sawtooth",
    "base64_image_size",
    "estimate_tokens",
    "family_of",
    "image_size",
    "media_part_tokens",
    "media_tokens",
    "sawtooth",
]
