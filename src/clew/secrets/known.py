"""The patterns of the detect-secrets package, for the providers they know.

Its own scan costs about a millisecond a line and its entropy detectors take ordinary words for
secrets, so only the patterns of its provider detectors are used, and only at words that begin as
the tokens of the provider do. The package is loaded when such a word turns up for the first time.
"""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Iterator
from functools import cache

from clew.secrets.found import Found

_DETECTORS = (
    ("ArtifactoryDetector", "artifactory", r"AKC", "artifactory-key"),
    ("AWSKeyDetector", "aws", r"A(?:3T[A-Z0-9]|BIA|CCA|KIA|SIA)[0-9A-Z]{16}", "aws-key"),
    ("AzureStorageKeyDetector", "azure_storage_key", r"(?<=AccountKey=)", "azure-key"),
    ("DiscordBotTokenDetector", "discord", r"[MNO][\w-]{23,25}\.[\w-]{6}\.", "discord-token"),
    ("GitHubTokenDetector", "github_token", r"gh[pousr]_", "github-token"),
    ("GitLabTokenDetector", "gitlab_token", r"gl[a-z]{1,6}-|GR1348941", "gitlab-token"),
    ("MailchimpDetector", "mailchimp", r"[0-9a-z]{32}-us\d", "mailchimp-key"),
    ("NpmDetector", "npm", r"(?<=_authToken=)", "npm-token"),
    ("OpenAIDetector", "openai", r"sk-[\w-]*T3BlbkFJ", "openai-key"),
    ("PypiTokenDetector", "pypi_token", r"pypi-AgE", "pypi-token"),
    ("SendGridDetector", "sendgrid", r"(?<=SG\.)[\w-]{22}\.", "sendgrid-key"),
    ("SlackDetector", "slack", r"(?i:xox[abpors]-)", "slack-token"),
    ("SquareOAuthDetector", "square_oauth", r"sq0csp-", "square-key"),
    ("StripeDetector", "stripe", r"[rs]k_live_", "stripe-key"),
    ("TelegramBotTokenDetector", "telegram_token", r"(?<=\d{8}:)AA[\w-]{33}", "telegram-token"),
    ("TwilioKeyDetector", "twilio", r"(?:AC|SK)[a-z0-9]{32}(?![\w-])", "twilio-key"),
)
_BEGINNINGS = re.compile("|".join(f"({row[2]})" for row in _DETECTORS), re.ASCII)
_BEFORE, _BEHIND = 40, 480
_WORD = re.compile(r"[A-Za-z0-9_-]")


@cache
def _denylist(number: int) -> tuple[re.Pattern[str], ...]:
    """The patterns of one detector; none where the package cannot be loaded."""
    class_name, module, _, _ = _DETECTORS[number]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            loaded = importlib.import_module(f"detect_secrets.plugins.{module}")
        return tuple(getattr(loaded, class_name).denylist)
    except (ImportError, AttributeError):
        return ()


def known_to_providers(text: str, start: int, end: int) -> Iterator[Found]:
    """What the detector of a single provider finds at the word from `start` to `end`."""
    beginning = _BEGINNINGS.match(text, start)
    if beginning is None:
        return
    number = (beginning.lastindex or 1) - 1
    window = (max(0, start - _BEFORE), min(len(text), max(end, start + _BEHIND)))
    for pattern in _denylist(number):
        for found in pattern.finditer(text, *window):
            group = next((g for g in range(1, (found.lastindex or 0) + 1) if found[g]), 0)
            yield from _trimmed(text, found.span(group), (start, end), _DETECTORS[number][3])


def _trimmed(text: str, span: tuple[int, int], word: tuple[int, int], kind: str) -> Iterator[Found]:
    """The finding without the quotes and signs around it, when it is about this word."""
    start, end = span
    while start < end and text[start] in " \t\r\n=:\"'":
        start += 1
    while start < end and text[end - 1] in " \t\r\n\"'":
        end -= 1
    if start >= word[1] or end <= word[0]:
        return
    joined = start > word[0]
    runs_on = end < len(text) and _WORD.match(text, end) is not None
    if any(char.isdigit() for char in text[start:end]) and not joined and not runs_on:
        yield Found(start=start, end=end, kind=kind)
