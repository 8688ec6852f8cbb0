"""What every store does, whatever it is made of. A subclass gives the fixture `store`."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from clew.errors import StoreError
from clew.ports import Ancestor, Checkpoint, CheckpointKind, Span, Store, Stub, VectorStore
from clew.transcript import Format
from tests.store.samples import checkpoint, item, message, span

FULL = Checkpoint(
    checkpoint_id="c-full",
    session_id="a session with ünïcode 会话 and a lone \ud800",
    kind=CheckpointKind.EVICT,
    format=Format.GEMINI,
    key="k" * 64,
    key_count=7,
    absorbed_count=4,
    aliases=("a1", "a2"),
    depth=3,
    kept=(0, 2),
    stubs=(
        Stub(
            handle="S-3",
            position=2,
            digest="d",
            path=("content", 0, "text"),
            text="gone",
            digest_after="e",
        ),
    ),
    record_json='{"goal":"\ud83d\ude00"}',
    record_message="line one\nline two \udcff",
    lineage_json="[]",
    spans=(span(1, "text \x00 with a NUL", label="read a"), item("R-1", "rule", kind="invariant")),
    policy_digest="p",
    notes_applied=2,
    tokens_before=100,
    tokens_after=20,
    digests_before=("d1", "d2"),
    digests_after=("d2",),
    facts={"reason": "backstop", "ratio": 0.5, "list": [1, None, True]},
)

ANY_TEXT = (
    "", " ", '"', '""', "'", "(", ")", "((a)", "a AND", "OR", "NOT a", "NEAR(a b, 3)", "a*", "*",
    "^a", "label : a", "-a", "{text} : a", "a\x00b", "\x00", "\ud800", "a;DROP TABLE spans;--", "%",
    "_", "\\", "`", "🙂", "é\u0301", "\ue0007370616e", "a" * 100_000, "a " * 50_000, "数" * 5_000,
)  # fmt: skip


def handles(store: Store, checkpoint_id: str, query: str, kinds: Sequence[str] = ()) -> list[str]:
    return [hit.handle for hit in store.search(checkpoint_id, query, kinds=kinds)]


class StoreContract:
    """The behaviour of the port `Store`."""

    def test_gives_back_a_checkpoint_with_every_field_as_it_was(self, store: Store) -> None:
        assert store.commit(FULL, []) == FULL
        assert store.checkpoint("c-full") == FULL
        assert store.latest(FULL.session_id) == FULL
        assert store.ancestry("c-full") == (FULL,)

    def test_knows_nothing_before_the_first_commit(self, store: Store) -> None:
        assert store.find("session", ["key of a"]) is None
        assert store.checkpoint("a") is None
        assert store.ancestry("a") == ()
        assert store.latest("session") is None
        assert store.sessions() == ()
        assert store.notes("session") == ()
        assert store.messages(["d"]) == {}
        assert store.recollect("k") is None
        assert store.search("a", "anything") == []

    # ---- find -------------------------------------------------------------------------------

    def test_finds_the_largest_index_by_key_or_alias(self, store: Store) -> None:
        first = store.commit(checkpoint("a", aliases=["shown a"]), [])
        second = store.commit(checkpoint("b", parent="a", depth=2, aliases=["shown b"]), [])
        found = store.find("session", ["x", "key of a", "shown b", "key of b", "y"])
        assert found is not None
        assert (found.checkpoint, found.index, found.by_alias) == (second, 3, False)
        found = store.find("session", ["key of a", "shown a", "y"])
        assert found is not None
        assert (found.checkpoint, found.index, found.by_alias) == (first, 1, True)
        assert store.find("session", []) is None
        assert store.find("session", ["y"]) is None

    def test_prefers_the_deepest_then_the_first_at_one_index(self, store: Store) -> None:
        store.commit(checkpoint("low", key="k", policy="1"), [])
        deep = store.commit(checkpoint("deep", key="k", parent="low", depth=2, policy="2"), [])
        store.commit(checkpoint("late", key="k", parent="low", depth=2, policy="3"), [])
        found = store.find("session", ["k"])
        assert found is not None
        assert found.checkpoint == deep

    def test_a_key_wins_over_an_alias_of_the_same_value(self, store: Store) -> None:
        store.commit(checkpoint("a", key="k", aliases=["k", "k"]), [])
        found = store.find("session", ["k"])
        assert found is not None
        assert not found.by_alias

    def test_names_the_others_that_an_alias_leads_to(self, store: Store) -> None:
        low = store.commit(checkpoint("low", aliases=["x"]), [])
        mid = store.commit(checkpoint("mid", parent="low", depth=2, aliases=["x"]), [])
        side = store.commit(checkpoint("side", parent="low", depth=2, aliases=["x"]), [])
        deep = store.commit(checkpoint("deep", parent="mid", depth=3, aliases=["x"]), [])
        found = store.find("session", ["x"])
        assert found is not None
        assert (found.checkpoint, found.earlier, found.rivals) == (deep, (mid, low), (side,))
        found = store.find("session", ["key of mid"])
        assert found is not None
        assert (found.checkpoint, found.earlier, found.rivals) == (mid, (), ())

    def test_names_all_that_some_keys_lead_to_apart_from_some_lines(self, store: Store) -> None:
        low = store.commit(checkpoint("low", aliases=["x"]), [])
        store.commit(checkpoint("mid", parent="low", depth=2), [])
        deep = store.commit(checkpoint("deep", parent="mid", depth=3, aliases=["x"]), [])
        side = store.commit(checkpoint("side", parent="low", depth=2, aliases=["y"]), [])
        keys = ["key of low", "x", "key of mid", "y", "z"]
        assert store.apart("session", keys, []) == (side, deep)
        assert store.apart("session", keys, ["deep"]) == (side,)
        assert store.apart("session", keys, ["side"]) == (deep,)
        assert store.apart("session", keys, ["low"]) == (side, deep)
        assert store.apart("session", keys, ["deep", "side", "nobody"]) == ()
        assert store.apart("session", ["x", "key of mid"], ["side"]) == (deep,)
        assert store.apart("session", ["key of low"], []) == (low,)
        assert store.apart("session", ["z"], []) == ()
        assert store.apart("session", [], []) == ()
        assert store.apart("another", keys, []) == ()

    def test_never_finds_another_session(self, store: Store) -> None:
        store.commit(checkpoint("a", session="one", key="k"), [])
        assert store.find("two", ["k"]) is None
        store.commit(checkpoint("b", session="two", key="k"), [])
        found = store.find("two", ["k"])
        assert found is not None
        assert found.checkpoint.session_id == "two"

    def test_finds_what_was_committed_after_an_earlier_find(self, store: Store) -> None:
        keys = [f"key of c{n}" for n in range(20)]
        parent = None
        for n in range(20):
            store.commit(checkpoint(f"c{n}", parent=parent, depth=n + 1), [])
            parent = f"c{n}"
            found = store.find("session", keys)
            assert found is not None
            assert found.index == n

    # ---- commit -----------------------------------------------------------------------------

    def test_commit_is_idempotent_by_id(self, store: Store) -> None:
        first = store.commit(checkpoint("a", spans=[span(1, "once")]), [message("m")])
        again = store.commit(checkpoint("a", spans=[span(1, "twice")]), [message("m")])
        assert again == first
        assert handles(store, "a", "twice") == []
        assert len(store.ancestry("a")) == 1

    def test_the_first_of_two_in_one_place_wins(self, store: Store) -> None:
        first = store.commit(checkpoint("a", key="k"), [])
        assert store.commit(checkpoint("b", key="k"), [message("of b")]) == first
        assert store.checkpoint("b") is None

    @pytest.mark.parametrize(
        "other",
        [
            checkpoint("b", key="k2"),
            checkpoint("b", key="k", policy="other"),
            checkpoint("b", key="k", kind=CheckpointKind.EVICT),
            checkpoint("b", key="k", parent="a", depth=2),
            checkpoint("b", key="k", session="other"),
        ],
        ids=["key", "policy", "kind", "parent", "session"],
    )
    def test_another_place_is_another_checkpoint(self, store: Store, other: Checkpoint) -> None:
        store.commit(checkpoint("a", key="k"), [])
        assert store.commit(other, []) == other

    def test_refuses_an_id_of_another_session(self, store: Store) -> None:
        store.commit(checkpoint("a", session="one"), [])
        with pytest.raises(StoreError, match="belongs to another session"):
            store.commit(checkpoint("a", session="two"), [])
        assert store.sessions() == ("one",)

    def test_refuses_an_unknown_parent_and_writes_nothing(self, store: Store) -> None:
        with pytest.raises(StoreError, match="the parent 'nobody' is not in the store"):
            store.commit(checkpoint("a", parent="nobody"), [message("m")])
        assert store.checkpoint("a") is None
        assert store.messages([message("m").digest]) == {}

    def test_refuses_facts_without_a_json_form_and_writes_nothing(self, store: Store) -> None:
        with pytest.raises(StoreError, match="no JSON form"):
            store.commit(replace(checkpoint("a"), facts={"object": object()}), [message("m")])
        assert store.messages([message("m").digest]) == {}

    def test_ancestry_is_newest_first_and_knows_no_sibling(self, store: Store) -> None:
        root = store.commit(checkpoint("root"), [])
        left = store.commit(checkpoint("left", parent="root", depth=2), [])
        store.commit(checkpoint("right", parent="root", depth=2), [])
        leaf = store.commit(checkpoint("leaf", parent="left", depth=3), [])
        assert store.ancestry("leaf") == (leaf, left, root)

    def test_a_line_names_the_ancestry_without_what_it_holds(self, store: Store) -> None:
        store.commit(checkpoint("root"), [])
        store.commit(replace(checkpoint("right", parent="root"), kind=CheckpointKind.EVICT), [])
        leaf = checkpoint("leaf", parent="root", depth=2)
        store.commit(replace(leaf, kind=CheckpointKind.EVICT), [])
        assert store.line("leaf") == (
            Ancestor(checkpoint_id="leaf", kind=CheckpointKind.EVICT),
            Ancestor(checkpoint_id="root", kind=CheckpointKind.COMPACT),
        )
        assert store.line("nobody") == ()

    def test_spans_are_those_of_the_ancestry_newest_first(self, store: Store) -> None:
        old, same, new = (
            Span(handle=handle, position=at, digests=(f"d{at}",), label=f"at {at}")
            for handle, at in (("S-1", 0), ("S-3", 2), ("S-3", 3))
        )
        store.commit(replace(checkpoint("root"), spans=(old, same)), [])
        aside = replace(new, label="of a sibling")
        store.commit(replace(checkpoint("right", parent="root", depth=2), spans=(aside,)), [])
        store.commit(replace(checkpoint("leaf", parent="root", depth=2), spans=(new,)), [])
        assert store.spans("leaf") == (new, same, old)
        assert store.spans("leaf", "S-3") == (new, same)
        assert store.spans("root", "S-3") == (same,)
        assert store.spans("leaf", "S-2") == ()
        assert store.spans("nobody") == ()

    def test_lists_sessions_oldest_first_and_their_newest(self, store: Store) -> None:
        for name, session in (("1", "z"), ("2", "a"), ("3", "z")):
            store.commit(checkpoint(name, session=session), [])
        assert store.sessions() == ("z", "a")
        newest = store.latest("z")
        assert newest is not None
        assert newest.checkpoint_id == "3"

    # ---- messages, notes, memory ------------------------------------------------------------

    @pytest.mark.parametrize(
        "text",
        ['{"b": 1, "a": "é"}', "", "\x00", "\ud83d\ude00", "\ud800", "漢字", "x" * 300_000],
    )
    def test_messages_come_back_byte_for_byte(self, store: Store, text: str) -> None:
        kept = message(text)
        store.commit(checkpoint("a"), [kept, message("other")])
        assert store.messages([kept.digest, "unknown"]) == {kept.digest: kept}

    def test_gives_thousands_of_messages_in_the_order_asked(self, store: Store) -> None:
        kept = [message(str(n)) for n in range(2_500)]
        store.commit(checkpoint("a"), kept)
        asked = [each.digest for each in reversed(kept)]
        assert list(store.messages(asked)) == asked

    def test_sessions_share_messages(self, store: Store) -> None:
        store.commit(checkpoint("a", session="one"), [message("m")])
        store.commit(checkpoint("b", session="two"), [message("m"), message("n")])
        assert len(store.messages([message("m").digest, message("n").digest])) == 2

    def test_numbers_notes_within_a_session(self, store: Store) -> None:
        assert store.add_note("one", '{"n": 1}').sequence == 1
        assert store.add_note("two", "\ud800").sequence == 1
        assert store.add_note("one", '{"n": 2}').sequence == 2
        assert [note.json for note in store.notes("one")] == ['{"n": 1}', '{"n": 2}']
        assert [note.sequence for note in store.notes("one", after=1)] == [2]
        assert [note.json for note in store.notes("two")] == ["\ud800"]
        assert store.sessions() == ()

    def test_keeps_the_last_text_of_a_key(self, store: Store) -> None:
        store.remember("k", "old")
        store.remember("k", "new \ud800")
        assert store.recollect("k") == "new \ud800"

    # ---- search -----------------------------------------------------------------------------

    @pytest.mark.parametrize(
        ("query", "text"),
        [
            ("src/clew/store.py", "opened src/clew/store.py, nothing else"),
            ("store.py", "opened `src/clew/store.py`."),
            ("clew/store", "opened src/clew/store.py"),
            ("composite_key", "the composite_key is wrong"),
            ("composite key", "the composite_key is wrong"),
            ("compositeKey", "the composite_key is wrong"),
            ("composite", "the composite_key is wrong"),
            ("getUserName", "call getUserName()"),
            ("getusername", "call getUserName()"),
            ("user name", "call getUserName()"),
            ("HTTPServer", "class HTTPServerError(Exception)"),
            ("BILL-4471", "ticket BILL-4471 is open"),
            ("bill-4471", "ticket BILL-4471 is open"),
            ("4471", "ticket BILL-4471 is open"),
            (
                "9f8e7d6c5b4a39281706f5e4d3c2b1a098765432",
                "at 9f8e7d6c5b4a39281706f5e4d3c2b1a098765432",
            ),
            ("9f8e7d6", "commit 9f8e7d6c5b4a39281706f5e4d3c2b1a098765432"),
            ("1,234.56", "a total of 1,234.56 EUR"),
            ("1234", "id=1234;"),
            ("v2.10.3", "upgrade to v2.10.3 failed"),
            ("数据库", "因为数据库连接失败了"),
            ("连接", "因为数据库连接失败了"),
            ("接", "因为数据库连接失败了"),
            ("データ", "顧客データベースを開く"),
            ("데이터", "데이터베이스 연결"),
            ("café", "the cafe is closed"),
            ("naïve résumé", "NAÏVE RÉSUMÉ"),
            ("failing tests", "one test failed"),
            ("errno", "OSError: [Errno 28] No space left"),
            ("Straße", "in der Straße"),
        ],
    )
    def test_search_finds_whole_and_in_parts(self, store: Store, query: str, text: str) -> None:
        others = [span(n, f"unrelated words number {n}") for n in range(2, 12)]
        store.commit(checkpoint("a", spans=[*others, span(1, text)]), [])
        assert handles(store, "a", query)[:1] == ["S-1"]

    @pytest.mark.parametrize("query", ANY_TEXT, ids=range(len(ANY_TEXT)))
    def test_any_text_is_a_query(self, store: Store, query: str) -> None:
        spans = [span(1, "a b OR NOT NEAR label text"), span(2, query[:2_000])]
        store.commit(checkpoint("a", spans=spans), [])
        assert set(handles(store, "a", query)) <= {"S-1", "S-2"}
        assert handles(store, "a", "label text")[0] == "S-1"

    @pytest.mark.parametrize("query", ["", "  ", "…", '"()*', "\x00"])
    def test_a_query_without_a_word_finds_nothing(self, store: Store, query: str) -> None:
        store.commit(checkpoint("a", spans=[span(1, f"x {query} y")]), [])
        assert store.search("a", query) == []

    def test_search_sees_the_ancestry_only(self, store: Store) -> None:
        store.commit(checkpoint("root", spans=[span(1, "needle in root")]), [])
        for name, n in (("left", 2), ("right", 3)):
            spans = [span(n, f"needle in {name}")]
            store.commit(checkpoint(name, parent="root", depth=2, spans=spans), [])
        for name, n in (("left leaf", 4), ("right leaf", 5)):
            spans = [span(n, f"needle in {name}")]
            parent = name.split()[0]
            store.commit(checkpoint(name, parent=parent, depth=3, spans=spans), [])
        foreign = checkpoint("foreign", session="other", spans=[span(6, "needle elsewhere")])
        store.commit(foreign, [])
        assert set(handles(store, "root", "needle")) == {"S-1"}
        assert set(handles(store, "left", "needle")) == {"S-1", "S-2"}
        assert set(handles(store, "left leaf", "needle")) == {"S-1", "S-2", "S-4"}
        assert set(handles(store, "right leaf", "needle")) == {"S-1", "S-3", "S-5"}
        assert set(handles(store, "foreign", "needle")) == {"S-6"}

    def test_what_others_hold_changes_no_score(self, store: Store) -> None:
        spans = [span(1, "alpha beta"), span(2, "beta gamma")]
        store.commit(checkpoint("a", spans=spans), [])
        alone = store.search("a", "alpha beta")
        noise = [span(n, "alpha alpha") for n in range(3, 60)]
        store.commit(checkpoint("b", session="other", spans=noise), [])
        store.commit(checkpoint("c", key="fork", spans=noise), [])
        assert store.search("a", "alpha beta") == alone

    def test_the_newest_wording_of_an_item_wins(self, store: Store) -> None:
        store.commit(checkpoint("a", spans=[item("D-1", "keep the swap adapter")]), [])
        spans = [item("D-1", "keep raw statements")]
        store.commit(checkpoint("b", parent="a", depth=2, spans=spans), [])
        assert handles(store, "a", "swap") == ["D-1"]
        assert handles(store, "b", "swap") == []
        (hit,) = store.search("b", "raw")
        assert hit.excerpt == "keep raw statements"

    def test_many_wordings_of_one_item_hide_nothing(self, store: Store) -> None:
        parent = None
        store.commit(checkpoint("c0", spans=[span(1, "the needle lies here")]), [])
        parent = "c0"
        for n in range(1, 100):
            spans = [item("D-1", f"needle needle wording {n}")]
            store.commit(checkpoint(f"c{n}", parent=parent, depth=n + 1, spans=spans), [])
            parent = f"c{n}"
        found = handles(store, parent, "needle")
        assert sorted(found) == ["D-1", "S-1"]

    def test_search_can_be_narrowed_to_kinds(self, store: Store) -> None:
        spans = [
            span(1, "the adapter"),
            item("D-1", "the adapter"),
            item("X-1", "the adapter", kind="dead_end"),
            item("Z-1", "the adapter", kind="audit — §4"),
        ]
        store.commit(checkpoint("a", spans=spans), [])
        assert handles(store, "a", "adapter", ["decision"]) == ["D-1"]
        assert set(handles(store, "a", "adapter", ["dead_end", "span"])) == {"X-1", "S-1"}
        assert handles(store, "a", "adapter", ["audit — §4"]) == ["Z-1"]
        assert handles(store, "a", "adapter", ["nothing"]) == []
        assert handles(store, "a", "span") == []

    def test_a_handle_finds_itself_first(self, store: Store) -> None:
        spans = [span(n, f"see S-{n % 7} and S-12") for n in range(1, 30)]
        store.commit(checkpoint("a", spans=spans), [])
        assert handles(store, "a", "S-12")[0] == "S-12"
        assert handles(store, "a", "s-3")[0] == "S-3"

    def test_ranks_label_over_text_and_rare_over_common(self, store: Store) -> None:
        spans = [
            span(1, "pool mentioned once among other words"),
            span(2, "something else", label="resize the pool"),
            span(3, "common words everywhere"),
            span(4, "common words and a zebra"),
            span(5, "common common common common"),
        ]
        store.commit(checkpoint("a", spans=spans), [])
        assert handles(store, "a", "pool") == ["S-2", "S-1"]
        assert handles(store, "a", "common zebra")[0] == "S-4"

    def test_of_two_equal_hits_the_newer_comes_first(self, store: Store) -> None:
        store.commit(checkpoint("a", spans=[span(1, "same words"), span(2, "same words")]), [])
        store.commit(checkpoint("b", parent="a", depth=2, spans=[span(3, "same words")]), [])
        assert handles(store, "b", "same words") == ["S-3", "S-2", "S-1"]

    def test_finds_the_old_rare_span_behind_thousands_with_common_words(self, store: Store) -> None:
        spans = [span(1, "common quux"), span(2, "common plugh words", label="common")]
        spans += [span(n, "common words here") for n in range(3, 3_000)]
        store.commit(checkpoint("a", spans=spans), [])
        assert handles(store, "a", "common quux")[0] == "S-1"
        assert handles(store, "a", "common")[0] == "S-2"
        assert handles(store, "a", "common words plugh")[0] == "S-2"

    def test_a_span_leans_on_its_neighbours_for_words_it_lacks(self, store: Store) -> None:
        spans = [span(n, f"filler number {n}") for n in range(1, 40)]
        spans[9] = span(10, "did you ever go to the lighthouse")
        spans[10] = span(11, "twice, and in winter")
        spans[29] = span(30, "twice a day")
        store.commit(checkpoint("a", spans=spans), [])
        assert handles(store, "a", "how often lighthouse twice")[:3] == ["S-10", "S-11", "S-30"]

    def test_a_name_is_not_a_piece_of_another(self, store: Store) -> None:
        spans = [span(n, f"def run_{n}(): return run_{n} # " + "x" * n) for n in range(1, 40)]
        store.commit(checkpoint("a", spans=spans), [])
        assert handles(store, "a", "run_3")[0] == "S-3"

    def test_words_that_stand_everywhere_do_not_decide(self, store: Store) -> None:
        spans = [span(n, "when did you do what you did, and why was it done") for n in range(2, 9)]
        store.commit(checkpoint("a", spans=[*spans, span(1, "painted at sunrise")]), [])
        assert handles(store, "a", "When did you paint that?")[0] == "S-1"
        assert len(handles(store, "a", "when did you")) == 7

    def test_keeps_vectors_by_model_and_digest(self, store: Store) -> None:
        assert isinstance(store, VectorStore)
        assert store.vectors("m", ["a"]) == {}
        store.keep_vectors("m", {"a": b"\x01\xff", "\ud800": b"\x00"})
        store.keep_vectors("n", {"a": b"\x02"})
        store.keep_vectors("m", {"a": b"again"})
        assert store.vectors("m", ["a", "b", "\ud800"]) == {"a": b"\x01\xff", "\ud800": b"\x00"}
        assert store.vectors("n", ["a"]) == {"a": b"\x02"}
        assert store.vectors("m", [f"x{n}" for n in range(1_200)]) == {}

    def test_respects_the_limit(self, store: Store) -> None:
        store.commit(checkpoint("a", spans=[span(n, "word") for n in range(1, 40)]), [])
        assert len(store.search("a", "word")) == 10
        assert len(store.search("a", "word", limit=3)) == 3
        assert store.search("a", "word", limit=0) == []
        assert store.search("a", "word", limit=-1) == []

    def test_shows_the_lines_that_answer(self, store: Store) -> None:
        text = "\n".join([f"line {n}" for n in range(50)] + ["the ZEBRA-7 is here", "x" * 5_000])
        store.commit(checkpoint("a", spans=[span(1, text, label="ran a test")]), [])
        (hit,) = store.search("a", "zebra-7")
        assert (hit.excerpt, hit.label, hit.kind) == ("the ZEBRA-7 is here", "ran a test", "span")
        assert hit.score > 0

    # ---- threads and the end ----------------------------------------------------------------

    def test_threads_commit_and_search_at_once(self, store: Store) -> None:
        start = threading.Barrier(4)

        def work(worker: int) -> None:
            start.wait()
            parent = None
            for n in range(15):
                name = f"w{worker}-{n}"
                session = f"session {worker}"
                spans = [span(n, f"needle of worker{worker}")]
                made = checkpoint(name, session=session, parent=parent, depth=n + 1, spans=spans)
                assert store.commit(made, [message(f"{name}")]) == made
                assert len(handles(store, name, f"worker{worker}")) == min(n + 1, 10)
                assert handles(store, name, f"worker{(worker + 1) % 4}") == []
                shared = store.commit(checkpoint(f"{name} s", session="shared", key=str(n)), [])
                assert shared.key == str(n)
                store.add_note("notes", name)
                parent = name

        with ThreadPoolExecutor(4) as pool:
            for done in [pool.submit(work, worker) for worker in range(4)]:
                done.result()
        assert [note.sequence for note in store.notes("notes")] == list(range(1, 61))
        for worker in range(4):
            assert len(store.ancestry(f"w{worker}-14")) == 15

    def test_a_close_waits_for_those_who_use_it_and_refuses_the_next(self, store: Store) -> None:
        under_way = threading.Barrier(4)

        def work(worker: int) -> tuple[int, str]:
            for n in range(10_000):
                name = f"w{worker}-{n}"
                made = checkpoint(name, session=f"s{worker}", spans=[span(n, "needle " * 50)])
                try:
                    store.commit(made, [message(name)])
                    store.search(name, "needle")
                except StoreError as error:
                    return n, str(error)
                if n == 2:
                    under_way.wait()
            raise AssertionError("it was never closed")

        with ThreadPoolExecutor(3) as pool:
            running = [pool.submit(work, worker) for worker in range(3)]
            under_way.wait()
            store.close()
            ended = [each.result() for each in running]
        assert all(n > 2 and "closed" in said for n, said in ended)

    def test_refuses_everything_once_closed(self, store: Store) -> None:
        store.close()
        store.close()
        for call in (
            lambda: store.find("s", ["k"]),
            lambda: store.commit(checkpoint("a"), []),
            lambda: store.search("a", "q"),
            lambda: store.add_note("s", "{}"),
            store.sessions,
        ):
            with pytest.raises(StoreError, match="closed"):
                call()
