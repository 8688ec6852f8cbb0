"""The table of tools: which call of which agent does what, as values that anybody may extend."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from clew.tools_seen.seen import Action


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRule:
    """What a tool with this name does.

    `name` is compared without case. `needs` are argument names that must be present, `when`
    pairs of argument and value that must hold; the first rule of a name that fits wins.
    `resource`, `content`, `command`, `todo`, `job` and `purpose` name the arguments that hold
    these things, best first. `marks_errors`: the agent marks every failed result, so that an
    unmarked one succeeded. `mixed`: the action of the shell text decides, not `action`.
    """

    name: str
    family: str
    action: Action
    needs: tuple[str, ...] = ()
    when: tuple[tuple[str, str], ...] = ()
    resource: tuple[str, ...] = ()
    content: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    todo: tuple[str, ...] = ()
    job: tuple[str, ...] = ()
    purpose: tuple[str, ...] = ()
    effect: str = ""
    marks_errors: bool = False

    def fits(self, arguments: Mapping[str, Any]) -> bool:
        """Whether the arguments of a call are what this rule expects."""
        return all(key in arguments for key in self.needs) and all(
            str(arguments.get(key, "")) == value for key, value in self.when
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRule:
    """What a shell command that starts with these words does.

    `words` are the program and its subcommands, without options. `options`: at least one of them
    must stand in the command. `operand_from` is how many positional words after `words` are no
    resource (a pattern, a script). `tests`: a test or build run.
    """

    words: tuple[str, ...]
    action: Action
    options: tuple[str, ...] = ()
    operand_from: int = 0
    effect: str = ""
    tests: bool = False


@dataclass(frozen=True, slots=True)
class ToolTable:
    """Tools and shell commands that are known; `extended` puts further ones in front."""

    rules: tuple[ToolRule, ...] = ()
    commands: tuple[CommandRule, ...] = ()
    _by_name: dict[str, tuple[ToolRule, ...]] = field(init=False, repr=False, compare=False)
    _by_program: dict[str, tuple[CommandRule, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_name: dict[str, list[ToolRule]] = {}
        for rule in self.rules:
            by_name.setdefault(rule.name.lower(), []).append(rule)
        by_program: dict[str, list[CommandRule]] = {}
        for command in self.commands:
            by_program.setdefault(command.words[0], []).append(command)
        for found in by_program.values():
            # The most specific rule first; the order of the table decides between equals.
            found.sort(key=lambda c: (-len(c.words), not c.options))
        object.__setattr__(self, "_by_name", {k: tuple(v) for k, v in by_name.items()})
        object.__setattr__(self, "_by_program", {k: tuple(v) for k, v in by_program.items()})

    def extended(
        self, rules: Iterable[ToolRule] = (), commands: Iterable[CommandRule] = ()
    ) -> ToolTable:
        """This table with rules that are asked before its own."""
        return ToolTable((*rules, *self.rules), (*commands, *self.commands))

    def rule_for(self, name: str, arguments: Mapping[str, Any]) -> ToolRule | None:
        """The first rule for a tool of this name that fits the arguments, or None."""
        rules = self._by_name.get(name.lower(), ())
        return next((rule for rule in rules if rule.fits(arguments)), None)

    def command_for(self, words: tuple[str, ...], options: frozenset[str]) -> CommandRule | None:
        """The most specific rule for a shell command, or None.

        `words` are the program and its positional words, `options` the words with a dash.
        """
        for rule in self._by_program.get(words[0] if words else "", ()):
            if words[: len(rule.words)] != rule.words:
                continue
            if rule.options and not any(_has(options, option) for option in rule.options):
                continue
            return rule
        return None


def _has(options: frozenset[str], wanted: str) -> bool:
    if wanted in options:
        return True
    if wanted.startswith("--"):
        return any(option.startswith(f"{wanted}=") for option in options)
    # Short options stand in clusters (`-xzf`) or with their value attached (`-XPOST`).
    letters = wanted[1:]
    return any(
        option.startswith(wanted) or (len(letters) == 1 and letters in option[1:])
        for option in options
        if not option.startswith("--")
    )
