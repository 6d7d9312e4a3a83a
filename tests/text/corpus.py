"""The corpus as texts: what stands in braces is made up here, the same on every run."""

from __future__ import annotations

import random
import re
import string
from pathlib import Path
from typing import NamedTuple

HOME = Path(__file__).parent / "corpus"

ALPHABETS = {
    "alnum": string.ascii_letters + string.digits,
    "letters": string.ascii_letters,
    "upalnum": string.ascii_uppercase + string.digits,
    "digits": string.digits,
    "hex": "0123456789abcdef",
    "base32": string.ascii_uppercase + "234567",
    "bech32": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "b64": string.ascii_letters + string.digits + "+/",
    "b64url": string.ascii_letters + string.digits + "-_",
}
_MADE = re.compile(r"\{(" + "|".join(ALPHABETS) + r"):(\d+)\}")


class Case(NamedTuple):
    """A text with one secret in it: `text[start:end]`."""

    kind: str
    text: str
    start: int
    end: int


def secrets(half: str, seed: int = 0) -> list[Case]:
    return [_case(line, f"{half}{seed}{number}") for number, line in enumerate(_lines(f"secrets_{half}.tsv"))]


def lookalikes(half: str, seed: int = 0) -> list[str]:
    lines = _lines(f"lookalikes_{half}.txt")
    return [_made(line, f"{half}{seed}{number}") for number, line in enumerate(lines)]


def _lines(name: str) -> list[str]:
    return (HOME / name).read_text().splitlines()


def _case(line: str, seed: str) -> Case:
    kind, text = line.split("\t")
    before, secret, behind = re.split("[«»]", _made(text, seed))
    return Case(kind, before + secret + behind, len(before), len(before) + len(secret))


def _made(line: str, seed: str) -> str:
    chance = random.Random(seed)  # noqa: S311  the same on every run is the point

    def fill(found: re.Match[str]) -> str:
        return "".join(chance.choices(ALPHABETS[found[1]], k=int(found[2])))

    return _MADE.sub(fill, line).replace("⏎", "\n")
