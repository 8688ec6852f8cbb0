"""The public face: every name is there, comes from one place, and costs nothing until used."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import clew

TREE = ast.parse(Path(clew.__file__).read_text(encoding="utf-8"))


def imported_for_checkers() -> dict[str, str]:
    """Name and module of what type checkers are told."""
    return {
        alias.name: node.module
        for block in TREE.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom) and node.module is not None
        for alias in node.names
    }


def test_checkers_and_the_running_program_are_told_the_same() -> None:
    assert imported_for_checkers() == clew._HOMES


def test_everything_listed_is_given_out_and_nothing_else_is() -> None:
    assert set(clew.__all__) == {*clew._HOMES, "__version__"}
    assert set(clew.__all__) <= set(dir(clew))
    assert [name for name in clew.__all__ if getattr(clew, name) is None] == []


def test_a_name_is_the_very_object_of_its_module() -> None:
    from clew.session import Session

    assert clew.Session is Session
    assert vars(clew)["Session"] is Session


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'clew' has no attribute 'Sesion'"):
        clew.Sesion  # type: ignore[attr-defined]  # noqa: B018 - the wrong name is the point


def test_importing_clew_loads_no_other_module_of_it() -> None:
    script = (
        "import sys; before = set(sys.modules); import clew; "
        "print(sorted(name for name in set(sys.modules) - before if name.startswith('clew.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"
