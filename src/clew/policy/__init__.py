"""When to hold, evict or compact, and why."""

from clew.policy.boundaries import detect, plan_finished
from clew.policy.cost import Ratios, carrying_cost, compaction_cost, rewrite_pays
from clew.policy.decision import (
    ArmedBy,
    Boundary,
    Compact,
    Decision,
    Evict,
    Hold,
    Readiness,
    Why,
    boundary_of,
)
from clew.policy.rules import Situation, decide
from clew.policy.spec import EvictionRules, Policy

__all__ = [
    "ArmedBy",
    "Boundary",
    "Compact",
    "Decision",
    "Evict",
    "EvictionRules",
    "Hold",
    "Policy",
    "Ratios",
    "Readiness",
    "Situation",
    "Why",
    "boundary_of",
    "carrying_cost",
    "compaction_cost",
    "decide",
    "detect",
    "plan_finished",
    "rewrite_pays",
]
