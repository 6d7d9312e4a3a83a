"""The four memory tools as they are, to be listed in an app by hand: never prefixed, for every scope."""

from remember.tools import Wording, tools_of

remember_this, recall, forget, list_memories = (make() for make in tools_of(Wording()).values())
