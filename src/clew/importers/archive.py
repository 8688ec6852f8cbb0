"""The archive in which Inspect keeps a log: a zip of one header and one file a sample."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

from clew.errors import ImportSourceError

ZIP_MARK = b"PK\x03\x04"
_LARGEST_BYTES = 512 * 1024 * 1024


def unpacked(name: str, raw: bytes) -> str:
    """The JSON document that a log archive stands for.

    Raises ImportSourceError when the archive is damaged, too large, or holds no samples.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            return json.dumps(_document(name, archive))
    except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError, RuntimeError) as problem:
        raise ImportSourceError(
            name, f"a damaged zip archive ({problem}); expected a log of Inspect"
        ) from problem
    except (ValueError, RecursionError) as problem:
        raise ImportSourceError(
            name, "a zip archive whose samples are no JSON; expected a log of Inspect"
        ) from problem


def _document(name: str, archive: zipfile.ZipFile) -> dict[str, Any]:
    members = sorted(n for n in archive.namelist() if n.startswith("samples/") and "." in n)
    if not members:
        raise ImportSourceError(
            name, "a zip archive without samples/*.json; expected a log of Inspect"
        )
    # The sizes stand in the archive's directory, so that a bomb is refused unopened.
    if sum(archive.getinfo(n).file_size for n in members) > _LARGEST_BYTES:
        raise ImportSourceError(
            name, f"a zip archive that unpacks to more than {_LARGEST_BYTES:,} bytes; expected less"
        )
    samples = [json.loads(archive.read(member)) for member in members]
    header = json.loads(archive.read("header.json")) if "header.json" in archive.namelist() else {}
    outer = header if isinstance(header, dict) else {}
    return {"eval": {}, **outer, "samples": samples}
