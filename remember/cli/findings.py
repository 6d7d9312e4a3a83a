"""What the settings alone tell the doctor: wrong, weak and fine, one sentence each, none with a value in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal, get_args

from remember.pages import missing_model, weak_points
from remember.settings import NAMES, REST_PAIRS, SECRET_NAMES, Secret, Settings

Level = Literal["wrong", "weak", "fine"]
LEVELS: tuple[Level, ...] = get_args(Level)

READ_ONLY_TOKEN = "KV_REST_API_READ_ONLY_TOKEN"  # noqa: S105  a variable's name
_REST_NAMES = tuple(name for pair in REST_PAIRS for name in pair)
_KNOWN = (*_REST_NAMES, *SECRET_NAMES, READ_ONLY_TOKEN)


@dataclass(frozen=True, slots=True)
class Finding:
    """`wrong` has to be mended, `weak` deserves a look, `fine` may be known. The message says what to do."""

    level: Level
    variable: str
    message: str

    def __str__(self) -> str:
        return self.message if self.variable in self.message else f"{self.variable}: {self.message}"


def check_settings(environ: Mapping[str, str], settings: Settings) -> Iterator[Finding]:
    """What can be said without asking anybody; `settings` are what was read from `environ`."""
    yield from (Finding("wrong", problem.variable, str(problem)) for problem in settings.problems)
    for sentence in (*settings.warnings, *weak_points(settings)):
        yield Finding("weak", sentence.split(maxsplit=1)[0].rstrip(":"), sentence)
    yield from _rest_pairs(environ, settings)
    yield from _read_only_token(environ)
    yield from _near_names(environ, settings)
    yield _previous_secrets(settings)
    yield _families(settings)


def rest_names(environ: Mapping[str, str]) -> tuple[str, str]:
    """The names of the REST store's address and token that count: the first pair that is whole, else the first."""
    return next((pair for pair in REST_PAIRS if all(_as_read(environ, name) for name in pair)), REST_PAIRS[0])


def _rest_pairs(environ: Mapping[str, str], settings: Settings) -> Iterator[Finding]:
    used = rest_names(environ)[0]
    if settings.rest_url is None:
        return  # what is wrong with the pairs stands among the problems then
    if settings.deployed and settings.rest_url.startswith("http:"):
        yield Finding(
            "wrong",
            used,
            f"{used} is an http:// address of this machine; on {settings.platform} that is the function itself. "
            "Set it to the https:// address of the REST API.",
        )
    for pair in REST_PAIRS:
        other = Settings.read({name: environ.get(name, "") for name in pair})
        for problem in other.problems:
            yield Finding("weak", problem.variable, f"{problem} Until then the store in {used} is used.")
        if other.rest_url and other.rest_url.lower() != settings.rest_url.lower():
            yield Finding(
                "weak",
                pair[0],
                f"{used} and {pair[0]} name two different stores; the one in {used} is used. "
                "Remove the pair that you do not mean.",
            )


def _read_only_token(environ: Mapping[str, str]) -> Iterator[Finding]:
    read_only = _as_read(environ, READ_ONLY_TOKEN)
    for _, name in REST_PAIRS:
        if read_only and _as_read(environ, name) == read_only:
            yield Finding(
                "wrong",
                name,
                f"{name} holds the token of {READ_ONLY_TOKEN}, which may only read. Set it to the one that may write.",
            )


def _near_names(environ: Mapping[str, str], settings: Settings) -> Iterator[Finding]:
    """Names that Settings does not look at, as they begin with somebody else's word."""
    for name in environ:
        if name.upper().startswith("REMEMBER_") and name not in NAMES and name.upper() in NAMES:
            yield Finding("weak", name, f"{name} is not read; did you mean {name.upper()}?")
        if name in _KNOWN or name.startswith("REMEMBER_"):
            continue
        close = get_close_matches(name.upper(), _KNOWN, n=1, cutoff=0.85)
        ending = next((known for known in _REST_NAMES if name.endswith(f"_{known}")), None)
        if ending and settings.rest_url is None:
            yield Finding(
                "weak",
                name,
                f"{name} is not read, {ending} is. Connect the store to the project without a prefix of its own, "
                "or set the variable under that name too.",
            )
        elif close and not ending:
            yield Finding("weak", name, f"{name} is not read; did you mean {close[0]}?")


def _previous_secrets(settings: Settings) -> Finding:
    count = len(settings.previous_secrets)
    said = (
        f"{count} of them: entries that they sealed can still be read."
        if count
        else "none is needed, as long as the secret was never changed."
    )
    return Finding("fine", "REMEMBER_SECRET_PREVIOUS", said)


def _families(settings: Settings) -> Finding:
    offered = f"REMEMBER_TOOLS offers {', '.join(settings.families)}"
    if "notes" not in settings.families:
        return Finding("fine", "REMEMBER_TOOLS", f"{offered}.")
    if missing := missing_model(settings, settings.families):
        return Finding("weak", "REMEMBER_MODEL", missing)
    return Finding("fine", "REMEMBER_TOOLS", f"{offered}; notes are found by meaning, as the model is there.")


def _as_read(environ: Mapping[str, str], name: str) -> Secret | None:
    """A value as Settings reads every value: trimmed, without quotes, empty as unset."""
    return Settings.read({"REMEMBER_API_KEYS": environ.get(name, "")}).api_keys
