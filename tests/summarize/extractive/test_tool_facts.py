"""What only a result carried is a fact where the agent came back to it, or an answer says it."""

from __future__ import annotations

import pytest

from clew.summarize.extractive.cues import built_in_cues
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.tool_facts import facts_of_tools
from clew.tools_seen.seen import Action, CallSeen, Outcome

NAMES = frozenset({"refreshPeriod", "tide_rows", "sessions.db", "tokensBefore", "1057", "parser.c"})
LONG = "\nThe tide was high again, and the keeper wrote it down as on every other day." * 30
RULE = "The `tide_rows` field must be the first line of the file."


def facts(result: str, *, action: Action = Action.READ, names: frozenset[str] = NAMES) -> list[str]:
    seen = CallSeen(call_id="c", tool="x", family="x", action=action, outcome=Outcome.OK)
    reading = Reading(handle="S-3", position=2, results=(result,), calls=(seen,))
    return [made.item.text for made in facts_of_tools(reading, built_in_cues(), names)]


@pytest.mark.parametrize(
    ("result", "names", "kept"),
    [
        (RULE, frozenset[str](), [RULE]),
        (RULE + LONG, NAMES, [RULE]),
        (RULE + LONG, frozenset[str](), []),
        ("The lamp oil is required to be of the first press." + LONG, NAMES, []),
        ("refreshPeriod: 4h", NAMES, ["refreshPeriod: 4h"]),
        ("refreshPeriod: 4h", frozenset[str](), []),
    ],
)
def test_a_sentence_of_a_document_is_kept_where_the_agent_uses_a_name_of_it(
    result: str, names: frozenset[str], kept: list[str]
) -> None:
    assert facts(result, names=names) == kept


@pytest.mark.parametrize(
    "line",
    [
        "tokensBefore: entry.tokensBefore,",
        "d7204db:internal/grammars/parser.c",
        "2 files changed, 1057 insertions(+)",
        "FAIL tide_rows 0.341s",
        "remote: see 1057 at sessions.db",
        "Note: for the errors of tide_rows that are left, you may need to:",
        '"tide_rows": "/home/keeper/tide.csv",',
        '"sessions.db": null',
        "lamp.rows = tide_rows.first",
        "Checkpoint: 1057abc98def",
        "mkdir : the path of tide_rows was not taken",
        "sed -i '1057s/^/ /' parser.c",
        "HEAD:parser.c",
    ],
)
def test_lines_of_code_counts_of_a_diff_and_what_opens_a_list_are_no_facts(line: str) -> None:
    assert facts(line, action=Action.RUN) == []


@pytest.mark.parametrize(
    "line", ["refreshPeriod: 4h # often enough for `tide`", '"tide_rows": 80', "tide_rows = true"]
)
def test_plain_values_are_settings(line: str) -> None:
    assert facts(line, action=Action.RUN) == [line.strip()]


@pytest.mark.parametrize("said", ["Warning: ", "harbour.rst: WARNING: "])
def test_what_a_program_logs_of_itself_counts_where_the_agent_came_back_to_it(said: str) -> None:
    line = f"{said}only the first rows of `parser.c` are read"
    assert facts(line, action=Action.RUN) == [line]
    assert facts(line, action=Action.RUN, names=frozenset()) == []


def test_the_agents_own_plan_is_no_fact() -> None:
    entry = "The tide_rows entry must be done first."
    assert facts(entry, action=Action.PLAN) == []
    assert facts(entry, action=Action.RUN) == [entry]
