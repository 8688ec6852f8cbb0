"""The agent of the demo: one function from the context it is shown to its next move.

It keeps nothing between calls. What it knows is what it reads: the newest request, its own words
about the steps it has done, the claims about the key, the rules and dead ends that are in view.
Every arm runs this same code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clew.demo.asks import LAST_ASK, QUESTIONS, Look, Question
from clew.demo.shown import QUALIFIER, Said, Shown

GLOBAL_KEY = "case_id"
TENANT_KEY = "tenant_id, case_id"
MOST_RECALLS = 2
COLUMNS = (
    "tenant_id, case_id, opened_on, status, region, currency, amount_cents, fee_cents, owner, "
    "channel"
)
NUMBER = re.compile(r"-?\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """What the agent does next: says something and, unless it is done, calls a tool."""

    text: str
    tool: str = ""
    arguments: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyChoice:
    """The key the agent builds the ledger with, and the sentence that made it choose."""

    key: str
    because: Said | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    name: str
    say: Callable[[Shown], str]
    query: Callable[[Shown], str]
    needed: Callable[[Shown], bool] = lambda shown: True


def choose_key(shown: Shown) -> KeyChoice:
    """The key that the context speaks for: a claim with its qualifier beats one without.

    Without any claim the agent takes the column whose name says what it is.
    """
    claims = shown.claims_about_the_key()
    qualified = [claim for claim in claims if QUALIFIER.search(claim.sentence)]
    if qualified:
        return KeyChoice(key=TENANT_KEY, because=qualified[0])
    return KeyChoice(key=GLOBAL_KEY, because=claims[-1] if claims else None)


def decide(messages: Sequence[Mapping[str, Any]]) -> Move:
    """The next move, from the text of the context alone."""
    shown = Shown(messages)
    number, ask = shown.request
    if number == 0:
        return Move(text="I can see no request. What should I do?")
    if number == 1:
        return _work(shown, number, LOAD_AND_CHECK, _answer_of_the_first)
    if LAST_ASK[:40] in ask:
        return _rebuild(shown, number)
    for question in QUESTIONS:
        if found := question.pattern.search(ask):
            return _look_up(shown, number, question, found.groupdict())
    return Move(text=f"Request {number} done. I could not make out what was asked.")


def _look_up(shown: Shown, number: int, question: Question, words: Mapping[str, str]) -> Move:
    return _work(
        shown,
        number,
        [_step(look, words) for look in question.looks],
        lambda shown: _answer(question, words, shown),
    )


def _work(
    shown: Shown, number: int, steps: Sequence[_Step], answer: Callable[[Shown], str]
) -> Move:
    """The step behind the furthest one in view, or the answer when none is left."""
    done = [i for i, step in enumerate(steps) if shown.step_is_visible(number, step.name)]
    for step in steps[max(done, default=-1) + 1 :]:
        if step.needed(shown):
            return Move(
                text=f"Request {number}, {step.name}: {step.say(shown)}",
                tool="sql",
                arguments={"query": step.query(shown)},
            )
    return Move(text=f"Request {number} done. {answer(shown)}")


def _step(look: Look, words: Mapping[str, str]) -> _Step:
    return _Step(
        name=look.name,
        say=lambda shown: f"I look at {look.purpose.format_map(words)}.",
        query=lambda shown: look.sql.format_map(words),
    )


def _answer(question: Question, words: Mapping[str, str], shown: Shown) -> str:
    count, cents, *_ = [*_numbers(shown.last_result), 0, 0]
    amount = f"{cents} cents" if shown.wants_cents else f"{cents / 100:,.2f} EUR"
    return question.answer.format_map({**words, "count": f"{count:,}", "amount": amount}) + "."


def _numbers(result: str) -> list[int]:
    """The numbers of the first row under the heading."""
    rows = result.splitlines()[1:2]
    return [int(number) for row in rows for number in NUMBER.findall(row)]


# ---- the ledger -----------------------------------------------------------------------------


def _load(shown: Shown) -> str:
    return (
        f"CREATE TABLE ledger AS SELECT {COLUMNS} FROM (SELECT *, ROW_NUMBER() OVER "
        f"(PARTITION BY {choose_key(shown).key} ORDER BY exported_at DESC, row_id) AS newest "
        f"FROM export_cases) WHERE newest = 1"
    )


def _say_load(shown: Shown) -> str:
    choice = choose_key(shown)
    reason = f'I read "{choice.because.sentence}"' if choice.because else "nothing says otherwise"
    return f"the transform keeps the newest row by ({choice.key}), because {reason}"


def _merge(shown: Shown) -> str:
    return (
        f"MERGE INTO ledger USING export_cases ON {choose_key(shown).key.replace(', ', ' AND ')} "
        "WHEN NOT MATCHED THEN INSERT"
    )


def _sql(query: str) -> Callable[[Shown], str]:
    return lambda shown: query


def _text(text: str) -> Callable[[Shown], str]:
    return lambda shown: text


def _finding(shown: Shown) -> str:
    lost = NUMBER.findall(shown.last_result.splitlines()[-1])[-1]
    return (
        f"finding: case_id is unique only within a tenant. {lost} case numbers occur in both "
        f"harbor and summit, so a ledger keyed on case_id alone loses {lost} rows without any "
        "error; the key has to be (tenant_id, case_id). I drop the ledger and load it again."
    )


def _answer_of_the_first(shown: Shown) -> str:
    count = _numbers(shown.last_result)[0]
    return (
        "I loaded the ledger with a transform that keeps the newest row for each case_id, which "
        f"is unique only within a tenant, so rows are told apart by (tenant_id, case_id). It holds "
        f"{count:,} rows, as many as the export has cases."
    )


MERGE_STEP = _Step(
    name="merge",
    say=_text("I try one MERGE statement, which would make the load repeatable."),
    query=_merge,
    needed=lambda shown: not shown.knows_merge_fails,
)
COUNT = "SELECT COUNT(*) AS rows_in_ledger FROM ledger"
NOTES_STEP = _Step(
    name="notes",
    say=_text("I read what the notes of the export say about its columns."),
    query=_sql("SELECT section, body FROM export_notes ORDER BY section"),
)

LOAD_AND_CHECK = (
    _Step(
        name="columns",
        say=_text("I look at the columns of the export."),
        query=_sql("SELECT name, type FROM pragma_table_info('export_cases')"),
    ),
    _Step(
        name="sample",
        say=_text("I look at some rows."),
        query=_sql("SELECT * FROM export_cases ORDER BY row_id LIMIT 12"),
    ),
    NOTES_STEP,
    _Step(
        name="resent",
        say=_text("I look for rows that were sent twice."),
        query=_sql(
            "SELECT case_id, COUNT(*) AS copies, MAX(exported_at) AS newest FROM export_cases "
            "GROUP BY tenant_id, case_id HAVING copies > 1 ORDER BY case_id LIMIT 15"
        ),
    ),
    MERGE_STEP,
    _Step(
        name="load",
        say=lambda shown: (
            'dead end: SQLite has no MERGE (near "MERGE": syntax error), so CREATE TABLE AS it is; '
            + _say_load(shown)
        ),
        query=_load,
    ),
    _Step(name="count", say=_text("I count the rows of the ledger."), query=_sql(COUNT)),
    _Step(
        name="check",
        say=_text("I count the cases of the export, tenant by tenant."),
        query=_sql(
            "SELECT COUNT(*) AS cases FROM (SELECT DISTINCT tenant_id, case_id FROM export_cases)"
        ),
    ),
    _Step(
        name="collisions",
        say=_text("the ledger is short of rows, so I look for case numbers that both tenants use."),
        query=_sql(
            "SELECT case_id, COUNT(DISTINCT tenant_id) AS tenants, MIN(amount_cents) AS one, "
            "MAX(amount_cents) AS other FROM export_cases GROUP BY case_id "
            "HAVING tenants > 1 ORDER BY case_id"
        ),
    ),
    _Step(name="drop", say=_finding, query=_sql("DROP TABLE ledger")),
    _Step(name="reload", say=_say_load, query=_load),
    _Step(name="recount", say=_text("I count again."), query=_sql(COUNT)),
)

REBUILD = (
    _Step(
        name="notes",
        say=NOTES_STEP.say,
        query=NOTES_STEP.query,
        needed=lambda shown: not shown.claims_about_the_key(),
    ),
    MERGE_STEP,
    _Step(name="load", say=_say_load, query=_load),
    _Step(name="count", say=_text("I count the rows of the ledger."), query=_sql(COUNT)),
)


def _rebuild(shown: Shown, number: int) -> Move:
    """Fetch what a handle promises when the context itself does not settle the key; then build."""
    started = any(shown.step_is_visible(number, step.name) for step in REBUILD[1:])
    if not started and choose_key(shown).key == GLOBAL_KEY:
        handles = shown.handles_about("case_id")[:MOST_RECALLS]
        for handle in handles:
            step = f"recall {handle}"
            if not shown.step_is_visible(number, step):
                return Move(
                    text=f"Request {number}, {step}: the record points there for case_id.",
                    tool="clew_recall",
                    arguments={"handle": handle},
                )
    return _work(shown, number, REBUILD, _answer_of_the_rebuild)


def _answer_of_the_rebuild(shown: Shown) -> str:
    return f"The ledger is rebuilt and holds {_numbers(shown.last_result)[0]:,} rows."
