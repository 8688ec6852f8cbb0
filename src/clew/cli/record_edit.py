"""`clew record edit`: open a handoff document in an editor and keep it only when it still reads."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from clew.cli.options import JsonOption
from clew.cli.screen import say, write_json
from clew.errors import ClewError, RecordError


def edit(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A handoff document, or a record in Markdown.")
    ],
    editor: Annotated[
        str | None, typer.Option(metavar="COMMAND", help="Else $VISUAL, else $EDITOR, else vi.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Edit a handoff document; what cannot be read is kept beside it and named with its line."""
    from clew.cli.record_diff import difference
    from clew.cli.records import read_record
    from clew.workdir import write_atomically

    before = read_record(str(file))
    command = editor or os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    handle, name = tempfile.mkstemp(prefix=f".{file.stem}-", suffix=".md", dir=file.parent)
    copy = Path(name)
    with os.fdopen(handle, "wb") as out:
        out.write(file.read_bytes())
    try:
        code = subprocess.run([*shlex.split(command), str(copy)], check=False).returncode
    except (OSError, ValueError) as error:
        copy.unlink()
        raise RecordError(f"the editor {command!r} could not be started ({error})") from error
    if code != 0:
        copy.unlink()
        raise RecordError(f"the editor ended with exit code {code}; {file} is as it was")
    try:
        _check(copy)
        after = read_record(str(copy))
    except ClewError as error:
        raise RecordError(f"{error}; {file} is as it was, your text is in {copy}") from error
    write_atomically(file, copy.read_bytes())
    copy.unlink()
    document = difference(before, after)
    if json:
        write_json(document)
    else:
        count = sum(len(document[name]) for name in ("added", "removed", "changed"))
        say(f"{file}: {count:,} items differ")


def _check(copy: Path) -> None:
    """Refuse a change of the goal that nobody signed, and books that do not balance."""
    from clew.document import read_handoff, reconcile

    text = copy.read_text(encoding="utf-8")
    if text.removeprefix("\ufeff").startswith("---"):
        reconcile(read_handoff(text), None)
