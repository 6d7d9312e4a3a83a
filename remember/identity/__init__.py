"""Identity: from a bearer credential to a `Caller`, by static keys or by an issuer's tokens.

Importing this room loads neither PyJWT nor cryptography nor an HTTP client; the first token does.
"""

from remember.identity.authenticator import Authenticator, open_authenticator
from remember.identity.challenge import challenge, resource_metadata
from remember.identity.claims import READ, WRITE
from remember.identity.jwks import KeySet
from remember.identity.static import StaticKeys
from remember.identity.tokens import JwtVerifier

__all__ = [
    "READ",
    "WRITE",
    "Authenticator",
    "JwtVerifier",
    "KeySet",
    "StaticKeys",
    "challenge",
    "open_authenticator",
    "resource_metadata",
]
