"""The page's section on encryption: which secret seals, and what another one finds."""

from __future__ import annotations

import asyncio
import json
import logging
import stat
from collections.abc import Mapping
from pathlib import Path

import pytest

from remember import App, ConfigurationError, RememberPlugin, Store
from remember.caller import Owner
from remember.keys import shelf_of
from remember.options import EncryptionOptions
from remember.stores.memory import MemoryStore
from tests.seed.apps import vault
from tests.seed.served import serve
from tests.standins.client import Client
from tests.standins.clock import MovingClock

OLD, NEW = "the-secret-of-last-year", "the-secret-of-this-year"
MISSING = {"note": None, "knows": False}
NAMES = ("REMEMBER_SECRET", "MCP_MEMORY_SECRET", "MCP_SESSION_SECRET")


@pytest.fixture
def store(clock: MovingClock) -> Store:
    return MemoryStore(clock)


def caller(store: Store, environ: Mapping[str, str], encryption: EncryptionOptions | None = None) -> Client:
    """A caller of a new server over `store`, as a restart or another instance would be."""
    plugin = RememberPlugin.init(type="global-store", encryption=encryption or {})
    return serve(vault((plugin,)), environ={"REMEMBER_SECRET": "", **environ}, store=store).ana


def keep(client: Client, note: str = "kept") -> None:
    assert client.call("save_note", {"note": note, "scope": "global"}).data == {"saved": True}


def found(client: Client) -> object:
    return client.call("read_note").data


@pytest.mark.promise("sealing.same-secret")
def test_two_instances_with_one_secret_read_each_other(store: Store) -> None:
    """Every instance that shares a store has the same secret, under whichever of the names."""
    keep(caller(store, {"REMEMBER_SECRET": NEW}))
    for name in NAMES:
        assert found(caller(store, {name: NEW})) == {"note": "kept", "knows": True}


@pytest.mark.promise("sealing.other-secret", "trouble.secret-changed")
def test_another_secret_finds_nothing(store: Store) -> None:
    """get returns the default, knows is False, list leaves it out, update changes nothing."""
    keep(caller(store, {"REMEMBER_SECRET": OLD}))
    other = caller(store, {"REMEMBER_SECRET": NEW})
    assert found(other) == MISSING


@pytest.mark.promise("sealing.environment-order")
@pytest.mark.parametrize("first", range(3))
def test_the_first_secret_that_is_set_counts(store: Store, first: int) -> None:
    """REMEMBER_SECRET, then MCP_MEMORY_SECRET, then MCP_SESSION_SECRET; an empty one is not set."""
    environ = {name: f"{number}-{NEW}" if number >= first else " " for number, name in enumerate(NAMES)}
    keep(caller(store, environ))
    assert found(caller(store, {"REMEMBER_SECRET": f"{first}-{NEW}"})) == {"note": "kept", "knows": True}
    assert found(caller(store, {"REMEMBER_SECRET": f"{first + 1}-{NEW}"})) == MISSING


@pytest.mark.promise("sealing.custom-key")
def test_a_custom_key_stands_before_the_environment(store: Store) -> None:
    """It decides who can read: setting it for the first time changes the secret too."""
    keep(caller(store, {"REMEMBER_SECRET": OLD}, {"custom_key": NEW}))
    assert found(caller(store, {"REMEMBER_SECRET": NEW})) == {"note": "kept", "knows": True}
    assert found(caller(store, {"REMEMBER_SECRET": OLD})) == MISSING
    assert found(caller(store, {"REMEMBER_SECRET": OLD}, {"custom_key": OLD})) == MISSING


@pytest.mark.promise("sealing.custom-key")
@pytest.mark.parametrize("blank", ["", "  "])
def test_a_blank_custom_key_is_an_error(blank: str) -> None:
    """Rather than no encryption, or an empty secret."""
    with pytest.raises(ConfigurationError, match=r"encryption\.custom_key is blank"):
        RememberPlugin.init(encryption={"custom_key": blank})


@pytest.mark.promise("sealing.custom-key")
@pytest.mark.parametrize(("key", "warned"), [("k" * 15, True), (f" {'k' * 15} ", True), ("k" * 16, False)])
def test_a_short_custom_key_is_warned_of(
    store: Store, caplog: pytest.LogCaptureFixture, key: str, *, warned: bool
) -> None:
    """It works, and the log says once that it is easily guessed, by the option's name and without the key."""
    with caplog.at_level(logging.WARNING, "remember"):
        keep(caller(store, {}, {"custom_key": key}))
    said = [record.getMessage() for record in caplog.records if "encryption.custom_key" in record.getMessage()]
    assert len(said) == warned
    assert not any(key.strip() in sentence for sentence in said)


@pytest.mark.promise("sealing.previous")
def test_a_previous_secret_reads_and_the_next_write_seals_anew(store: Store) -> None:
    """REMEMBER_SECRET_PREVIOUS opens what it sealed; what is written since needs the current one alone."""
    keep(caller(store, {"REMEMBER_SECRET": OLD}))
    both = {"REMEMBER_SECRET": NEW, "REMEMBER_SECRET_PREVIOUS": f"some-other-old-secret,{OLD}"}
    assert found(caller(store, both)) == {"note": "kept", "knows": True}
    assert found(caller(store, {"REMEMBER_SECRET": NEW})) == MISSING
    keep(caller(store, both), "kept anew")
    assert found(caller(store, {"REMEMBER_SECRET": NEW})) == {"note": "kept anew", "knows": True}


@pytest.mark.promise("sealing.other-secret")
def test_the_log_says_why_and_nothing_of_the_content(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    """The reason and the id of the key that it asks for; neither value nor secret."""
    keep(caller(store, {"REMEMBER_SECRET": OLD}), "a private note")
    with caplog.at_level(logging.WARNING, "remember"):
        found(caller(store, {"REMEMBER_SECRET": NEW}))
    assert "sealed under an unknown secret" in caplog.text
    for private in ("a private note", OLD, NEW):
        assert private not in caplog.text


class TestWithoutASecret:
    """Nothing set: what happens outside production and in it."""

    def lasting(self, path: Path, environ: Mapping[str, str]) -> Client:
        plugin = RememberPlugin.init(type="sqlite", path=str(path / "memory.db"))
        return serve(vault((plugin,)), environ={"REMEMBER_SECRET": "", **environ}).ana

    @pytest.mark.promise("sealing.generated")
    def test_outside_production_one_is_made_and_kept(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """In .remember/ of the working directory, for its owner alone; the next start reads with it."""
        monkeypatch.chdir(tmp_path)
        keep(self.lasting(tmp_path, {}))
        folder, file = tmp_path / ".remember", tmp_path / ".remember" / "secret.json"
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert len(json.loads(file.read_text())["secret"]) >= 43
        assert {path.name for path in folder.iterdir()} == {"secret.json", ".gitignore"}
        assert found(self.lasting(tmp_path, {})) == {"note": "kept", "knows": True}
        file.unlink()
        assert found(self.lasting(tmp_path, {})) == MISSING

    @pytest.mark.promise("sealing.generated")
    def test_it_is_kept_beside_the_file_that_it_seals(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whatever folder the process was started in; nothing is left there."""
        kept, one, two = (tmp_path / name for name in ("kept", "one", "two"))
        for folder in (one, two):
            folder.mkdir()
        monkeypatch.chdir(one)
        keep(self.lasting(kept, {}))
        monkeypatch.chdir(two)
        assert found(self.lasting(kept, {})) == {"note": "kept", "knows": True}
        assert (kept / ".remember" / "secret.json").exists()
        assert not [*one.iterdir(), *two.iterdir()]

    @pytest.mark.promise("sealing.generated")
    @pytest.mark.parametrize("content", ["", "{}", '{"secret": ""}', '{"secret": 5}', "not json"])
    def test_a_broken_file_is_told_and_not_replaced(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str
    ) -> None:
        """A new secret in its place would make everything unreadable."""
        monkeypatch.chdir(tmp_path)
        file = tmp_path / ".remember" / "secret.json"
        file.parent.mkdir()
        file.write_text(content)
        with pytest.raises(ConfigurationError, match="does not hold a secret"):
            self.lasting(tmp_path, {})
        assert file.read_text() == content

    @pytest.mark.promise("sealing.production")
    def test_in_production_a_lasting_store_needs_one(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Every call is answered with what to set, and nothing is written."""
        monkeypatch.chdir(tmp_path)
        reply = self.lasting(tmp_path, {"NODE_ENV": "production"}).rpc("tools/list")
        assert reply.status == 503
        assert reply.error["data"] == {"code": "REMEMBER_CONFIGURATION", "variable": "REMEMBER_SECRET"}
        assert "remember keygen" in reply.error["message"]
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.promise("sealing.production")
    def test_in_production_the_memory_store_makes_one_and_warns(self, caplog: pytest.LogCaptureFixture) -> None:
        """It ends with the process, as the memory does."""
        with caplog.at_level(logging.WARNING, "remember"):
            client = serve(vault(), environ={"REMEMBER_SECRET": "", "NODE_ENV": "production"}).ana
        keep(client)
        assert found(client) == {"note": "kept", "knows": True}
        assert "No REMEMBER_SECRET" in caplog.text

    @pytest.mark.promise("sealing.production")
    def test_without_encryption_no_secret_is_needed(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Production and a lasting store included; and none is made."""
        monkeypatch.chdir(tmp_path)
        path = str(tmp_path / "memory.db")
        plugin = RememberPlugin.init(type="sqlite", path=path, encryption={"enabled": False})
        client = serve(vault((plugin,)), environ={"REMEMBER_SECRET": "", "NODE_ENV": "production"}).ana
        keep(client)
        assert found(client) == {"note": "kept", "knows": True}
        assert not (tmp_path / ".remember").exists()


@pytest.mark.promise("sealing.moved")
def test_an_envelope_copied_to_another_key_reads_as_missing(clock: MovingClock) -> None:
    """Of the same caller too: what is sealed is sealed to its place."""
    store = MemoryStore(clock)
    ana = caller(store, {"REMEMBER_SECRET": NEW})
    keep(ana)
    shelf = shelf_of("remember:", Owner("global"))

    async def move() -> None:
        sealed = await store.remove(shelf.place("note"))
        assert sealed is not None
        await store.put(shelf.place("other"), sealed, None)
        await store.put(shelf.place("note"), sealed, None)

    asyncio.run(move())
    assert found(ana) == {"note": "kept", "knows": True}
    served = serve(
        App("any", plugins=(RememberPlugin.init(type="global-store", tools={"enabled": True}),)),
        environ={"REMEMBER_SECRET": NEW},
        store=store,
    )
    assert served.ana.call("recall", {"key": "other", "scope": "global"}).data["found"] is False
    listed = served.ana.call("list_memories", {"scope": "global"}).data
    assert (listed["keys"], listed["unreadable"]) == (["note"], 1)
