"""What a function of an author's is given of one call: who calls, with which memory, and what the client answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from remember.accessor import Remember
from remember.caller import Caller
from remember.errors import RememberNotInstalled
from remember.owned import Memory
from remember.stores.base import Store
from remember.tools.asking import Conversation

if TYPE_CHECKING:
    from remember.notebook.notebook import Notebook


@dataclass(frozen=True, slots=True)
class Context:
    """One call: who calls which tool of which app, and the memory that the app was given.

    A prompt stands in for a tool as `prompts/<name>`, a resource as `resources/<name>`; no tool has such a name.
    """

    caller: Caller
    app_id: str
    tool_name: str
    memory: Memory | None = field(repr=False)
    conversation: Conversation = field(default=Conversation(), repr=False)

    @property
    def answers(self) -> Mapping[str, Any]:
        """What the client answered to the questions of the `Ask` before; empty at the first call."""
        return self.conversation.answers

    @property
    def state(self) -> Any:
        """What that `Ask` was raised with."""
        return self.conversation.state

    @property
    def unasked(self) -> Mapping[str, Any]:
        """Answers to questions that nothing shows this server to have asked: worth no more than an argument."""
        return self.conversation.unasked

    def declares(self, capability: str) -> bool:
        """Whether the client can do this: elicitation (by a form), sampling, roots."""
        return self.conversation.declares(capability)

    async def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Tell how far the work is, where the client wants to know; `done` has to increase."""
        await self.conversation.progress(done, total, message)

    @property
    def remember(self) -> Remember:
        """The caller's accessor.

        Raises:
            RememberNotInstalled: neither the app nor the handler has the plugin.
        """
        if self.memory is None:
            raise RememberNotInstalled
        return Remember(self.memory, self.caller, f"{self.app_id}:{self.tool_name}")

    @property
    def notebook(self) -> Notebook:
        """The caller's notes.

        Raises:
            RememberNotInstalled: as for `remember`.
        """
        if self.memory is None:
            raise RememberNotInstalled
        from remember.notebook.notebook import Notebook  # noqa: PLC0415  lazy: only a call about notes needs it

        return Notebook(self.memory, self.caller, f"{self.app_id}:{self.tool_name}")

    @property
    def store(self) -> Store:
        """The plugin's raw store: what lies there is sealed.

        Raises:
            RememberNotInstalled: as for `remember`.
        """
        if self.memory is None:
            raise RememberNotInstalled
        return self.memory.store


CALL = "remember.call"
"""Where in the ASGI scope of a request to the official SDK's server its Context of ours lies."""


class SdkContext(Protocol):
    """The official SDK's `Context`, which holds the request that a call came with."""

    @property
    def request_context(self) -> Any: ...


class SdkRequestContext(Protocol):
    """The same one floor lower: the `ServerRequestContext` that a handler of the SDK's low-level Server is given."""

    @property
    def request(self) -> Any: ...


AnyContext = Context | SdkContext | SdkRequestContext


def get_remember(context: AnyContext) -> Remember:
    """The call's accessor; RememberNotInstalled where there is none."""
    return _call_of(context).remember


def get_notebook(context: AnyContext) -> Notebook:
    """The caller's notes; RememberNotInstalled where there is no memory."""
    return _call_of(context).notebook


def try_get_remember(context: AnyContext) -> Remember | None:
    """The call's accessor, or None where there is none."""
    try:
        return _call_of(context).remember
    except RememberNotInstalled:
        return None


def _call_of(context: AnyContext) -> Context:
    """Our own Context; for one of the SDK's, what the gate laid into the scope of its request, which no client can."""
    if isinstance(context, Context):
        return context
    try:
        inner: Any = getattr(context, "request_context", context)
        call = inner.request.scope.get(CALL)
    except (AttributeError, ValueError):  # no request over HTTP, or none at all
        raise RememberNotInstalled from None
    if not isinstance(call, Context):
        raise RememberNotInstalled
    return call
