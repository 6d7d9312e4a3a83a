"""Everything that can be set, read once from a mapping, frozen; secrets in it cannot be printed.

Every value is trimmed, and one pair of quotes around it goes, since both arrive by accident
(`echo x | vercel env add` adds a line break). Empty is unset. An unknown `REMEMBER_*` name gets a warning
with the nearest known one. `Settings.read` never raises: what is wrong stands in `problems`, so that a
deployed function can say it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, cast
from urllib.parse import urlsplit

from remember.entry import MAX_TTL_SECONDS, check_ttl
from remember.errors import ConfigurationError, InvalidInput, nearest, unsaid
from remember.scope import SCOPES, Scope

Platform = Literal["vercel", "lambda", "local"]
Redaction = Literal["redact", "reject", "off"]
Family = Literal["memory", "notes", "wipe"]

SECRET_NAMES = ("REMEMBER_SECRET", "MCP_MEMORY_SECRET", "MCP_SESSION_SECRET")
REST_PAIRS = (
    ("KV_REST_API_URL", "KV_REST_API_TOKEN"),
    ("UPSTASH_REDIS_REST_URL", "UPSTASH_REDIS_REST_TOKEN"),
)
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
DEFAULT_ALGORITHMS = ("RS256", "ES256")
REDACTIONS: tuple[Redaction, ...] = ("redact", "reject", "off")
FAMILIES: tuple[Family, ...] = ("memory", "notes", "wipe")  # of tools that the memory server offers
NAMES = (
    "REMEMBER_STORE", "REMEMBER_SECRET", "REMEMBER_SECRET_PREVIOUS", "REMEMBER_API_KEYS", "REMEMBER_ISSUER",
    "REMEMBER_AUDIENCE", "REMEMBER_JWKS_URL", "REMEMBER_ALGORITHMS", "REMEMBER_TOKEN_SCOPES", "REMEMBER_ANONYMOUS",
    "REMEMBER_ALLOWED_SCOPES", "REMEMBER_TOOLS_PREFIX", "REMEMBER_KEY_PREFIX", "REMEMBER_DEFAULT_TTL",
    "REMEMBER_ENCRYPTION", "REMEMBER_READ_SEED", "REMEMBER_REDACTION", "REMEMBER_ALLOWED_ORIGINS",
    "REMEMBER_PUBLIC_URL", "REMEMBER_STORE_DEADLINE", "REMEMBER_RATE_LIMIT", "REMEMBER_MAX_ENTRIES",
    "REMEMBER_TOOLS", "REMEMBER_MODEL",
)  # fmt: skip

MIN_SECRET = 16  # characters; `remember keygen` makes 43
MAX_BODY_BYTES = 4 * 1024 * 1024
STORE_DEADLINE = 3.0  # seconds
RATE_LIMIT = 300  # calls of the memory, a minute and caller
MAX_ENTRIES = 10_000  # an owner
MOST = 100_000  # that either of the two may be set to
DEFAULT_KEY_PREFIX = "remember:"


@dataclass(frozen=True, slots=True)
class Secret:
    """A text that shows itself only when asked to by name."""

    _text: str = field(repr=False)

    def reveal(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return "Secret(…)"

    __str__ = __repr__


@dataclass(frozen=True, slots=True)
class Settings:
    """One process's configuration. Field names follow the variables; `problems` and `warnings` are sentences."""

    platform: Platform = "local"
    production: bool = False
    store: str | None = None
    redis_url: Secret | None = None
    rest_url: str | None = None
    rest_token: Secret | None = None
    secret: Secret | None = None
    previous_secrets: tuple[Secret, ...] = ()
    api_keys: Secret | None = None
    issuer: str | None = None
    audience: tuple[str, ...] = ()
    jwks_url: str | None = None
    algorithms: tuple[str, ...] = DEFAULT_ALGORITHMS
    token_scopes: bool = True
    anonymous: bool = False
    allowed_scopes: tuple[Scope, ...] = SCOPES
    families: tuple[Family, ...] = FAMILIES
    tools_prefix: str = ""
    model: str | None = None
    key_prefix: str = DEFAULT_KEY_PREFIX
    default_ttl: int | None = None
    encryption: bool = True
    read_seed: bool = False
    redaction: Redaction = "redact"
    allowed_origins: tuple[str, ...] = ()
    public_url: str | None = None
    store_deadline: float = STORE_DEADLINE
    rate_limit: int = RATE_LIMIT
    max_entries: int = MAX_ENTRIES
    problems: tuple[ConfigurationError, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def deployed(self) -> bool:
        """Whether this runs where a disk does not last and many instances serve one owner."""
        return self.platform != "local"

    @staticmethod
    def read(environ: Mapping[str, str]) -> Settings:
        """The settings that `environ` holds; see the module for how values are read."""
        return _Reader(environ).settings()


class _Reader:
    """Reads variable by variable, and gathers what is wrong instead of stopping at it."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.environ = environ
        self.problems: list[ConfigurationError] = []
        self.warnings: list[str] = []

    def settings(self) -> Settings:
        platform = self.platform()
        url, token = self.rest()
        store, redis_url = self.store()
        issuer = self.url("REMEMBER_ISSUER")
        audience = self.words("REMEMBER_AUDIENCE")
        if issuer and not audience:
            self.problem(
                "REMEMBER_AUDIENCE",
                "REMEMBER_ISSUER is set and REMEMBER_AUDIENCE is not. Set it to what your tokens carry as `aud`, "
                "usually this server's URL ending in /mcp; without it a token made for any other service would do.",
            )
        for name in ("REMEMBER_AUDIENCE", "REMEMBER_JWKS_URL", "REMEMBER_ALGORITHMS", "REMEMBER_TOKEN_SCOPES"):
            if self.text(name) and not issuer:
                self.problem("REMEMBER_ISSUER", f"{name} is set and REMEMBER_ISSUER is not. Set both, or neither.")
        production = platform != "local" or self.text("NODE_ENV") == "production"
        self.unknown_names()
        return Settings(
            platform=platform,
            production=production,
            store=store,
            redis_url=redis_url,
            rest_url=url,
            rest_token=token,
            secret=self.secret(production=production),
            previous_secrets=self.previous_secrets(),
            api_keys=self.hidden("REMEMBER_API_KEYS"),
            issuer=issuer,
            audience=audience,
            jwks_url=self.url("REMEMBER_JWKS_URL"),
            algorithms=self.chosen("REMEMBER_ALGORITHMS", ALGORITHMS) or DEFAULT_ALGORITHMS,
            token_scopes=self.switch("REMEMBER_TOKEN_SCOPES", "enforce", "ignore", default=True),
            anonymous=self.switch("REMEMBER_ANONYMOUS", "allow", "deny", default=False),
            allowed_scopes=cast("tuple[Scope, ...]", self.chosen("REMEMBER_ALLOWED_SCOPES", SCOPES)) or SCOPES,
            families=cast("tuple[Family, ...]", self.chosen("REMEMBER_TOOLS", FAMILIES)) or FAMILIES,
            tools_prefix=self.matching("REMEMBER_TOOLS_PREFIX", TOOL_PREFIX, "up to 64 of A-Z a-z 0-9 _ . -"),
            model=self.text("REMEMBER_MODEL"),
            key_prefix=self.matching("REMEMBER_KEY_PREFIX", KEY_PREFIX, "up to 64 of A-Z a-z 0-9 _ . : -")
            or DEFAULT_KEY_PREFIX,
            default_ttl=self.default_ttl(),
            encryption=self.switch("REMEMBER_ENCRYPTION", "on", "off", default=True),
            read_seed=self.switch("REMEMBER_READ_SEED", "on", "off", default=False),
            redaction=self.redaction(),
            allowed_origins=self.origins(),
            public_url=self.url("REMEMBER_PUBLIC_URL"),
            store_deadline=self.deadline(),
            rate_limit=self.number("REMEMBER_RATE_LIMIT", RATE_LIMIT, least=0),
            max_entries=self.number("REMEMBER_MAX_ENTRIES", MAX_ENTRIES, least=1),
            problems=tuple(self.problems),  # gathered by all of the above, so these two come last
            warnings=tuple(self.warnings),
        )

    def problem(self, name: str, message: str) -> None:
        self.problems.append(ConfigurationError(name, message))

    def text(self, name: str) -> str | None:
        raw = self.environ.get(name, "")
        trimmed = raw.strip()
        if len(trimmed) >= 2 and trimmed[0] == trimmed[-1] and trimmed[0] in "\"'":
            trimmed = trimmed[1:-1].strip()
        if (
            trimmed != raw
            and (warning := f"{name}: white space or quotes around its value were dropped.") not in self.warnings
        ):
            self.warnings.append(warning)
        return trimmed or None

    def hidden(self, name: str) -> Secret | None:
        text = self.text(name)
        return Secret(text) if text else None

    def words(self, name: str) -> tuple[str, ...]:
        """What stands between commas and line breaks."""
        return tuple(word for part in re.split(r"[,\n]", self.text(name) or "") if (word := part.strip()))

    def chosen(self, name: str, known: Iterable[str]) -> tuple[str, ...]:
        known = tuple(known)
        words = self.words(name)
        for word in words:
            if word not in known:
                self.problem(name, f"{name} may name {', '.join(known)}, with commas between; it names {unsaid(word)}.")
        if self.text(name) and not words:
            self.problem(name, f"{name} names nothing; it may name {', '.join(known)}, with commas between.")
        return tuple(dict.fromkeys(word for word in words if word in known))

    def switch(self, name: str, on: str, off: str, *, default: bool) -> bool:
        text = (self.text(name) or "").lower()
        if text not in (on, off, ""):
            self.problem(name, f"{name} must be {on} or {off}; it holds {unsaid(text)}.")
        return text == on if text in (on, off) else default

    def matching(self, name: str, shape: re.Pattern[str], allowed: str) -> str:
        text = self.text(name) or ""
        if shape.fullmatch(text):
            return text
        self.problem(name, f"{name} may hold {allowed}; it holds {unsaid(text)}.")
        return ""

    def origins(self) -> tuple[str, ...]:
        name = "REMEMBER_ALLOWED_ORIGINS"
        origins = tuple(word.rstrip("/").lower() for word in self.words(name))
        if self.text(name) and not origins:
            self.problem(name, f"{name} names nothing; name origins such as https://app.example, or leave it out.")
        for origin in origins:
            if not ORIGIN.fullmatch(origin):
                self.problem(
                    name,
                    f"{name} may name origins such as https://app.example, with commas between (leave it out to allow "
                    f"any); it names {unsaid(origin)}.",
                )
        return origins

    def url(self, name: str) -> str | None:
        text = self.text(name)
        if text is None or is_web_url(text):
            return text
        self.problem(name, f"{name} must be an https:// URL (http:// only for this machine); it holds {unsaid(text)}.")
        return None

    def platform(self) -> Platform:
        # `vercel dev` sets VERCEL too, on the owner's own machine.
        if self.text("VERCEL") and self.text("VERCEL_ENV") != "development":
            return "vercel"
        return "lambda" if self.text("AWS_LAMBDA_FUNCTION_NAME") else "local"

    def store(self) -> tuple[str | None, Secret | None]:
        """The store's name; an address of Redis is kept apart, as it may hold a password."""
        text = self.text("REMEMBER_STORE")
        if text is None or not text.startswith(REDIS_SCHEMES):
            return text, None
        if not is_redis_url(text):
            self.problem("REMEMBER_STORE", redis_url_message("REMEMBER_STORE"))
        return "redis", Secret(text)

    def rest(self) -> tuple[str | None, Secret | None]:
        """The REST store's address and token, from the first pair of names that is set, whole."""
        for url_name, token_name in REST_PAIRS:
            url, token = self.text(url_name), self.text(token_name)
            if url and token:
                if not is_web_url(url):
                    self.problem(url_name, rest_url_message(url_name, url))
                    return None, None
                if not TOKEN.fullmatch(token):
                    self.problem(token_name, f"{token_name} may hold visible ASCII only; copy the token again, whole.")
                return url.rstrip("/"), Secret(token)
        for url_name, token_name in REST_PAIRS:
            found = {name for name in (url_name, token_name) if self.text(name)}
            for name in {url_name, token_name} - found if found else ():
                self.problem(name, f"{found.pop()} is set and {name} is not. The REST store needs both of the pair.")
        return None, None

    def secret(self, *, production: bool) -> Secret | None:
        for name in SECRET_NAMES:
            if text := self.text(name):
                self.check_secret(name, text, production=production)
                return Secret(text)
        return None

    def previous_secrets(self) -> tuple[Secret, ...]:
        return tuple(Secret(text) for text in self.words("REMEMBER_SECRET_PREVIOUS"))

    def check_secret(self, name: str, text: str, *, production: bool) -> None:
        if "," in text or "\n" in text:
            self.problem(name, f"{name} holds a comma or line break; REMEMBER_SECRET_PREVIOUS could not name it later.")
        if len(text) >= MIN_SECRET:
            return
        message = (
            f"{name} has {len(text)} characters; at least {MIN_SECRET} are needed. `remember keygen` prints a good one."
        )
        if production:
            self.problem(name, message)
        else:
            self.warnings.append(message)

    def default_ttl(self) -> int | None:
        text = self.text("REMEMBER_DEFAULT_TTL")
        if text is None or text == "0":
            return None
        try:
            return check_ttl(int(text) if re.fullmatch(r"[0-9]{1,12}", text) else None, "REMEMBER_DEFAULT_TTL")
        except InvalidInput:
            self.problem(
                "REMEMBER_DEFAULT_TTL",
                f"REMEMBER_DEFAULT_TTL must be seconds from 0 (none) to {MAX_TTL_SECONDS}; it holds {unsaid(text)}.",
            )
            return None

    def deadline(self) -> float:
        text = self.text("REMEMBER_STORE_DEADLINE")
        try:
            seconds = STORE_DEADLINE if text is None else float(text)
        except ValueError:
            seconds = 0.0
        if 0.1 <= seconds <= 30:
            return seconds
        self.problem(
            "REMEMBER_STORE_DEADLINE",
            f"REMEMBER_STORE_DEADLINE must be 0.1 to 30 seconds; it holds {unsaid(str(text))}.",
        )
        return STORE_DEADLINE

    def redaction(self) -> Redaction:
        text = (self.text("REMEMBER_REDACTION") or REDACTIONS[0]).lower()
        for known in REDACTIONS:
            if text == known:
                return known
        self.problem(
            "REMEMBER_REDACTION", f"REMEMBER_REDACTION must be {', '.join(REDACTIONS)}; it holds {unsaid(text)}."
        )
        return REDACTIONS[0]

    def number(self, name: str, default: int, *, least: int) -> int:
        text = self.text(name)
        if text is None:
            return default
        number = int(text) if re.fullmatch(r"[0-9]{1,6}", text) else -1
        if least <= number <= MOST:
            return number
        self.problem(name, f"{name} must be a whole number from {least} to {MOST:,}; it holds {unsaid(text)}.")
        return default

    def unknown_names(self) -> None:
        for name in self.environ:
            if name.startswith("REMEMBER_") and name not in NAMES:
                self.warnings.append(f"{name} is no setting of Remember{nearest(name, NAMES)}")


TOKEN = re.compile(r"[!-~]+")
ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/\s?#@*]+")
TOOL_PREFIX = re.compile(r"[A-Za-z0-9_.-]{0,64}")
KEY_PREFIX = re.compile(r"[A-Za-z0-9_.:-]{0,64}")


def how_to_set(problem: ConfigurationError, platform: Platform) -> str:
    """The command that sets a variable on a platform, as one more sentence; empty where the problem says it itself."""
    commands = {
        "vercel": f"`vercel env add {problem.variable} production`, then deploy again",
        "lambda": "`sam deploy --guided`, which asks for its parameter",
    }
    command = commands.get(platform)
    if command is None or "`vercel " in str(problem) or "`sam deploy" in str(problem):
        return ""
    return f" Set it with {command}."


def is_web_url(text: str) -> bool:
    """Whether `text` is an https URL, or an http one to this machine, with no credentials in it."""
    try:
        url = urlsplit(text)
        host = url.hostname or ""
        _ = url.port
    except ValueError:
        return False
    if "@" in url.netloc or not host or any(char.isspace() for char in text):
        return False
    return url.scheme == "https" or (url.scheme == "http" and host in ("localhost", "127.0.0.1", "::1"))


REDIS_SCHEMES = ("redis://", "rediss://")


def is_redis_url(text: str) -> bool:
    """Whether `text` is redis://[[user]:password@]host[:port][/number], or the same with rediss://."""
    try:
        url = urlsplit(text)
        host, port = url.hostname, url.port
    except ValueError:
        return False
    whole = text.startswith(REDIS_SCHEMES) and bool(host) and port != 0 and not any(map(str.isspace, text))
    return whole and not url.query and not url.fragment and re.fullmatch(r"/?\d{0,4}", url.path) is not None


def redis_url_message(name: str) -> str:
    """What an address of Redis looks like, without printing the one that is wrong: it may hold a password."""
    return (
        f"{name} must be redis://user:password@host:port/0, or rediss:// for TLS; user, password, port and the "
        "database's number may be left out, and nothing may follow. A password's special characters are written as %40."
    )


def rest_url_message(name: str, url: str) -> str:
    """What is wrong with a store address, without printing it: it may hold a password."""
    if url.startswith(("redis://", "rediss://")):
        return (
            f"{name} holds a redis:// address; it must be the https:// address of the REST API "
            "(in Upstash's console under REST, there called UPSTASH_REDIS_REST_URL)."
        )
    return f"{name} must be the https:// address of the store's REST API (http:// only for this machine)."
