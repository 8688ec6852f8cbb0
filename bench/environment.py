"""The private environment of the benchmarks: third parties that the project itself never needs."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REQUIREMENTS = ROOT / "bench" / "requirements.txt"
INSIDE = "CLEW_BENCH_INSIDE"


def python_of_bench(requirements: Path = REQUIREMENTS) -> Path:
    """The interpreter of the environment, made when it is not there; hashes are required."""
    digest = hashlib.sha256(requirements.read_bytes()).hexdigest()[:12]
    folder = Path(tempfile.gettempdir()) / f"clew-bench-{digest}"
    python = folder / "bin" / "python"
    ready = folder / "ready"
    if not ready.exists():
        print(f"making {folder}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run(
            [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
             "--require-hashes", "-r", str(requirements)],
            check=True,
        )  # fmt: skip
        ready.touch()
    return python


def run_inside(module: str) -> None:
    """Run a module with the same arguments in that environment; the process ends with it."""
    if os.environ.get(INSIDE) == "1":
        return
    paths = [str(ROOT / "src"), str(ROOT)]
    settings = {**os.environ, INSIDE: "1", "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(
        [str(python_of_bench()), "-m", module, *sys.argv[1:]], cwd=ROOT, env=settings, check=False
    )
    raise SystemExit(done.returncode)
