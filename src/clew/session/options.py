"""What a session is made with: each thing of a kind that can be meant, or one clear error."""

from __future__ import annotations

from clew.errors import PolicyError
from clew.policy import Policy

_WANTED = {
    "goal": ("a text", ()),
    "session_id": ("a text", ()),
    "model": ("a text", ()),
    "store": ("a path, a URL or a Store", ("find", "commit", "notes")),
    "counter": ("a name or a TokenCounter", ("count_text", "count_texts")),
    "embedder": ("a name or an Embedder", ("embed",)),
    "redactor": ("a Redactor", ("redact",)),
    "events": ("something that can be called", ("__call__",)),
}
_NEVER_TEXT = frozenset(("redactor", "events"))


def require_options(**given: object) -> None:
    """Raise PolicyError for a value that is neither None nor of the kind that its name wants."""
    policy = given.pop("policy", None)
    if policy is not None and not isinstance(policy, Policy):
        raise PolicyError(f"is a {type(policy).__name__}; use Policy.load for a document")
    for name, value in given.items():
        wanted, methods = _WANTED[name]
        if value is None or (isinstance(value, str) and name not in _NEVER_TEXT):
            continue
        if methods and all(callable(getattr(value, method, None)) for method in methods):
            continue
        raise PolicyError(f"is of type {type(value).__name__}; expected {wanted}", where=name)
