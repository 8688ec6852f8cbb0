"""What a policy will do, in sentences with its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from clew.budget import ResolvedBudget
from clew.policy.boundaries import DETECTED
from clew.policy.probes import Place
from clew.policy.spec import OFFLINE, Policy
from clew.record.kinds import BUILT_IN, Kind, Proof

Sentences = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """What a policy is explained with: its budget in tokens, and where the window is from."""

    budget: ResolvedBudget
    window_source: str
    prefix_measured: bool = True


def explained(policy: Policy, basis: Basis) -> Mapping[str, Sentences]:
    """Sentences by heading, in the order in which a person asks."""
    return {
        "Window": tuple(_window(basis)),
        "When it acts": tuple(_when(policy, basis.budget)),
        "Good moments": tuple(_moments(policy)),
        "What always stays": tuple(_stays(policy, basis.budget)),
        "What is kept in the record": tuple(_kinds(policy)),
        "What is evicted": tuple(_eviction(policy, basis.budget)),
        "Which model is called": tuple(_models(policy, basis.budget)),
        "Probes": tuple(_probes(policy)),
    }


def _window(basis: Basis) -> Iterator[str]:
    b = basis.budget
    yield f"The window has {b.window_tokens:,} tokens ({basis.window_source})."
    prefix = (
        "what system and tools take is measured at each call and comes off"
        if basis.prefix_measured
        else f"{b.prefix_tokens:,} are set aside for system and tools"
    )
    aside = [("output", b.output_reserve_tokens), ("a plan", b.plan_tokens),
             ("retrieval", b.retrieval_tokens)]  # fmt: skip
    kept = ", ".join(f"{tokens:,} for {what}" for what, tokens in aside if tokens)
    yield (
        f"{f'Set aside: {kept}; ' if kept else ''}{prefix}. "
        f"{b.transcript_budget_tokens:,} tokens are left for the transcript"
        f"{', less that' if basis.prefix_measured else ''}."
    )


def _when(policy: Policy, b: ResolvedBudget) -> Iterator[str]:
    limit = b.transcript_budget_tokens
    if policy.cost_rule:
        yield (
            "Compaction is armed, however empty the window is, as soon as carrying the tokens "
            "beyond the floor has cost as much as a compaction takes to set up. Once that has "
            "cost as much again, it waits for a good moment no longer."
        )
    yield (
        f"A boundary that the caller signals arms it from {b.boundary_floor_tokens:,} tokens up."
    )
    yield (
        f"At the trigger of {b.trigger_tokens:,} tokens it is armed in any case, and waits for a "
        f"good moment."
    )
    yield f"At the backstop of {b.backstop_tokens:,} tokens it waits for none."
    if policy.warn_at:
        near = int(b.trigger_tokens * policy.warn_at)
        yield f"Whoever listens for events is told at {near:,} tokens that the trigger is near."
    yield (
        f"After one, {int(limit * policy.cooldown):,} new tokens have to come before the next"
        f"{', fewer where carrying has paid for it' if policy.cost_rule else ''}; one that would "
        f"free less than {max(1, int(limit * policy.min_reclaim)):,} is not made."
    )


def _moments(policy: Policy) -> Iterator[str]:
    rules = policy.boundaries
    named = ", ".join(b.value.replace("_", " ") for b in rules.detect) or "none"
    yield f"Seen by itself: {named}. Any boundary that the caller signals counts too."
    if missing := [b.value.replace("_", " ") for b in DETECTED if b not in rules.detect]:
        yield f"Not a good moment here: {', '.join(missing)}."
    for tool, boundary in rules.tools:
        yield f"A call of {tool} that ended well is one ({boundary.value.replace('_', ' ')})."


def _stays(policy: Policy, b: ResolvedBudget) -> Iterator[str]:
    yield "The goal, word for word; pinned texts and messages; a call whose result is open."
    yield (
        f"The newest {b.tail_messages} messages, up to {b.tail_tokens:,} tokens; the record, about "
        f"{b.record_tokens:,} tokens, of which at most {policy.view.index_share:.0%} go to the "
        f"index of the archive while items need room."
    )
    protected = ", ".join(k.name.replace("_", " ") for k in policy.kinds.kinds if k.protected)
    yield f"Of these kinds at least one line of each open item: {protected}."
    yield "Everything else is in the archive and comes back by its handle or by search."
    if policy.hints:
        yield "Answers of the search tools name the handle of what the newest message asks for."


def _kinds(policy: Policy) -> Iterator[str]:
    names = ", ".join(kind.name.replace("_", " ") for kind in BUILT_IN)
    yield f"{len(BUILT_IN)} kinds are built in: {names}."
    for kind in policy.kinds.kinds:
        if kind not in BUILT_IN:
            yield " ".join(_kind(kind))


_PROOFS = {
    Proof.CITED: "A model has to cite a span.",
    Proof.QUOTE: "A model has to quote a span word for word.",
    Proof.USER: "Only the user's own words make one; a model has to quote them.",
    Proof.TOOL: "Only a tool's result makes one; a model has to quote it.",
}


def _kind(kind: Kind) -> Iterator[str]:
    yield f"{kind.name} ({kind.letter}-1, under {kind.heading!r}): {kind.rule.rstrip('.')}."
    if kind.required:
        yield f"Required: {', '.join(kind.required)}."
    if kind.optional:
        yield f"Optional: {', '.join(kind.optional)}."
    yield _PROOFS[kind.evidence]
    if kind.protected:
        yield "Protected."
    if kind.opens or kind.accountable:
        yield "Open until closed with evidence." if kind.accountable else "Open until closed."
    if kind.keyed:
        yield "A later one with the same key takes the place of the earlier."
    if kind.scope:
        yield (
            f"Each counts for one {kind.scope} alone, which the quoted words or the question just "
            f"before have to name; it is shown with it and never moved to another."
        )
    if kind.used_by:
        yield f"A call of {' or '.join(kind.used_by)} that names the {kind.scope} uses it up."
    if kind.line:
        yield f"Reads as: {kind.line}"


def _eviction(policy: Policy, b: ResolvedBudget) -> Iterator[str]:
    rules = policy.eviction
    if not rules.enabled:
        yield "Nothing is evicted; only what does not fit otherwise is shortened."
        return
    part = int(b.transcript_budget_tokens * rules.part_share)
    yield f"One part above {part:,} tokens goes behind a handle when it comes."
    yield (
        f"While compaction waits, stale and repeated results go behind handles where that pays for "
        f"the rewritten cache; not those of the newest {rules.keep_exchanges} exchanges."
    )
    yield f"A stub takes {rules.stub_tokens} tokens, or up to a quarter of a large result."
    if rules.keep_tools:
        yield f"Results of {', '.join(rules.keep_tools)} stay."


def _models(policy: Policy, b: ResolvedBudget) -> Iterator[str]:
    if policy.summarizer == OFFLINE:
        yield "None. The offline summarizer makes the record, the same for the same history."
        return
    limits = policy.limits
    yield (
        f"{policy.summarizer} is asked at each compaction, with at most about "
        f"{max(0, b.backstop_tokens - b.tail_tokens):,} tokens of history before the backstop"
        f"{', in the background once compaction is armed' if policy.prefetch else ''}."
    )
    yield (
        f"At most {limits.per_compaction} calls a compaction (history in up to {limits.parts} "
        f"parts, {limits.repairs} repair, {limits.retries} retries), {limits.per_hour} an hour, "
        f"{limits.per_run} a run."
    )
    if policy.fallback:
        yield f"When it fails, {policy.fallback} is asked, within the same limits."
    yield (
        f"After {limits.failures} failures in a row a model is left alone for "
        f"{limits.cooldown_seconds:,.0f} seconds, then longer. The offline summarizer is always "
        f"there, and accounts for whatever a model leaves out."
    )
    if policy.instructions.strip():
        yield f"It is told: {' '.join(policy.instructions.split())}"


def _probes(policy: Policy) -> Iterator[str]:
    if not policy.probes:
        yield "None."
    for probe in policy.probes:
        words = " or ".join(repr(each) for each in probe.expect)
        place = (
            "in the context"
            if probe.where is Place.CONTEXT
            else "in the context or found by a search of the archive"
        )
        yield f"After every fold {words} has to be {place}, once it was said: {probe.ask}"
