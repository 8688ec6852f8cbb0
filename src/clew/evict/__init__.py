"""Taking single parts out of the window: stubs and the plan of what goes first."""

from clew.evict.plan import EvictionPlan, PlannedStub, PlanRules, plan_evictions
from clew.evict.residents import Cause, Resident, Window
from clew.evict.staleness import staleness
from clew.evict.value import odds_of

__all__ = [
    "Cause",
    "EvictionPlan",
    "PlanRules",
    "PlannedStub",
    "Resident",
    "Window",
    "odds_of",
    "plan_evictions",
    "staleness",
]
