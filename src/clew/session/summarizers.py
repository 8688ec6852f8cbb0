"""From the caller's word for a summarizer to the summarizer."""

from __future__ import annotations

from clew.clients import resolve_client
from clew.errors import PolicyError
from clew.policy import Policy
from clew.ports import Store
from clew.record.delta import Delta
from clew.session.summarizing import Summarizing
from clew.session.windows import catalogue_of
from clew.summarize.model import ModelSummarizer
from clew.summarize.request import Summarizer, SummaryRequest
from clew.verify import Severity, verify_delta


def resolve_summarizer(
    chosen: str | Summarizer | None, policy: Policy | None, store: Store
) -> Summarizing:
    """The summarizer to use, with the offline one behind it.

    `extractive` (or None) is the offline one; `provider:model` a model through clew.clients; any
    object with `name` and `propose` is taken as it is. Raises PolicyError for anything else, and
    MissingExtraError when the provider's package is not installed.
    """
    if chosen == "extractive" and policy is not None and policy.summarizer != "extractive":
        chosen = policy.summarizer
    if chosen is None or chosen == "extractive":
        return Summarizing()
    if isinstance(chosen, str):
        return Summarizing(model_summarizer(chosen, store, policy))
    if not (hasattr(chosen, "name") and callable(getattr(chosen, "propose", None))):
        raise PolicyError(
            f"{type(chosen).__name__} has no `name` and `propose`", where="summarizer"
        )
    return Summarizing(chosen)


def model_summarizer(name: str, store: Store, policy: Policy | None = None) -> ModelSummarizer:
    """The summarizer for `provider:model`; its breaker and its answers live in the store.

    The policy brings a second model, limits and prices.
    """
    if ":" not in name:
        raise PolicyError(
            f"{name!r} is no summarizer; use 'extractive' or 'provider:model'", where="summarizer"
        )
    prices = catalogue_of(policy)
    second = policy.fallback if policy is not None and policy.fallback != name else ""
    return ModelSummarizer(
        resolve_client(name, prices=prices),
        resolve_client(second, prices=prices) if second else None,
        limits=policy.limits if policy is not None else None,
        check=findings_of,
        recollect=store.recollect,
        remember=store.remember,
        prices=prices,
    )


def findings_of(delta: Delta, request: SummaryRequest) -> list[str]:
    """What verification has against a delta, for the one repair round."""
    verdict = verify_delta(delta, request, request.kinds)
    return [
        f"{finding.item}: {finding.problem}" if finding.item else finding.problem
        for finding in verdict.findings
        if finding.severity is not Severity.NOTE
    ]
