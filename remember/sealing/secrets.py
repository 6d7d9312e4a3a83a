"""The server's secrets, told apart by a fingerprint: one seals and opens, older ones only open."""

from __future__ import annotations

import logging
import os
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from remember.errors import ConfigurationError
from remember.own_folder import FOLDER, keep_once
from remember.settings import MIN_SECRET, SECRET_NAMES, Secret, Settings

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Secrets:
    """`current` seals; `current` and every `previous` one open what carries their key id."""

    current: Secret
    previous: tuple[Secret, ...] = ()

    def find(self, kid: str) -> Secret | None:
        """The secret that a key id names."""
        for secret in self.all():
            if key_id(secret) == kid:
                return secret
        return None

    def all(self) -> tuple[Secret, ...]:
        return (self.current, *self.previous)


@lru_cache(maxsize=16)
def key_id(secret: Secret) -> str:
    """Eight characters that name a secret and hold no part of it."""
    digest = blake2b(secret.reveal().encode(), digest_size=6, person=b"remember-kid-v1").digest()
    return urlsafe_b64encode(digest).decode()


def choose_secrets(
    settings: Settings, *, lasting: bool, folder: Path | None = None, custom_key: str | None = None
) -> Secrets:
    """The secrets to work with (first seed, Encryption): the custom key, else the environment's, else a made one.

    `lasting` says whether the store outlives this process. With one, a made secret is kept in `folder`, beside
    what it seals (without one: `.remember/` where the process was started). In production there is none then: a
    secret made anew at each start would lose everything.

    Raises:
        ConfigurationError: a blank custom key, or no secret where one is needed.
    """
    if custom_key is not None:
        if not custom_key.strip():
            raise ConfigurationError(
                "encryption.custom_key",
                "encryption.custom_key is blank; leave it out to use REMEMBER_SECRET.",
            )
        if len(custom_key.strip()) < MIN_SECRET:
            log.warning("encryption.custom_key has fewer than %d characters: it is easily guessed.", MIN_SECRET)
        return Secrets(Secret(custom_key.strip()), settings.previous_secrets)
    if settings.secret is not None:
        return Secrets(settings.secret, settings.previous_secrets)
    if not lasting:
        if settings.production:
            log.warning("No REMEMBER_SECRET: a random one serves this process; its memory ends with it.")
        return Secrets(Secret(_fresh()), settings.previous_secrets)
    if settings.production:
        raise missing_secret(settings)
    if folder is None:
        log.warning(
            "No REMEMBER_SECRET: %s seals a store that lasts elsewhere; keep it, or set one.", Path(FOLDER).resolve()
        )
    return Secrets(development_secret(folder or Path(FOLDER)), settings.previous_secrets)


def missing_secret(settings: Settings) -> ConfigurationError:
    """What to say where a lasting store has no secret in production."""
    how = {
        "vercel": "Run `remember keygen`, then `vercel env add REMEMBER_SECRET production`, and deploy again.",
        "lambda": "Run `remember keygen`, then `sam deploy` with the parameter Secret set to it.",
        "local": "Run `remember keygen` and set it in the environment.",
    }[settings.platform]
    others = ", ".join(SECRET_NAMES[1:])
    return ConfigurationError(
        SECRET_NAMES[0],
        f"{SECRET_NAMES[0]} is not set (nor {others}). It seals the memory, so it must be the same at every start. "
        + how,
    )


def development_secret(folder: Path) -> Secret:
    """The secret kept in `folder`, made at the first call; folder 0700, file 0600."""
    return Secret(keep_once(folder / "secret.json", "secret", _fresh()))


def _fresh() -> str:
    return urlsafe_b64encode(os.urandom(32)).decode().rstrip("=")
