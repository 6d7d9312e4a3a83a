"""The house stands on its floors: who imports whom, what is loaded when, and what the front door shows."""

from __future__ import annotations

import ast
import importlib
import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import remember
from remember.version import VERSION

HOME = Path(__file__).resolve().parents[1]

# A file imports from lower floors and from its own room. Whole numbers are the floors of docs/architecture.md,
# a decimal is a step of the stairs on it.
FLOORS = {
    # 0: words that everyone uses
    "remember.clock": 0.0,
    "remember.errors": 0.0,
    "remember.flight": 0.0,
    "remember.undisturbed": 0.0,
    "remember.version": 0.0,
    "remember.own_folder": 0.1,
    "remember.entry": 0.1,
    "remember.scope": 0.1,
    "remember.caller": 0.2,
    "remember.settings": 0.2,
    "remember.keys": 0.3,
    # 1: rooms that do not know each other
    "remember.schema": 1.0,
    "remember.sealing": 1.0,
    "remember.stores": 1.0,
    "remember.text": 1.0,
    # 2: memory
    "remember.limits": 2.0,
    "remember.warm": 2.0,
    "remember.confirmation": 2.0,
    "remember.owned": 2.1,
    "remember.accessor": 2.2,
    "remember.notebook": 2.3,
    "remember.wiping": 2.4,
    # 3: what a model can ask for
    "remember.options": 3.0,
    "remember.tools": 3.0,
    "remember.uri_template": 3.0,
    "remember.completions": 3.1,
    "remember.plugin": 3.1,
    "remember.prompts": 3.2,
    "remember.resources": 3.2,
    "remember.app": 3.3,
    # 4: rooms that do not know each other
    "remember.identity": 4.0,
    "remember.protocol": 4.0,
    # 5: requests
    "remember.asgi": 5.0,
    "remember.cors": 5.0,
    "remember.direct": 5.0,
    "remember.engine": 5.0,
    "remember.pages": 5.0,
    "remember.sdk": 5.1,
    "remember.fetch": 5.2,
    # 6: the ways in
    "remember.cli": 6.0,
    "remember.__main__": 6.1,
    "remember": 6.0,
    "api": 7.0,
}

# The only imports inside functions: a cold function does not pay for what its first call does not need.
LAZY = {
    ("remember.accessor", "random"),
    ("remember.app", "remember.prompts"),
    ("remember.app", "remember.resources"),
    ("remember.notebook.asking", "remember.text.time_words"),
    ("remember.notebook.fields", "remember.text.redaction"),
    ("remember.notebook.meaning", "remember.text.vectors"),
    ("remember.notebook.nominating", "remember.notebook.signs"),
    ("remember.notebook.notebook", "remember.notebook.reading"),
    ("remember.notebook.notebook", "remember.notebook.writing"),
    ("remember.notebook.ranking", "numpy"),
    ("remember.notebook.ranking", "remember.notebook.signs"),
    ("remember.notebook.ranking", "remember.text.bm25_arrays"),
    ("remember.notebook.ranking", "remember.text.vectors"),
    ("remember.notebook.writing", "remember.text.vectors"),
    ("remember.engine", "remember.protocol.states"),
    ("remember.engine", "remember.protocol.streaming"),
    ("remember.fetch", "remember.sdk"),
    ("remember.pages", "html"),
    ("remember.pages", "remember.text.embedding"),
    ("remember.cli.serve", "uvicorn"),
    ("remember.identity.download", "http.client"),
    ("remember.identity.download", "urllib.request"),
    ("remember.identity.signing_key", "jwt"),
    ("remember.identity.tokens", "jwt"),
    ("remember.identity.tokens", "jwt.api_jws"),
    ("remember.protocol.dispatch", "remember.protocol.completion"),
    ("remember.protocol.dispatch", "remember.protocol.prompts"),
    ("remember.protocol.dispatch", "remember.protocol.resources"),
    ("remember.schema.derive", "remember.schema.inline"),
    ("remember.sealing.sealer", "cryptography.exceptions"),
    ("remember.sealing.sealer", "cryptography.hazmat.primitives.ciphers.aead"),
    ("remember.sealing.sealer", "cryptography.hazmat.primitives.hashes"),
    ("remember.sealing.sealer", "cryptography.hazmat.primitives.kdf.hkdf"),
    ("remember.errors", "difflib"),
    ("remember.stores.open_store", "remember.stores.memory"),
    ("remember.stores.open_store", "remember.stores.redis"),
    ("remember.stores.open_store", "remember.stores.sqlite"),
    ("remember.stores.open_store", "remember.stores.upstash"),
    ("remember.stores.redis", "redis"),
    ("remember.stores.redis", "redis.asyncio"),
    ("remember.stores.redis", "redis.asyncio.retry"),
    ("remember.stores.redis", "redis.backoff"),
    ("remember.stores.redis", "redis.exceptions"),
    ("remember.stores.sqlite", "sqlite3"),
    ("remember.stores.sqlite_file", "sqlite3"),
    ("remember.stores.transport", "certifi"),
    ("remember.stores.transport", "ssl"),
    ("remember.stores.upstash", "remember.stores.rest_client"),
    ("remember.stores.upstash", "remember.stores.transport"),
    ("remember.stores.upstash", "upstash_redis.errors"),
    ("remember.tools.engram_context", "remember.notebook.context_block"),
    ("remember.tools.screen", "remember.text.redaction"),
    ("remember.tools.context", "remember.notebook.notebook"),
    ("remember.text.embedding", "numpy"),
    ("remember.text.embedding", "remember.text.transformer"),
}

# What a static-key call on SQLite must not load: other stores' and identities' libraries, and what costs much
# for little. `inspect` and `ssl` are not here: dataclasses and asyncio bring them.
HEAVY = {
    "anyio", "argparse", "difflib", "email", "h11", "html", "http.client", "httpx", "importlib.metadata", "jwt",
    "mangum", "mcp", "mcp_types", "multiprocessing", "numpy", "pydantic", "random", "redis", "starlette", "tempfile",
    "tomllib", "typing_extensions", "upstash_redis", "urllib.request", "uvicorn",
}  # fmt: skip

# What authors' apps alone need: their functions' schemas, prompts and resources, questions and streams.
AUTHORS = {
    "remember.completions", "remember.prompts", "remember.protocol.completion", "remember.protocol.prompts",
    "remember.protocol.resources", "remember.protocol.states", "remember.protocol.streaming", "remember.resources",
    "remember.schema.annotation", "remember.schema.derive", "remember.tools.decorator", "remember.tools.function",
}  # fmt: skip

# Of modules that such a call loads beyond a bare interpreter's. asyncio brings 104 of them, cryptography 26, we
# ourselves 57: what goes over this has to be worth its share of a cold start.
MAX_LOADED = 245


class Import(NamedTuple):
    importer: str
    imported: str
    inside_function: bool


def modules() -> dict[str, Path]:
    """Every module of ours by its dotted name."""
    paths = sorted((HOME / "remember").rglob("*.py")) + sorted((HOME / "api").rglob("*.py"))
    return {dotted(path): path for path in paths}


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(HOME).with_suffix("").parts).removesuffix(".__init__")


def imports(name: str, path: Path, known: dict[str, Path]) -> Iterator[Import]:
    """What one file imports, anywhere in it."""

    def visit(node: ast.AST, inside: bool) -> Iterator[Import]:
        if isinstance(node, ast.Import):
            yield from (Import(name, alias.name, inside) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: imports are written in full"
            module = str(node.module)
            for alias in node.names:
                submodule = f"{module}.{alias.name}"
                yield Import(name, submodule if submodule in known else module, inside)
        inside = inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for child in ast.iter_child_nodes(node):
            yield from visit(child, inside)

    yield from visit(ast.parse(path.read_text()), False)


def all_imports() -> set[Import]:
    known = modules()
    return {found for name, path in known.items() for found in imports(name, path, known)}


def room(name: str) -> str:
    """The room that a module is, or stands in."""
    parts = name.split(".")
    return "api" if parts[0] == "api" else ".".join(parts[:2])


def test_every_module_has_its_floor() -> None:
    """Each file stands in a room that the list of floors names, and the list names no room that is gone."""
    assert {room(name) for name in modules()} == set(FLOORS)


def test_files_import_from_lower_floors_only() -> None:
    """No file imports from its own floor or a higher one, except from its own room."""
    upward = [
        f"{found.importer} imports {found.imported}"
        for found in all_imports()
        if room(found.imported) in FLOORS
        and room(found.imported) != room(found.importer)
        and FLOORS[room(found.imported)] >= FLOORS[room(found.importer)]
    ]
    assert not upward


def test_the_front_door_imports_nothing_at_once() -> None:
    """What `remember/__init__.py` names is loaded when it is first used: `import remember` loads no room."""
    script = "import sys, remember; print(*(m for m in sys.modules if m.startswith('remember.')))"
    assert run(script) == ""


def test_there_are_no_import_cycles() -> None:
    """The package can be read from bottom to top, late imports included."""
    graph: dict[str, set[str]] = {name: set() for name in modules()}
    for found in all_imports():
        if found.imported in graph and found.importer != "remember":
            graph[found.importer].add(found.imported)
    assert len(tuple(TopologicalSorter(graph).static_order())) == len(graph)


def test_imports_inside_functions_are_the_named_ones() -> None:
    """A late import exists for cold start and stands in the list; one that is gone leaves the list."""
    assert {(found.importer, found.imported) for found in all_imports() if found.inside_function} == LAZY


def test_mangum_is_imported_at_lambda_s_door_only() -> None:
    """No other file knows of it."""
    assert {found.importer for found in all_imports() if found.imported.split(".")[0] == "mangum"} == {"api._aws"}


def test_the_official_sdk_is_imported_by_its_engine_only() -> None:
    """Who has no server of the SDK's neither needs nor loads it."""
    packages = {"mcp", "mcp_types"}
    assert {found.importer for found in all_imports() if found.imported.split(".")[0] in packages} == {"remember.sdk"}


def test_the_front_door_shows_what_is_there() -> None:
    """`remember.__all__` is literal, sorted, without repeats, and each name is what its own module defines."""
    tree = ast.parse((HOME / "remember" / "__init__.py").read_text())
    literal = next(
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__"
    )
    assert ast.literal_eval(literal) == remember.__all__ == sorted(set(remember.__all__))
    for name, home in remember._HOME.items():
        assert getattr(remember, name) is getattr(importlib.import_module(f"remember.{home}"), name)
    assert set(remember._HOME) == set(remember.__all__)


def test_the_front_door_s_types_are_its_names() -> None:
    """What a type checker sees there is what `__all__` says, from the same modules."""
    tree = ast.parse((HOME / "remember" / "__init__.py").read_text())
    seen = {
        alias.name: str(node.module)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("remember")
        for alias in node.names
    }
    assert seen == {name: f"remember.{home}" for name, home in remember._HOME.items()}


def test_an_unknown_name_is_an_attribute_error() -> None:
    """As for any module."""
    assert not hasattr(remember, "rembember")


def test_the_version_is_the_project_s() -> None:
    """version.py and pyproject.toml say the same."""
    assert tomllib.loads((HOME / "pyproject.toml").read_text())["project"]["version"] == VERSION


def test_a_first_call_loads_little(tmp_path: Path) -> None:
    """A static-key tools/call on SQLite in a fresh process loads no heavy module, and few altogether."""
    script = f"""
import sys
bare = set(sys.modules)
import asyncio, json
from remember import Request, create_fetch_handler
environ = {{"REMEMBER_API_KEYS": "me=0123456789abcdef", "REMEMBER_SECRET": "fedcba9876543210",
           "REMEMBER_STORE": "sqlite:{tmp_path}/memory.db"}}
meta = {{"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {{}}}}
params = {{"name": "remember_this", "arguments": {{"key": "color", "value": "green"}}, "_meta": meta}}
body = json.dumps({{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}}).encode()
headers = (("Authorization", "Bearer 0123456789abcdef"), ("Content-Type", "application/json"),
           ("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", "remember_this"))
response = asyncio.run(create_fetch_handler(environ=environ).fetch(Request("POST", "/mcp", headers, body)))
assert response.json()["result"]["structuredContent"]["success"], response
print(json.dumps(sorted(set(sys.modules) - bare)))
"""
    loaded = set(json.loads(run(script)))
    assert "remember.stores.sqlite" in loaded
    assert not loaded & HEAVY
    assert not loaded & AUTHORS
    assert set(modules()) >= AUTHORS
    assert len(loaded) <= MAX_LOADED


def run(script: str) -> str:
    """What a script prints in a fresh process that finds us as an installation would."""
    source = f"import sys; sys.path.insert(0, {str(HOME)!r})\n{script}"
    done = subprocess.run([sys.executable, "-I", "-c", source], capture_output=True, text=True, check=True)
    return done.stdout.strip()
