"""The environment that the doctor judges: this process's or a file's, as it would be on a platform."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from remember.cli.local import key_file, prepare
from remember.errors import ConfigurationError
from remember.settings import Platform, Settings

_LINE = re.compile(r"(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)")
_DOUBLE = re.compile(r'"((?:[^"\\]|\\.)*)"(?:\s+#.*)?')
_SINGLE = re.compile(r"'([^']*)'(?:\s+#.*)?")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\", "$": "$"}

_MARKS: dict[Platform, dict[str, str]] = {
    "vercel": {"VERCEL": "1", "VERCEL_ENV": "production"},
    "lambda": {"AWS_LAMBDA_FUNCTION_NAME": "remember"},
    "local": {},
}
"""By which variables `Settings.read` knows a platform."""


def read_env_file(path: Path) -> dict[str, str]:
    """The variables in a file of `NAME=value` lines, as `vercel env pull` writes them.

    A value may stand in quotes; in double ones `\\n` is a line break, which is how a trailing one arrives.

    Raises:
        ConfigurationError: it cannot be read, or a line of it is something else; told by its number.
    """
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except OSError as exc:
        raise ConfigurationError("--env-file", f"{path} cannot be read: {exc.strerror}.") from None
    except UnicodeDecodeError:
        raise ConfigurationError("--env-file", f"{path} cannot be read: it is not UTF-8 text.") from None
    environ = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if (found := _LINE.fullmatch(line.strip())) is None:
            raise ConfigurationError("--env-file", f"{path}: line {number} is not of the form NAME=value.")
        environ[found[1]] = _value(found[2])
    return environ


def on_platform(environ: Mapping[str, str], platform: Platform | None) -> Mapping[str, str]:
    """The same variables on another platform; None leaves them as they are."""
    if platform is None:
        return environ
    marks = {name for known in _MARKS.values() for name in known}
    return {name: value for name, value in environ.items() if name not in marks} | _MARKS[platform]


def as_served(environ: Mapping[str, str]) -> Mapping[str, str]:
    """With the key that `remember serve` made here, where it would be used; nothing is made."""
    settings = Settings.read(environ)
    known = settings.deployed or settings.api_keys or settings.issuer or settings.anonymous
    if known or settings.problems or not key_file(settings).exists():
        return environ
    return prepare(environ, store=None, origin="").environ


def _value(text: str) -> str:
    if quoted := _DOUBLE.fullmatch(text):
        return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[0]), quoted[1])
    if quoted := _SINGLE.fullmatch(text):
        return quoted[1]
    return text
