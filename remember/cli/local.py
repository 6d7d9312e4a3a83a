"""What `remember serve` adds to the environment, so that it works on a machine where nothing was set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from remember.cli.keygen import DEFAULT_NAME, new_key
from remember.own_folder import FOLDER, folder_beside, keep_once
from remember.settings import Settings
from remember.stores.open_store import LOCAL_PATH

KEY_VARIABLE = "MEMORY_KEY"
"""Stands for a key that we were given: its owner's terminal may be shared, and need not show it."""


@dataclass(frozen=True, slots=True)
class Local:
    """The environment to serve with. `credential` is what a client sends; None where anybody may come in."""

    environ: Mapping[str, str]
    settings: Settings
    credential: str | None

    @property
    def place(self) -> str:
        """Where memory lies, in words."""
        kind, _, path = (self.settings.store or "").partition(":")
        if kind == "memory":
            return "this process; it ends with it"
        if kind == "upstash" or (not kind and self.settings.rest_url):
            return "the REST store that the environment names"
        return str(Path(path or LOCAL_PATH).resolve())


def prepare(environ: Mapping[str, str], *, store: str | None, origin: str) -> Local:
    """`environ` with the chosen store, and with a development key where nobody could be let in.

    Raises:
        ConfigurationError: a setting is wrong, or the key cannot be kept.
    """
    prepared = dict(environ)
    if store is not None:
        prepared["REMEMBER_STORE"] = store
    settings = Settings.read(prepared)
    for problem in settings.problems:
        raise problem
    if settings.anonymous and not settings.allowed_origins:
        # Without a credential, any web page that the owner visits could write into their memory.
        prepared["REMEMBER_ALLOWED_ORIGINS"] = origin
    credential: str | None = f"${KEY_VARIABLE}"
    if settings.api_keys is None and settings.issuer is None:
        credential = None if settings.anonymous else keep_once(key_file(settings), "key", new_key())
    if credential and settings.api_keys is None and settings.issuer is None:
        prepared["REMEMBER_API_KEYS"] = f"{DEFAULT_NAME}={credential}"
    return Local(prepared, Settings.read(prepared), credential)


def key_file(settings: Settings) -> Path:
    """Where the development key is kept: beside the SQLite file that it opens."""
    kind, _, path = (settings.store or "").partition(":")
    return (folder_beside(Path(path)) if kind == "sqlite" and path else Path(FOLDER)) / "key.json"
