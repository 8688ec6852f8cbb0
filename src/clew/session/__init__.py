"""The session: one agent's context, prepared call by call."""

from clew.session.aio import AsyncSession
from clew.session.notes import Delegation
from clew.session.session import Session, SessionBase
from clew.session.status import Status

__all__ = ["AsyncSession", "Delegation", "Session", "SessionBase", "Status"]
