"""The example apps of the first seed's page, in Python. Each function makes one with a memory of its own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal

from remember import App, Context, Remember, RememberPlugin, Store, tool, try_get_remember
from remember.app import PluginLike
from remember.caller import owner_of
from remember.entry import Entry
from remember.keys import shelf_of
from remember.scope import SCOPES, Scope

MEMORY: tuple[PluginLike, ...] = (RememberPlugin.init(type="memory"),)


@tool
async def set_language(language: str, remember: Remember) -> dict[str, Any]:
    """Set the language the user wants answers in."""
    await remember.set("language", language, scope="user")
    return {"language": language}


@tool
async def get_language(remember: Remember) -> dict[str, Any]:
    """The language the user wants answers in, and who the user is."""
    language = await remember.get("language", scope="user", default_value="en")
    return {"user": remember.user_id, "language": language}


def prefs(plugins: Sequence[PluginLike] = MEMORY) -> App:
    return App("prefs", "Preferences", (set_language, get_language), plugins)


@tool
async def save(key: str, value: str, scope: Scope, remember: Remember) -> dict[str, Any]:
    """Save a value."""
    await remember.set(key, value, scope=scope)
    return {"saved": key}


@tool
async def load(key: str, scope: Scope, remember: Remember) -> dict[str, Any]:
    """Load a value."""
    return {"value": await remember.get(key, scope=scope)}


@tool
async def count_calls(remember: Remember) -> dict[str, Any]:
    """Count this caller's calls of this tool."""
    count = await remember.get("count", scope="tool", default_value=0) + 1
    await remember.set("count", count, scope="tool")
    return {"count": count}


def notes(plugins: Sequence[PluginLike] = MEMORY) -> App:
    return App("notes", "Notes", (save, load, count_calls), plugins)


@tool
async def draft_tour(remember: Remember, context: Context) -> dict[str, Any]:
    """Store and read back a reply draft."""
    first = "Thanks for the report."
    await remember.set("draft:T-1", first, scope="global", ttl=3600, brand="state", metadata={"ticket": "T-1"})
    await remember.set("draft:T-2", "We're on it.", scope="global")
    await remember.set("signature", "The Help Desk", scope="global")
    before = await remember.get_entry("draft:T-1", scope="global")
    updated = await remember.update("draft:T-1", "Thanks, fixed in 2.1.", scope="global")
    entry = await remember.get_entry("draft:T-1", scope="global")
    assert isinstance(before, Entry)
    assert isinstance(entry, Entry)
    return {
        "updated": updated,
        "updated_missing": await remember.update("draft:T-9", "?", scope="global"),
        "value": entry.value,
        "brand": entry.brand,
        "metadata": entry.metadata,
        "lives_seconds": ((entry.expires_at or 0) - entry.created_at) // 1000,
        "same_expiry": entry.expires_at == before.expires_at,
        "drafts": await remember.list(scope="global", pattern="draft:*"),
        "knows_t2": await remember.knows("draft:T-2", scope="global"),
        "missing": await remember.get("draft:T-9", scope="global", default_value="(none)"),
        "has_accessor": try_get_remember(context) is not None,
    }


@tool
async def forget_draft(remember: Remember) -> dict[str, Any]:
    """Forget a reply draft."""
    forgotten = await remember.forget("draft:T-2", scope="global")
    return {"forgotten": forgotten, "knows_t2": await remember.knows("draft:T-2", scope="global")}


def drafts(plugins: Sequence[PluginLike] = MEMORY) -> App:
    return App("drafts", "Drafts", (draft_tour, forget_draft), plugins)


@tool
async def start_otp(remember: Remember) -> dict[str, Any]:
    """Send a one-time code, valid for 5 minutes."""
    await remember.set("otp", "482913", scope="global", ttl=300)
    return {"sent": True}


@tool
async def resend_otp(remember: Remember) -> dict[str, Any]:
    """Send a new one-time code, keeping the expiry."""
    return {"resent": await remember.update("otp", "551204", scope="global")}


@tool
async def check_otp(remember: Remember) -> dict[str, Any]:
    """What is left of the one-time code."""
    return {
        "knows": await remember.knows("otp", scope="global"),
        "listed": "otp" in await remember.list(scope="global"),
        "code": await remember.get("otp", scope="global"),
    }


def otp(plugins: Sequence[PluginLike] = MEMORY) -> App:
    return App("otp", "OTP", (start_otp, resend_otp, check_otp), plugins)


@tool
async def save_note(
    note: str, scope: Literal["session", "user", "tool", "global"], remember: Remember
) -> dict[str, Any]:
    """Save a note."""
    await remember.set("note", note, scope=scope)
    return {"saved": True}


@tool
async def read_note(remember: Remember) -> dict[str, Any]:
    """Read the shared note."""
    note = await remember.get("note", scope="global", default_value=None)
    return {"note": note, "knows": await remember.knows("note", scope="global")}


@tool
async def raw_store(context: Context, store: Store) -> dict[str, Any]:
    """What lies in the store for this caller, as somebody who can read the store sees it."""
    raw: dict[str, Any] = {}
    for scope in SCOPES:
        shelf = shelf_of("remember:", owner_of(context.caller, scope, "vault:save_note"))
        page = await store.page(shelf, after=None, pattern="*", limit=100)
        raw |= {shelf.place(name).key: json.loads(text) for name, text in page.items}
    return raw


def vault(plugins: Sequence[PluginLike] = MEMORY) -> App:
    return App("vault", "Vault", (save_note, read_note, raw_store), plugins)


@tool
async def ask_plainly(context: Context) -> dict[str, Any]:
    """Whether this tool has a memory; works without one."""
    return {"has_memory": try_get_remember(context) is not None}


@tool
async def ask_optionally(remember: Remember | None) -> dict[str, Any]:
    """Whether this tool was given a memory; works without one."""
    return {"has_memory": remember is not None}


@tool
async def insist(remember: Remember) -> dict[str, Any]:
    """Needs a memory."""
    return {"listed": await remember.list(scope="global")}


def bare(plugins: Sequence[PluginLike] = ()) -> App:
    return App("bare", "No plugin", (ask_plainly, ask_optionally, insist), plugins)
