"""Secrets in text, replaced by stable placeholders that say what stood there."""

from clew.secrets.redactor import ReversibleRedactor, SecretRedactor, placeholder

__all__ = ["ReversibleRedactor", "SecretRedactor", "placeholder"]
