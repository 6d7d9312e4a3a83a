"""What a secret looks like, and what only stands where one could stand."""

from __future__ import annotations

import re
from math import log2

from remember.text.late import Late

MARK = "[REDACTED]"

_UUID = Late(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_HASH = Late(r"(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})", re.IGNORECASE)
_DIGIT = Late(r"[0-9]")
_SEPARATORS = Late(r"[-_./:+ ]+")
_PLACEHOLDER = Late(
    r"\[redacted\]|^[\[({].{0,80}[\])}]|^<|<\w|^\$(?:[A-Z_]+|[a-z_]+|\d)$|^([%@])\w+\1$|\$[({]|\{\{|\.\.\.|…|\*\*\*"
    r"|x{4}|^(.)\2*$|(?<![a-z])(?:your|example|placeholder|change.?(?:me|this|it)|insert|dummy|sample|replace|redacted|todo)"
    r"|goes.here",
    re.IGNORECASE,
)
_NO_SECRET = frozenset(
    (  # noqa: SIM905  a list of words reads as one
        "password passwd pass pwd passphrase secret token key test testing none null nil true false undefined string "
        "str text int bytes char required optional enabled disabled hidden unchanged unknown default empty blank any "
        "type encrypted hashed plaintext plain yes no on off bcrypt argon2 argon2id scrypt pbkdf2 md5 sha1 sha256 "
        "sha512 sha-1 sha-256 sha-512 hs256 rs256 es256 aes256 aes-256 base64 utf-8 utf8 oauth2 bearer basic digest "
        "1password 123 1234"
    ).split()
)
_CODE = Late(
    r"""[A-Za-z_]\w*(?:\.[A-Za-z_]+\w*)*[(\[]|[A-Za-z_]+(?:\.[A-Za-z_]+)+;?$|!\w|f?["']"""
    r"""|(?:os|process|import|self|this|env|config|settings|request|response|secrets|vars)\.\w"""
)
_PATH = Late(r"(?:~?/|\.{1,2}/|[A-Za-z]:\\)")
_ADDRESS = Late(r"https?://|s3://|file:|[au]rn:")


def entropy(text: str) -> float:
    """Shannon's, in bits a character."""
    length = len(text)
    return -sum(count / length * log2(count / length) for count in map(text.count, set(text))) if length else 0.0


def is_placeholder(text: str) -> bool:
    """Whether `text` says that a secret goes here, or where it comes from."""
    if len(text) >= 40 and is_random(text, 4.3) and not _ADDRESS.match(text):
        return False  # it may hold any of these by chance
    return bool(
        text.strip("()[]{}").lower() in _NO_SECRET
        or _CODE.match(text)
        or _PATH.match(text)
        or _ADDRESS.match(text)
        or _PLACEHOLDER.search(text, 0, 80)
    )


def is_random(text: str, least: float = 0.0) -> bool:
    """Whether nobody would write `text` as words: letters in both cases or with digits, and entropy enough."""
    lower, digit = text.lower(), _DIGIT.search(text) is not None
    mixed = text not in (lower, text.upper())
    if entropy(text) < least:
        return False
    if not (mixed or digit):
        return text.isupper() and len(text) >= 16 and entropy(text) > 3
    return (mixed and digit) or (text != lower and not mixed) or not is_wordy(text)


def is_wordy(text: str) -> bool:
    """Whether `text` is words and small numbers with separators between: kebab-case, snake_case, a date."""
    parts = [part for part in _SEPARATORS.split(text) if part]
    return all(_is_word(part) for part in parts)


def _is_word(part: str) -> bool:
    if part.isdigit():
        return len(part) <= 8
    if len(part) <= 2:
        return True  # 4o, v2
    return part.isalpha() and (part.islower() or part.isupper() or part[1:].islower()) and len(part) <= 24


def is_uuid(text: str) -> bool:
    return _UUID.fullmatch(text) is not None


def is_hash(text: str) -> bool:
    """Whether `text` is as long as a digest in hexadecimal digits."""
    return _HASH.fullmatch(text) is not None
