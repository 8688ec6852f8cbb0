"""`clew policy`: a policy document, explained before it is used."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clew.cli.options import JsonOption, WindowOption
from clew.cli.policies import policy_for
from clew.cli.screen import say, write_json

if TYPE_CHECKING:
    from clew.policy import Policy
    from clew.policy.explain import Basis

app = typer.Typer(help="A policy document, explained before it is used.")

EXIT_FAILED = 1


@app.callback()
def _group() -> None:
    """A policy document, explained before it is used."""


@app.command("check")
def check(
    document: Annotated[
        Path, typer.Argument(metavar="FILE", help="A policy document (TOML).", show_default=False)
    ],
    window: WindowOption = None,
    whole: Annotated[
        bool, typer.Option("--toml", help="Write the document with every setting in it.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Say what a policy will do: windows, triggers, kinds, models, evictions, probes.

    Exits 1 when a model that it names cannot be called from here, 2 when it cannot be read.
    """
    policy = policy_for(document, window)
    _require_room(policy)
    found = _explained(policy)
    if json:
        write_json({"file": str(document), **found})
    elif whole:
        say(policy.dump().rstrip())
    else:
        _show(policy, found)
    if found["problems"]:
        raise typer.Exit(EXIT_FAILED)


def _explained(policy: Policy) -> dict[str, Any]:
    from clew.policy.explain import explained
    from clew.policy.spec import SPEC_VERSION

    basis, warning = _basis(policy)
    budget = basis.budget
    document = policy.to_document()
    sentences = explained(policy, basis)
    return {
        "name": policy.name,
        "version": policy.version,
        "spec": SPEC_VERSION,
        "digest": policy.digest,
        "window": {"tokens": budget.window_tokens, "source": basis.window_source},
        "budget": {
            "transcript_budget_tokens": budget.transcript_budget_tokens,
            "trigger_tokens": budget.trigger_tokens,
            "backstop_tokens": budget.backstop_tokens,
            "boundary_floor_tokens": budget.boundary_floor_tokens,
            "tail_tokens": budget.tail_tokens,
            "record_tokens": budget.record_tokens,
        },
        "settings": document,
        "sentences": {heading: list(lines) for heading, lines in sentences.items()},
        "notes": [*budget.adjusted, *([warning] if warning else []), *_unused(policy)],
        "problems": list(_problems(policy)),
    }


def _basis(policy: Policy) -> tuple[Basis, str]:
    from clew.policy.explain import Basis
    from clew.session.windows import chosen_budget

    budget, source, warning = chosen_budget(policy, policy.model or None)
    measured = budget.prefix_tokens is None
    resolved = budget.resolve(prefix_tokens=0 if measured else None)
    where = f"{source}, of {policy.model}" if source == "catalogue" else source
    return Basis(budget=resolved, window_source=where, prefix_measured=measured), warning


def _require_room(policy: Policy) -> None:
    """Refuse a window in which a record with nothing in it, and the tail, leave nothing to free.

    Raises BudgetError with the arithmetic.
    """
    from clew.counters import resolve_counter
    from clew.errors import BudgetError
    from clew.record.record import HandoffRecord
    from clew.record.view import render_record

    counter = resolve_counter(None, policy.model or None)
    record = render_record(
        HandoffRecord(), kinds=policy.kinds, counter=counter, target_tokens=1, goal_in_head=True
    )
    budget = _basis(policy)[0].budget
    room = budget.transcript_budget_tokens
    if room <= record.tokens:
        raise BudgetError(
            "the window cannot hold even a record with nothing in it",
            arithmetic=f"transcript budget {room:,} of a window of {budget.window_tokens:,} <= "
            f"empty record {record.tokens:,} tokens",
        )
    if record.tokens + budget.tail_tokens >= budget.trigger_tokens:
        raise BudgetError(
            "what a compaction leaves is not below the trigger, so every call would compact again",
            arithmetic=f"empty record {record.tokens:,} + tail {budget.tail_tokens:,} >= trigger "
            f"{budget.trigger_tokens:,} tokens, of a window of {budget.window_tokens:,}",
        )


def _unused(policy: Policy) -> Iterator[str]:
    """Settings that only count where the program names a model itself."""
    from clew.policy import CallLimits
    from clew.policy.spec import OFFLINE
    from clew.record.kinds import BUILT_IN

    if policy.summarizer != OFFLINE:
        return
    stated = [
        name
        for name, given in (
            ("instructions", bool(policy.instructions.strip())),
            ("limits", policy.limits != CallLimits()),
        )
        if given
    ]
    if stated:
        yield (
            f"No summarizer is named, so {' and '.join(stated)} count only where the program that "
            f"uses this policy names one."
        )
    if any(kind.scope or kind.required for kind in policy.kinds.kinds[len(BUILT_IN) :]):
        yield (
            "The offline summarizer fills no kind of the domain: items of those come from a model "
            "or from session.note()."
        )


_PACKAGES = {"openai": "openai", "anthropic": "anthropic", "gemini": "google.genai"}


def _problems(policy: Policy) -> Iterator[str]:
    """Models that could not be called from here; looked up, since loading a client takes long."""
    from clew.clients import PROVIDERS
    from clew.policy.spec import OFFLINE

    for name in (policy.summarizer, policy.fallback):
        provider = name.partition(":")[0]
        if name in ("", OFFLINE):
            continue
        if provider not in PROVIDERS:
            yield f"{name} cannot be called: the providers are {', '.join(PROVIDERS)}"
        elif not _installed(_PACKAGES[provider]):
            yield (
                f"{name} cannot be called: the package {_PACKAGES[provider]!r} is missing; install "
                f"it with: pip install 'clew[{provider}]'"
            )


def _installed(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:
        return False


def _show(policy: Policy, found: dict[str, Any]) -> None:
    say(f"{policy.name} version {policy.version}, digest {policy.digest[:12]}")
    for heading, lines in found["sentences"].items():
        say("", heading, *(f"  {line}" for line in lines))
    if found["notes"]:
        say("", "Notes", *(f"  {line}" for line in found["notes"]))
    if found["problems"]:
        say("", "Problems", *(f"  {line}" for line in found["problems"]))
