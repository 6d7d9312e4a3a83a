"""The password in a URL, and nothing else of it."""

from __future__ import annotations

from collections.abc import Iterator

from remember.text.late import Late
from remember.text.secret_looks import is_placeholder

_RUN = Late(r"[^\s\"'<>`]{1,256}")
_AUTHORITY_END = Late(r"[/?#]")
_PORT = Late(r"\d{1,5}(?:[/?#,]|$)")


def url_passwords(text: str) -> Iterator[tuple[int, int]]:
    """Where passwords stand: between the first colon of `user:password@host` and its last at sign.

    A password may hold `@` and, where somebody forgot to encode it, `/`, `?` or `#`.
    """
    at = text.find("://")
    while at >= 0:
        start = at + 3
        run = _RUN.match(text, start) if at and text[at - 1].isalnum() else None
        if run:
            span = _password(run[0])
            if span and not is_placeholder(run[0][span[0] : span[1]]):
                yield start + span[0], start + span[1]
        at = text.find("://", start)


def _password(run: str) -> tuple[int, int] | None:
    run = run.split("://", 1)[0]  # of two URLs in one run, the first
    colon, sign = run.find(":"), run.rfind("@")
    if not 0 <= colon < sign - 1 or _AUTHORITY_END.search(run, 0, colon) or _PORT.match(run, colon + 1):
        return None
    end = _AUTHORITY_END.search(run, colon)
    inside = run.rfind("@", colon, end.start()) if end else sign
    if inside > colon + 1:
        return colon + 1, inside
    return colon + 1, sign
