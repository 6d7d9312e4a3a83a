"""Every promise of the first seed's page, in our words, with its place there; and the seven of our design.

Each test that pins one wears it: `@pytest.mark.promise("scope.user.apart")`. `test_promises.py` fails when either
is alone. A place in brackets is a table that the page's text lost and the facts rebuilt, or ours beyond the page.
"""

from __future__ import annotations

from typing import NamedTuple


class Promise(NamedTuple):
    """Where it is made, and what it says."""

    place: str
    words: str


PROMISES = {
    # The plugin and its options
    "init.forms": Promise("this.remember", "the class, init() and init(type='memory') are one plugin"),
    "options.unknown": Promise("[Options]", "an option that is unknown or does not fit is named, with what would"),
    "options.key-prefix": Promise("Stores", "the key prefix stands once before every key"),
    "options.default-ttl": Promise("Working with entries", "set without ttl uses the default ttl; 0 is none"),
    "options.rest-pair": Promise("[Options]", "half of url and token is an error that names the other half"),
    "options.global-store": Promise("Troubleshooting", "global-store is the handler's store, and needs one"),
    "options.sqlite": Promise("[Options]", "a store in one file that outlives the process"),
    "options.redis": Promise("[Options]", "redis takes config or url, and its client is ours to open and close"),
    "options.redis-client": Promise("[Options]", "redis-client takes the caller's client, and leaves it open"),
    "options.factory": Promise(
        "Letting the model remember things", "options may come from a function, sync or async, tools among them"
    ),
    "stores.reads-back": Promise("Stores", "values read back exactly as they were stored"),
    # The accessor
    "accessor.given": Promise("Reference", "the plugin gives tools the current caller's accessor"),
    "accessor.default-scope": Promise("this.remember", "every method takes a scope, session unless given"),
    "accessor.set": Promise("[this.remember]", "set overwrites everything, with a new creation time"),
    "accessor.ttl": Promise("[this.remember]", "a ttl is whole seconds, at least one"),
    "accessor.brands": Promise("[this.remember]", "an entry may carry one of six brands"),
    "accessor.get-default": Promise("[this.remember]", "get gives the default for missing, expired, unreadable"),
    "accessor.get-null": Promise("[this.remember]", "a stored null is null, not the default"),
    "accessor.get-entry": Promise("Working with entries", "get_entry gives value, brand, times and metadata"),
    "accessor.update-keeps": Promise("Working with entries", "update keeps creation time, brand, metadata, expiry"),
    "accessor.update-ttl": Promise("[this.remember]", "update with ttl counts it from now"),
    "accessor.update-missing": Promise("Working with entries", "update of nothing is False and writes nothing"),
    "accessor.update-never-revives": Promise("Working with entries", "update brings nothing back that is gone"),
    "accessor.update-function": Promise("[this.remember]", "update takes a function; concurrent ones all count"),
    "accessor.forget": Promise("Working with entries", "forget removes one key, literally, and tells if it was there"),
    "accessor.knows": Promise("Encryption", "knows is True exactly when get would return the value"),
    "accessor.list": Promise("Working with entries", "list names readable keys that fit a pattern of * and ?"),
    "accessor.user-id": Promise("[this.remember]", "user_id is sub, static: and 12 hex or a name, or anon:"),
    "accessor.get-remember": Promise("this.remember", "get_remember raises where the plugin is absent"),
    "accessor.try-get": Promise("this.remember", "try_get_remember gives None where the plugin is absent"),
    # Scopes
    "scope.user.apart": Promise("Scopes", "user scope: each signed-in caller has their own values"),
    "scope.user.anonymous": Promise("Scopes", "user scope refuses an anonymous caller on every way in"),
    "scope.session.stateless": Promise("Scopes", "session scope without a session is the signed-in caller's"),
    "scope.tool.keyed": Promise("Scopes", "tool scope is keyed by app and tool, for the same caller as session"),
    "scope.global": Promise("Scopes", "global scope is shared by every caller"),
    "scope.anonymous-global-only": Promise("RememberIdentityError", "an anonymous caller has global scope alone"),
    "scope.session-header-ignored": Promise("Scopes", "an mcp-session-id that a caller sends never counts"),
    "scope.direct-session": Promise("Scopes", "create_direct gives its caller one session for its life"),
    # Encryption
    "sealing.envelope": Promise("Encryption", "a value is stored as an AES-256-GCM envelope with its metadata inside"),
    "sealing.fresh-iv": Promise("Encryption", "every write has a new IV"),
    "sealing.derivation": Promise("Encryption", "keys come by HKDF-SHA256 from the secret and the scope's identity"),
    "sealing.custom-key": Promise("Encryption", "encryption.custom_key stands before the environment; never blank"),
    "sealing.environment-order": Promise("Encryption", "then the first of three variables that is set"),
    "sealing.generated": Promise("Encryption", "outside production one is made and kept, for its owner alone"),
    "sealing.production": Promise("Encryption", "in production a made secret warns; ours refuses a lasting store"),
    "sealing.same-secret": Promise("Encryption", "instances with one secret read each other's values"),
    "sealing.other-secret": Promise("Encryption", "what another secret sealed reads as missing"),
    "sealing.previous": Promise("[Encryption]", "previous secrets open; the next write seals under the current one"),
    "sealing.moved": Promise("[Encryption]", "an envelope opens only at its own place, and only unchanged"),
    "sealing.seed-form": Promise("[Encryption]", "the seed's own stored form is read where an option asks for it"),
    "sealing.off": Promise("Encryption", "with encryption off the store holds plain JSON"),
    # The memory tools
    "tools.four": Promise("The memory tools", "enabled registers four, on an app or on the handler"),
    "tools.off": Promise("The memory tools", "without enabled there are none"),
    "tools.by-hand": Promise("The memory tools", "the four can be listed in an app by hand"),
    "tools.by-hand-unprefixed": Promise("The memory tools", "what is listed by hand is never prefixed"),
    "tools.twice": Promise("The memory tools", "listed and enabled is a mistake; ours is told at the start"),
    "tools.prefix": Promise("The memory tools", "a prefix stands before all four names"),
    "tools.prefix-wording": Promise("The memory tools", "descriptions name the siblings as registered"),
    "tools.scope-wording": Promise("The memory tools", "one description of scope says what each one means"),
    "tools.default-scope": Promise("The memory tools", "scope is session unless given"),
    "tools.allowed-scopes": Promise("The memory tools", "a scope outside the allowed ones fails, the default too"),
    "tools.hints": Promise("The memory tools", "recall and list_memories are read-only, the others are not"),
    "tools.tool-scope": Promise("The memory tools", "in tool scope each memory tool has its own values"),
    "tools.anonymous": Promise("The memory tools", "an anonymous caller is refused, listing included"),
    "tools.answers": Promise("[The memory tools]", "answers are one object, as text and structured, in the schema"),
    "tools.input": Promise("[The memory tools]", "arguments that do not fit are told: field, arrived, allowed"),
    # Errors
    "error.scope": Promise("RememberScopeNotAllowedError", "its code and words, the same in production; exported"),
    "error.identity.user": Promise("RememberIdentityError", "user scope: its code and words, also in production"),
    "error.identity.session": Promise("RememberIdentityError", "session and tool: its code, and what to do"),
    # Caveats
    "caveat.one-app": Promise("Caveats", "a plugin on one app serves that app alone"),
    "caveat.every-app": Promise("Caveats", "a plugin on the handler serves every app"),
    "caveat.no-hooks": Promise("Caveats", "the plugin adds the accessor and changes nothing else"),
    "caveat.ttl": Promise("Caveats", "a ttl ends the value in the store too"),
    "caveat.stays": Promise("Caveats", "without any ttl a value stays until it is forgotten"),
    "caveat.update-keeps-expiry": Promise("Caveats", "update without ttl keeps the expiry, in the store too"),
    "caveat.list-cost": Promise("Caveats", "listing costs what it reads: ours one owner's page, never a scan"),
    # The examples
    "usage.preference": Promise("Remembering a user's preference", "a preference is there on a later request"),
    "usage.scopes": Promise("What each scope keeps", "save and load keep the table of scopes"),
    "usage.count-calls": Promise("What each scope keeps", "a tool reads back its own values, for each caller"),
    "usage.second-server": Promise("What each scope keeps", "a second server in the process has its own store"),
    "usage.draft-tour": Promise("Working with entries", "the tour of the accessor's methods"),
    "usage.forget-draft": Promise("Working with entries", "a forgotten draft is gone"),
    "usage.otp": Promise("Working with entries", "a code expires, and update neither prolongs nor revives it"),
    "usage.assistant": Promise("Letting the model remember things", "allowed scopes hold, anonymous is refused"),
    "usage.assistant-default": Promise("Letting the model remember things", "session values are apart from user's"),
    "usage.transparent": Promise("Keeping users apart with transparent auth", "user_id is sub; one server, two users"),
    # What is stored
    "stored.keys": Promise("What's stored", "keys show scope, caller, tool and key; values are hidden"),
    "stored.static-id": Promise("What's stored", "a static key's user scope is static: and a hash"),
    "stored.layout": Promise("What's stored", "<prefix>__layout__ records the layout and since when"),
    # Troubleshooting
    "trouble.gone": Promise("Troubleshooting", "a value is gone: tool scope, or the memory store's end"),
    "trouble.other-user": Promise("Troubleshooting", "only global scope shows one user another's value"),
    "trouble.not-installed": Promise("Troubleshooting", "the message for a missing plugin, and its way out"),
    "trouble.tools-missing": Promise("Troubleshooting", "no memory tools without tools.enabled"),
    "trouble.twice": Promise("Troubleshooting", "tools listed and enabled at once"),
    "trouble.scope": Promise("Troubleshooting", "a scope that is not allowed"),
    "trouble.identity-session": Promise("Troubleshooting", "session or tool scope for nobody"),
    "trouble.identity-user": Promise("Troubleshooting", "user scope for nobody"),
    "trouble.secret-changed": Promise("Troubleshooting", "values cannot be read after the secret changed"),
    "trouble.global-store": Promise("Troubleshooting", "global-store without a store"),
    # Ours
    "house.1": Promise("design", "one request is one story: nothing kept that a correct answer needs"),
    "house.2": Promise("design", "only MCP 2026-07-28; anything older is told so by name"),
    "house.3": Promise("design", "identity comes from the verified credential alone; a bad one is 401"),
    "house.4": Promise("design", "nobody reads another's memory"),
    "house.5": Promise("design", "what the store holds is sealed, and sealed to its place"),
    "house.6": Promise("design", "success means that a second instance can read it now"),
    "house.7": Promise("design", "fast where it hurts: light at the start, one store request an operation"),
}
