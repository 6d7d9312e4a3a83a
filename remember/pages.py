"""What a person finds at `GET /`, and what a monitor finds at `GET /health`. Neither holds a secret."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from remember.app import Catalog
from remember.clock import Clock
from remember.errors import ConfigurationError, StoreUnavailable
from remember.keys import layout_key
from remember.protocol import VERSION as PROTOCOL
from remember.protocol import Response, json_response
from remember.settings import Settings
from remember.stores.base import Store
from remember.version import VERSION

_CHECK_EVERY_MS = 10_000
"""Anybody may ask for the health, and each look at the store is one that the owner pays for."""


class Look(NamedTuple):
    """What a store said to one read: `ok` or a StoreUnavailable's reason, and its sentence where there is one."""

    state: str
    problem: str | None = None


async def look_at(store: Store, key_prefix: str) -> Look:
    """Whether a store answers. Writes nothing; on a store that bills, one command."""
    try:
        await store.get(layout_key(key_prefix))
    except StoreUnavailable as exc:
        return Look(exc.reason, str(exc))
    return Look("ok")


def weak_points(settings: Settings) -> tuple[str, ...]:
    """What works and is worth a second thought, a sentence each."""
    weak = []
    if settings.anonymous:
        weak.append(
            "REMEMBER_ANONYMOUS is allow: whoever knows the address may read and write the memory that all share."
        )
    if not settings.encryption:
        weak.append("REMEMBER_ENCRYPTION is off: whoever can read the store can read what is remembered.")
    return tuple(weak)


class Health:
    """Says what works. Looks at each store at most once in ten seconds."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._checked: tuple[int, dict[str, Look]] | None = None

    async def report(
        self, catalog: Catalog, problems: Iterable[ConfigurationError], identity: Iterable[str]
    ) -> Response:
        """200 where everything works, else 503; what is wrong stands in `problems` and `store_problems`."""
        sentences = [str(problem) for problem in problems]
        stores = await self._stores(catalog)
        working = not sentences and all(look.state == "ok" for look in stores.values())
        content: dict[str, Any] = {
            "status": "ok" if working else "failing",
            "version": VERSION,
            "protocol": PROTOCOL,
            "platform": self._settings.platform,
            "identity": list(identity),
            "store": {name: look.state for name, look in stores.items()},
            "store_problems": [look.problem for look in stores.values() if look.problem],
            "encryption": self._settings.encryption,
            "previous_secrets": len(self._settings.previous_secrets),
            "problems": sentences,
            "warnings": [*self._settings.warnings, *weak_points(self._settings)],
        }
        return json_response(200 if working else 503, content)

    async def _stores(self, catalog: Catalog) -> dict[str, Look]:
        now = self._clock()
        if self._checked is None or now - self._checked[0] >= _CHECK_EVERY_MS:
            memories = [offered.memory for offered in catalog.tools.values() if offered.memory]
            stores = {id(memory.store): memory.store for memory in memories}
            prefix = self._settings.key_prefix
            looks = {store.name: await look_at(store, prefix) for store in stores.values()}
            self._checked = (now, looks)
        return self._checked[1]


def landing_page(endpoint: str, tools: Iterable[str]) -> Response:
    """A page that tells a person what they have found."""
    from html import escape  # noqa: PLC0415  lazy: only this page needs it

    names = ", ".join(f"<code>{escape(name)}</code>" for name in tools)
    html = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Remember</title><style>
body {{ font: 16px/1.6 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem;
  color: #222; background: #fff }}
code {{ background: #8882; padding: .1em .3em; border-radius: 4px; overflow-wrap: anywhere }}
@media (prefers-color-scheme: dark) {{ body {{ color: #ddd; background: #1b1b1b }} }}
</style></head><body>
<h1>Remember</h1>
<p>This is a private memory for AI agents. It is not a page to read: add its address to an MCP client,
with the credential that its owner gave you.</p>
<p>Address: <code>{escape(endpoint)}</code><br>
Transport: Streamable HTTP, MCP {PROTOCOL}<br>
Header: <code>Authorization: Bearer &lt;your credential&gt;</code></p>
<p>Tools: {names or "none"}. <a href="health">Health</a>.</p>
</body></html>
"""
    headers = (
        ("content-type", "text/html; charset=utf-8"),
        ("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
        ("x-content-type-options", "nosniff"),
        ("cache-control", "no-store"),
    )
    return Response(200, headers, html.encode())
