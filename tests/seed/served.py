"""An app served as a deployment would serve it, with two signed-in callers and one without a credential."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from remember import App, FetchHandler, Store, create_fetch_handler
from remember.app import PluginLike
from remember.clock import Clock
from tests.standins.client import Client

ANA_KEY = "a-key-that-only-ana-has"
BEN_KEY = "a-key-that-only-ben-has"
SECRET = "bench-secret-0123456789"
ENVIRON = {"REMEMBER_ANONYMOUS": "allow", "REMEMBER_SECRET": SECRET}


@dataclass(frozen=True)
class Served:
    """A handler and its callers."""

    handler: FetchHandler
    ana: Client
    ben: Client
    anonymous: Client


def serve(
    *apps: App,
    environ: Mapping[str, str] | None = None,
    plugins: Sequence[PluginLike] = (),
    store: Store | None = None,
    clock: Clock | None = None,
) -> Served:
    """A handler for `apps`; with none, for the plugins alone. `environ` is added to one that lets strangers in."""
    handler = create_fetch_handler(
        apps,
        environ={**ENVIRON, **(environ or {})},
        auth={"ana": ANA_KEY, "ben": BEN_KEY},
        plugins=plugins,
        store=store,
        clock=clock,
    )
    return Served(handler, Client(handler, ANA_KEY), Client(handler, BEN_KEY), Client(handler))
