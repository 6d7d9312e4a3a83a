"""`remember serve`, in a process of its own and through a real shell."""

from __future__ import annotations

import json
import re
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Serving, environment, remember

KEY = "a-key-of-my-own-0001"
OTHER = "a-key-of-someone-else"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_printed_call_remembers_something(tmp_path: Path) -> None:
    """The curl line works as it was printed, without editing it."""
    with Serving(cwd=tmp_path) as serving:
        answer = serving.bash(serving.curl)
        assert answer["result"]["structuredContent"] == {
            "success": True,
            "key": "greeting",
            "scope": "user",
            "replaced": False,
        }
        assert serving.recall("greeting")["value"] == "hello"


def test_a_restart_keeps_key_and_memory(tmp_path: Path) -> None:
    """The development key, the secret and the memory outlive the process; the file does not show the value."""
    with Serving(cwd=tmp_path) as first:
        first.bash(first.curl)
    with Serving(cwd=tmp_path) as second:
        assert second.recall("greeting")["value"] == "hello"
    assert bearer(first) == bearer(second)
    assert not [path for path in (tmp_path / ".remember").iterdir() if b"hello" in path.read_bytes()]


def test_the_same_store_from_another_folder_is_the_same_memory(tmp_path: Path) -> None:
    """Key and secret lie beside the file that they belong to, where the doctor finds them too; nothing else is left."""
    one, two, kept = (tmp_path / name for name in ("one", "two", "kept"))
    one.mkdir()
    two.mkdir()
    store = f"sqlite:{kept / 'memory.db'}"
    with Serving("--store", store, cwd=one) as first:
        first.bash(first.curl)
    with Serving("--store", store, cwd=two) as second:
        assert second.recall("greeting")["value"] == "hello"
    assert bearer(first) == bearer(second)
    judged = remember("doctor", cwd=two, REMEMBER_STORE=store)
    assert (judged.returncode, judged.stderr) == (0, "")
    assert re.search(r"^user +1 +1  0$", judged.stdout, re.MULTILINE)
    assert not [*one.iterdir(), *two.iterdir()]
    assert {path.name: mode(path) for path in (kept / ".remember").iterdir()} == dict.fromkeys(
        ("key.json", "secret.json", ".gitignore"), 0o600
    )


def test_another_key_sees_nothing_of_it(tmp_path: Path) -> None:
    """Two keys are two people."""
    with Serving(cwd=tmp_path, REMEMBER_API_KEYS=f"ana={KEY},bob={OTHER}") as serving:
        serving.bash(serving.curl, MEMORY_KEY=KEY)
        assert serving.recall("greeting", MEMORY_KEY=KEY)["found"] is True
        assert serving.recall("greeting", MEMORY_KEY=OTHER)["found"] is False


def test_only_the_owner_may_read_the_files(tmp_path: Path) -> None:
    """The folder is 0700, everything in it 0600."""
    with Serving(cwd=tmp_path) as serving:
        serving.bash(serving.curl)
        folder = tmp_path / ".remember"
        assert mode(folder) == 0o700
        names = {path.name: mode(path) for path in folder.iterdir()}
    assert {"key.json", "secret.json", "memory.db"} <= set(names)
    assert set(names.values()) == {0o600}


def test_ctrl_c_ends_it_quietly(tmp_path: Path) -> None:
    """Exit code 0, and nothing on stderr."""
    with Serving(cwd=tmp_path) as serving:
        serving.interrupt()
    assert (serving.exit_code, serving.stderr) == (0, "")


def test_every_client_gets_the_address_and_the_key(tmp_path: Path) -> None:
    """Each of the lines can be pasted: the JSON parses, and holds the real port and the key."""
    with Serving(cwd=tmp_path) as serving:
        key = bearer(serving)
        cursor, code, windsurf, bridge = settings_of(serving)
    headers = {"Authorization": f"Bearer {key}"}
    assert cursor == {"mcpServers": {"remember": {"url": serving.url, "headers": headers}}}
    assert code == {"servers": {"remember": {"type": "http", "url": serving.url, "headers": headers}}}
    assert windsurf == {"mcpServers": {"remember": {"serverUrl": serving.url, "headers": headers}}}
    assert bridge["mcpServers"]["remember"]["args"][2:5] == [serving.url, "--protocol", "auto"]
    assert bridge["mcpServers"]["remember"]["env"] == {"MEMORY_AUTHORIZATION": f"Bearer {key}"}
    assert not serving.url.endswith(":0/mcp")
    header = f'--header "Authorization: Bearer {key}"'
    assert f"claude mcp add --transport http --scope user remember {serving.url} {header}" in serving.printed
    assert f"--cli {serving.url} --transport http --protocol-era modern {header}" in serving.printed
    assert re.fullmatch(r"rmb_[A-Za-z0-9_-]{43}", key)


def test_configured_keys_are_not_printed(tmp_path: Path) -> None:
    """A key that the environment holds stays there; the lines name a variable in its place, and nothing is made up."""
    with Serving(cwd=tmp_path, REMEMBER_API_KEYS=f"ana={KEY}") as serving:
        assert serving.bash(serving.curl, MEMORY_KEY=KEY)["result"]["isError"] is False
    assert KEY not in serving.printed
    assert bearer(serving) == "$MEMORY_KEY"
    cursor, code, windsurf, bridge = settings_of(serving)
    for settings in (cursor, windsurf):
        assert settings["mcpServers"]["remember"]["headers"] == {"Authorization": "Bearer ${env:MEMORY_KEY}"}
    assert bridge["mcpServers"]["remember"]["env"] == {"MEMORY_AUTHORIZATION": "Bearer <the value of MEMORY_KEY>"}
    assert code["servers"]["remember"]["headers"] == {"Authorization": "Bearer ${input:memory-key}"}
    assert code["inputs"][0]["id"] == "memory-key"
    assert not (tmp_path / ".remember" / "key.json").exists()


def test_strangers_where_they_are_let_in(tmp_path: Path) -> None:
    """With REMEMBER_ANONYMOUS=allow no key is made, and the first call goes to the memory that all share."""
    with Serving(cwd=tmp_path, REMEMBER_ANONYMOUS="allow") as serving:
        assert serving.bash(serving.curl)["result"]["structuredContent"]["scope"] == "global"
        foreign = serving.curl.replace("-sS", '-sS -H "Origin: https://elsewhere.example"')
        assert serving.bash(foreign)["error"]["message"].startswith("This origin may not call")
    assert "Bearer" not in serving.printed


def test_the_first_call_follows_the_settings(tmp_path: Path) -> None:
    """Under a prefix, and without user scope, the printed call still works."""
    settings = {"REMEMBER_TOOLS_PREFIX": "my_", "REMEMBER_ALLOWED_SCOPES": "global,session"}
    with Serving(cwd=tmp_path, **settings) as serving:
        assert serving.bash(serving.curl)["result"]["structuredContent"]["scope"] == "session"


def test_the_store_can_be_chosen(tmp_path: Path) -> None:
    """--store sqlite:PATH makes that file; --store memory makes none, and says that it ends with the process."""
    path = tmp_path / "elsewhere" / "mine.db"
    with Serving("--store", f"sqlite:{path}", cwd=tmp_path) as serving:
        serving.bash(serving.curl)
    assert f"Memory lies in {path}, sealed." in serving.printed
    assert path.exists()
    with Serving("--store", "memory", cwd=tmp_path / "elsewhere") as serving:
        serving.bash(serving.curl)
    assert "Memory lies in this process; it ends with it" in serving.printed
    assert not list((tmp_path / "elsewhere").rglob("memory.db"))


def test_the_environment_s_store_is_used(tmp_path: Path) -> None:
    """Without --store, REMEMBER_STORE holds; with it, --store does."""
    environ = {"REMEMBER_STORE": f"sqlite:{tmp_path}/from-environment.db"}
    with Serving(cwd=tmp_path, **environ) as serving:
        assert f"Memory lies in {tmp_path}/from-environment.db" in serving.printed
    with Serving("--store", "memory", cwd=tmp_path, **environ) as serving:
        assert "Memory lies in this process" in serving.printed


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_the_host_is_this_machine(tmp_path: Path, host: str) -> None:
    """A loopback name can be chosen, and stands in the URL."""
    with Serving("--host", host, "--store", "memory", cwd=tmp_path) as serving:
        assert serving.url.startswith(f"http://{host}:")
        assert serving.bash(serving.curl)["result"]["isError"] is False


def test_a_busy_port_is_one_sentence(tmp_path: Path) -> None:
    """It names the port and what to do; no stack, and nothing was made."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = remember("serve", "--port", str(port), cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr == (
        f"remember: Port {port} on 127.0.0.1 cannot be used: address already in use. "
        "Choose another with --port, or --port 0 for any free one.\n"
    )
    assert not list(tmp_path.iterdir())


def test_a_missing_uvicorn_is_one_sentence(tmp_path: Path) -> None:
    """The extra that is not installed is named, with the command that brings it."""
    script = "import sys; sys.modules['uvicorn'] = None; from remember.cli import main; sys.exit(main(['serve']))"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env=environment({}), capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr == "remember: `serve` needs uvicorn, which is not installed: pip install uvicorn\n"


@pytest.mark.parametrize(
    ("environ", "says"),
    [
        ({"REMEMBER_ANONYMOUS": "perhaps"}, "REMEMBER_ANONYMOUS must be allow or deny"),
        ({"REMEMBER_API_KEYS": "ana=short"}, "REMEMBER_API_KEYS: entry 1 has a key of 5 characters"),
        ({"REMEMBER_STORE": "floppy"}, "REMEMBER_STORE must be upstash, redis://…, sqlite:PATH or memory"),
        ({"NODE_ENV": "production"}, "REMEMBER_SECRET is not set"),
        ({"REMEMBER_STORE": "sqlite:/proc/none/memory.db"}, "/proc/none/.remember/key.json cannot be used"),
    ],
)
def test_a_wrong_setting_is_said_at_the_start(tmp_path: Path, environ: dict[str, str], says: str) -> None:
    """Where every call would be refused, it does not start, and says what to set."""
    done = remember("serve", "--port", "0", cwd=tmp_path, **environ)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(f"remember: {says}")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--host", "0.0.0.0"], "invalid choice: '0.0.0.0'"),  # noqa: S104  what is refused
        (["--port", "70000"], "a port is 0 to 65535; got '70000'"),
        (["--store", "sqlite:"], "must be memory, or sqlite: and a file's path; got 'sqlite:'"),
    ],
)
def test_a_wrong_argument_is_named(tmp_path: Path, arguments: list[str], says: str) -> None:
    """The usage, and one sentence that names the argument and what it may be; exit code 2."""
    done = remember("serve", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert says in done.stderr


def test_a_damaged_key_file_is_not_replaced(tmp_path: Path) -> None:
    """What somebody put there is left alone, and named: a new key would silently lock their clients out."""
    (tmp_path / ".remember").mkdir()
    (tmp_path / ".remember" / "key.json").write_text("{}")
    done = remember("serve", "--port", "0", cwd=tmp_path)
    assert done.returncode == 1
    assert "key.json does not hold a key" in done.stderr
    assert (tmp_path / ".remember" / "key.json").read_text() == "{}"


def test_a_terminated_server_ends_too(tmp_path: Path) -> None:
    """SIGTERM, as a supervisor sends it, ends it in good order."""
    with Serving(cwd=tmp_path) as serving:
        serving._process.send_signal(signal.SIGTERM)
        assert serving._process.communicate(timeout=15)[1] == ""
        serving.exit_code = serving._process.returncode
    assert serving.exit_code == -signal.SIGTERM


def settings_of(serving: Serving) -> list[Any]:
    """The settings that were printed as JSON."""
    return [json.loads(line) for line in serving.printed.splitlines() if line.startswith("{")]


def bearer(serving: Serving) -> str:
    return re.search(r'"Authorization: Bearer (\S+)"', serving.curl)[1]  # type: ignore[index]
