"""The new lines of files as harnesses send them, and those that a change took away."""

from __future__ import annotations

import json

import pytest

from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.written import written_in
from clew.tools_seen.seen import Action, CallSeen, Outcome


def writing(sent: str, outcome: Outcome = Outcome.OK, action: Action = Action.WRITE) -> Reading:
    call = CallSeen(
        call_id="c", tool="t", family="f", action=action, resource="tide.md", outcome=outcome
    )
    return Reading(handle="S-5", position=4, arguments=(sent,), calls=(call,))


PATCH = """*** Begin Patch
*** Update File: a/lamp.md
@@
 old
-3. Light it
+4. Light it
+new
*** End Patch"""
BLOCKS = """<replace_in_file>
<path>lamp.js</path>
<diff>
------- SEARCH
keep();
old();
=======
keep();
fresh();
+++++++ REPLACE
</diff>"""


@pytest.mark.parametrize(
    ("sent", "made"),
    [
        (json.dumps({"path": "b.md", "content": "  one\n\ntwo"}), ("b.md", ("one", "two"), set())),
        (
            json.dumps({"file_path": "b.md", "old_string": "one\ntwo", "new_string": "one\nmore"}),
            ("b.md", ("more",), {"two"}),
        ),
        (PATCH, ("a/lamp.md", ("new",), set())),
        (json.dumps({"patchText": PATCH}), ("a/lamp.md", ("new",), set())),
        (
            json.dumps({"path": "e.md", "edits": [{"oldText": "one", "newText": "two"}]}),
            ("e.md", ("two",), {"one"}),
        ),
        (BLOCKS, ("lamp.js", ("fresh();",), {"old();"})),
        (
            json.dumps({"command": "cat > run.sh <<'EOF'\nset -e\nEOF\n./run.sh"}),
            ("run.sh", ("set -e",), set()),
        ),
        (json.dumps({"path": "b.md", "new_string": "", "old_string": "x"}), None),
        ("{not json", None),
        (json.dumps(["b.md"]), None),
    ],
)
def test_the_new_lines_whatever_the_form(
    sent: str, made: tuple[str, tuple[str, ...], set[str]] | None
) -> None:
    found = [(w.file, w.lines, set(w.gone)) for w in written_in(writing(sent))]
    assert found == ([made] if made is not None else [])


def test_a_patch_of_two_files_is_both() -> None:
    patch = "*** Begin Patch\n*** Add File: a.md\n+one\n*** Update File: b.md\n-two\n*** End Patch"
    assert [(w.file, w.lines, set(w.gone)) for w in written_in(writing(patch))] == [
        ("a.md", ("one",), set()),
        ("b.md", (), {"two"}),
    ]


@pytest.mark.parametrize(
    ("outcome", "action"),
    [
        (Outcome.FAILED, Action.WRITE),
        (Outcome.REFUSED, Action.WRITE),
        (Outcome.OK, Action.READ),
    ],
)
def test_what_was_not_written_is_nothing(outcome: Outcome, action: Action) -> None:
    sent = json.dumps({"path": "b.md", "content": "one"})
    assert written_in(writing(sent, outcome, action)) == ()
