"""Which origins a browser may call from, and what it is told. Answered before anybody is asked for a credential."""

from __future__ import annotations

import re
from collections.abc import Mapping

from remember.protocol import Request

_HEADERS = (
    "authorization", "content-type", "accept", "mcp-protocol-version", "mcp-method", "mcp-name",
    "mcp-session-id", "last-event-id",  # of older clients: ignored, and no reason to stop them in the browser
)  # fmt: skip
_PARAMETER_HEADER = re.compile(r"mcp-param-[a-z0-9!#$%&'*+.^_`|~-]+")


class Origins:
    """The allowed origins; none named allows any, since a bearer credential is no cookie."""

    def __init__(self, allowed: tuple[str, ...]) -> None:
        self._allowed = allowed

    def allow(self, request: Request) -> bool:
        """Whether the request comes from an allowed origin, or from no browser at all."""
        origin = request.one("origin")
        return origin is None or not self._allowed or origin.lower() in self._allowed

    def headers(self, request: Request) -> Mapping[str, str]:
        """What every answer tells a browser, refusals too: without it a script cannot read why."""
        origin = request.one("origin")
        if origin is None or not self.allow(request):
            return {}
        exposed = {"access-control-expose-headers": "www-authenticate, retry-after"}
        if not self._allowed:
            return {"access-control-allow-origin": "*", **exposed}
        return {"access-control-allow-origin": origin, "vary": "Origin", **exposed}

    @staticmethod
    def preflight(request: Request) -> Mapping[str, str]:
        """What an OPTIONS request is told."""
        asked = (request.one("access-control-request-headers") or "").lower().split(",")
        parameters = [name.strip() for name in asked if _PARAMETER_HEADER.fullmatch(name.strip())]
        return {
            "access-control-allow-methods": "POST, GET, OPTIONS",
            "access-control-allow-headers": ", ".join([*_HEADERS, *parameters]),
            "access-control-max-age": "86400",
        }
