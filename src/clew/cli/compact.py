"""`clew compact`: native messages in, native messages out, once."""

from __future__ import annotations

import json as jsonlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clew.cli.options import (
    FileArgument,
    JsonOption,
    PolicyOption,
    StoreOption,
    SummarizerOption,
    WindowOption,
)
from clew.cli.screen import printable, write_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clew.importers import ImportedSession
    from clew.outcome import Context, Report


OutOption = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="FILE", help="Where to write the messages; else stdout."),
]

NOT_CONTEXT = "left out "
"""How an importer counts records that never were context; what it could not read it says."""


def compact(
    file: FileArgument,
    window: WindowOption = None,
    policy: PolicyOption = None,
    summarizer: SummarizerOption = "extractive",
    store: StoreOption = None,
    goal: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The goal; else the first user message.")
    ] = None,
    out: OutOption = None,
    json: JsonOption = False,
) -> None:
    """Compact a list of messages once and write the native messages that are left.

    Below the trigger the messages come out as they are. Without --store, what was taken out is
    gone with the program; with it, `clew recall` brings it back. --json adds outcome and report.
    """
    import clew
    from clew.cli.policies import policy_for
    from clew.importers import load_session
    from clew.store import open_store

    chosen = policy_for(policy, window)
    imported = load_session(file)
    opened = open_store(store)
    try:
        context = clew.compact(
            imported.messages,
            system=imported.system,
            tools=imported.tools,
            policy=chosen,
            goal=goal,
            summarizer=summarizer,
            store=opened,
            format=imported.format.value,
            model=imported.model or chosen.model or None,
        )
    finally:
        opened.close()
    _write(context, out, shown=not json)
    if json:
        write_json(_document(context, imported))
    else:
        _tell(context, imported.warnings)


def _write(context: Context, out: Path | None, *, shown: bool) -> None:
    messages = jsonlib.dumps(list(context.messages), ensure_ascii=True, indent=1) + "\n"
    if out is not None:
        out.write_text(messages, encoding="ascii")
    elif shown:
        sys.stdout.write(messages)


def _tell(context: Context, noticed: Sequence[str]) -> None:
    report = context.report
    said = f"{report.tokens_before:,} -> {report.tokens_after:,} tokens; {report.reason}"
    lost = [sentence for sentence in noticed if not sentence.startswith(NOT_CONTEXT)]
    for sentence in (said, *lost, *report.repairs):
        sys.stderr.write(f"clew: {printable(sentence)}\n")


def _document(context: Context, imported: ImportedSession) -> dict[str, object]:
    from clew.outcome import sentence

    return {
        "format": imported.format.value,
        "messages": list(context.messages),
        "system": context.system,
        "outcome": {
            "kind": type(context.outcome).__name__.lower(),
            "reason": sentence(context.outcome),
        },
        "report": _report(context.report),
        "warnings": list(imported.warnings),
    }


def _report(report: Report) -> dict[str, object]:
    return {
        "tokens_before": report.tokens_before,
        "tokens_after": report.tokens_after,
        "prefix_tokens": report.prefix_tokens,
        "trigger_tokens": report.trigger,
        "backstop_tokens": report.backstop,
        "budget_tokens": report.budget,
        "record_tokens": report.record_tokens,
        "counter": report.counter,
        "summarizer": report.summarizer,
        "checkpoint_id": report.checkpoint_id,
        "lineage": report.lineage.counts() if report.lineage is not None else None,
        "warnings": list(report.warnings),
    }
