"""What a person finds at `GET /`, and what a monitor finds at `GET /health`. Neither holds a secret."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from remember.app import Catalog
from remember.clock import Clock
from remember.errors import ConfigurationError, StoreUnavailable
from remember.flight import Flight
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


def missing_model(settings: Settings, families: Iterable[str]) -> str | None:
    """Why notes are found by their words alone, where they are; None where none are offered, or the model is sound.

    The weights are read and checked for it, once in a process, and neither numpy nor the model is loaded.
    """
    if "notes" not in families:
        return None
    from remember.text.embedding import problem  # noqa: PLC0415  lazy: only a look at the health needs it

    reason = problem(settings.model)
    return None if reason is None else f"REMEMBER_MODEL: notes are found by their words alone, as {reason}"


class Health:
    """Says what works. Looks at the stores at most once in ten seconds, however many ask."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._stores: tuple[Store, ...] = ()
        self._looked_at: int | None = None
        self._looks: list[tuple[str, Look]] = []
        self._flight = Flight(self._look)

    async def report(
        self, catalog: Catalog, problems: Iterable[ConfigurationError], identity: Iterable[str]
    ) -> Response:
        """200 where everything works, else 503; what is wrong stands in `problems` and `store_problems`."""
        sentences = [str(problem) for problem in problems]
        await self._look_if_it_is_time(catalog)
        states = {name: look.state for name, look in self._looks if look.state == "ok"}
        states |= {name: look.state for name, look in self._looks if look.state != "ok"}  # of one kind, the worst
        missing = missing_model(self._settings, catalog.families)
        working = not sentences and all(state == "ok" for state in states.values())
        content: dict[str, Any] = {
            "status": "ok" if working else "failing",
            "version": VERSION,
            "protocol": PROTOCOL,
            "platform": self._settings.platform,
            "identity": list(identity),
            "store": states,
            "store_problems": [look.problem for _, look in self._looks if look.problem],
            "encryption": self._settings.encryption,
            "previous_secrets": len(self._settings.previous_secrets),
            "families": sorted(catalog.families),
            "model": "missing" if missing else "sound",
            "problems": sentences,
            "warnings": [
                *self._settings.warnings,
                *weak_points(self._settings),
                *([missing] if missing else []),
            ],
        }
        return json_response(200 if working else 503, content)

    async def _look_if_it_is_time(self, catalog: Catalog) -> None:
        self._stores = tuple({id(memory.store): memory.store for memory in catalog.memories}.values())
        if self._looked_at is None or self._clock() - self._looked_at >= _CHECK_EVERY_MS:
            await self._flight.join()

    async def _look(self) -> None:
        looks = [(store.name, await look_at(store, self._settings.key_prefix)) for store in self._stores]
        self._looks, self._looked_at = looks, self._clock()


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
