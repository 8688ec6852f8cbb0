"""What stands behind a handle in the context is found by a search, whatever became of it later."""

from __future__ import annotations

import json
from typing import Any

import clew
from clew.store import MemoryStore

Native = dict[str, Any]
NEEDLE = "E4711 quay_gate refused berth 17"


def read(number: int, path: str, result: str) -> list[Native]:
    function = {"name": "read_file", "arguments": json.dumps({"path": path})}
    call = {"id": f"c{number}", "type": "function", "function": function}
    return [
        {"role": "assistant", "content": f"Reading {path}.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"c{number}", "content": result},
    ]


def history() -> list[Native]:
    noise = [f"{n:05d} berth {n % 40} free, crane {n * 7 % 90} idle" for n in range(4_000)]
    log = "\n".join([*noise[:2_000], NEEDLE, *noise[2_000:]])
    return [{"role": "user", "content": "Why was berth 17 refused?"}, *read(1, "log/gate.log", log)]


def session_of(store: MemoryStore) -> clew.Session:
    return clew.Session("harbour", store=store, policy=clew.Policy(clew.Budget(40_000)))


def test_a_large_result_is_found_as_soon_as_it_stands_behind_a_handle() -> None:
    store = MemoryStore()
    session = session_of(store)
    context = session.prepare(history())
    assert NEEDLE not in json.dumps(context.messages)

    (hit,) = session.search("E4711 quay_gate")
    assert hit.handle == "S-2"
    assert NEEDLE in hit.excerpt
    assert NEEDLE in session.recall(hit.handle).decode()
    assert session.call_tool("clew_list", {}).startswith("Nothing has left the window yet")

    again = session_of(store)
    again.prepare(history())
    assert [each.handle for each in again.search("E4711 quay_gate")] == ["S-2"]


def test_once_absorbed_it_is_found_once() -> None:
    session = session_of(MemoryStore())
    messages = history()
    session.prepare(messages)
    for n in range(2, 20):
        messages += read(n, f"src/dock_{n}.py", f"dock_{n} = {n}\n" * 120)
    session.prepare(messages)
    session.compact()
    context = session.prepare(messages)
    assert len(context.messages) < len(messages)

    assert [hit.handle for hit in session.search("E4711 quay_gate") if NEEDLE in hit.excerpt] == [
        "S-2"
    ]
    assert session.recall("S-2").count(NEEDLE.encode()) == 1


def test_a_secret_in_it_is_in_no_index() -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2  # built here, so that no scanner takes it for one
    messages = history()
    messages[2]["content"] = messages[2]["content"].replace(NEEDLE, f"{NEEDLE} {token[:40]}")
    session = session_of(MemoryStore())
    session.prepare(messages)

    (hit,) = session.search("E4711 quay_gate")
    assert token[:40] not in hit.excerpt
    assert session.search(token[:40]) == []
    assert token[:40] in session.recall(hit.handle).decode()
