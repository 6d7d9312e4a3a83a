"""Whole private keys: from BEGIN to END, or to the end of the text where the end was cut off."""

from __future__ import annotations

from collections.abc import Iterator

from remember.text.late import Late

_BEGIN = "-----BEGIN "
_LABEL = Late(r"(?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
# A sentence may name the first line of a key; a key goes on with its headers or its body,
# or what was put in the place of a part of it.
_BODY = Late(r"(?:[\s>|*\"'+,]|\\[nrt]){0,40}(?:[A-Za-z][A-Za-z-]{2,20}: |[A-Za-z0-9+/=]{16}|\[REDACTED\])")


def private_blocks(text: str) -> Iterator[tuple[int, int]]:
    """Where the private keys in `text` begin and end. Each character is looked at once or twice, whatever it is."""
    at = text.find(_BEGIN)
    while at >= 0:
        label = _LABEL.match(text, at + len(_BEGIN))
        if label is None or _BODY.match(text, label.end()) is None:
            at = text.find(_BEGIN, at + 1)
            continue
        end_line = f"-----END {label[0]}"
        found = text.find(end_line, label.end())
        end = len(text) if found < 0 else found + len(end_line)
        yield at, end
        at = text.find(_BEGIN, end)
