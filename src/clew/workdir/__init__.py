"""The work directory: the record as files that an agent and a person can read and edit."""

from clew.workdir.files import read_plain, write_atomically

__all__ = ["read_plain", "write_atomically"]
