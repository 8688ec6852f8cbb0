"""Plays a recorded session through a policy, call by call."""

from clew.replay.calls import RecordedCall, recorded_calls
from clew.replay.cost import Cost
from clew.replay.play import replay
from clew.replay.played import (
    CallPlayed,
    CompactionPlayed,
    Coverage,
    EvictionPlayed,
    Replay,
    SessionFacts,
)
from clew.replay.repeats import Repeats, count_repeats

__all__ = [
    "CallPlayed",
    "CompactionPlayed",
    "Cost",
    "Coverage",
    "EvictionPlayed",
    "RecordedCall",
    "Repeats",
    "Replay",
    "SessionFacts",
    "count_repeats",
    "recorded_calls",
    "replay",
]
