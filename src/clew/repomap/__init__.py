"""A ranked structural map of a code base under a token budget; detail is fetched on demand."""

from __future__ import annotations

from clew.repomap.files import LARGEST_FILE_BYTES, MOST_FILES
from clew.repomap.languages import LANGUAGES, Language
from clew.repomap.outline import Outline, Symbol, Use
from clew.repomap.parsing import parser_installed
from clew.repomap.rendering import Ranked
from clew.repomap.repository_map import MAP_TOKENS, Refreshed, RepositoryMap
from clew.repomap.touched import Touched, touched_by

__all__ = [
    "LANGUAGES",
    "LARGEST_FILE_BYTES",
    "MAP_TOKENS",
    "MOST_FILES",
    "Language",
    "Outline",
    "Ranked",
    "Refreshed",
    "RepositoryMap",
    "Symbol",
    "Touched",
    "Use",
    "parser_installed",
    "touched_by",
]
