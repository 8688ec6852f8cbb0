"""Where the program starts and where everything that goes wrong becomes one line and a number.

Exit codes: 0 success, 1 a gate or check failed, 2 bad usage or unreadable input, 130 interrupted.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Sequence

from clew.errors import ClewError

EXIT_BAD = 2
EXIT_INTERRUPTED = 130
DEBUG = "CLEW_DEBUG"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; only `CLEW_DEBUG=1` shows a traceback."""
    _tolerate_any_text()
    if sys.stdout is None:  # a shell can start a program with its streams closed
        sys.stderr.write("clew: standard output is closed; there is nowhere to write the answer\n")
        return EXIT_BAD
    try:
        code = _run(sys.argv[1:] if arguments is None else list(arguments))
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has gone; what is still buffered must not raise again at exit.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except Exception as error:
        if os.environ.get(DEBUG) == "1":
            raise
        if type(error).__name__ == "Abort":
            return EXIT_INTERRUPTED
        sys.stderr.write(f"clew: {_one_line(sentence(error))}\n")
        return EXIT_BAD
    return code


def _run(arguments: list[str]) -> int:
    """Run the command itself: the parser's own main answers a closed pipe and usage its own way."""
    import typer

    from clew.cli.app import command

    program = command()
    try:
        with program.make_context("clew", arguments or ["--help"]) as context:
            result = program.invoke(context)
    except typer.Exit as finished:
        return finished.exit_code
    return result if isinstance(result, int) else 0


def sentence(error: Exception) -> str:
    """What went wrong, in words for a person who has never seen the source."""
    if isinstance(error, ClewError):
        return str(error)
    if hasattr(error, "format_message"):  # bad usage, as the option parser says it
        message: str = error.format_message()
        hint = getattr(getattr(error, "ctx", None), "command_path", "clew")
        return f"{message} (see {hint} --help)"
    if isinstance(error, ModuleNotFoundError):
        return f"the package {error.name!r} is missing; install clew again to get it"
    if isinstance(error, OSError):
        name = f"{error.filename}: " if error.filename else ""
        return f"{name}{error.strerror or error}"
    if isinstance(error, MemoryError):
        return "not enough memory"
    return f"{type(error).__name__}: {error} (unexpected; {DEBUG}=1 shows where)"


def _one_line(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in " ".join(text.split()))


def _tolerate_any_text() -> None:
    """Recordings hold text that a terminal cannot encode; it is shown escaped."""
    if sys.stderr is None:
        sys.stderr = io.TextIOWrapper(io.BytesIO())  # said to nobody
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
