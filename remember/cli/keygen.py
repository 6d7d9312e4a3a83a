"""remember keygen: a secret and a bearer key, as lines for an environment."""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Sequence
from hashlib import sha256

from remember.identity import StaticKeys

DEFAULT_NAME = "me"

_KEY_PREFIX = "rmb_"  # so that people and secret scanners know one of ours when they see it


def new_key() -> str:
    """A bearer key: the prefix and 256 random bits as 43 characters."""
    return _KEY_PREFIX + secrets.token_urlsafe(32)


def run(arguments: Sequence[str]) -> int:
    """Print them; nothing is kept.

    Raises:
        ConfigurationError: the name does not fit.
    """
    name = _parser().parse_args(arguments).name
    key = new_key()
    StaticKeys.of({name: key})
    print(f"REMEMBER_SECRET={secrets.token_urlsafe(32)}")
    print(f"REMEMBER_API_KEYS={name}={key}")
    print("# The same key for a server that should not hold it; keep the line above for your clients:")
    print(f"# REMEMBER_API_KEYS={name}=sha256:{sha256(key.encode()).hexdigest()}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="remember keygen",
        description="Print a secret, which seals the memory, and a bearer key, which lets one person in.",
    )
    parser.add_argument(
        "--name",
        default=DEFAULT_NAME,
        help="whose key it is; their memory is kept under this name, so a new key can replace an old one "
        "(default: %(default)s)",
    )
    return parser
