"""The secret that a development server keeps in a file."""

from __future__ import annotations

import json
import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from remember.errors import ConfigurationError
from remember.own_folder import keep_once
from remember.sealing.secrets import choose_secrets, development_secret, key_id
from remember.settings import Secret, Settings


@pytest.mark.promise("sealing.generated")
def test_processes_that_start_at_once_agree_on_one_secret(tmp_path: Path) -> None:
    """The first to place the file wins; nothing half-written is ever read, and nothing else is left behind."""
    folder = tmp_path / "deep" / ".remember"
    with ThreadPoolExecutor(16) as pool:
        made = list(pool.map(lambda _: development_secret(folder).reveal(), range(64)))
    assert len(set(made)) == 1
    assert {path.name for path in folder.iterdir()} == {"secret.json", ".gitignore"}


def test_what_is_kept_once_stays(tmp_path: Path) -> None:
    """A second value for the same file is not taken."""
    path = tmp_path / "keys.json"
    assert keep_once(path, "key", "first") == "first"
    assert keep_once(path, "key", "second") == "first"
    assert json.loads(path.read_text()) == {"key": "first"}


def test_a_folder_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    """With the path and the system's word for it."""
    (tmp_path / ".remember").write_text("a file where the folder should be")
    with pytest.raises(ConfigurationError, match=r"secret\.json cannot be used"):
        development_secret(tmp_path / ".remember")


def test_a_secret_cannot_be_printed(tmp_path: Path) -> None:
    """Not by itself, not in what holds it, not as its key id."""
    secret = development_secret(tmp_path)
    for text in (repr(secret), str(secret), f"{secret}", repr([secret]), key_id(secret)):
        assert secret.reveal() not in text
    assert repr(Secret("x" * 20)) == "Secret(…)"


def test_without_a_place_beside_the_store_the_secret_is_kept_here_and_its_place_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A store elsewhere outlives this folder, so the log says what must be kept; beside a file there is no need."""
    monkeypatch.chdir(tmp_path)
    with caplog.at_level(logging.WARNING, "remember"):
        beside = choose_secrets(Settings(), lasting=True, folder=tmp_path / "kept" / ".remember").current
        assert not caplog.records
        here = choose_secrets(Settings(), lasting=True).current
    (record,) = caplog.records
    assert str(tmp_path / ".remember") in record.getMessage()
    assert here.reveal() not in caplog.text
    assert here != beside
    assert development_secret(tmp_path / ".remember") == here
    assert development_secret(tmp_path / "kept" / ".remember") == beside
