"""A plugin's tool asks the person through a server of the official SDK as it does through ours."""

from __future__ import annotations

from tests.protocol.requests import KEYS
from tests.sdk.servers import handler, server, with_memory
from tests.standins.client import Client
from tests.tools.person import YES, Person


def test_forget_all_waits_for_the_persons_yes() -> None:
    """By the client's form; the state that it carries is good once."""
    ana = Client(handler(server(), (with_memory(families=["memory", "wipe"]),)), KEYS["ana"])
    ana.call("remember_this", {"key": "k", "value": 1})
    person = Person(ana)
    asked = person.asked("forget_all", scope="session")
    assert ana.call("list_memories").data["keys"] == ["k"]
    assert person.answers(asked, YES, "forget_all", scope="session").data["deleted"] is True
    assert ana.call("list_memories").data["keys"] == []
    assert person.answers(asked, YES, "forget_all", scope="session").error["code"] == -32602
