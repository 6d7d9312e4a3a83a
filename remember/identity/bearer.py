"""Reads the bearer credential out of a request's Authorization header."""

from __future__ import annotations

import re
from collections.abc import Sequence

from remember.errors import CredentialRefused

MAX_CREDENTIAL = 8192  # characters; a JWT with many claims has two or three thousand

# RFC 6750 allows fewer characters (b68), but people choose keys too.
_VISIBLE = re.compile(r"[\x21-\x7e]+")


def read_bearer(values: Sequence[str]) -> str | None:
    """The credential in a request's Authorization header values, decoded as latin-1; None where there is no header.

    Raises:
        CredentialRefused: there are two headers, or the one there is holds no usable bearer credential.
    """
    if not values:
        return None
    if len(values) > 1:
        raise CredentialRefused("The request has more than one Authorization header; send exactly one.")
    scheme, _, rest = values[0].strip(" \t").partition(" ")
    if scheme.lower() != "bearer":
        raise CredentialRefused("The Authorization header must have the form: Bearer <credential>.")
    credential = rest.strip(" ")
    if not credential:
        raise CredentialRefused("The Authorization header holds no credential after the word Bearer.")
    if len(credential) > MAX_CREDENTIAL:
        raise CredentialRefused(f"The bearer credential is longer than {MAX_CREDENTIAL} characters.")
    if not _VISIBLE.fullmatch(credential):
        raise CredentialRefused("The bearer credential may hold visible ASCII characters only, and no spaces.")
    return credential
