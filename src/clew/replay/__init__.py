"""Plays a recorded session through a policy, call by call."""

from clew.replay.cost import Cost
from clew.replay.play import replay
from clew.replay.played import (
    Bill,
    CallPlayed,
    CompactionPlayed,
    Coverage,
    EvictionPlayed,
    Replay,
    SessionFacts,
)
from clew.tools_seen.repeats import Repeats, count_repeats
from clew.transcript.calls import RecordedCall, recorded_calls

__all__ = [
    "Bill",
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
