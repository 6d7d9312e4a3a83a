"""Deployed with something missing or wrong: the function itself says what it is, and the command that mends it."""

from __future__ import annotations

import json

import pytest

from remember import Request
from tests.deploy.builders import VercelArtefact
from tests.deploy.conftest import Artefact, Runtime
from tests.deploy.over_http import send
from tests.protocol.oracle import error_of, result_of
from tests.protocol.requests import ANA, call, post, rpc
from tests.standins.upstash_rest import UpstashRest

pytestmark = pytest.mark.deploy

WRONG: dict[str, tuple[dict[str, str], str]] = {
    "no store": ({"KV_REST_API_URL": "", "KV_REST_API_TOKEN": ""}, "KV_REST_API_URL"),
    "half a store": ({"KV_REST_API_TOKEN": ""}, "KV_REST_API_TOKEN"),
    "a redis:// address": ({"KV_REST_API_URL": "redis://:pw-of-the-test@localhost:6379"}, "KV_REST_API_URL"),
    "no secret": ({"REMEMBER_SECRET": ""}, "REMEMBER_SECRET"),
    "a short secret": ({"REMEMBER_SECRET": "abc"}, "REMEMBER_SECRET"),
    "no identity": ({"REMEMBER_API_KEYS": ""}, "REMEMBER_API_KEYS"),
    "an issuer without an audience": ({"REMEMBER_ISSUER": "https://issuer.example"}, "REMEMBER_AUDIENCE"),
    "an audience without an issuer": ({"REMEMBER_AUDIENCE": "https://a.example/mcp"}, "REMEMBER_ISSUER"),
    "a scope that is none": ({"REMEMBER_ALLOWED_SCOPES": "user,all"}, "REMEMBER_ALLOWED_SCOPES"),
}
COMMANDS = {"vercel": "`vercel ", "lambda": "`sam deploy"}


def platform(artefact: Artefact) -> str:
    return "vercel" if isinstance(artefact, VercelArtefact) else "lambda"


@pytest.mark.parametrize("name", WRONG)
def test_g3_one_sentence_says_what_to_set_and_how(artefact: Artefact, settings: dict[str, str], name: str) -> None:
    """G3: every call, the health answer and the log hold it, the log once; nothing that was set stands in it."""
    changes, variable = WRONG[name]
    with artefact.start(settings | changes) as function:
        said = set()
        for message in (rpc("tools/list"), call("recall", key="k"), call("remember_this", key="k", value=1)):
            error = error_of(send(function.port, post(message)), 503, -32603)
            said.add(error["message"])
        (sentence,) = said
        health = send(function.port, Request("GET", "/health"))
        assert health.status == 503
        assert sentence in json.loads(health.body)["problems"]
        result_of(send(function.port, post(rpc("server/discover"), key=None)), "server/discover")
        logged = function.log
    assert variable in sentence
    assert COMMANDS[platform(artefact)] in sentence
    assert logged.count(sentence[:60]) == 1
    public = sentence + logged + health.body.decode()
    secrets = (ANA, "pw-of-the-test", settings["REMEMBER_SECRET"], settings["KV_REST_API_TOKEN"])
    assert not any(secret in public for secret in secrets)


def test_a_token_that_may_only_read_is_told_from_the_one_that_may_write(
    artefact: Artefact, settings: dict[str, str], upstash: UpstashRest
) -> None:
    """Reading works; a write says which token to set."""
    with artefact.start(settings | {"KV_REST_API_TOKEN": upstash.read_only_token}) as function:
        refused = tool_error(function, call("remember_this", key="k", value=1, scope="user"))
    assert "KV_REST_API_TOKEN" in refused
    assert upstash.read_only_token not in refused


def test_a_token_of_another_store_is_told(artefact: Artefact, settings: dict[str, str]) -> None:
    """Address and token that do not belong together."""
    with artefact.start(settings | {"KV_REST_API_TOKEN": "made-up-token-of-another-store"}) as function:
        refused = tool_error(function, call("recall", key="k", scope="user"))
        health = send(function.port, Request("GET", "/health"))
    assert "KV_REST_API_TOKEN" in refused
    assert health.status == 503
    assert "made-up-token" not in refused + health.body.decode()


def tool_error(function: Runtime, message: dict[str, object]) -> str:
    result = result_of(send(function.port, post(message)), "tools/call")
    assert result["isError"] is True
    (text,) = (part["text"] for part in result["content"])
    return str(text)
