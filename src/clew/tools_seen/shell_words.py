"""The words of one shell command: wrappers taken off, options told from operands."""

from __future__ import annotations

import re

_KEYWORDS = frozenset({"do", "then", "else", "elif", "if", "while", "until", "!", "{", "time"})
_CLOSING = frozenset({"done", "fi", "esac", "}", "in"})
NEUTRAL = frozenset(
    {
        "echo",
        "set-location",
        "write-host",
        "select-object",
        "start-sleep",
        "printf", "true", "false", ":", "export", "set", "unset", "cd", "pushd", "popd",
        "exit", "return", "local", "declare", "read", "shopt", "alias", "ulimit", "umask", "trap",
        "break", "continue", "clear", "for", "case", "select", "function", "shift", "hash",
    }
)  # fmt: skip
# Programs that run another program; the options that take a value, and words to drop before it.
_WRAPPERS: dict[str, tuple[frozenset[str], int]] = {
    "sudo": (frozenset({"-u", "-g", "-h", "-p"}), 0),
    "doas": (frozenset({"-u"}), 0),
    "env": (frozenset({"-u", "-C", "-S"}), 0),
    "nohup": (frozenset(), 0),
    "time": (frozenset({"-f", "-o"}), 0),
    "nice": (frozenset({"-n"}), 0),
    "stdbuf": (frozenset({"-i", "-o", "-e"}), 0),
    "command": (frozenset(), 0),
    "exec": (frozenset(), 0),
    "timeout": (frozenset({"-s", "-k", "--signal"}), 1),
    "gtimeout": (frozenset({"-s", "-k"}), 1),
    "xargs": (frozenset({"-n", "-I", "-P", "-L", "-d"}), 0),
    "npx": (frozenset({"-p", "--package"}), 0),
    "bunx": (frozenset(), 0),
    "uvx": (frozenset({"--from", "--with"}), 0),
    "pkexec": (frozenset(), 0),
    "watch": (frozenset({"-n"}), 0),
    "caffeinate": (frozenset(), 0),
}
_TWO_WORD_WRAPPERS: dict[tuple[str, str], int] = {
    ("uv", "run"): 0,
    ("poetry", "run"): 0,
    ("pipenv", "run"): 0,
    ("hatch", "run"): 0,
    ("pdm", "run"): 0,
    ("bundle", "exec"): 0,
    ("mise", "exec"): 0,
    ("mise", "x"): 0,
    ("pnpm", "exec"): 0,
    ("pnpm", "dlx"): 0,
    ("yarn", "dlx"): 0,
    ("npm", "exec"): 0,
    ("docker", "exec"): 1,
    ("docker", "compose"): -1,
    ("conda", "run"): 0,
    ("op", "run"): 0,
    ("doppler", "run"): 0,
}
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ash", "fish", "ksh", "cmd", "cmd.exe"})
_VALUE_OPTIONS: dict[str, frozenset[str]] = {
    "git": frozenset({"-C", "-c", "--git-dir", "--work-tree"}),
    "kubectl": frozenset({"-n", "--namespace", "--context", "--kubeconfig"}),
    "docker": frozenset({"-H", "--context"}),
    "terraform": frozenset(),
    "make": frozenset({"-C", "-f", "-j"}),
    "npm": frozenset({"--prefix", "-w", "--workspace"}),
    "pnpm": frozenset({"-C", "--filter", "--dir", "-F"}),
    "yarn": frozenset({"--cwd"}),
    "gh": frozenset({"-R", "--repo"}),
    "head": frozenset({"-n", "-c"}),
    "tail": frozenset({"-n", "-c"}),
    "grep": frozenset({"-A", "-B", "-C", "-m", "--include", "--exclude", "-f"}),
    "rg": frozenset({"-A", "-B", "-C", "-m", "-g", "-t", "-T", "--glob", "--type", "-M"}),
    "cut": frozenset({"-d", "-f", "-c"}),
    "find": frozenset(
        {"-name", "-iname", "-path", "-type", "-maxdepth", "-mindepth", "-not", "-exec", "-o",
         "-regex", "-newer", "-size", "-mtime", "-print", "-prune", "-wholename"}
    ),
    "fd": frozenset({"-e", "-t", "-d", "-E"}),
    "curl": frozenset(
        {"-X", "--request", "-H", "--header", "-d", "--data", "--data-raw", "--data-binary", "-o",
         "-u", "-A", "-F", "--form", "-w", "-m", "--max-time", "--connect-timeout", "--json",
         "--output", "--user", "--retry", "-b", "-c", "-T", "--upload-file", "--cacert", "-e"}
    ),
    "ssh": frozenset({"-i", "-p", "-o", "-l", "-F", "-J", "-L", "-R", "-D"}),
    "tree": frozenset({"-L", "-I", "-P"}),
    "ls": frozenset({"-I"}),
    "jq": frozenset({"--arg", "--argjson"}),
    "sed": frozenset({"-e", "-f"}),
    "awk": frozenset({"-F", "-v", "-f"}),
    "psql": frozenset({"-h", "-U", "-d", "-p", "-c", "-f", "-v"}),
    "wc": frozenset(),
    "python": frozenset({"-W", "-X"}),
    "python3": frozenset({"-W", "-X"}),
}  # fmt: skip
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")


def unwrapped(words: list[str]) -> list[str]:
    """The words from the real program on: keywords, assignments and wrappers dropped."""
    at = 0
    for _ in range(12):
        if at >= len(words):
            return []
        word = words[at]
        if word in _KEYWORDS or word in _CLOSING or _ASSIGNMENT.match(word):
            at += 1
            continue
        program = program_of(word)
        wrapper = _WRAPPERS.get(program)
        if wrapper is not None and at + 1 < len(words) and not _asks(program, words[at + 1]):
            at = _behind_options(words, at + 1, wrapper[0]) + wrapper[1]
            continue
        pair = (program, words[at + 1]) if at + 1 < len(words) else ("", "")
        if pair in _TWO_WORD_WRAPPERS:
            if (moved := _behind_pair(words, at, _TWO_WORD_WRAPPERS[pair])) == at:
                return words[at:]
            at = moved
            continue
        if program in _SCRIPTED and (managed := _managed(words, at + 1)):
            words, at = managed, 0
            continue
        if program in ("python", "python3") and words[at + 1 : at + 2] == ["-m"]:
            module = words[at + 2 :]
            return module if module and module[0] in _MODULES else words[at:]
        return words[at:]
    return words[at:]


_SCRIPTED = frozenset({"node", "nodejs", "bun"})
_OWN_SCRIPT = re.compile(r"(?:^|/)(?P<name>npm|npx|pnpm|yarn)(?:-cli)?\.[cm]?js$")


def _managed(words: list[str], at: int) -> list[str]:
    """The words as the package manager would be called by name whose script is run; else none."""
    place = _behind_options(words, at, frozenset())
    found = _OWN_SCRIPT.search(words[place]) if place < len(words) else None
    return [found["name"], *words[place + 1 :]] if found is not None else []


_MODULES = frozenset(
    {"pytest", "unittest", "tox", "mypy", "ruff", "alembic", "nox", "black", "flake8", "pip"}
)


def _asks(program: str, following: str) -> bool:
    return program == "command" and following in ("-v", "-V")


def _behind_pair(words: list[str], at: int, dropped: int) -> int:
    """Where the wrapped program of `uv run …` begins; `at` itself when it wraps nothing."""
    if dropped < 0:
        if "exec" not in words[at:] and "run" not in words[at:]:
            return at
        verb = next(i for i in range(at, len(words)) if words[i] in ("exec", "run"))
        return min(_behind_options(words, verb + 1, frozenset({"-u", "-w", "-e"})) + 1, len(words))
    with_value = frozenset({"-u", "-w", "-e", "--with", "--extra", "--group", "-n", "--python"})
    return _behind_options(words, at + 2, with_value) + dropped


def _behind_options(words: list[str], at: int, with_value: frozenset[str]) -> int:
    while at < len(words):
        word = words[at]
        if word == "--":
            return at + 1
        if word in with_value:
            at += 2
        elif word.startswith("-") or _ASSIGNMENT.match(word):
            at += 1
        else:
            return at
    return at


def program_of(word: str) -> str:
    """The name of the program that a first word calls, without its directory."""
    if word.startswith(("./", "/", "~")) or "\\" in word:
        tail = word.replace("\\", "/").rsplit("/", 1)[-1]
        return tail if word.startswith(("/", "~")) or "\\" in word else word
    if "/" in word and word.rsplit("/", 1)[0].endswith("bin"):
        return word.rsplit("/", 1)[-1]
    return word.lower() if "-" in word and word[:1].isupper() else word


def script_of(program: str, words: list[str]) -> str | None:
    """The shell text that a command hands to another shell, here or on another host."""
    if program in _SHELLS:
        for i, word in enumerate(words[1:], start=1):
            if (word.startswith("-") and "c" in word[1:]) or word.lower() == "/c":
                return " ".join(words[i + 1 :]) if program.startswith("cmd") else _at(words, i + 1)
        return None
    if program in ("powershell", "pwsh", "powershell.exe"):
        for i, word in enumerate(words[1:], start=1):
            if word.lower() in ("-command", "-c"):
                return " ".join(words[i + 1 :])
        return None
    if program == "eval" and len(words) > 1:
        return " ".join(words[1:])
    if program == "ssh":
        host = _behind_options(words, 1, _VALUE_OPTIONS["ssh"])
        rest = words[host + 1 :]
        return " ".join(rest) if rest else None
    return None


def _at(words: list[str], index: int) -> str | None:
    return words[index] if index < len(words) else None


def sorted_out(program: str, words: list[str]) -> tuple[list[str], frozenset[str], dict[str, str]]:
    """Positional words, options, and the values of options that take one."""
    with_value = _VALUE_OPTIONS.get(program, frozenset())
    positional: list[str] = []
    options: set[str] = set()
    values: dict[str, str] = {}
    at = 0
    while at < len(words):
        word = words[at]
        if word == "--":
            options.add(word)
            positional.extend(words[at + 1 :])
            break
        if word in with_value and at + 1 < len(words):
            options.add(word)
            values.setdefault(word, words[at + 1])
            at += 2
            continue
        if len(word) > 1 and word.startswith("-"):
            options.add(word)
        else:
            positional.append(word)
        at += 1
    return positional, frozenset(options), values
