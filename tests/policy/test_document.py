"""A policy document: every mistake has its line and what was expected; what is read is written."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew import Boundary, Budget, BudgetError, Policy, PolicyError
from clew.policy import BoundaryRules, CallLimits, EvictionRules, ModelPrices, Place, Probe, Ratios
from clew.policy.boundaries import DETECTED
from clew.policy.places import line_of, places_of
from clew.record.kinds import DEFAULT_KINDS, Kind, Proof
from clew.record.shares import ViewShares

EXAMPLES = Path(__file__).parents[2] / "examples" / "policies"
KIND = """\
[[kinds]]
name = "approval"
letter = "V"
heading = "Approvals"
rule = "for one request"
required = ["request"]
"""


def loaded(text: str, tmp_path: Path) -> Policy:
    path = tmp_path / "p.toml"
    path.write_text(text, encoding="utf-8")
    return Policy.load(path)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        # names
        ("name = 'x'\ncooldwon = 1", 2, "cooldwon is no setting; did you mean cooldown?"),
        ("\n\nfrobnicate = 1", 3, "frobnicate is no setting; known are boundaries, budget"),
        ("[budget]\nwindow_token = 5", 2, "no setting; did you mean window_tokens?"),
        ("[ratios]\nsummarizer_reads = true", 2, "ratios.summarizer_reads is no setting"),
        (KIND + "protect = true", 7, "kinds[1].protect is no setting; did you mean protected?"),
        ("[[probes]]\nask='a'\nexpects=['b']", 3, "did you mean expect?"),
        # types
        ("cooldown = 'much'", 1, "cooldown is 'much'; expected a number"),
        ("name = 3", 1, "name is 3; expected a text in quotes"),
        ("version = 1.5", 1, "version is 1.5; expected a whole number"),
        ("cost_rule = 1", 1, "cost_rule is 1; expected true or false"),
        ("# why\nbudget = 5", 2, "budget is 5; expected a table"),
        ("[budget]\nwindow_tokens = 9000\ntrigger = true", 3,
         "budget.trigger is true; expected a share such as 0.7 or a whole number of tokens"),
        ("kinds = 3", 1, "kinds is no list; expected [[kinds]]"),
        ("kinds = [3]", 1, "kinds[1] is 3; expected a table"),
        (KIND.replace('["request"]', '"request"'), 6,
         "kinds[1].required is 'request'; expected a list"),
        ("probes = ['Which key?']", 1, "probes[1] is 'Which key?'; expected a table"),
        ("eviction = {keep_tools = [1]}", 1, "keep_tools[1] is 1; expected a text"),
        # values
        ("cooldown = 1.5", 1, "cooldown is 1.5; expected a share"),
        ("name = 'a'\n\nmin_reclaim = -1", 3, "min_reclaim is -1"),
        ("warn_at = 2", 1, "warn_at is 2.0; expected a share above 0"),
        ("name = 'x'\n[view]\nindex_share = 1.5", 2, "view.index_share is 1.5; expected a share"),
        ("[view]\nsettled_shown = -1", 1, "view.settled_shown is -1; expected a number"),
        ("[ratios]\noutput = -5", 1, "ratios.output is -5.0; expected a number from 0 up"),
        ("summarizer = 'gpt-5'", 1, "summarizer is 'gpt-5'; expected extractive or provider:model"),
        ("summarizer = 'openai:x'\nfallback = 'y'", 2, "expected provider:model"),
        ("fallback = 'openai:x'", 1, "where no model is asked first"),
        ("[limits]\nretries = 2\nper_hour = 0", 3, "limits per_hour is 0; expected a number"),
        ("[eviction]\npart_share = 0.0", 2, "part_share is 0.0; expected a share above 0"),
        ("[eviction]\nstub_tokens = 0", 2, "stub_tokens is 0"),
        ("[boundaries]\ndetect = ['lunch']", 2, "detect[1] is 'lunch'; expected one of subtask"),
        ("[boundaries]\ndetect = ['phase_changed']", 2, "phase_changed, which can only be"),
        ("[boundaries.tools]\nship = 'lunch'", 2, "boundaries.tools.ship is 'lunch'"),
        ("[[probes]]\nask = 'a'\nexpect = []", 3, "expect is empty"),
        ("[[probes]]\nask = ' '\nexpect = ['b']", 2, "ask is empty"),
        ("[[probes]]\nask = 'a'\nexpect = ['b']\nwhere = 'moon'", 4, "expected one of context"),
        ("[[probes]]\nask='a'\nexpect=['b']\nwhere='lost'", 4, "expected context or archive"),
        ("[[probes]]\nask='a'\nexpect=['b']\n[[probes]]\nask='a'\nexpect=['c']", 1, "twice"),
        ("[[prices]]\nmodel='m'\ninput = -1\noutput = 1", 3, "input is -1"),
        ("[[prices]]\nmodel='m'\ninput = 1", 1, "prices[1] lacks output"),
        # kinds
        ("[[kinds]]\nname = 'x'", 1, "kinds[1] lacks letter and heading and rule"),
        (KIND.replace('"V"', '"S"'), 3, "letter S is taken"),
        (KIND.replace('"V"', '"F"'), 3, "approval F shares its name or its id letter with fact F"),
        (KIND + "\n" + KIND.replace('"approval"', '"ok"'), 10, "ok V shares its name"),
        (KIND.replace('"V"', '"v"'), 3, "letter 'v' is not one letter from A to Z"),
        (KIND.replace('"approval"', '"My approval"'), 2, "name 'My approval' is not lower-case"),
        (KIND.replace('"approval"', '"goal"'), 2, "name 'goal' is not"),
        (KIND.replace('"Approvals"', '"Next"'), 4, "heading 'Next' is a section that every record"),
        (KIND.replace('"Approvals"', '" "'), 4, "heading ' ' is not one line of text"),
        (KIND.replace('["request"]', '["text"]'), 6, "required names 'text', which is not"),
        (KIND + "optional = ['request']", 6, "stands twice in required and optional"),
        (KIND + "keyed = true", 7, "keyed needs `key` among the required fields"),
        (KIND + "scope = 'object'", 7, "scope 'object' is not among the required fields"),
        (KIND + "used_by = ['apply']", 7, "used_by needs a scope"),
        (KIND + "evidence = 'hearsay'", 7, "expected one of cited, quote, user, tool"),
        (KIND + "line = '{request}'", 7, "line needs {text}"),
        (KIND + "line = '{text} {reqest}'", 7, "line names reqest; the kind has text, request"),
        (KIND + "line = '{text'", 7, "a brace that is not closed"),
        (KIND + "line = '{text!r}'", 7, "plain names in braces"),
        (KIND + "weight = -1", 7, "weight is -1"),
        # versions and syntax
        ("spec = 2", 1, "spec is 2; expected one of 1: upgrade Clew"),
        ("name = 'x'\nspec = 'one'", 2, "spec is 'one'; expected one of 1"),
        ("name = 'x'\nversion = ", 2, "is no TOML document"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_line(
    text: str, line: int, said: str, tmp_path: Path
) -> None:
    with pytest.raises(PolicyError) as caught:
        loaded(text, tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / 'p.toml'}:{line}: "), str(caught.value)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("name = 'x'\n\n[budget]\nwindow_tokens = 0", 4, "window_tokens"),
        ("[budget]\nwindow_tokens = 50_000\ntrigger = 0.9", 3, "out of order"),
        ("[budget]\nwindow_tokens = 50_000\ntail_tokens = 48_000", 3, "reclaim nothing"),
        ("[budget]\nwindow_tokens = 50_000\nboundary_floor = 0.9", 3, "boundary floor"),
    ],
)
def test_a_budget_that_cannot_work_is_named_with_its_line(
    text: str, line: int, said: str, tmp_path: Path
) -> None:
    with pytest.raises(BudgetError) as caught:
        loaded(text, tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / 'p.toml'}:{line}: budget "), caught.value
    assert said in str(caught.value)


LAYOUT = '''\
# a comment with [brackets]
name = "a # b"   # behind
"quoted key" = 1
note = """
[not a table]
x = 1
"""
budget.window_tokens = 5
list = [
  1, # one
  "]",
]

[ eviction ]
enabled = true
inline = { a = [1, 2], b = "}" }
[[kinds]]
name = 'x'
[kinds.inner]
deep = 1
[[kinds]]
name = 'y'
raw = \'\'\'
[[kinds]]\'\'\'
last = 1979-05-27T07:32:00Z
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("name",), 2), (("quoted key",), 3), (("note",), 4), (("budget", "window_tokens"), 8),
        (("list",), 9), (("list", 1), 9), (("eviction",), 14), (("eviction", "enabled"), 15),
        (("eviction", "inline", "a"), 16), (("kinds", 0), 17), (("kinds", 0, "name"), 18),
        (("kinds", 0, "inner", "deep"), 20), (("kinds", 1, "name"), 22), (("kinds", 1, "raw"), 23),
        (("kinds", 1, "last"), 25), (("absent",), None), ((), None),
    ],
)  # fmt: skip
def test_every_value_has_its_line(path: tuple[str | int, ...], line: int | None) -> None:
    assert tomllib.loads(LAYOUT)
    for text in (LAYOUT, LAYOUT.replace("\n", "\r\n")):
        assert line_of(places_of(text), path) == line


# ---- written and read again -----------------------------------------------------------------

WORDS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\r"), min_size=1, max_size=30
).filter(lambda text: bool(text.strip()))
LINES = st.text(
    st.characters(categories=["L", "N", "P", "Zs"], exclude_characters="{}"),
    min_size=1,
    max_size=30,
).filter(lambda text: bool(text.strip()))
SHARES = st.floats(0.01, 0.99)
NAMES = st.from_regex(r"[a-z]{2,6}(_[a-z]{1,5})?", fullmatch=True)
MODELS = NAMES.map(lambda name: f"openai:{name}")
LETTERS = sorted(set("ABCDEFGHIJKLMNOPQRSTUVWXYZ") - set("SNG") - {k.letter for k in
                 DEFAULT_KINDS.kinds})  # fmt: skip


@st.composite
def kinds(draw: st.DrawFn, letter: str) -> Kind:
    names = draw(
        st.lists(NAMES, max_size=4, unique=True).map(
            lambda found: [n for n in found if n not in ("why", "text", "kind", "id", "status")]
        )
    )
    required = tuple(names[: draw(st.integers(0, len(names)))])
    scope = draw(st.sampled_from(("", *required)))
    line = draw(st.sampled_from(("", "{text}", *(f"{{{n}}}: {{text}}!" for n in names))))
    return Kind(
        name=f"own_{letter.lower()}",
        letter=letter,
        heading=f"Own {draw(LINES)}",
        rule=draw(LINES),
        required=required,
        optional=tuple(n for n in names if n not in required),
        protected=draw(st.booleans()),
        accountable=draw(st.booleans()),
        weight=draw(st.floats(0, 10)),
        opens=draw(st.booleans()),
        evidence=draw(st.sampled_from(Proof)),
        scope=scope,
        used_by=tuple(draw(st.lists(LINES, max_size=2))) if scope else (),
        line=line,
    )  # fmt: skip


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    letters = draw(st.lists(st.sampled_from(LETTERS), max_size=3, unique=True))
    window = draw(st.none() | st.integers(60_000, 2_000_000))
    probes = [
        Probe(ask=ask, expect=tuple(draw(st.lists(WORDS, min_size=1, max_size=2))),
              where=draw(st.sampled_from([Place.CONTEXT, Place.ARCHIVE])))
        for ask in draw(st.lists(WORDS, max_size=2, unique=True))
    ]  # fmt: skip
    model = draw(st.sampled_from(["extractive"]) | MODELS)
    return Policy(
        budget=None if window is None else Budget(window, trigger=draw(st.floats(0.5, 0.8)),
               prefix_tokens=draw(st.none() | st.integers(0, 9_000)), record_tokens=1_000),
        name=draw(WORDS), version=draw(st.integers(0, 10**12)),
        kinds=DEFAULT_KINDS.extended([draw(kinds(letter)) for letter in letters]),
        ratios=Ratios(cached_read=draw(st.floats(0, 2)), output=draw(st.floats(0, 1e6))),
        eviction=EvictionRules(part_share=draw(SHARES), keep_tools=tuple(draw(st.lists(WORDS)))),
        cooldown=draw(st.floats(0, 0.99)), cost_rule=draw(st.booleans()),
        summarizer=model, fallback=draw(MODELS) if model != "extractive" else "",
        instructions=draw(st.text(st.characters(exclude_categories=["Cs"]), max_size=80)),
        probes=tuple(probes), prefetch=draw(st.booleans()),
        limits=CallLimits(per_hour=draw(st.integers(1, 99)), retries=draw(st.integers(0, 9))),
        boundaries=BoundaryRules(
            detect=tuple(draw(st.lists(st.sampled_from(DETECTED), unique=True))),
            tools=tuple(sorted(draw(st.dictionaries(WORDS, st.sampled_from(Boundary))).items())),
        ),
        view=ViewShares(index_share=draw(SHARES), settled_shown=draw(st.integers(0, 9))),
        prices=tuple(ModelPrices(model=m, input=draw(st.floats(0, 99)), output=1.0,
                     cached_read=draw(st.none() | st.floats(0, 9)))
                     for m in draw(st.lists(MODELS, max_size=2))),
    )  # fmt: skip


@given(policies())
def test_a_policy_that_is_written_is_read_as_it_was(policy: Policy) -> None:
    text = policy.dump()
    again = Policy.from_document(tomllib.loads(text))
    assert again == policy
    assert again.digest == policy.digest
    assert again.dump() == text


@given(policies(), st.data())
def test_each_written_setting_has_its_line(policy: Policy, data: st.DataObject) -> None:
    text = policy.dump()
    places = places_of(text)
    document: dict[str, Any] = tomllib.loads(text)
    assert {path[0] for path in places} == set(document)
    name = data.draw(st.sampled_from(sorted(document["limits"])))
    line = line_of(places, ("limits", name))
    assert line is not None
    assert text.split("\n")[line - 1].startswith(f"{name} = ")


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_the_examples_are_read_and_written(path: Path) -> None:
    policy = Policy.load(path)
    again = Policy.from_document(tomllib.loads(policy.dump()))
    assert (again, again.digest) == (policy, policy.digest)


def test_there_is_an_example_for_each_field_of_work() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.toml")} >= {
        "coding", "reconciliation", "compliance", "support",
    }  # fmt: skip


def test_kinds_are_added_and_never_taken_away() -> None:
    fewer = replace(DEFAULT_KINDS, kinds=DEFAULT_KINDS.kinds[1:])
    with pytest.raises(PolicyError, match="takes none away"):
        Policy(kinds=fewer).dump()


def test_half_a_surrogate_pair_has_no_form_in_the_document() -> None:
    with pytest.raises(PolicyError, match="surrogate"):
        Policy(instructions="\ud800").dump()
