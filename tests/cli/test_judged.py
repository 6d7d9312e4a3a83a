"""The environment that the doctor judges: files as they are pulled, and platforms as they are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from remember import ConfigurationError, Settings
from remember.cli.judged import on_platform, read_env_file


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("NAME=plain", "plain"),
        ("NAME=a=b=c==", "a=b=c=="),
        ("NAME=", ""),
        ('NAME=""', ""),
        ('NAME="quoted text"', "quoted text"),
        ("NAME='quoted text'", "quoted text"),
        ('NAME="with a line break\\n"', "with a line break\n"),
        ('NAME="with \\"quotes\\" and \\\\ inside"', 'with "quotes" and \\ inside'),
        ("NAME='as\\nit is'", "as\\nit is"),
        ('NAME="value" # a remark', "value"),
        ("NAME=\"'twice'\"", "'twice'"),
        ("  export NAME = value  ", "value"),
        ("NAME=with # in it", "with # in it"),
        ('NAME="never ends', '"never ends'),
    ],
)
def test_a_line_is_read_as_it_was_meant(tmp_path: Path, line: str, value: str) -> None:
    """Quotes go, escapes in double ones are resolved, nothing else is touched."""
    path = tmp_path / ".env"
    path.write_text(f"\ufeff# Created by a tool\n\n{line}\n")
    assert read_env_file(path) == {"NAME": value}


@pytest.mark.parametrize("line", ["what-is-this s3cr3t", "=s3cr3t", "1NAME=s3cr3t", "s3cr3t"])
def test_another_line_is_told_by_its_number(tmp_path: Path, line: str) -> None:
    """Not by what it holds: it may be a secret that lost its name."""
    path = tmp_path / ".env"
    path.write_text(f"A=1\n\n{line}\n")
    with pytest.raises(ConfigurationError, match="line 3 is not of the form NAME=value") as caught:
        read_env_file(path)
    assert "s3cr3t" not in str(caught.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """Missing, a folder, or no text."""
    (tmp_path / "binary").write_bytes(b"A=\xff\xfe")
    for name, why in (("none", "No such file"), (".", "directory"), ("binary", "not UTF-8")):
        with pytest.raises(ConfigurationError, match=why):
            read_env_file(tmp_path / name)


@pytest.mark.parametrize("platform", ["vercel", "lambda", "local"])
@pytest.mark.parametrize(
    "origin", [{}, {"VERCEL": "1", "VERCEL_ENV": "development"}, {"AWS_LAMBDA_FUNCTION_NAME": "f"}, {"VERCEL": "1"}]
)
def test_a_platform_is_what_it_was_told(origin: dict[str, str], platform: str) -> None:
    """Wherever the variables came from; the others stay."""
    environ = on_platform({**origin, "REMEMBER_STORE": "upstash"}, platform)  # type: ignore[arg-type]
    settings = Settings.read(environ)
    assert (settings.platform, settings.store) == (platform, "upstash")


def test_without_a_platform_nothing_changes() -> None:
    """The variables say where they are from."""
    environ = {"VERCEL": "1", "REMEMBER_STORE": "upstash"}
    assert on_platform(environ, None) == environ
