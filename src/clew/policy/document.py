"""A policy document: TOML to values and back, with the place of whatever is wrong."""

from __future__ import annotations

import dataclasses
import difflib
import json
import re
import tomllib
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any, NoReturn, TypeVar

from clew.errors import BudgetError, PolicyError
from clew.policy.places import Path, line_of, places_of

_T = TypeVar("_T")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_PARSER_LINE = re.compile(r"\(at line (\d+), column (\d+)\)")


class Source:
    """A parsed document, and the place of each of its values for errors."""

    def __init__(self, name: str, document: Mapping[str, Any], places: Mapping[Path, int]) -> None:
        self.name = name
        self.document = document
        self._places = places

    @classmethod
    def of_text(cls, text: str, name: str) -> Source:
        """Parse a text; raises PolicyError with the line where it is no TOML."""
        try:
            document = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            found = _PARSER_LINE.search(str(error))
            at_end = len(text.rstrip("\n").split("\n"))
            where = f"{name}:{found[1] if found else at_end}"
            raise PolicyError(f"is no TOML document: {error}", where=where) from error
        return cls(name, document, places_of(text))

    def where(self, path: Path) -> str:
        """File and line of a value, as far as they are known."""
        line = line_of(self._places, path)
        return f"{self.name}:{line}" if line is not None else self.name

    def wrong(self, path: Path, problem: str) -> NoReturn:
        """Raise what is wrong with a value."""
        raise PolicyError(f"{shown(path)}{problem}", where=self.where(path))

    def built(self, cls: type[_T], value: Any, path: Path) -> _T:
        """One value of a dataclass from a table; every name and every type is checked."""
        if not isinstance(value, Mapping):
            self.wrong(path, f"is {described(value)}; expected a table")
        fields = {f.name: f for f in settable(cls)}
        self.only_known(value, fields, path)
        hints = typing.get_type_hints(cls)
        made = {name: self.read(hints[name], inner, (*path, name)) for name, inner in value.items()}
        missing = [
            f.name
            for f in fields.values()
            if f.name not in made
            and f.default is dataclasses.MISSING
            and f.default_factory is dataclasses.MISSING
        ]
        if missing:
            self.wrong(path, f"lacks {' and '.join(missing)}; expected a value for each")
        try:
            return cls(**made)
        except PolicyError as error:
            at = (*path, _named(error.problem, fields))
            raise PolicyError(f"{shown(path)}{error.problem}", where=self.where(at)) from error
        except BudgetError as error:
            at = (*path, _named(f"{error.problem} {error.arithmetic}", made))
            problem = f"{self.where(at)}: {shown(path)}{error.problem}"
            raise BudgetError(problem, arithmetic=error.arithmetic) from error

    def only_known(self, value: Mapping[str, Any], known: Iterable[str], path: Path) -> None:
        """Refuse a name that nobody knows, with the nearest one that somebody does."""
        names = sorted(known)
        for name in value:
            if name in names:
                continue
            near = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(names)}"
            self.wrong((*path, name), f"is no setting; {hint}")

    def read(self, wanted: Any, value: Any, path: Path) -> Any:
        """A value as the type of a field wants it."""
        if wanted in _PLAIN:
            fits, expected = _PLAIN[wanted]
            if not fits(value):
                self.wrong(path, f"is {described(value)}; expected {expected}")
            return float(value) if wanted is float else value
        if isinstance(wanted, types.UnionType):
            inner = [each for each in typing.get_args(wanted) if each is not type(None)]
            if set(inner) == {int, float}:
                if not _is_number(value):
                    expected = "a share such as 0.7 or a whole number of tokens"
                    self.wrong(path, f"is {described(value)}; expected {expected}")
                return value
            return self.read(inner[0], value, path)
        if isinstance(wanted, type) and issubclass(wanted, StrEnum):
            if value not in tuple(wanted):
                options = ", ".join(each.value for each in wanted)
                self.wrong(path, f"is {described(value)}; expected one of {options}")
            return wanted(value)
        if typing.get_origin(wanted) is tuple:
            return self._tuple(typing.get_args(wanted)[0], value, path)
        return self.built(wanted, value, path)

    def _tuple(self, inner: Any, value: Any, path: Path) -> tuple[Any, ...]:
        if typing.get_origin(inner) is tuple:
            if not isinstance(value, Mapping):
                self.wrong(path, f"is {described(value)}; expected a table of names")
            wanted = typing.get_args(inner)[1]
            read = ((name, self.read(wanted, v, (*path, name))) for name, v in value.items())
            return tuple(sorted(read))
        if not isinstance(value, list):
            self.wrong(path, f"is {described(value)}; expected a list")
        return tuple(self.read(inner, v, (*path, place)) for place, v in enumerate(value))


def settable(cls: Any) -> list[dataclasses.Field[Any]]:
    """The fields of a dataclass that a document may set: not those that a session works out."""
    fields = dataclasses.fields(cls)
    return [f for f in fields if f.init and not f.metadata.get("derived")]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_PLAIN: Mapping[Any, tuple[Callable[[Any], bool], str]] = {
    bool: (lambda value: isinstance(value, bool), "true or false"),
    int: (lambda value: type(value) is int, "a whole number"),
    float: (_is_number, "a number"),
    str: (lambda value: isinstance(value, str), "a text in quotes"),
}


def described(value: Any) -> str:
    """A value of a document in a few words."""
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value!r:.60}"


def shown(path: Path) -> str:
    """A path as the document writes it, and a blank; nothing for the document itself."""
    written = ""
    for part in path:
        if isinstance(part, int):
            written += f"[{part + 1}]"
        else:
            written += f".{part}" if written else part
    return f"{written} " if written else ""


def _named(problem: str, names: Iterable[str]) -> str:
    """The first name that a sentence speaks of, written with blanks or without, and its unit."""
    spoken = problem.replace("_", " ")
    found: list[tuple[int, int, str]] = []
    for name in names:
        for form in (name, name.removesuffix("_tokens")):
            match = re.search(rf"\b{re.escape(form.replace('_', ' '))}\b", spoken)
            if match:
                found.append((match.start(), -len(form), name))
    return min(found, default=(0, 0, ""))[2]


# ---- writing --------------------------------------------------------------------------------


def written(document: Mapping[str, Any]) -> str:
    """The TOML text of a document: plain members first, then tables, then lists of tables."""
    return "\n".join(_table(document, ())).strip() + "\n"


def _table(values: Mapping[str, Any], path: tuple[str, ...]) -> list[str]:
    out = [f"{_key(name)} = {_literal(v)}" for name, v in values.items() if not _nested(v)]
    for name, value in values.items():
        inner = (*path, name)
        heading = ".".join(map(_key, inner))
        if isinstance(value, Mapping):
            out += ["", f"[{heading}]", *_table(value, inner)]
        elif _nested(value):
            for row in value:
                out += ["", f"[[{heading}]]", *_table(row, inner)]
    return out


def _nested(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(row, Mapping) for row in value)
    return isinstance(value, Mapping)


def _key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else _literal(name)


def _literal(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case str():
            if any("\ud800" <= c <= "\udfff" for c in value):
                raise PolicyError("half of a surrogate pair has no form in TOML", where="policy")
            return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
        case list():
            return f"[{', '.join(_literal(each) for each in value)}]"
        case _:
            raise PolicyError(f"{type(value).__name__} has no form in TOML", where="policy")
