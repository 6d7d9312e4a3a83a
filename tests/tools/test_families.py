"""Which families of tools there are, how they are described, and what their schemas are made of."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from remember import App, ConfigurationError, FetchHandler, RememberPlugin, create_fetch_handler
from remember.notebook.fields import MAX_CONTENT, MAX_TAGS
from remember.options import ToolsOptions
from remember.settings import Family
from tests.seed.served import serve
from tests.standins.client import Client
from tests.tools.noting import memory_server, notes_of

MEMORY = ("remember_this", "recall", "forget", "list_memories")
NOTES = tuple(f"engram_{name}" for name in ("remember", "recall", "forget", "feedback", "context", "status"))
WIPE = ("forget_all",)
EVERY_NAME = re.compile(r"\b\w*(?:remember_this|list_memories|engram_\w+|forget_all)\b")


def tools(handler: FetchHandler) -> dict[str, dict[str, Any]]:
    return Client(handler).tools()


def words(handler: FetchHandler) -> str:
    """Everything that a model reads of a server before it calls."""
    told = [str(tool["description"]) + str(tool["inputSchema"]) for tool in tools(handler).values()]
    return " ".join([*told, Client(handler).rpc("server/discover").result["instructions"]])


def offered(families: list[Family] | None) -> dict[str, Any]:
    """What an app's plugin brings in with these families; None leaves the option out."""
    options: ToolsOptions = {"enabled": True}
    if families is not None:
        options["families"] = families
    return serve(App("assistant", plugins=(RememberPlugin.init(tools=options),))).ana.tools()


@pytest.mark.promise("notes.families")
@pytest.mark.parametrize(
    ("chosen", "names"),
    [
        ("", MEMORY + NOTES + WIPE),
        ("memory", MEMORY),
        ("notes", NOTES),
        ("notes,memory", MEMORY + NOTES),
        ("wipe", WIPE),
    ],
)
def test_the_memory_server_offers_the_families_that_are_chosen(chosen: str, names: tuple[str, ...]) -> None:
    """All of them unless told otherwise; a tool that is not offered cannot be called."""
    handler = memory_server(REMEMBER_TOOLS=chosen)
    assert tuple(tools(handler)) == names
    for name in {*MEMORY, *NOTES, *WIPE} - set(names):
        assert Client(handler).call(name).status == 400


@pytest.mark.promise("notes.families", "tools.four")
def test_an_app_s_plugin_offers_the_four_unless_it_is_told() -> None:
    """The first seed's promise stays: enabled alone brings exactly four."""
    assert tuple(offered(None)) == MEMORY
    assert tuple(offered(["notes"])) == NOTES
    assert tuple(offered(["notes", "memory"])) == MEMORY + NOTES
    assert tuple(offered(["wipe", "memory"])) == MEMORY + WIPE


@pytest.mark.promise("notes.families")
@pytest.mark.parametrize("families", [[], ["note"], "notes", None, 5])
def test_a_family_that_is_none_is_refused(families: Any) -> None:
    """With the names of those that there are."""
    with pytest.raises(ConfigurationError) as refused:
        RememberPlugin.init(tools={"enabled": True, "families": families})
    assert refused.value.variable == "tools.families"


@pytest.mark.promise("notes.families", "notes.hints")
@pytest.mark.parametrize("prefix", ["", "my_"])
@pytest.mark.parametrize(
    ("chosen", "bases"),
    [
        ("memory", MEMORY),
        ("notes", NOTES),
        ("memory,notes", MEMORY + NOTES),
        ("wipe", WIPE),
        ("memory,wipe", MEMORY + WIPE),
        ("notes,wipe", NOTES + WIPE),
    ],
)
def test_words_name_what_is_there_under_its_own_name(prefix: str, chosen: str, bases: tuple[str, ...]) -> None:
    """No description, argument or instruction names a tool that is not offered, or by another name."""
    handler = memory_server(REMEMBER_TOOLS=chosen, REMEMBER_TOOLS_PREFIX=prefix)
    names = {f"{prefix}{base}" for base in bases}
    assert set(tools(handler)) == names
    named = set(EVERY_NAME.findall(words(handler)))
    assert named <= names
    assert named >= {name for name in names if "remember" in name}


@pytest.mark.promise("notes.families")
def test_where_both_are_the_words_say_which_is_for_what() -> None:
    """A key that the model chooses, or a sentence that is found by its meaning; told from both sides."""
    told = tools(memory_server())
    assert "engram_remember" in told["remember_this"]["description"]
    assert "remember_this" in told["engram_remember"]["description"]
    assert "under a key that you choose" in told["engram_remember"]["description"]
    instructions = Client(memory_server()).rpc("server/discover").result["instructions"]
    assert "Which of the two" in instructions
    assert "Which of the two" not in words(memory_server(REMEMBER_TOOLS="notes"))


@pytest.mark.promise("notes.hints")
def test_j2_the_words_say_when_to_call_without_being_asked() -> None:
    """J2: on its own account, before answering, when a conversation begins; never only when somebody asks."""
    told = tools(memory_server(REMEMBER_TOOLS="notes"))
    assert "on your own account" in told["engram_remember"]["description"]
    assert "before you answer" in told["engram_recall"]["description"]
    assert "begins" in told["engram_context"]["description"]
    for tool in told.values():
        assert "Call it" in tool["description"]
        assert not re.search(r"(?i)only (when|if) (explicitly |the user )?ask", tool["description"])


@pytest.mark.promise("notes.hints")
def test_reading_tools_are_marked_as_reading() -> None:
    """Recall, context and status; forget alone destroys."""
    hints = {name: tool["annotations"] for name, tool in tools(memory_server(REMEMBER_TOOLS="notes")).items()}
    assert {name for name in NOTES if hints[name]["readOnlyHint"]} == {
        "engram_recall",
        "engram_context",
        "engram_status",
    }
    assert {name for name in NOTES if hints[name].get("destructiveHint")} == {"engram_forget"}
    assert not any(hint["openWorldHint"] for hint in hints.values())


@pytest.mark.promise("notes.seven", "notes.schemas")
def test_the_seed_s_seven_inputs_and_two_of_ours() -> None:
    """Under exactly these names, content alone required; the bounds that the words tell are the real ones."""
    schema = tools(memory_server())["engram_remember"]["inputSchema"]
    seven = {"tags", "force", "entity", "content", "category", "namespace", "confidence"}
    assert set(schema["properties"]) == seven | {"supersedes", "scope"}
    assert schema["required"] == ["content"]
    assert f"{MAX_CONTENT:,} characters" in schema["properties"]["content"]["description"]
    assert f"at most {MAX_TAGS}" in schema["properties"]["tags"]["description"]


@pytest.mark.promise("notes.schemas")
def test_schemas_are_closed_and_flat() -> None:
    """No $ref, no alternatives, one type each; an object inside is closed too, and required ones stand first."""
    for tool in tools(memory_server(REMEMBER_TOOLS="notes")).values():
        for schema in (tool["inputSchema"], tool["outputSchema"]):
            assert list(schema["properties"])[: len(schema["required"])] == schema["required"]
            waiting = [schema]
            while waiting:
                one = waiting.pop()
                assert not {"$ref", "$defs", "anyOf", "oneOf", "allOf"} & set(one)
                assert isinstance(one.get("type", ""), str)
                if "properties" in one:
                    assert one["additionalProperties"] is False
                waiting += [*one.get("properties", {}).values(), *([one["items"]] if "items" in one else [])]


@pytest.mark.promise("notes.scope")
def test_the_scope_s_words_and_default_follow_what_is_allowed() -> None:
    """Tool scope is never among them: no tool would find what another kept there."""
    for allowed, enum, default in (
        ("", ["session", "user", "global"], "user"),
        ("tool,user", ["user"], "user"),
        ("global,session", ["global", "session"], None),
    ):
        told = tools(memory_server(REMEMBER_TOOLS="notes", REMEMBER_ALLOWED_SCOPES=allowed))
        (scope,) = {str(tool["inputSchema"]["properties"]["scope"]): tool for tool in told.values()}.values()
        schema = scope["inputSchema"]["properties"]["scope"]
        assert (schema["enum"], schema.get("default")) == (enum, default)
        assert "tool" not in schema["description"]
    refused = notes_of("ana", memory_server(REMEMBER_ALLOWED_SCOPES="session,global")).refused("status")
    assert refused.text == "Scope 'user' is not allowed. Allowed scopes: session, global"


@pytest.mark.promise("notes.scope")
def test_where_tool_scope_alone_is_allowed_there_can_be_no_notes() -> None:
    """Told at the start: by the variable on a deployed server, by the option to an author."""
    handler = memory_server(REMEMBER_ALLOWED_SCOPES="tool")
    reply = Client(handler).rpc("tools/list")
    assert reply.status == 503
    assert "REMEMBER_ALLOWED_SCOPES" in reply.error["message"]
    assert "REMEMBER_TOOLS" in reply.error["message"]
    plugin = RememberPlugin.init(tools={"enabled": True, "families": ["notes"], "allowed_scopes": ["tool"]})
    with pytest.raises(ConfigurationError) as refused:
        create_fetch_handler(App("assistant", plugins=(plugin,)), environ={})
    assert refused.value.variable == "allowed_scopes"


@pytest.mark.promise("notes.families")
def test_the_two_families_do_not_see_each_other_s() -> None:
    """A key is no note, and a note no key."""
    ana = notes_of("ana", memory_server())
    ana.client.call("remember_this", {"key": "tea", "value": "green", "scope": "user"})
    ana("remember", content="Tea is at five")
    assert ana.found() == ["Tea is at five"]
    assert asyncio.run(ana.client.call_async("list_memories", {"scope": "user"})).data["keys"] == ["tea"]
