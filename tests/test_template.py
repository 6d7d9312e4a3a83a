"""template.yaml offers every setting, and hides what is secret."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from remember.settings import MIN_SECRET, NAMES, REST_PAIRS, Settings

HOME = Path(__file__).resolve().parents[1]
TEMPLATE = (HOME / "template.yaml").read_text()

NOT_OFFERED = {
    "REMEMBER_STORE",  # only the REST store comes with the function
    "REMEMBER_MODEL",  # so does one file of weights
}

VARIABLES = dict(re.findall(r"^ {10}([A-Z_]+): !Ref (\w+)$", TEMPLATE, re.MULTILINE))
PARAMETERS = dict(re.findall(r"^  (\w+):\n((?: {4}.*\n)+)", TEMPLATE.partition("\nConditions:")[0], re.MULTILINE))


def test_every_setting_has_a_parameter_of_its_own() -> None:
    """And every parameter is for something that is read."""
    assert set(VARIABLES) == {*NAMES, *REST_PAIRS[0]} - NOT_OFFERED
    assert sorted([*VARIABLES.values(), "Architecture", "Concurrency"]) == sorted(PARAMETERS)


@pytest.mark.parametrize(
    "variable", ["KV_REST_API_TOKEN", "REMEMBER_SECRET", "REMEMBER_SECRET_PREVIOUS", "REMEMBER_API_KEYS"]
)
def test_what_is_secret_is_not_shown(variable: str) -> None:
    """Neither on the terminal nor in the console."""
    assert "    NoEcho: true\n" in PARAMETERS[VARIABLES[variable]]


def test_what_is_needed_cannot_be_left_out() -> None:
    """Store and secret have no default, and a token or secret that is too short is refused before anything is made."""
    for variable in (*REST_PAIRS[0], "REMEMBER_SECRET"):
        assert "Default:" not in PARAMETERS[VARIABLES[variable]]
    for variable in (REST_PAIRS[0][1], "REMEMBER_SECRET"):
        assert f"    MinLength: {MIN_SECRET}\n" in PARAMETERS[VARIABLES[variable]]


def test_a_parameter_that_is_left_empty_changes_nothing() -> None:
    """The template sets every variable, many of them to nothing."""
    assert Settings.read(dict.fromkeys(VARIABLES, "")) == Settings.read({})
