"""The work directory: the record as files that an agent and a person can read and edit."""

from clew.workdir.checks import Checked, Verdict, not_run, run_check
from clew.workdir.directory import Synced, WorkDirectory
from clew.workdir.files import read_plain, write_atomically
from clew.workdir.merge import Conflict

__all__ = [
    "Checked",
    "Conflict",
    "Synced",
    "Verdict",
    "WorkDirectory",
    "not_run",
    "read_plain",
    "run_check",
    "write_atomically",
]
