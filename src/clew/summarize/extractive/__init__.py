"""The offline summarizer: deterministic, extractive, verbatim quotes with provenance."""

from clew.summarize.extractive.cues import Cues, compile_cues, read_cue_file
from clew.summarize.extractive.summarizer import ExtractiveSummarizer

__all__ = ["Cues", "ExtractiveSummarizer", "compile_cues", "read_cue_file"]
