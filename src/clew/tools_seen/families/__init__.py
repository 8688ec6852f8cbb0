"""One small table a tool family, and all of them together."""

from clew.tools_seen.families.coding_agents import CODING_AGENTS
from clew.tools_seen.families.commands import COMMANDS
from clew.tools_seen.families.generic import GENERIC
from clew.tools_seen.families.open_agents import OPEN_AGENTS
from clew.tools_seen.table import ToolTable

DEFAULT_TABLE = ToolTable((*CODING_AGENTS, *OPEN_AGENTS, *GENERIC), COMMANDS)

__all__ = ["CODING_AGENTS", "COMMANDS", "DEFAULT_TABLE", "GENERIC", "OPEN_AGENTS"]
