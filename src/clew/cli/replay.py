"""`clew replay`: what a policy would have done to a recorded session."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clew.cli.options import (
    FileArgument,
    JsonOption,
    OutOption,
    PolicyOption,
    StoreOption,
    SummarizerOption,
    WindowOption,
)
from clew.cli.screen import (
    colours,
    progress,
    say,
    show_plot,
    show_table,
    width,
    write_json,
)

if TYPE_CHECKING:
    from clew.replay import Replay
    from clew.report import Plot

MOST_COMPACTIONS = 12
MOST_ITEMS = 12


def replay(
    file: FileArgument,
    window: WindowOption = None,
    policy: PolicyOption = None,
    summarizer: SummarizerOption = "extractive",
    store: StoreOption = None,
    part: Annotated[
        int | None, typer.Option(metavar="N", help="Which session of a file of many, from 0.")
    ] = None,
    out: OutOption = None,
    json: JsonOption = False,
) -> int:
    """Play a recorded session through a policy: timeline, sawtooth, record, archive, costs.

    Exit code 1 when a law did not hold: the goal changed, a context was not valid, an absorbed
    message did not come back.
    """
    from clew.cli.policies import policy_for
    from clew.importers import load_session
    from clew.replay import replay as play

    chosen = policy_for(policy, window)
    imported = load_session(file, part=part)
    with progress(f"replay {file}") as step:
        result = play(
            imported,
            chosen,
            summarizer=summarizer,
            store=store,
            progress=lambda done, of: step(f"call {done:,} of {of:,}"),
        )
    written = _write(result, out) if out is not None else []
    if json:
        write_json(result.as_json())
    else:
        _show(result)
        say(*(f"wrote {path}" for path in written))
    return 0 if result.laws_hold else 1


def plot_of(result: Replay) -> Plot:
    """The context at each call against the raw history, cut off a little above the budget."""
    from clew.report import Curve, Level, Plot

    budget = int(result.policy["transcript_budget_tokens"])
    levels = [
        Level(name=name, tokens=int(result.policy[f"{name}_tokens"]))
        for name in ("trigger", "backstop")
        if result.policy.get(f"{name}_tokens")
    ]
    return Plot(
        title=f"Tokens in the context, budget {budget:,}",
        curves=(
            Curve(name="history", tokens=tuple(c.raw_tokens for c in result.calls), quiet=True),
            Curve(name="prepared", tokens=tuple(c.prepared_tokens for c in result.calls)),
        ),
        levels=tuple(levels),
        events=tuple(compaction.call for compaction in result.compactions),
        ceiling_tokens=_ceiling(result, budget),
    )


def _ceiling(result: Replay, budget: int) -> int:
    largest = max((call.prepared_tokens for call in result.calls), default=0)
    highest = max((call.raw_tokens for call in result.calls), default=0)
    return max(largest, min(highest, round(budget * 1.1)), 1)


# ---- for people -----------------------------------------------------------------------------


def _facts(result: Replay) -> list[tuple[str, str]]:
    session, cost, coverage = result.session, result.cost, result.reference_coverage
    prepared = [call.prepared_tokens for call in result.calls]
    raw = [call.raw_tokens for call in result.calls]
    archive, repeats = result.archive, result.repeats
    share = f"{cost.prepared / cost.raw:.0%} of sending everything" if cost.raw else "nothing sent"
    ideal = f", {cost.prepared / cost.optimum:.2f} times the best" if cost.optimum else ""
    needed = (
        f"{coverage.needed:,} references: {coverage.visible:,} in view, "
        f"{coverage.addressable:,} by handle, {coverage.searchable:,} by search, "
        f"{coverage.lost:,} lost"
    )
    repeated = f"{repeats.raw:,}, on the same version {repeats.same_version:,}"
    floors = len(result.calls) - result.prepared_calls
    unprepared = f"; {floors:,} CALLS COULD NOT BE PREPARED" if floors else ""
    kept = f"{archive['absorbed_messages']:,} messages, {archive['bytes']:,} bytes, "
    kept += "all back byte for byte" if archive["all_back"] else "NOT ALL BACK"
    return [
        ("session", f"{session.messages:,} messages, {session.calls:,} calls, {session.format}"),
        ("history", f"{session.tokens:,} tokens ({result.policy['counter']})"),
        ("budget", f"{result.policy['transcript_budget_tokens']:,} tokens for the transcript"),
        ("largest context", f"{max(prepared, default=0):,} of {max(raw, default=0):,} tokens"),
        ("compactions", f"{len(result.compactions):,}, evictions {len(result.evictions):,}"),
        ("cost", f"{cost.prepared:,.0f} {cost.unit}: {share}{ideal}"),
        *_bill(result),
        ("goal", "byte-identical in every context" if result.goal_intact else "CHANGED"),
        ("valid contexts", f"{result.valid_calls:,} of {result.prepared_calls:,}{unprepared}"),
        ("archive", kept),
        ("needed later", needed),
        ("repeats", f"{repeated}, unexplained {repeats.unexplained:,}"),
    ]


def _bill(result: Replay) -> list[tuple[str, str]]:
    """What was not sent, what of the cache was broken, and what that is worth where prices are."""
    bill, spent, unit = result.bill, result.bill.spending, result.cost.unit
    prompt = (
        f"{spent.sent_tokens:,} of {spent.given_tokens:,} tokens sent, {spent.saved_tokens:,} "
        f"saved; {spent.rewritten_tokens:,} of the cached prefix written again"
    )
    if spent.money is None or spent.given_money is None:
        unknown = f"no price of {bill.model} is known" if bill.model else "no model is named"
        worth = f"{unknown}: {spent.units:,.0f} instead of {spent.given_units:,.0f} {unit}"
    else:
        owner = "the policy's" if bill.prices == "policy" else "the catalogue's"
        worth = f"${spent.money:,.2f} instead of ${spent.given_money:,.2f}"
        worth += f" for prompts, by {owner} prices of {bill.model}"
    if bill.summarizer.calls:
        cost = bill.summarizer.cost
        price = "at no known price" if cost is None else f"for ${cost:,.2f} more"
        worth += f"; {bill.summarizer.calls:,} calls of the summarizer {price}"
    return [("prompts", prompt), ("money", worth)]


def _compaction_rows(result: Replay) -> list[tuple[str, ...]]:
    return [
        (
            f"{c.n:,}",
            f"{c.call:,}",
            f"{c.tokens_before:,}",
            f"{c.tokens_after:,}",
            f"{c.absorbed_messages:,}",
            f"{c.record_tokens:,}",
            f"{c.seconds * 1000:,.0f}",
            c.reason.split(";")[0],
        )
        for c in result.compactions
    ]


COMPACTION_COLUMNS = ("n", "call", "before", "after", "absorbed", "record", "ms", "why")


def _kept(result: Replay) -> list[str]:
    from clew.record.lines import short_line

    live = [item for item in result.record.live() if not item.externalised]
    return [short_line(item) for item in live]


def _show(result: Replay) -> None:
    from clew.report import draw_in_terminal

    show_table(("", result.session.source), _facts(result))
    if result.calls:
        show_plot(draw_in_terminal(plot_of(result), width=width(), colour=colours()))
    rows = _compaction_rows(result)
    if rows:
        show_table(COMPACTION_COLUMNS, rows[:MOST_COMPACTIONS], numbers=COMPACTION_COLUMNS[:-1])
        if len(rows) > MOST_COMPACTIONS:
            say(f"… and {len(rows) - MOST_COMPACTIONS:,} more")
        kept = _kept(result)
        say("What the record keeps in view:", *(f"  {line}" for line in kept[:MOST_ITEMS]))
        if len(kept) > MOST_ITEMS:
            say(f"  … and {len(kept) - MOST_ITEMS:,} more items")
        say(f"next: {result.record.next}") if result.record.next else None
    floors = [call for call in result.calls if call.outcome == "floor_exceeded"]
    if floors:
        say(f"{len(floors):,} calls could not be prepared; the first: {floors[0].detail}")
    say(*(f"note: {warning}" for warning in result.warnings))


# ---- files ----------------------------------------------------------------------------------


def _write(result: Replay, out: Path) -> list[Path]:
    from clew.cli.files import Folder
    from clew.record.markdown import record_to_markdown
    from clew.report import save_pictures

    folder = Folder(out)
    folder.json("timeline.json", result.as_json())
    folder.text("record.md", record_to_markdown(result.record))
    folder.json("context.json", list(result.context))
    folder.note(*save_pictures(plot_of(result), folder.path, "sawtooth"))
    folder.text("report.html", _page(result))
    return folder.written


def _page(result: Replay) -> str:
    from clew.report import Code, Figure, Note, Section, Table, page, svg_of

    compactions = Table(columns=COMPACTION_COLUMNS, rows=tuple(_compaction_rows(result)))
    sections = [
        Section(heading="In short", blocks=(Table(columns=("", ""), rows=tuple(_facts(result))),)),
        Section(
            heading="The sawtooth",
            blocks=(
                Figure(
                    svg=svg_of(plot_of(result)),
                    alt=f"Tokens at each call, with {len(result.compactions)} compactions.",
                ),
            ),
        ),
        Section(heading="Compactions", blocks=(compactions,)),
        Section(heading="Goal", blocks=(Code(text=result.goal),)),
        Section(heading="What the record keeps", blocks=(Code(text="\n".join(_kept(result))),)),
    ]
    if result.warnings:
        notes = tuple(Note(text=warning) for warning in result.warnings)
        sections.append(Section(heading="Notes", blocks=notes))
    return page("A session, replayed", result.session.source, sections)
