"""The handoff record: kinds, items, deltas and the lineage that balances."""

from clew.record.apply import Applied, apply_delta, externalise
from clew.record.delta import Add, Close, Delta, Dismiss, Operation, Revise, SetNext, Supersede
from clew.record.items import LIVE, Evidence, Item, Proposer, Rejected, Speaker, Status
from clew.record.kinds import BUILT_IN, DEFAULT_KINDS, Kind, KindTable
from clew.record.lineage import (
    Dismissal,
    Fate,
    ItemFate,
    Lineage,
    Revision,
    balance,
    lineage_from_json,
)
from clew.record.markdown import record_from_markdown, record_to_markdown
from clew.record.record import RECORD_VERSION, HandoffRecord, IndexEntry, Mention
from clew.record.serde import (
    dump_record,
    item_from_json,
    item_to_json,
    load_record,
    record_from_json,
    record_to_json,
)
from clew.record.shares import DEFAULT_SHARES, ViewShares
from clew.record.view import RenderedRecord, render_record

__all__ = [
    "BUILT_IN",
    "DEFAULT_KINDS",
    "DEFAULT_SHARES",
    "LIVE",
    "RECORD_VERSION",
    "Add",
    "Applied",
    "Close",
    "Delta",
    "Dismiss",
    "Dismissal",
    "Evidence",
    "Fate",
    "HandoffRecord",
    "IndexEntry",
    "Item",
    "ItemFate",
    "Kind",
    "KindTable",
    "Lineage",
    "Mention",
    "Operation",
    "Proposer",
    "Rejected",
    "RenderedRecord",
    "Revise",
    "Revision",
    "SetNext",
    "Speaker",
    "Status",
    "Supersede",
    "ViewShares",
    "apply_delta",
    "balance",
    "dump_record",
    "externalise",
    "item_from_json",
    "item_to_json",
    "lineage_from_json",
    "load_record",
    "record_from_json",
    "record_from_markdown",
    "record_to_json",
    "record_to_markdown",
    "render_record",
]
