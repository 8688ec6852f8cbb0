"""From the caller's word for a summarizer to the summarizer."""

from __future__ import annotations

from clew.errors import PolicyError
from clew.policy import Policy
from clew.ports import Store
from clew.session.summarizing import Summarizing
from clew.summarize.request import Summarizer


def resolve_summarizer(
    chosen: str | Summarizer | None, policy: Policy | None, store: Store
) -> Summarizing:
    """The summarizer to use, with the offline one behind it.

    `extractive` (or None) is the offline one; `provider:model` a model through clew.clients; any
    object with `name` and `propose` is taken as it is. Raises PolicyError for anything else.
    """
    if chosen == "extractive" and policy is not None and policy.summarizer != "extractive":
        chosen = policy.summarizer
    if chosen is None or chosen == "extractive":
        return Summarizing()
    if isinstance(chosen, str):
        raise PolicyError(
            f"{chosen!r} is no summarizer; use 'extractive' or 'provider:model'",
            where="summarizer",
        )
    if not (hasattr(chosen, "name") and callable(getattr(chosen, "propose", None))):
        raise PolicyError(
            f"{type(chosen).__name__} has no `name` and `propose`", where="summarizer"
        )
    return Summarizing(chosen)
