"""The map of a tree: what is in it, what comes first, what it costs, what stays out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clew
from clew.budget import Chars4Counter
from clew.counters import resolve_counter
from clew.errors import ImportSourceError
from clew.repomap import RepositoryMap, Touched
from clew.repomap.ranking import graph_of, ranks_of

ROOT = Path(__file__).parents[2]
SAMPLES = Path(__file__).parent / "samples"
SOURCE = clew.RepositoryMap(ROOT / "src")
LONG_AGO = 1_600_000_000


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    """Files that changed long ago, so that their time of change can be trusted."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        os.utime(path, (LONG_AGO, LONG_AGO))
    return root


SHOP: dict[str, str | bytes] = {
    "shop/till.py": "class Till:\n    def close_till(self, at: int) -> None: ...\n",
    "shop/basket.py": "from shop.till import Till\n\n\ndef fill_basket(till: Till) -> Till: ...\n",
    "shop/order.py": "from shop.till import Till\n\n\ndef place_order(till: Till) -> Till: ...\n",
    "shop/alone.py": "def never_used(nothing: int) -> int: ...\n",
    "README.md": "# Shop\n",
}


class TestWhatIsInIt:
    def test_what_others_use_comes_first(self, tmp_path: Path) -> None:
        text = RepositoryMap(write(tmp_path, SHOP)).render(1_000)
        assert text.splitlines()[:2] == ["shop/till.py", "  class Till"]
        assert "    def close_till(self, at: int) -> None" in text
        assert "README.md" in text
        assert text.endswith(
            "[5 of 5 files, 5 of 5 symbols. Ask for a file, folder or symbol to see more.]"
        )

    def test_what_the_session_touched_comes_before_it(self, tmp_path: Path) -> None:
        tree = RepositoryMap(write(tmp_path, SHOP))
        for touched in (["shop/alone.py"], ["never_used"], [str(tmp_path / "shop/alone.py")]):
            assert tree.render(1_000, touched=touched).startswith("shop/alone.py\n")
        weighed = Touched(files={"shop/alone.py": 3.0, "shop/order.py": 1.0})
        assert tree.render(1_000, touched=weighed).startswith("shop/alone.py\n")
        nothing = Touched(files={"shop/alone.py": 0.0})
        assert tree.render(1_000, touched=nothing) == tree.render(1_000)

    def test_what_a_touched_file_uses_comes_along(self, tmp_path: Path) -> None:
        extra = "from shop.rare import rare_thing\n\n\ndef caller_of_it() -> None: rare_thing()\n"
        files = {**SHOP, "shop/rare.py": "def rare_thing() -> None: ...\n", "shop/caller.py": extra}
        tree = RepositoryMap(write(tmp_path, files))
        plain = tree.ranked().keys
        near = tree.ranked(["shop/caller.py"]).keys
        assert near.index(("shop/rare.py", 0)) < plain.index(("shop/rare.py", 0))

    def test_a_word_that_many_files_define_says_little(self, tmp_path: Path) -> None:
        files: dict[str, str | bytes] = {
            f"many/m{n}.py": "def run_it() -> None: ...\n" for n in range(9)
        }
        files["use.py"] = "from many import m1\nfrom one import only_one\n\nrun_it()\nonly_one()\n"
        files["one.py"] = "def only_one() -> None: ...\n"
        order = RepositoryMap(write(tmp_path, files)).ranked().keys
        assert order[0] == ("one.py", 0)

    def test_an_import_says_which_of_two_is_meant(self, tmp_path: Path) -> None:
        source = "def load_it() -> None: ...\n"
        files: dict[str, str | bytes] = {
            "north/first.py": source,
            "south/second.py": source,
            "main/app.py": "from south.second import load_it\n\nload_it()\n",
        }
        order = RepositoryMap(write(tmp_path, files)).ranked().keys
        assert order[0] == ("south/second.py", 0)

    def test_languages_without_a_grammar_are_listed_by_path(self, tmp_path: Path) -> None:
        files: dict[str, str | bytes] = {"a.zig": "fn main() void {}", "b.txt": "words"}
        text = RepositoryMap(write(tmp_path, files)).render(200)
        assert text.splitlines()[:2] == ["a.zig", "b.txt"]

    def test_every_sample_is_in_the_map_of_all(self) -> None:
        tree = RepositoryMap(SAMPLES)
        text = tree.render(5_000)
        assert {o.language for o in tree.outlines.values()} == {
            "python", "javascript", "typescript", "go", "rust", "java", "c", "cpp", "ruby",
        }  # fmt: skip
        assert "pub fn checkout<T>(basket: &Basket<T>) -> bool where T: Priced" in text


class TestWhatStaysOut:
    def test_ignored_binary_linked_and_installed_files(self, tmp_path: Path) -> None:
        outside = write(tmp_path / "outside", {"secret.py": "def secret() -> None: ...\n"})
        root = write(
            tmp_path / "root",
            {
                ".gitignore": "*.log\nbuild/\n!keep.log\n/only_top.py\n",
                ".git/info/exclude": "mine.py\n",
                ".git/config": "[core]\n",
                "a.log": "x",
                "keep.log": "x",
                "build/out.py": "def out() -> None: ...\n",
                "only_top.py": "A = 1\n",
                "deep/only_top.py": "A = 1\n",
                "deep/.gitignore": "!a.log\nlocal.py\n",
                "deep/a.log": "x",
                "deep/local.py": "A = 1\n",
                "mine.py": "A = 1\n",
                "picture.py": b"\x89PNG\0\0",
                "env/pyvenv.cfg": "home = /usr\n",
                "env/lib/thing.py": "A = 1\n",
                "node_modules/left/pad.js": "function pad() {}\n",
            },
        )
        (root / "link.py").symlink_to(outside / "secret.py")
        (root / "folder").symlink_to(outside, target_is_directory=True)
        os.mkfifo(root / "pipe.py")
        tree = RepositoryMap(root)
        tree.refresh()
        assert list(tree.outlines) == [
            ".gitignore", "deep/.gitignore", "deep/a.log", "deep/only_top.py", "keep.log",
        ]  # fmt: skip

    def test_large_and_generated_files_are_listed_by_path(self, tmp_path: Path) -> None:
        files: dict[str, str | bytes] = {
            "large.py": "def large_one() -> None: ...\n" * 100,
            "packed.js": "function packed(){};" * 500,
        }
        tree = RepositoryMap(write(tmp_path, files), largest_file_bytes=1_000)
        packed = RepositoryMap(tmp_path)
        tree.refresh()
        packed.refresh()
        assert tree.outlines["large.py"].symbols == ()
        assert len(packed.outlines["large.py"].symbols) == 100
        assert packed.outlines["packed.js"].symbols == ()

    def test_more_files_than_allowed_are_named_as_such(self, tmp_path: Path) -> None:
        files: dict[str, str | bytes] = {f"f{n:02}.py": "A = 1\n" for n in range(9)}
        tree = RepositoryMap(write(tmp_path, files), most_files=5)
        assert tree.refresh().more_files
        assert list(tree.outlines) == [f"f{n:02}.py" for n in range(5)]
        assert "More files than the map takes." in tree.render(500)

    def test_a_name_that_steers_is_left_out(self, tmp_path: Path) -> None:
        tree = RepositoryMap(write(tmp_path, {"a\nb.py": "A = 1\n", "c\x1b[31m.py": "A = 1\n"}))
        assert tree.refresh().files == 0
        assert tree.render(100) == ""

    def test_a_root_that_is_no_folder_is_an_error(self, tmp_path: Path) -> None:
        with pytest.raises(ImportSourceError, match="is no folder that can be mapped"):
            RepositoryMap(tmp_path / "nowhere")


class TestKeepingUp:
    def test_only_what_changed_is_parsed_again(self, tmp_path: Path) -> None:
        tree = RepositoryMap(write(tmp_path, SHOP))
        first, second = tree.refresh(), tree.refresh()
        assert (first.files, first.parsed) == (5, 5)
        assert (second.parsed, second.compared, second.removed) == (0, 0, 0)
        write(tmp_path, {"shop/alone.py": "def now_much_longer(nothing: int) -> int: ...\n"})
        (tmp_path / "shop/order.py").unlink()
        third = tree.refresh()
        assert (third.files, third.parsed, third.removed) == (4, 1, 1)
        assert "now_much_longer" in tree.render(500)
        assert "place_order" not in tree.render(500)

    def test_a_file_that_was_only_touched_is_compared_and_not_parsed(self, tmp_path: Path) -> None:
        tree = RepositoryMap(write(tmp_path, SHOP))
        tree.refresh()
        os.utime(tmp_path / "shop/till.py", (LONG_AGO + 9, LONG_AGO + 9))
        again = tree.refresh()
        assert (again.parsed, again.compared) == (0, 1)

    def test_a_change_in_the_same_moment_and_of_the_same_size_is_seen(self, tmp_path: Path) -> None:
        path = tmp_path / "a.py"
        path.write_text("def first_one() -> None: ...\n")
        moment = path.stat()
        tree = RepositoryMap(tmp_path)
        tree.refresh()
        path.write_text("def other_one() -> None: ...\n")
        os.utime(path, ns=(moment.st_atime_ns, moment.st_mtime_ns))
        assert tree.refresh().parsed == 1
        assert "other_one" in tree.render(200)

    def test_a_map_that_followed_is_the_map_made_anew(self, tmp_path: Path) -> None:
        tree = RepositoryMap(write(tmp_path, SHOP))
        tree.render(400)
        write(tmp_path, {"shop/new.py": "from shop.till import Till\n", "shop/alone.py": "A = 1\n"})
        assert tree.render(400) == RepositoryMap(tmp_path).render(400)


class TestBudgetAndOrder:
    TREE = RepositoryMap(ROOT / "src" / "clew" / "policy")

    @given(
        budget=st.integers(min_value=-5, max_value=3_000),
        touched=st.lists(
            st.sampled_from(["cost.py", "Ratios", "nowhere/else.py", "", "../..", "a.b", "\0"]),
            max_size=3,
        ),
        exact=st.booleans(),
    )
    def test_the_map_fits_and_is_the_same_each_time(
        self, budget: int, touched: list[str], exact: bool
    ) -> None:
        counter = resolve_counter(None) if exact else Chars4Counter()
        text = self.TREE.render(budget, touched=touched, counter=counter)
        assert counter.count_text(text) <= max(0, budget)
        assert text == self.TREE.render(budget, touched=touched, counter=counter)

    @given(st.lists(st.text(max_size=30), max_size=4))
    def test_whatever_was_touched_ranks_sum_to_one(self, touched: list[str]) -> None:
        self.TREE.refresh()
        graph = graph_of(self.TREE.outlines)
        names = dict.fromkeys(touched, 1.0)
        ranks = ranks_of(graph, files=dict.fromkeys(touched, 1.0), names={**names, "Ratios": 2.0})
        assert abs(sum(ranks) - 1.0) < 1e-9
        assert min(ranks) >= 0

    def test_more_tokens_show_no_less(self) -> None:
        counter = Chars4Counter()
        sizes = [len(self.TREE.render(n, counter=counter)) for n in (50, 100, 400, 1_600, 6_400)]
        assert sizes == sorted(sizes)
        assert sizes[0] > 0

    def test_a_budget_is_used(self) -> None:
        counter = resolve_counter(None)
        assert counter.count_text(self.TREE.render(600, counter=counter)) > 450


def test_this_repository_is_mapped_around_what_is_at_work() -> None:
    plain = SOURCE.render(800)
    near = SOURCE.render(800, touched=["clew/prices/window.py"])
    assert "class ClewError(Exception)" in plain
    assert near.startswith("clew/prices/window.py\n")
    assert "class Prices(Protocol)" in near
    assert not any(outline.broken for outline in SOURCE.outlines.values())


class TestDetail:
    TREE = SOURCE

    def test_a_file_gives_its_symbols_with_line_numbers(self) -> None:
        lines = self.TREE.detail("clew/prices/window.py").splitlines()
        assert lines[0] == "clew/prices/window.py"
        assert any(line.endswith(": class WindowSource(StrEnum)") for line in lines)

    def test_a_folder_gives_its_files(self) -> None:
        assert "clew/prices/window.py  5 symbols" in self.TREE.detail("clew/prices/").splitlines()

    @pytest.mark.parametrize(
        "what",
        ["resolve_window", "clew/prices/window.py:resolve_window", "resolve_window()"],
    )
    def test_a_symbol_gives_its_source_and_who_uses_it(self, what: str) -> None:
        text = self.TREE.detail(what)
        assert text.startswith("clew/prices/window.py:")
        assert "raise BudgetError(" in text
        assert "clew/cli/inspect.py:inspect (" in text

    def test_a_method_is_found_by_its_class(self) -> None:
        text = self.TREE.detail("Ratios.from_rates")
        assert "function Ratios.from_rates" in text
        assert "def from_rates(" in text

    def test_what_is_not_there_gives_the_nearest_names(self) -> None:
        assert "Nearest: " in self.TREE.detail("resolve_windw")
        assert self.TREE.detail("resolve_windo").endswith("Nearest: resolve_window.")

    @given(
        st.text(max_size=60) | st.sampled_from(["../x", "/etc/passwd", "..", "a:b:c", "::", "."])
    )
    def test_any_question_has_an_answer_from_inside_the_root(self, what: str) -> None:
        text = RepositoryMap(SAMPLES).detail(what)
        assert text
        assert "root:x:" not in text
