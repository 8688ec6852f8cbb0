"""What a piece of shell text does: action, resources, effect."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from clew.tools_seen.seen import Action
from clew.tools_seen.shell_lex import SimpleCommand, split_commands
from clew.tools_seen.shell_words import NEUTRAL, program_of, script_of, sorted_out, unwrapped
from clew.tools_seen.table import CommandRule, ToolTable


@dataclass(frozen=True, slots=True, kw_only=True)
class ShellSeen:
    """A shell text, understood.

    `action` is the weightiest of its commands (effect, write, run, read, search). `resources` are
    what those commands touched, `written` the paths that redirections and editors wrote,
    `content` the text of a single written heredoc. `tests`: a test or build run. `masked`: a
    failure of the decisive command would not show in the exit code. `filtered`: the last command
    searches, so that an exit code of 1 may only mean that it found nothing.
    """

    action: Action = Action.OTHER
    resources: tuple[str, ...] = ()
    effect: str = ""
    effects: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    content: str = ""
    pattern: str = ""
    tests: bool = False
    masked: bool = False
    filtered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """One simple command, understood."""

    action: Action
    resources: tuple[str, ...] = ()
    effect: str = ""
    content: str = ""
    pattern: str = ""
    tests: bool = False
    masked: bool = False


_WEIGHT = {
    Action.EFFECT: 6,
    Action.WRITE: 5,
    Action.RUN: 4,
    Action.READ: 3,
    Action.SEARCH: 2,
    Action.OTHER: 1,
}

_SQL_CHANGE = re.compile(
    r"\b(insert\s+into|update\s+\S+\s+set|delete\s+from|drop\s+\w+|alter\s+\w+|truncate\s+\w+"
    r"|create\s+(?:table|index|unique|view|database|schema|role|user))\b",
    re.IGNORECASE,
)
_SQL_CLIENTS = frozenset(
    {"psql", "sqlite3", "mysql", "mariadb", "duckdb", "sqlcmd", "bq", "mongosh"}
)
_RUNNERS = frozenset(
    {"npm run", "pnpm run", "yarn run", "bun run", "mise run", "make", "just", "task"}
)
"""What runs a script by the name that the project gave it."""
_SUBCOMMAND = re.compile(r"[a-z][a-z:_-]*")
_HTTP_VERB = re.compile(r"^(?:-X|--request[= ]?)\s*([A-Za-z]+)$")
_ELSEWHERE = re.compile(r"[A-Za-z][\w+.@-]*:")
"""What names a host, a revision, a registry or a drive before its path is no path from here."""

_FILE = re.compile(
    r"\.|\./.*|[^~^@{:]*/|(?:[^~^@{:]*/)?(?![vV]?\d+\.\d)[^/~^@{:]*"
    r"\.(?:[A-Za-z][\w-]{1,15}|(?<=\D\.)[A-Za-z])"
)
"""What is the name of a file or folder where a branch or a tag, `2.x` or `v1.2.rc1`, may stand."""

_PATCH_FILE = re.compile(
    r"^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$", re.MULTILINE
)
_NOWHERE = ("/dev/null", "/dev/stderr", "/dev/stdout", "&1", "&2", "nul", "NUL", "$null")

_CHANGES_STATE = frozenset(
    {"enable", "disable", "install", "uninstall", "remove", "delete", "deploy", "publish", "send",
     "apply", "upgrade", "migrate", "grant", "revoke", "register", "unregister", "rollback"}
)  # fmt: skip
_DEPTH = 2
"""How many words behind a program may say what for: `tool plugin install`."""
_SYSTEM = (
    "/etc/", "/sys/", "/proc/", "/boot/", "/usr/share/", "/usr/lib/", "/usr/bin/", "/usr/local/",
    "/Library/",
)  # fmt: skip
"""Files that belong to the machine and not to the work: writing one is an effect."""

_OF_GIT = re.compile(r"(?:^|/)\.git/(?:hooks/|config$|info/)")
"""Files by which git is told how to work."""
_SERVICES = ("/etc/init.d/", "/etc/rc.d/")
_FIELDS = frozenset({"-f", "-F", "--field", "--raw-field", "--input"})
_STATES_OF_SERVICES = frozenset(
    {"start", "stop", "restart", "reload", "enable", "disable", "force-reload"}
)

# What only touches this machine's files counts less than what reaches others.
_LOCAL = frozenset({"delete", "move", "kill process"})
_PROBE = re.compile(r"kill\s+-(?:0|[lL])\b")
"""Ends nothing: is it alive, which signals are there."""
_EDIT = re.compile(r"\s*(?:edit|insert) [^\n]*\n")
_EDIT_END = "end_of_edit"


def see_shell(text: str, table: ToolTable, *, directory: str = "", depth: int = 0) -> ShellSeen:
    """Understand a shell text; `directory` is where it starts. Never raises."""
    commands = split_commands(_without_edit(text))
    steps: list[_Step] = []
    where = directory
    for command in commands:
        words = unwrapped(command.words)
        if (
            words
            and words[0].lower() in ("cd", "pushd", "chdir", "set-location")
            and len(words) > 1
        ):
            where = _joined(where, words[1])
        steps.append(_step(command, words, table, where, depth))
    if not steps:
        return ShellSeen()
    # Within a pipeline the first reader is the reader: `cat f | grep x` reads f.
    heaviest = max(_WEIGHT[step.action] for step in steps)
    chosen = [step for step in steps if _WEIGHT[step.action] == heaviest]
    first = chosen[0]
    if first.action is Action.SEARCH or first.action is Action.READ:
        opener = next(s for s in steps if s.action in (Action.READ, Action.SEARCH))
        first, chosen = opener, [s for s in steps if s.action is opener.action]
    named = dict.fromkeys(step.effect for step in steps if step.effect)
    effects = tuple(sorted(named, key=lambda effect: effect in _LOCAL))
    written = tuple(p for s in steps if s.action is Action.WRITE for p in s.resources)
    contents = [s.content for s in chosen if s.content]
    return ShellSeen(
        action=first.action,
        resources=tuple(dict.fromkeys(r for step in chosen for r in step.resources)),
        effect=effects[0] if effects else "",
        effects=effects,
        written=written,
        content=contents[0] if len(contents) == 1 and first.action is Action.WRITE else "",
        pattern=first.pattern,
        tests=any(step.tests for step in steps),
        masked=any(s.masked for s in steps if s.tests or s.action is first.action),
        filtered=steps[-1].action is Action.SEARCH,
    )


def patched_files(patch: str) -> tuple[str, ...]:
    """The paths that a patch in the `*** Begin Patch` form touches, in order."""
    return tuple(dict.fromkeys(a or b for a, b in _PATCH_FILE.findall(patch)))


def _without_edit(text: str) -> str:
    """The text without the body of SWE-agent's `edit`, which is content and no command."""
    opening = _EDIT.match(text)
    end = text.find(_EDIT_END, opening.end()) if opening else -1
    return (
        text if opening is None or end < 0 else text[: opening.end()] + text[end + len(_EDIT_END) :]
    )


# ---- one command ----------------------------------------------------------------------------


def _step(
    command: SimpleCommand, words: list[str], table: ToolTable, where: str, depth: int
) -> _Step:
    written = tuple(
        _joined(where, target)
        for operator, target in command.redirects
        if ">" in operator and target not in _NOWHERE
    )
    step = _inner(command, words, table, where, depth) if depth < 3 else _Step(action=Action.OTHER)
    wrote = (*written, *step.resources) if step.action is Action.WRITE else written
    if any(_OF_GIT.search(path) for path in wrote):
        return replace(step, action=Action.EFFECT, effect="repository settings")
    if step.action is not Action.EFFECT and any(path.startswith(_SYSTEM) for path in wrote):
        return replace(step, action=Action.EFFECT, effect="system change", resources=wrote)
    content = command.heredocs[0] if command.heredocs else ""
    if written and _WEIGHT[step.action] < _WEIGHT[Action.RUN]:
        return _Step(action=Action.WRITE, resources=written, content=content, masked=command.masked)
    return _Step(
        action=step.action,
        resources=step.resources,
        effect=step.effect,
        content=step.content or (content if step.action is Action.WRITE else ""),
        pattern=step.pattern,
        tests=step.tests,
        masked=step.masked or command.masked,
    )


def _inner(
    command: SimpleCommand, words: list[str], table: ToolTable, where: str, depth: int
) -> _Step:
    if not words:
        return _Step(action=Action.OTHER)
    program = program_of(words[0])
    if (script := script_of(program, words)) is not None:
        inside = _nested(see_shell(script, table, directory=where, depth=depth + 1))
        elsewhere = program == "ssh" and inside.action is Action.WRITE
        # What is written on another machine is no file of this work.
        return (
            replace(inside, action=Action.EFFECT, effect="remote change") if elsewhere else inside
        )
    if program in ("apply_patch", "applypatch"):
        patch = "\n".join((*command.heredocs, *words[1:]))
        return _Step(action=Action.WRITE, resources=patched_files(patch), content=patch)
    if program in NEUTRAL:
        return _Step(action=Action.OTHER)
    if program == "test" and "/" in words[0] and not words[0].startswith(("/bin/", "/usr/bin/")):
        return _unknown(program, words)  # a project's own runner, not the shell's comparison
    positional, options, values = sorted_out(program, words[1:])
    if program in _SQL_CLIENTS and (sql := _sql(words, command.heredocs)):
        return _Step(action=Action.EFFECT, effect=f"sql {sql}", resources=tuple(positional[:1]))
    if program == "find" and values.get("-exec") in ("rm", "rmdir", "unlink", "shred"):
        return _Step(action=Action.EFFECT, effect="delete", resources=(" ".join(words)[:200],))
    if program in ("curl", "wget", "http", "https", "xh", "invoke-webrequest"):
        return _http(program, positional, options, values)
    if program == "gh" and positional[:1] == ["api"] and _sends(words[2:]):
        return _Step(action=Action.EFFECT, effect="api call", resources=(" ".join(words)[:200],))
    if words[0].startswith(_SERVICES) and positional[:1] and positional[0] in _STATES_OF_SERVICES:
        return _Step(action=Action.EFFECT, effect=f"service {positional[0]}", resources=(program,))
    rule = table.command_for((program, *positional), options)
    if rule is None:
        return _unknown(program, words)
    return _by_rule(rule, program, positional, values, where, " ".join(words))


def _nested(seen: ShellSeen) -> _Step:
    return _Step(
        action=seen.action,
        resources=seen.resources,
        effect=seen.effect,
        content=seen.content,
        pattern=seen.pattern,
        tests=seen.tests,
        masked=seen.masked,
    )


def _unknown(program: str, words: list[str]) -> _Step:
    """A program nobody listed runs: scripts, binaries, aliases; its subcommand may say what for."""
    positional = [word for word in words[1:] if not word.startswith("-")]
    line = " ".join(words)[:200]
    if changed := _changed_state(positional):
        return _Step(action=Action.EFFECT, effect=f"{program} {changed}", resources=(line,))
    tests = "test" in program.lower() or (len(words) > 1 and words[1] in ("test", "tests"))
    return _Step(action=Action.RUN, resources=(line,), tests=tests)


def _changed_state(positional: list[str]) -> str:
    """The subcommand up to the word that says that something is changed; empty without one."""
    for place, word in enumerate(positional[:_DEPTH]):
        if not _SUBCOMMAND.fullmatch(word):
            return ""
        if not _CHANGES_STATE.isdisjoint(re.split(r"[-_:]", word)):
            return " ".join(positional[: place + 1])
    return ""


def _by_rule(
    rule: CommandRule,
    program: str,
    positional: list[str],
    values: dict[str, str],
    where: str,
    line: str,
) -> _Step:
    if _PROBE.match(line):
        return _Step(action=Action.READ, resources=(line[:200],))
    operands = positional[len(rule.words) - 1 :]
    skip = rule.operand_from
    pattern = ""
    if skip and ("-e" in values or "-f" in values):
        pattern, skip = values.get("-e", ""), 0
    elif skip and operands:
        pattern = operands[0]
    operands = operands[skip:]
    if rule.action is Action.RUN:
        if (program.startswith("python") and "pytest" in line) or " unittest" in line:
            return _Step(action=Action.RUN, resources=(line[:200],), tests=True)
        named = not rule.tests or " ".join(rule.words) in _RUNNERS
        if named and (changed := _changed_state(positional)):
            effect = "install" if changed.endswith(" install") else f"{program} {changed}"
            return _Step(action=Action.EFFECT, effect=effect, resources=(line[:200],))
        return _Step(action=Action.RUN, resources=(line[:200],), tests=rule.tests)
    if not rule.options and (effect := _told_by_operands(rule.words, operands)):
        rule = replace(rule, action=Action.EFFECT, effect=effect)
    if program in ("git", "gh", "glab", "kubectl", "docker", "helm", "terraform"):
        shown = rule.words[0] if len(rule.words) == 1 else ""
        name = " ".join((shown, *positional)) if shown else " ".join((*rule.words, *operands))
        return _Step(action=rule.action, effect=rule.effect, resources=(name.strip()[:200],))
    if program == "find" and "-name" in values:
        pattern = values["-name"]
    paths = tuple(_joined(where, operand) for operand in operands)
    if not paths and rule.action is not Action.SEARCH and not _reads_input(program):
        paths = (line[:200],)
    return _Step(action=rule.action, effect=rule.effect, resources=paths, pattern=pattern)


def _told_by_operands(words: tuple[str, ...], operands: Sequence[str]) -> str:
    """The effect of a git command of which only its operands tell whether it has one."""
    if words == ("git", "checkout"):
        return "discard changes" if _names_files(operands) else ""
    if words == ("git", "branch"):
        return "create branch" if operands else ""
    return "git config" if words == ("git", "config") and len(operands) > 1 else ""


def _sends(words: Sequence[str]) -> bool:
    """Whether a call of an API through `gh` changes something: by its verb, else by its fields."""
    verbs = [word.upper().removeprefix("-X") for word in words]
    for verb in verbs:
        if verb in ("GET", "HEAD", "--METHOD=GET"):
            return False
        if verb.removeprefix("--METHOD=") in ("POST", "PUT", "PATCH", "DELETE"):
            return True
    if "GRAPHQL" in verbs:
        return any("mutation" in word for word in words)
    return any(word.split("=")[0] in _FIELDS for word in words)


def _names_files(operands: Sequence[str]) -> bool:
    """Whether what `git checkout` is given are files, whose changes it discards, and no branch.

    Behind a revision there are only files; alone, a file is told by its ending.
    """
    return len(operands) > 1 or any(_FILE.fullmatch(operand) for operand in operands)


def _reads_input(program: str) -> bool:
    return program in (
        "cat", "head", "tail", "sed", "awk", "jq", "sort", "uniq", "wc", "cut", "tr", "column",
        "nl",
    )  # fmt: skip


def _http(
    program: str, positional: list[str], options: frozenset[str], values: dict[str, str]
) -> _Step:
    verb = (values.get("-X") or values.get("--request") or "").upper()
    for option in options:
        if not verb and (found := _HTTP_VERB.match(option)):
            verb = found.group(1).upper()
    if program in ("http", "https", "xh") and positional and positional[0].isupper():
        verb, positional = positional[0], positional[1:]
    sends = {"-d", "--data", "--data-raw", "--data-binary", "--json", "-F", "--form"}
    if not verb and (sends & values.keys() or any(o.startswith("--post-") for o in options)):
        verb = "POST"
    if not verb and ("-T" in values or "--upload-file" in values):
        verb = "PUT"
    target = tuple(positional[:1])
    if verb in ("POST", "PUT", "PATCH", "DELETE"):
        return _Step(action=Action.EFFECT, effect=f"http {verb.lower()}", resources=target)
    return _Step(action=Action.READ, resources=target)


def _sql(words: list[str], heredocs: list[str]) -> str:
    """The first changing SQL verb in the command, lower case, or nothing."""
    found = _SQL_CHANGE.search("\n".join((*words[1:], *heredocs)))
    return found.group(1).split()[0].lower() if found else ""


def _joined(where: str, path: str) -> str:
    if not where or not path or path.startswith(("/", "~", "$", "-")) or _ELSEWHERE.match(path):
        return path
    return posixpath.normpath(posixpath.join(where, path))
