"""500 mixed calls while the store fails in every way that it can: nothing that was acknowledged is lost."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from tests.deploy.conftest import Artefact
from tests.deploy.over_http import send
from tests.protocol.requests import call, post, rpc
from tests.standins.upstash_rest import FAULTS, UpstashRest

pytestmark = pytest.mark.deploy

CALLS = 500
WRONG = [
    *FAULTS,
    "500 <html>sorry</html>",
    "503 {}",
    '429 {"error": "ERR max requests limit exceeded"}',
    "200 not json",
]
KEYS = [f"k{number}" for number in range(8)]


class Model:
    """What each key may hold: one value once that is known, more after a write whose answer was lost."""

    def __init__(self) -> None:
        self.may_be: dict[str, set[int | None]] = {key: {None} for key in KEYS}

    def wrote(self, key: str, value: int | None, *, failed: bool) -> None:
        self.may_be[key] = {*self.may_be[key], value} if failed else {value}

    def read(self, key: str, value: int | None) -> None:
        assert value in self.may_be[key], (key, value, self.may_be[key])
        self.may_be[key] = {value}


def test_the_artefacts_survive_500_mixed_calls_with_store_faults(
    artefact: Artefact, settings: dict[str, str], upstash: UpstashRest
) -> None:
    """Every call is answered in the protocol, one in five meets a fault, and the process stays the same."""
    random, model, failures = Random(1729), Model(), 0  # noqa: S311  no secret: the same calls each time
    with artefact.start({**settings, "REMEMBER_STORE_DEADLINE": "0.2", "REMEMBER_RATE_LIMIT": "0"}) as function:
        for number in range(CALLS):
            upstash.faults[:] = [random.choice(WRONG)] * random.choice([1, 3]) if random.random() < 0.2 else []
            key, kind = random.choice(KEYS), random.choice(["remember_this", "recall", "forget", "list", "tools"])
            message = _message(kind, key, number)
            response = send(function.port, post(message))
            assert response.status == 200, response.body
            result = json.loads(response.body)["result"]
            failures += bool(result.get("isError"))
            _check(model, kind, key, number, result)
        upstash.faults.clear()
        for key in KEYS:
            result = json.loads(send(function.port, post(_message("recall", key, 0))).body)["result"]
            _check(model, "recall", key, 0, result)
            assert not result.get("isError")
        assert function.process.alive
        assert "Traceback" not in function.process.printed + function.log
    assert 20 < failures < CALLS / 4


def _message(kind: str, key: str, number: int) -> dict[str, Any]:
    if kind == "tools":
        return rpc("tools/list")
    if kind == "list":
        return call("list_memories", scope="user")
    if kind == "remember_this":
        return call(kind, key=key, scope="user", value=number)
    return call(kind, key=key, scope="user")


def _check(model: Model, kind: str, key: str, number: int, result: dict[str, Any]) -> None:
    failed = bool(result.get("isError"))
    if failed:
        assert result["_meta"]["code"].startswith("REMEMBER_STORE"), result
    if kind in ("remember_this", "forget"):
        model.wrote(key, number if kind == "remember_this" else None, failed=failed)
    elif kind == "recall" and not failed:
        model.read(key, result["structuredContent"].get("value"))
    elif kind == "list" and not failed:
        listed = set(result["structuredContent"]["keys"])
        assert all(model.may_be[key] != {None} for key in listed)
        assert all(None in model.may_be[key] for key in set(KEYS) - listed)
