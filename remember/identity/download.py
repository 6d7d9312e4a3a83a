"""Fetches a small document over HTTPS: no redirect, one deadline, a bounded size, off the event loop."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from remember.settings import is_web_url

if TYPE_CHECKING:
    from http.client import HTTPResponse

MAX_BYTES = 1024 * 1024


class FetchFailed(OSError):
    """A document could not be had. The message says why, without the address."""


async def download(url: str, *, deadline: float) -> bytes:
    """The document at `url`, within `deadline` seconds.

    Raises:
        FetchFailed: for whatever reason.
    """
    if not is_web_url(url):
        raise FetchFailed("the address is not an https:// one")
    return await asyncio.to_thread(_download, url, deadline)


def _download(url: str, deadline: float) -> bytes:
    from http.client import HTTPException  # noqa: PLC0415  lazy: nobody pays for HTTP who has no identity provider
    from urllib.request import HTTPHandler, HTTPSHandler, OpenerDirector, ProxyHandler, Request  # noqa: PLC0415  as above

    until = time.monotonic() + deadline  # a stopwatch: the clock decides what has expired, and can be moved
    # Built by hand, so that there is nothing in it that follows a redirect or opens file: and ftp:.
    opener = OpenerDirector()
    this_machine = urlsplit(url).scheme == "http"
    for handler in (HTTPHandler(), HTTPSHandler(), ProxyHandler({} if this_machine else None)):
        opener.add_handler(handler)
    request = Request(url, headers={"Accept": "application/json", "User-Agent": "remember"})  # noqa: S310  checked above
    try:
        with opener.open(request, timeout=deadline) as response:
            return _read(response, until)
    except FetchFailed:
        raise
    except TimeoutError:
        raise FetchFailed("it took too long") from None
    except (OSError, HTTPException, ValueError) as exc:
        raise FetchFailed(f"the connection failed ({type(exc).__name__})") from None


def _read(response: HTTPResponse, until: float) -> bytes:
    if response.status != 200:
        raise FetchFailed(f"it answered with status {response.status}")
    body = bytearray()
    while chunk := response.read1(65536):
        body += chunk
        if len(body) > MAX_BYTES:
            raise FetchFailed(f"it answered with more than {MAX_BYTES} bytes")
        if time.monotonic() > until:  # a server that sends a byte a second never meets the socket's timeout
            raise FetchFailed("it took too long")
    return bytes(body)
