"""Effects of programs that nobody listed, by the verb that follows their name.

`entire brain refresh index`, `nmcli con up`, `acme trail create --title …`: what a program of the
machine is told to do is in its subcommand. A program of the project itself, and what only runs
others, is no such program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from clew.record.items import Speaker, Status
from clew.summarize.extractive.actions import FAILED, Attempt, verbatim
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import shortened
from clew.tools_seen.families import DEFAULT_TABLE
from clew.tools_seen.seen import Action, Outcome
from clew.tools_seen.shell import see_shell

_JOINT = re.compile(r"&&|\|\||;|\n")
_LONGEST_COMMAND, _MOST_PARTS = 2_000, 12
_LONGEST_SHOWN, _OPENING = 160, 600
_REFUSES = re.compile(
    r"^(?:Output: )?\W{0,3}(?:error|fatal|failed|cannot|could not|unable to|not found|denied)\b"
    r"|\bAPI error: |\balready (?:exists?|created|installed|running|enabled|up to date)\b",
    re.IGNORECASE | re.MULTILINE,
)
"""What a program prints that did not do what it was told to, or had nothing to do."""
_HEAD = re.compile(
    r"^\s*(?:(?:sudo|time|nohup|command|timeout\s+\S+|\w+=\S*)\s+)*(?P<program>[a-z][a-z0-9_.-]+)\s+"
    r"(?P<words>[a-z][\w:-]*(?:\s+[a-z][\w:-]*){0,2})(?=\s|$)"
)
_VERB = re.compile(
    r"(?:create|add|set|update|upgrade|install|uninstall|remove|delete|destroy|enable|disable|start|"
    r"stop|restart|reload|register|unregister|publish|deploy|apply|import|restore|reset|refresh|"
    r"reindex|rebuild|sync|push|post|send|invite|approve|close|reopen|assign|grant|revoke|rotate|attach|"
    r"detach|mount|unmount|connect|disconnect|seed|migrate|flush|purge|prune|lock|unlock|login|logout|"
    r"link|unlink|rename|flatten|pair|trust|enroll|activate|deactivate|clear|evict|drain|promote|"
    r"rollback|cancel|archive|unarchive|submit|provision)(?:-[\w-]+)?"
)
_ONLY_TELLS = re.compile(
    r"(?:^|\s)(?:--help|-h|--dry-run|--dryrun|--check|--version|help|--plan)(?=\s|$)"
)
_RUNNERS = frozenset(
    """
    python python2 python3 node deno bun ruby perl php java dotnet go cargo rustc npm npx pnpm
    yarn pip pip3 uv poetry conda make cmake ninja just task mise nvm asdf pyenv bash sh zsh
    fish ssh tmux screen git gh glab docker docker-compose kubectl helm terraform echo printf
    cat cd export set source eval exec for while if do then else case function return local
    read test true false wait sleep watch xargs claude codex gemini aider pytest tox jest
    vitest mocha eslint prettier ruff mypy tsc swift xcodebuild gradle mvn sbt mix rake bundle
    gem flask uvicorn gunicorn streamlit django-admin select insert update create delete from
    import const let var def class edit submit goto open write
    """.split()  # noqa: SIM905
)
"""Programs that run others, that are listed one by one, and words that open lines of code."""


def told_to_change(attempts: Sequence[Attempt]) -> list[Claim]:
    """What programs that nobody listed were told to change, and did; each command once."""
    made: dict[str, Claim] = {}
    ended = {a.call.resource: a for a in attempts if a.call.resource and not a.call.job}
    for attempt in attempts:
        call = attempt.call
        if not call.command or call.effects or call.effect or attempt.began is not None:
            continue
        orders = orders_in(attempt.reading)[attempt.place]
        if not orders:
            continue
        end = ended.get(call.job) if call.job else None
        outcome = end.call.outcome if end is not None else call.outcome
        shown = [*attempt.answer.results, *(end.answer.results if end is not None else ())]
        if outcome in FAILED or any(_REFUSES.search(each[:_OPENING]) for each in shown):
            continue
        for action, text in orders:
            quote = verbatim(attempt.reading, call.command, text)
            if quote:
                made.setdefault(text, _effect(attempt, action, text, quote, outcome))
    return list(made.values())


@once
def orders_in(reading: Reading) -> tuple[tuple[tuple[str, str], ...], ...]:
    """For each call of an exchange the program and verb, and the text, of what orders a change."""
    return tuple(
        tuple(_orders(call.command))
        if call.command and call.action in {Action.RUN, Action.OTHER, Action.WRITE}
        else ()
        for call in reading.calls
    )


def _orders(command: str) -> Iterator[tuple[str, str]]:
    pieces = _JOINT.split(command[:_LONGEST_COMMAND].partition("<<")[0])
    for piece in pieces if len(pieces) <= _MOST_PARTS else ():
        head = _HEAD.match(piece)
        if head is None or head["program"] in _RUNNERS or _ONLY_TELLS.search(piece):
            continue
        words = head["words"].split()
        verb = next((w for w in words if _VERB.fullmatch(w.rpartition(":")[2])), "")
        if verb and see_shell(piece.strip(), DEFAULT_TABLE).action in {Action.RUN, Action.OTHER}:
            yield f"{head['program']} {' '.join(words[: words.index(verb) + 1])}", piece.strip()


def _effect(attempt: Attempt, action: str, text: str, quote: str, outcome: Outcome) -> Claim:
    reading = attempt.reading
    return claim(
        "effect",
        quote[:400],
        text=shortened(f"{action}: {' '.join(text.split())}", _LONGEST_SHOWN),
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.AGENT,
        status=Status.ACTIVE if outcome is Outcome.OK else Status.UNKNOWN,
        fields=(("action", action), ("target", shortened(text, _LONGEST_SHOWN))),
        rank=0.5,
    )
