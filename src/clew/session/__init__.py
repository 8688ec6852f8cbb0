"""The session: one agent's context, prepared call by call."""

from clew.session.aio import AsyncSession
from clew.session.core import Status
from clew.session.notes import Delegation
from clew.session.session import Session, SessionBase

__all__ = ["AsyncSession", "Delegation", "Session", "SessionBase", "Status"]
