"""What the memory tools leave in the store: keys and expiry to be seen, values not; and what moved does not open."""

from __future__ import annotations

import json
import logging

import pytest

from remember import FetchHandler, RememberPlugin, create_fetch_handler
from remember.stores.memory import MemoryStore
from tests.protocol.requests import KEYS, memory_handler, two_clients
from tests.standins.client import Client
from tests.standins.clock import START, MovingClock

VALUE = "a-value-that-nobody-else-may-see"
OLD, NEW = "the-old-secret-of-the-tests", "the-new-secret-of-the-tests"
SCOPES = ("session", "user", "tool", "global")


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore(MovingClock())


def handler_with(store: MemoryStore, secret: str, previous: str = "") -> FetchHandler:
    return memory_handler(store, environ={"REMEMBER_SECRET": secret, "REMEMBER_SECRET_PREVIOUS": previous})


def replace_text(store: MemoryStore, key: str, text: str) -> None:
    """Somebody who can write to the store changes what lies under a key."""
    store._entries[key] = store._entries[key]._replace(text=text)


def test_the_store_shows_keys_and_expiry_and_no_value(store: MemoryStore) -> None:
    """In every scope: who, which key and until when can be read, what cannot."""
    ana, _ = two_clients(handler_with(store, NEW))
    for scope in SCOPES:
        arguments = {"key": "language", "value": {"is": VALUE}, "scope": scope, "ttl": 60, "brand": "preference"}
        assert ana.call("remember_this", arguments).data["success"] is True
    assert sorted(store._entries) == [
        "remember:v2:global:language",
        "remember:v2:session:stateless-user%3Astatic%3Aana:language",
        "remember:v2:tool:remember%3Aremember_this:stateless-user%3Astatic%3Aana:language",
        "remember:v2:user:static%3Aana:language",
    ]
    for held in store._entries.values():
        assert held.expires_at == START + 60_000
        assert set(json.loads(held.text)) == {"alg", "kid", "iv", "tag", "data"}
        assert not any(word in held.text for word in (VALUE, "preference", "createdAt", NEW))


def test_the_same_value_is_sealed_anew_each_time(store: MemoryStore) -> None:
    """Nobody can see that nothing has changed."""
    ana, _ = two_clients(handler_with(store, NEW))
    texts = set()
    for _ in range(3):
        ana.call("remember_this", {"key": "k", "value": VALUE, "scope": "user"})
        texts.add(store._entries["remember:v2:user:static%3Aana:k"].text)
    assert len(texts) == 3


@pytest.mark.parametrize("scope", SCOPES)
def test_a_text_that_was_moved_reads_as_missing(store: MemoryStore, scope: str) -> None:
    """To another key of its owner, or to another owner: it is sealed to its place."""
    ana, bob = two_clients(handler_with(store, NEW))
    for client, key in ((ana, "a"), (ana, "b"), (bob, "c")):
        client.call("remember_this", {"key": key, "value": VALUE, "scope": "user"})
    ana.call("remember_this", {"key": "d", "value": VALUE, "scope": scope})
    source = next(key for key in store._entries if key.endswith(":d"))
    for key in ("remember:v2:user:static%3Aana:b", "remember:v2:user:static%3Abob:c"):
        replace_text(store, key, store._entries[source].text)
    assert ana.call("recall", {"key": "a", "scope": "user"}).data["value"] == VALUE
    assert ana.call("recall", {"key": "b", "scope": "user"}).data["found"] is False
    assert bob.call("recall", {"key": "c", "scope": "user"}).data["found"] is False
    listed = ana.call("list_memories", {"scope": "user"}).data
    assert "b" not in listed["keys"]
    assert listed["unreadable"] == 1
    assert bob.call("forget", {"key": "c", "scope": "user"}).data["existed"] is False


DAMAGED = {
    "cut": lambda text: text[: len(text) // 2],
    "another algorithm": lambda text: text.replace("A256GCM", "none"),
    "bad base64": lambda text: text.replace('"iv":"', '"iv":"!'),
    "another shape": lambda text: json.dumps([text]),
    "more members": lambda text: json.dumps(json.loads(text) | {"x": 1}),
    "no data": lambda text: json.dumps(json.loads(text) | {"data": ""}),
    "tag of another": lambda text: json.dumps(json.loads(text) | {"tag": "A" * 22}),
    "plain": lambda _: '{"value":1,"createdAt":1,"updatedAt":1}',
    "empty": lambda _: "",
    "deep": lambda _: "[" * 100_000,
}


@pytest.mark.parametrize("damage", DAMAGED.values(), ids=list(DAMAGED))
def test_b5_a_damaged_text_reads_as_missing_and_spoils_nothing_else(
    store: MemoryStore, damage: object, caplog: pytest.LogCaptureFixture
) -> None:
    """B5: the good ones are served, the answer says how many are not, and the log has a reason and no content."""
    assert callable(damage)
    ana, _ = two_clients(handler_with(store, NEW))
    for key in "abcdef":
        ana.call("remember_this", {"key": key, "value": VALUE, "scope": "user"})
    place = "remember:v2:user:static%3Aana:c"
    before = store._entries[place].text
    replace_text(store, place, damage(before))
    caplog.set_level(logging.DEBUG)
    caplog.clear()
    assert ana.call("recall", {"key": "c", "scope": "user"}).data["found"] is False
    listed = ana.call("list_memories", {"scope": "user"}).data
    assert (listed["keys"], listed["unreadable"]) == (["a", "b", "d", "e", "f"], 1)
    assert "does not open" in caplog.text
    assert not any(word in caplog.text for word in (VALUE, before, json.loads(before)["data"]))
    assert ana.call("remember_this", {"key": "c", "value": 1, "scope": "user"}).data["success"] is True
    assert ana.call("recall", {"key": "c", "scope": "user"}).data["value"] == 1


def test_g1_another_secret_says_how_much_it_cannot_read(store: MemoryStore) -> None:
    """G1: recall finds nothing, and the list tells that something is there all the same."""
    ana, _ = two_clients(handler_with(store, OLD))
    for key in "abc":
        ana.call("remember_this", {"key": key, "value": VALUE, "scope": "user"})
    ana, _ = two_clients(handler_with(store, NEW))
    assert ana.call("recall", {"key": "a", "scope": "user"}).data["found"] is False
    listed = ana.call("list_memories", {"scope": "user"}).data
    assert (listed["keys"], listed["count"], listed["unreadable"]) == ([], 0, 3)
    assert "note" not in listed


def test_g1_a_previous_secret_reads_and_the_next_write_seals_anew(store: MemoryStore) -> None:
    """G1: nothing is lost in a rotation, and the old secret can go once everything was written again."""
    ana, _ = two_clients(handler_with(store, OLD))
    for key in "ab":
        ana.call("remember_this", {"key": key, "value": VALUE, "scope": "user"})
    both, _ = two_clients(handler_with(store, NEW, previous=f"another-that-never-was,{OLD}"))
    assert both.call("list_memories", {"scope": "user"}).data["keys"] == ["a", "b"]
    assert both.call("recall", {"key": "a", "scope": "user"}).data["value"] == VALUE
    both.call("remember_this", {"key": "a", "value": VALUE, "scope": "user"})
    only_new, _ = two_clients(handler_with(store, NEW))
    assert only_new.call("recall", {"key": "a", "scope": "user"}).data["value"] == VALUE
    assert only_new.call("recall", {"key": "b", "scope": "user"}).data["found"] is False
    assert only_new.call("list_memories", {"scope": "user"}).data["unreadable"] == 1


def test_c8_a_secret_with_a_line_break_is_the_same_secret(store: MemoryStore) -> None:
    """C8: `echo s | vercel env add` adds one."""
    ana, _ = two_clients(handler_with(store, NEW))
    ana.call("remember_this", {"key": "k", "value": VALUE, "scope": "user"})
    for written in (f"{NEW}\n", f' "{NEW}" ', f"'{NEW}'\r\n"):
        again, _ = two_clients(handler_with(store, written))
        assert again.call("recall", {"key": "k", "scope": "user"}).data["value"] == VALUE


def plugin_handler(store: MemoryStore, **options: object) -> FetchHandler:
    plugin = RememberPlugin.init(type="global-store", tools={"enabled": True}, **options)  # type: ignore[arg-type]
    return create_fetch_handler(
        environ={"REMEMBER_SECRET": NEW}, auth=KEYS, store=store, plugins=[plugin], clock=MovingClock()
    )


def test_g4_a_custom_key_replaces_the_secret(store: MemoryStore) -> None:
    """G4: an option that is taken is applied; the server's secret alone reads nothing then."""
    own = Client(plugin_handler(store, encryption={"custom_key": "an-own-key-of-the-tests"}), KEYS["ana"])
    own.call("remember_this", {"key": "k", "value": VALUE})
    assert own.call("recall", {"key": "k"}).data["value"] == VALUE
    assert Client(plugin_handler(store), KEYS["ana"]).call("recall", {"key": "k"}).data["found"] is False


def test_g4_a_key_prefix_stands_once_before_every_name(store: MemoryStore) -> None:
    """G4: neither twice, nor in one of entry and index alone."""
    client = Client(plugin_handler(store, key_prefix="mine:"), KEYS["ana"])
    client.call("remember_this", {"key": "k", "value": VALUE, "scope": "user"})
    assert list(store._entries) == ["mine:v2:user:static%3Aana:k"]
    assert list(store._shelves) == ["mine:v2:index:user:static%3Aana"]


def test_without_encryption_the_store_holds_the_value_itself(store: MemoryStore) -> None:
    """Only where it was switched off in so many words."""
    client = Client(plugin_handler(store, encryption={"enabled": False}), KEYS["ana"])
    client.call("remember_this", {"key": "k", "value": VALUE})
    (held,) = store._entries.values()
    assert json.loads(held.text)["value"] == VALUE
