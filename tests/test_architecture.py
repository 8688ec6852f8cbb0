"""The house keeps its order: who may import whom, how large a file is, what is documented."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SRC = ROOT / "src"
MODULES = tuple(sorted((SRC / "clew").rglob("*.py")))

CORE = (
    "errors",
    "transcript",
    "ports",
    "record",
    "document",
    "tools_seen",
    "budget",
    "policy",
    "cuts",
    "evict",
    "summarize",
    "verify",
    "repair",
    "propose",
    "history",
    "render",
    "events",
    "consult",
    "turn",
    "searchable",
    "former",
    "ahead",
    "residency",
    "carrying",
    "assess",
    "shrink",
    "alike",
    "adopt",
    "settle",
    "outcome",
    "hooking",
    "live",
    "fold",
    "pipeline",
    "conclude",
)
PARTS = (
    "codecs",
    "counters",
    "embedders",
    "prices",
    "clients",
    "store",
    "workdir",
    "repomap",
    "telemetry",
    "importers",
    "secrets",
)
FACES = (
    "recall",
    "handoff",
    "delegate",
    "adapters",
    "hooks",
    "proxy",
    "replay",
    "demo",
    "analysis",
    "evals",
    "report",
    "pytest_plugin",
)
LAYERS = (
    *((name,) for name in CORE),
    PARTS,
    ("session",),
    ("oneshot",),
    FACES,
    ("cli",),
    ("__main__",),
)
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
LEVEL_OF_PUBLIC_FACE = LEVEL["oneshot"]
BELOW_PUBLIC_FACE = tuple(path for path in MODULES if path != SRC / "clew" / "__init__.py")
STANDARD_LIBRARY_ONLY = frozenset((*CORE, "codecs"))

MODULE_LINES = 400
FUNCTION_LINES = 40


def name_of(path: Path) -> str:
    return str(path.relative_to(SRC))


def unit_of(path: Path) -> str:
    """Gives the file or folder directly under src/clew that a module belongs to."""
    return path.relative_to(SRC / "clew").parts[0].removesuffix(".py")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=name_of(path))


def imported_modules(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yields line and dotted name of every import, wherever in the module it stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module is not None, f"line {node.lineno}: relative import"
            assert node.level == 0, f"line {node.lineno}: relative import"
            if node.module == "clew":
                yield from ((node.lineno, f"clew.{alias.name}") for alias in node.names)
            else:
                yield node.lineno, node.module


def level_of_import(dotted: str) -> int:
    """Gives the level of an imported clew name; a name of the public face has the session's."""
    _, _, rest = dotted.partition(".")
    return LEVEL.get(rest.split(".")[0], LEVEL_OF_PUBLIC_FACE)


def misdirected(unit: str, tree: ast.AST) -> list[str]:
    """Names the imports of a module in `unit` that do not come from a line above its own."""
    return [
        f"line {line}: {unit} imports {dotted}"
        for line, dotted in imported_modules(tree)
        if dotted.split(".")[0] == "clew"
        and dotted.split(".")[1:2] != [unit]
        and level_of_import(dotted) >= LEVEL[unit]
    ]


def foreign(tree: ast.AST) -> list[str]:
    """Names the imports that come neither from the standard library nor from clew."""
    return [
        f"line {line}: {dotted}"
        for line, dotted in imported_modules(tree)
        if dotted.split(".")[0] not in sys.stdlib_module_names | {"clew"}
    ]


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def lines_without_docstring(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    docstring = ast.get_docstring(node, clean=False)
    end = node.end_lineno or node.lineno
    return end - node.lineno + 1 - (docstring.count("\n") + 1 if docstring else 0)


def undocumented(tree: ast.Module) -> list[str]:
    public = [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
    ]
    return [f"line {node.lineno}: {node.name}" for node in public if not ast.get_docstring(node)]


@pytest.mark.parametrize("path", BELOW_PUBLIC_FACE, ids=name_of)
def test_a_module_has_a_place_in_the_house_and_imports_only_from_above(path: Path) -> None:
    assert unit_of(path) in LEVEL, f"{unit_of(path)} has no line in the list of the house"
    assert misdirected(unit_of(path), tree_of(path)) == []


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if unit_of(path) in STANDARD_LIBRARY_ONLY],
    ids=name_of,
)
def test_core_and_codecs_use_the_standard_library_only(path: Path) -> None:
    assert foreign(tree_of(path)) == []


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_is_small_and_says_what_it_is_for(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MODULE_LINES
    assert ast.get_docstring(tree_of(path)), "the module has no docstring"
    assert undocumented(tree_of(path)) == []


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_function_fits_on_one_screen(path: Path) -> None:
    found = functions(tree_of(path))
    sizes = {f"{node.name}, line {node.lineno}": lines_without_docstring(node) for node in found}
    assert {place: size for place, size in sizes.items() if size > FUNCTION_LINES} == {}


@pytest.mark.parametrize(
    "path", [path for path in MODULES if path.name == "__init__.py"], ids=name_of
)
def test_a_package_lists_what_it_gives_out(path: Path) -> None:
    body = tree_of(path).body
    assigned = {
        target.id
        for node in body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    has_content = any(not isinstance(node, ast.Expr) for node in body)
    assert "__all__" in assigned or not has_content
    stars = [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.alias)]
    assert all(alias.name != "*" for alias in stars)


def test_every_folder_with_modules_is_a_package() -> None:
    folders = {path.parent for path in MODULES}
    assert [name_of(folder) for folder in folders if not (folder / "__init__.py").exists()] == []


def test_importing_clew_loads_no_third_party_module() -> None:
    script = (
        "import json, sys; before = set(sys.modules); import clew; "
        "print(json.dumps(sorted({name.split('.')[0] for name in set(sys.modules) - before})))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    loaded: list[str] = json.loads(done.stdout)
    assert "clew" in loaded
    assert [name for name in loaded if name not in sys.stdlib_module_names | {"clew"}] == []


@pytest.mark.parametrize(
    ("unit", "source", "verdict"),
    [
        ("record", "from clew.transcript import Message", []),
        ("record", "from clew.record.items import Item", []),
        ("ports", "from clew.record import Item", ["line 1: ports imports clew.record"]),
        ("codecs", "import clew.store.sqlite", ["line 1: codecs imports clew.store.sqlite"]),
        ("codecs", "from clew import errors", []),
        ("errors", "from clew import Session", ["line 1: errors imports clew.Session"]),
        ("proxy", "from clew import Session", []),
        ("proxy", "def f():\n    from clew import cli", ["line 2: proxy imports clew.cli"]),
        ("cli", "from clew.proxy import serve\nfrom clew.evals import gate", []),
    ],
)
def test_the_direction_check_catches_a_wrong_import(
    unit: str, source: str, verdict: list[str]
) -> None:
    assert misdirected(unit, ast.parse(source)) == verdict


def test_the_third_party_check_catches_a_late_import() -> None:
    assert foreign(ast.parse("import json\ndef f():\n    import rich.table")) == [
        "line 3: rich.table"
    ]


def test_a_skip_is_a_failure_where_skips_are_forbidden(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text())
    (tmp_path / "test_one.py").write_text(
        "import pytest\ndef test_one() -> None:\n    pytest.skip('no reason at all')\n"
    )
    arguments = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    outcomes = {
        forbidden: subprocess.run(
            arguments,
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            timeout=60,
            env={"PATH": "", "CLEW_NO_SKIPS": forbidden},
        )
        for forbidden in ("0", "1")
    }
    assert outcomes["0"].returncode == 0
    assert "1 skipped" in outcomes["0"].stdout
    assert outcomes["1"].returncode == 1
    assert "skipped where CLEW_NO_SKIPS forbids it: Skipped: no reason" in outcomes["1"].stdout
