"""The four memory tools as they are, to be listed in an app by hand: never prefixed, for every scope."""

from remember.tools import Wording, memory_tools

remember_this, recall, forget, list_memories = memory_tools(Wording())
