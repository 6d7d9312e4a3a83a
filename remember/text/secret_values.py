"""Secrets that only their surroundings give away: `name = value`, "the password is …", headers, flags of commands.

A name is looked for by its literal; what stands around it is then read by expressions that are bounded and begin right
there, so that a text full of names costs as much as any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from remember.text.late import Late
from remember.text.secret_looks import is_hash, is_placeholder, is_random, is_uuid, is_wordy

PASSWORDS = (
    "password", "passwd", "passphrase", "passcode", "pwd", "passwort", "kennwort", "contraseña", "mot de passe",
    "senha", "wachtwoord", "pass", "пароль", "密码", "密碼", "パスワード", "비밀번호",
)  # fmt: skip
TOKENS = ("secret", "token", "key", "credentials", "authorization", "cookie")
OTHERS = ("bearer ", "curl", "login")

NAMES = PASSWORDS + TOKENS
LITERALS = NAMES + OTHERS

_MOST = 256  # characters of a value that are looked at; what goes on behind them goes with it

# What may stand between a name and its value: the rest of the name, quotes and brackets, an operator.
_REST = r"(?P<rest>[\w.-]{0,32})(?P<shut>\\?[\"'`\])]{0,2})"
_ASSIGN = Late(
    _REST + r"[ \t]{0,8}(?P<op>:=|=>|=(?!=)|[:：＝]|->|→|>(?=[^\s<>]{4,256}</))[ \t]{0,8}(?P<open>\\?[\"'`])?"
)
_SAID = Late(
    r"(?P<rest>s?)(?P<shut>[\"'`]?)(?: (?:for|of|to|on|at|in|für|von|de|del|du|pour|para|per|от)"
    r"(?: [^\s.,;:]{1,24}){1,5}?)?(?P<op> (?:is now|is|was changed to|was set to|was reset to|has been changed to|"
    r"changed to|set to|reset to|to|was|ist|lautet|es|est|é|è|это)|は|是|是：|[=:])[: ]{1,2}(?P<open>[\"'`“«„])?",
    re.IGNORECASE,
)
_NEXT = Late(r"(?P<rest>)(?P<shut>[\"'`]?)(?P<op>[ \t]{1,4})(?P<open>[\"'`])?(?=\S{4})")
_NEXT_LONG = Late(r"(?P<rest>)(?P<shut>[\"'`]?)(?P<op>[ \t]{1,4})(?P<open>[\"'`])?(?=[^\s\"'`]{20})")
_MIXTURE = Late(r"(?=[^\s\d]{0,64}\d)(?=[^\sA-Za-z]{0,64}[A-Za-z])\S{6}")  # what follows "password" and is no next word
_FLAG = Late(r"(?:^|\s)--?[\w-]{0,32}$")

_IN_URL = Late(r"://[^\s/?#\"']{0,24}$")  # what stands there is a user's name, and url_passwords reads on

_CLOSERS = {"“": "”", "«": "»", "„": "“"}
_BARE = Late(
    r"(?:[^\s\"'`<>\\,;&)\]}]{1,256}+|\\(?![nrt\"'])|[,;&)\]}](?![\s\"'`\\,;&)\]}]|$|[\w.-]{1,32}[ \t]?[=:])){1,256}+"
)
_ON = Late(r"[^\s\"'`<>\\,;&)\]}]*")

# Names that speak about a secret instead of holding one: token_count, password_policy; max_tokens, public_key.
_WORD = r"(?:(?<![A-Za-z])|(?<=[a-z])(?=[A-Z]))"
_NOT_VALUES = Late(
    r"^[a-z]|^[A-Z]{3}|"
    + _WORD
    + r"(?i:counts?|type|types|id|ids|names?|ur[il]s?|endpoint|files?|path|dir|len|length|size|limits?|"
    r"budget|hash|hashed|hashes|digest|policy|rules?|fields?|form|reset|hint|prompt|label|expir\w*|ttl|age|used|usage|"
    r"headers?|params?|format|prefix|suffix|version|alg\w*|method|mode|required|strength|manager|provider|index|positions?|enabled|"
    r"disabled|ref|store|ring|board|chain|words?|iz\w*|takeaway|frame\w*|point\w*|note|min|max|pair|press|code|stone|up|down)"
    r"(?:[_.-]\w{0,32})?$"
)
_NOT_BEFORE = Late(
    _WORD
    + r"(?i:max|min|num|n|total|prompt|completion|input|output|cached|reasoning|pad|eos|bos|unk|sep|cls|mask|page|next|"
    r"continuation|sync|cursor|design|public|pub|primary|foreign|partition|sort|cache|hot|turn|mon|idempotency|row|object|"
    r"no|any|every|what|which)[_.\- ]?$"
)
# `key` alone is any key; these make it one that opens something.
_KEYS = Late(
    r"(?:api|access|secret|private|encryption|signing|master|auth|account|shared|storage|service|client|license|deploy|"
    r"session|jwt|hmac|aes|webhook|consumer|app|admin|root|rest|secure|token|host|vault|cipher|crypto|ssh|wif|role|"
    r"subscription|write|read|ingest|bot)[_.\- ]?$",
    re.IGNORECASE,
)
_STRONG = Late(r"(?:api|access|secret|auth|private|client|refresh|bot)[_.\- ]?$", re.IGNORECASE)

_SCHEME = Late(
    r"(?:(?:bearer|basic|token|apikey|api-key|bot|key|digest)[ \t]{1,4})?(?P<value>[^\s\"'`<>\\,;]{8,2048})",
    re.IGNORECASE,
)
_BEARER = Late(r"[ \t]{0,3}(?P<value>[A-Za-z0-9._~+/-]{16,2048}={0,2})")
_COOKIE = Late(r"(?:sess|sid|auth|token)[\w.-]{0,24}=(?P<value>[^\s;,\"']{16,512})", re.IGNORECASE)
_USER = Late(r"[= \t]{0,4}[\"']?[^\s:\"']{1,64}:(?P<value>[^\s\"']{3,128})")
_NETRC = Late(r"\s{1,4}\S{1,64}\s{1,4}password\s{1,4}(?P<value>\S{1,128})")


def named_values(text: str, lower: str, literal: str) -> Iterator[tuple[str, int, int]]:
    """(kind, start, end) of each value in `text` that this literal, one of LITERALS, makes a secret."""
    read = _READERS.get(literal, _token if literal in TOKENS else _password)
    at, done = lower.find(literal), 0
    while at >= 0:
        end = at + len(literal)
        # A small letter makes another word of the name: tokens, keyboard, secretary.
        another = literal[-1].isalpha() and text[end : end + 1].islower()
        found = read(text, at, end) if at >= done and not another else None
        if found:
            kind, start, done = found
            if (
                done - start >= _MOST
            ):  # judged by its beginning, so that a text full of names is not read again and again
                done = _ON.match(text, done).end()  # type: ignore[union-attr]  # it matches anything
            yield kind, start, done
        at = lower.find(literal, end)


@lru_cache(maxsize=1024)
def opens_something(name: str) -> str | None:
    """The kind of what is kept under this name, `password` or `secret-value`; None for any other name."""
    folded = name.lower()
    for literal in NAMES:
        at = folded.rfind(literal)
        if at < 0:
            continue
        before, rest = name[:at], name[at + len(literal) :]
        if _denied(before, rest) or (literal == "key" and not _KEYS.search(before)):
            continue
        return "password" if literal in PASSWORDS else "secret-value"
    return None


def opens(kind: str, value: str) -> bool:
    """Whether a whole text, kept under a name of this kind, is such a secret."""
    if kind == "password":
        return _is_password(value, quoted=True)
    return _is_secret(value, strong=True)


def _denied(before: str, rest: str) -> bool:
    return bool(_NOT_BEFORE.search(before) or (rest and _NOT_VALUES.search(rest)))


def _password(text: str, at: int, end: int) -> tuple[str, int, int] | None:
    before = text[max(0, at - 24) : at]
    if end - at == len("pass") and before[-1:].isalpha():
        return None  # a compass, a bypass
    for form in (_ASSIGN, _SAID, _NEXT):
        head = form.match(text, end)
        if head is None or (head["op"] == ":" and _IN_URL.search(before)):
            continue
        flag = form is _NEXT and _FLAG.search(before) is not None
        opened = bool(head["open"])
        tight = flag or (head["op"] == "=" and head.end("op") == head.end() - opened)
        if (found := _value(text, head)) and _is_password(text[slice(*found)], quoted=opened, tight=tight):
            if form is _NEXT and not (flag or _MIXTURE.match(text, found[0])):
                continue
            return None if _denied(before, head["rest"]) else ("password", *found)
        if form is _ASSIGN and head["op"] != ">":
            break
    return None


def _is_password(value: str, *, quoted: bool, tight: bool = False) -> bool:
    if len(value) < 4 or is_placeholder(value):
        return False
    if value.isdigit():
        return len(value) >= 6 or tight
    if quoted:
        return not (value.isalpha() and value.lower() == value and len(value) < 6)
    if any(map(str.isdigit, value)):
        return True
    if tight:
        return len(value) >= 6
    # Without a digit: a word is a word; one with a sign in it, or capitals inside, is not.
    return (not is_wordy(value) and not value.isalpha()) or (
        value.isalpha() and value[1:] != value[1:].lower() and not value.isupper() and len(value) > 7
    )


def _token(text: str, at: int, end: int) -> tuple[str, int, int] | None:
    before = text[max(0, at - 24) : at]
    literal = text[at:end].lower()
    if literal == "key" and not _KEYS.search(before):
        return None
    for form, least in ((_ASSIGN, 8), (_SAID, 16), (_NEXT_LONG, 20)):
        head = form.match(text, end)
        if head is None or (head["op"] == ":" and _IN_URL.search(before)):
            continue
        if found := _value(text, head):
            strong = literal == "secret" or _STRONG.search(before) is not None
            if _is_secret(text[slice(*found)], strong=strong, least=least):
                return None if _denied(before, head["rest"]) else ("secret-value", *found)
        if form is _ASSIGN and head["op"] != ">":
            break
    return None


def _is_secret(value: str, *, strong: bool, least: int = 8) -> bool:
    length = len(value)
    if length < least or is_placeholder(value) or any(map(str.isspace, value)):
        return False
    if is_uuid(value):
        return strong
    if length < 16:
        digit = any(map(str.isdigit, value))
        return digit and value.lower() != value and value.upper() != value and not is_wordy(value)
    if is_hash(value) and not strong and least == 20:
        return False
    return not is_wordy(value) and is_random(value, 3.0)


def _value(text: str, head: re.Match[str]) -> tuple[int, int] | None:
    """Where the value behind a name and its operator stands."""
    start, opened = head.end(), head["open"]
    if opened:
        closer = _CLOSERS.get(opened, opened)
        end = text.find(closer, start, start + _MOST)
        if end >= 0 and "\n" not in text[start:end]:
            return (start, end) if end > start else None
        if end < 0 and len(text) - start > _MOST and "\n" not in text[start : start + _MOST]:
            return start, start + _MOST
    bare = _BARE.match(text, start, start + _MOST)
    if bare is None:
        return None
    end = bare.end()
    while end > start and text[end - 1] in ".,:;!?)]}…。，":
        end -= 1
    return (start, end) if end > start else None


def _authorization(text: str, _at: int, end: int) -> tuple[str, int, int] | None:
    head = _ASSIGN.match(text, end)
    if head is None:
        return None
    found = _SCHEME.match(text, head.end())
    return _credential(found) if found and found["value"].lower() not in ("bearer", "basic") else None


def _bearer(text: str, _at: int, end: int) -> tuple[str, int, int] | None:
    found = _BEARER.match(text, end)
    return _credential(found) if found else None


def _credential(found: re.Match[str]) -> tuple[str, int, int] | None:
    value = found["value"].rstrip(".,;:!?)]}")
    if is_placeholder(value) or is_wordy(value) or not is_random(value, 2.5):
        return None
    start = found.start("value")
    return "authorization", start, start + len(value)


def _cookie(text: str, _at: int, end: int) -> tuple[str, int, int] | None:
    head = _ASSIGN.match(text, end)
    written = head is not None and text.find("=", head.end(), head.end() + 300) >= 0
    found = _COOKIE.search(text, head.end(), head.end() + 300) if head and written else None
    if found is None or is_placeholder(found["value"]) or not is_random(found["value"], 3.0):
        return None
    return "cookie", found.start("value"), found.end("value")


def _curl(text: str, _at: int, end: int) -> tuple[str, int, int] | None:
    for flag in (" -u", " --user"):
        if (flagged := text.find(flag, end, end + 400)) >= 0:
            return _login(_USER.match(text, flagged + len(flag)))
    return None


def _netrc(text: str, _at: int, end: int) -> tuple[str, int, int] | None:
    return _login(_NETRC.match(text, end))


def _login(found: re.Match[str] | None) -> tuple[str, int, int] | None:
    if found is None or is_placeholder(found["value"]):
        return None
    return "password", found.start("value"), found.end("value")


_READERS = {"authorization": _authorization, "bearer ": _bearer, "cookie": _cookie, "curl": _curl, "login": _netrc}
