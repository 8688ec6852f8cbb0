"""When to hold, evict or compact, and why."""

from clew.policy.boundaries import BoundaryRules, detect
from clew.policy.cost import (
    Ratios,
    carrying_cost,
    compaction_price,
    folding_cost,
    rewrite_pays,
    setup_cost,
)
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
from clew.policy.limits import CallLimits
from clew.policy.plans import Plan, plan_finished
from clew.policy.probes import Place, Probe, ProbeResult
from clew.policy.rules import ARMING_PRICES, PATIENCE_PRICES, Situation, decide
from clew.policy.spec import EvictionRules, ModelPrices, Policy

__all__ = [
    "ARMING_PRICES",
    "PATIENCE_PRICES",
    "ArmedBy",
    "Boundary",
    "BoundaryRules",
    "CallLimits",
    "Compact",
    "Decision",
    "Evict",
    "EvictionRules",
    "Hold",
    "ModelPrices",
    "Place",
    "Plan",
    "Policy",
    "Probe",
    "ProbeResult",
    "Ratios",
    "Readiness",
    "Situation",
    "Why",
    "boundary_of",
    "carrying_cost",
    "compaction_price",
    "decide",
    "detect",
    "folding_cost",
    "plan_finished",
    "rewrite_pays",
    "setup_cost",
]
