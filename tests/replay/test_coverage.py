from __future__ import annotations

from clew.replay.coverage import Need, coverage_at, needs_of, summed, visible_in
from clew.replay.played import Coverage
from clew.summarize.extractive.reading import Reading


def reading(handle: str, *, wrote: str = "", saw: str = "") -> Reading:
    return Reading(
        handle=handle,
        position=int(handle[2:]),
        prose=(wrote,) if wrote else (),
        agent_names=tuple(wrote.split()),
        tool_names=tuple(saw.split()),
    )


def test_needed_is_what_the_agent_writes_and_knows_only_from_what_was_absorbed() -> None:
    later = [
        reading("S-9", wrote="a_a b_b new_name", saw="c_c"),
        reading("S-11", wrote="c_c d_d a_a"),
    ]
    needs = needs_of(in_view=["b_b"], absorbed=["a_a", "b_b", "c_c", "d_d"], later=later)
    assert [need.name for need in needs] == ["a_a", "d_d"]
    assert "a_a" not in needs[0].query


def test_only_the_next_exchanges_of_the_agent_count() -> None:
    later = [reading("S-1", saw="x_x"), reading("S-2", wrote="a_a"), reading("S-3", wrote="b_b")]
    needs = needs_of(in_view=[], absorbed=["a_a", "b_b"], later=later, horizon=1)
    assert [need.name for need in needs] == ["a_a"]


def test_a_file_behind_its_directory_is_visible() -> None:
    text = "src/app/: a.py (S-1), b.py\ndocs/x.md"
    names = ["src/app/a.py", "src/app/b.py", "docs/x.md", "src/app/c.py", "other/a.py", "app/a.py"]
    assert visible_in(text, names) == {"src/app/a.py", "src/app/b.py", "docs/x.md"}


def test_each_need_falls_into_one_share() -> None:
    absorbed = {
        "S-1": frozenset({"a_a", "b_b"}),
        "S-2": frozenset({"c_c"}),
        "S-3": frozenset({"d_d"}),
    }
    needs = [Need(name=name, query=f"about {name}") for name in ("a_a", "b_b", "c_c", "d_d")]

    def search(query: str) -> list[str]:
        return ["S-2"] if "c_c" in query else []

    assert coverage_at("S-1 read: a_a", needs, absorbed, search) == Coverage(
        needed=4, visible=1, addressable=1, searchable=1, lost=1
    )
    assert coverage_at("S-1 read: a_a", needs, absorbed).lost == 2


def test_coverage_adds_up() -> None:
    one = Coverage(needed=3, visible=1, addressable=1, searchable=0, lost=1)
    assert summed([one, one]) == Coverage(needed=6, visible=2, addressable=2, searchable=0, lost=2)
