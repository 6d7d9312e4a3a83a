"""The notebook in an author's own tools."""

from __future__ import annotations

from typing import Any

import pytest

from remember import App, Context, Notebook, RememberPlugin, get_notebook, tool
from tests.seed.served import serve
from tests.tools.noting import TOKEN


@tool
async def note_down(text: str, notebook: Notebook) -> dict[str, Any]:
    """Keep what the person said."""
    done = await notebook.remember(text, tags=["said"])
    return {"outcome": done.outcome, "content": done.note.content}


@tool
async def look_up(question: str, context: Context) -> list[str]:
    """Find what the person said."""
    return [hit.note.content for hit in (await get_notebook(context).recall(question, tags=["said"])).hits]


@tool
async def may_note(notebook: Notebook | None) -> str:
    """Whether there is a notebook."""
    return "no" if notebook is None else "yes"


TOOLS = (note_down, look_up, may_note)


@pytest.mark.promise("notes.python")
def test_a_parameter_annotated_notebook_gets_the_caller_s_notes() -> None:
    """The model does not see it; each caller has their own; what one tool keeps another finds."""
    served = serve(App("diary", tools=TOOLS, plugins=(RememberPlugin,)))
    assert list(served.ana.tools()["note_down"]["inputSchema"]["properties"]) == ["text"]
    assert served.ana.call("note_down", {"text": "Tea is at five"}).data["outcome"] == "created"
    assert served.ana.call("note_down", {"text": "Tea is at five"}).data["outcome"] == "duplicate"
    assert "Tea is at five" in served.ana.call("look_up", {"question": "tea"}).text
    assert "Tea" not in served.ben.call("look_up", {"question": "tea"}).text


@pytest.mark.promise("notes.python")
def test_the_notes_of_the_tools_and_of_the_family_are_one() -> None:
    """Where an app has both, in user scope."""
    plugin = RememberPlugin.init(tools={"enabled": True, "families": ["notes"]})
    served = serve(App("diary", tools=TOOLS, plugins=(plugin,)))
    served.ana.call("note_down", {"text": "Tea is at five"})
    assert served.ana.call("engram_recall", {"query": "tea"}).data["count"] == 1


@pytest.mark.promise("notes.python")
def test_without_the_plugin_it_says_what_is_missing() -> None:
    """Unless the parameter may be None."""
    served = serve(App("diary", tools=TOOLS))
    assert served.ana.call("note_down", {"text": "x"}).code == "REMEMBER_NOT_INSTALLED"
    assert served.ana.call("look_up", {"question": "x"}).code == "REMEMBER_NOT_INSTALLED"
    assert served.ana.call("may_note").text == "no"
    assert serve(App("diary", tools=TOOLS, plugins=(RememberPlugin,))).ana.call("may_note").text == "yes"


@pytest.mark.promise("notes.python", "notes.redacted", "notes.rejected")
@pytest.mark.parametrize(("redaction", "said"), [("redact", "[REDACTED]"), ("off", TOKEN), ("reject", None)])
def test_the_plugin_s_redaction_holds_for_the_notebook(redaction: Any, said: str | None) -> None:
    """By the option of the tools, whether they are enabled or not."""
    plugin = RememberPlugin.init(tools={"redaction": redaction})
    reply = serve(App("diary", tools=TOOLS, plugins=(plugin,))).ana.call("note_down", {"text": f"CI uses {TOKEN}"})
    if said is None:
        assert reply.code == "REMEMBER_SECRET_REFUSED"
    else:
        assert reply.data["content"] == f"CI uses {said}"


@pytest.mark.promise("notes.python", "scope.user.anonymous")
def test_somebody_unknown_has_no_notes_of_their_own() -> None:
    """As with every user scope."""
    served = serve(App("diary", tools=TOOLS, plugins=(RememberPlugin,)))
    assert served.anonymous.call("note_down", {"text": "x"}).code == "REMEMBER_IDENTITY_REQUIRED"
