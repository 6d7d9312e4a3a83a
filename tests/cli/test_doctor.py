"""`remember doctor`: in processes of its own for the main ways, and in this one for each thing that can be wrong."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from remember import Request, create_fetch_handler
from remember.caller import Owner
from remember.cli import main
from remember.cli.diagnosis import Report, diagnose
from remember.cli.doctor import as_json, as_lines
from remember.cli.findings import Finding
from remember.cli.trial import LIFE_MS
from remember.keys import shelf_of
from tests.cli.command import Serving, remember
from tests.standins.client import Client
from tests.standins.clock import START, MovingClock
from tests.standins.upstash_rest import UpstashRest

KEY = "a-key-of-my-own-0001"
OTHER = "a-key-of-someone-else"
SECRET = "a-made-up-secret-of-the-tests"
OLDER = "an-older-secret-of-the-tests"


@pytest.fixture
def environ(upstash: UpstashRest) -> dict[str, str]:
    """Everything that a server needs, with the REST stand-in as its store."""
    return {
        "KV_REST_API_URL": upstash.url,
        "KV_REST_API_TOKEN": upstash.token,
        "REMEMBER_API_KEYS": f"ana={KEY},bob={OTHER}",
        "REMEMBER_SECRET": SECRET,
    }


@dataclass
class Doctor:
    """Examines an environment in this process, on a clock that stands still."""

    clock: MovingClock

    def __call__(self, environ: Mapping[str, str], *users: str) -> Report:
        ticks = count()
        timer = lambda: next(ticks) ** 2 / 1000  # noqa: E731  1, 5, 9, 13 and 17 ms
        return asyncio.run(diagnose(environ, users=users, clock=self.clock, timer=timer))


@pytest.fixture
def doctor(clock: MovingClock) -> Doctor:
    return Doctor(clock)


def found(report: Report, level: str) -> list[tuple[str, str]]:
    return [(finding.variable, finding.message) for finding in report.findings if finding.level == level]


def the_wrong_one(report: Report) -> tuple[str, str]:
    (wrong,) = found(report, "wrong")
    return wrong


def keep(environ: Mapping[str, str], key: str, memories: int, **arguments: Any) -> None:
    client = Client(create_fetch_handler(environ=environ), key)
    for number in range(memories):
        assert not client.call("remember_this", {"key": f"private-{number}", "value": "hidden", **arguments}).failed


# In processes of its own


def test_a_healthy_server_is_told_so(environ: dict[str, str], tmp_path: Path) -> None:
    """Exit code 0, the store, the round trip, the counts and the cost; nothing on stderr and nothing made here."""
    keep(environ, KEY, 3)
    done = remember("doctor", cwd=tmp_path, **environ)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("\nEverything works.\n")
    assert re.search(
        r"^The upstash store in KV_REST_API_URL works\. A round trip takes [\d.]+ ms", done.stdout, re.MULTILINE
    )
    assert re.search(r"^session +2 +3  0$", done.stdout, re.MULTILINE)
    assert re.search(r"^ +100,000 +150,000 +30\.0 % +\$0\.00$", done.stdout, re.MULTILINE)
    assert not list(tmp_path.iterdir())


def test_nothing_set_is_told_with_what_to_set(tmp_path: Path) -> None:
    """On Vercel without a variable: each missing one, and exit code 1."""
    done = remember("doctor", "--platform", "vercel", cwd=tmp_path)
    assert done.returncode == 1
    wrong = [line for line in done.stdout.splitlines() if line.startswith("wrong")]
    assert [re.search("KV_REST_API_URL|REMEMBER_SECRET|REMEMBER_API_KEYS", line)[0] for line in wrong] == [  # type: ignore[index]
        "REMEMBER_API_KEYS",
        "KV_REST_API_URL",
        "REMEMBER_SECRET",
    ]
    assert done.stdout.endswith("\n3 things must be fixed.\n")
    assert not list(tmp_path.iterdir())


def test_an_env_file_is_judged_instead_of_the_shell(environ: dict[str, str], tmp_path: Path) -> None:
    """As `vercel env pull` writes it: quotes are no mistake, a line break inside them is; the shell does not count."""
    lines = [f'{name}="{value}"' for name, value in environ.items() if name != "REMEMBER_SECRET"]
    (tmp_path / ".env.local").write_text("\n".join(["# Vercel", *lines, f'REMEMBER_SECRET="{SECRET}\\n"', "", ""]))
    done = remember("doctor", "--env-file", ".env.local", "--json", cwd=tmp_path, REMEMBER_STORE="floppy", VERCEL="1")
    assert (done.returncode, done.stderr) == (0, "")
    said = json.loads(done.stdout)
    assert (said["status"], said["platform"]) == ("ok", "local")
    assert [(finding["level"], finding["variable"]) for finding in said["findings"]] == [
        ("weak", "REMEMBER_SECRET"),
        ("fine", "REMEMBER_SECRET_PREVIOUS"),
        ("fine", "REMEMBER_TOOLS"),
    ]


def test_a_missing_env_file_is_one_sentence(tmp_path: Path) -> None:
    """It names the file; exit code 1."""
    done = remember("doctor", "--env-file", "none.env", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "remember: none.env cannot be read: No such file or directory.\n"


def test_what_serve_made_up_is_known(tmp_path: Path) -> None:
    """After `remember serve` with nothing set, its key and its secret count here too."""
    with Serving(cwd=tmp_path) as serving:
        serving.bash(serving.curl)
    done = remember("doctor", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"^user +1 +1  0$", done.stdout, re.MULTILINE)
    assert "$" not in done.stdout  # SQLite bills nothing
    elsewhere = remember("doctor", "--platform", "vercel", cwd=tmp_path)
    assert "Nobody can be identified" in elsewhere.stdout


@pytest.mark.parametrize("user", ["", "anon:0123", "a\nb", "x" * 513])
def test_a_user_that_cannot_be_one_is_refused(user: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2, with what an id is."""
    with pytest.raises(SystemExit, match="2"):
        main(["doctor", "--user", user])
    assert "a user's id is 1 to 512 bytes of printable text" in capsys.readouterr().err


# What is wrong with the settings


WRONG: dict[str, tuple[dict[str, str], str, str]] = {
    "C9 a redis address": (
        {"KV_REST_API_URL": "redis://default:s3cr3t@store.example:6379"},
        "KV_REST_API_URL",
        "holds a redis:// address",
    ),
    "http": ({"KV_REST_API_URL": "http://store.example"}, "KV_REST_API_URL", "must be the https:// address"),
    "no URL at all": ({"KV_REST_API_URL": "s3cr3t"}, "KV_REST_API_URL", "must be the https:// address"),
    "half a pair": ({"KV_REST_API_TOKEN": ""}, "KV_REST_API_TOKEN", "The REST store needs both of the pair."),
    "C8 an empty half": ({"KV_REST_API_URL": ' " " \n'}, "KV_REST_API_URL", "The REST store needs both of the pair."),
    "no store of ours": ({"REMEMBER_STORE": "floppy"}, "REMEMBER_STORE", "REMEMBER_STORE must be"),
    "no audience": ({"REMEMBER_ISSUER": "http://localhost:1"}, "REMEMBER_AUDIENCE", "REMEMBER_AUDIENCE is not"),
    "no issuer": ({"REMEMBER_AUDIENCE": "https://m.example/mcp"}, "REMEMBER_ISSUER", "Set both, or neither"),
    "no identity": ({"REMEMBER_API_KEYS": " "}, "REMEMBER_API_KEYS", "Nobody can be identified"),
    "a short key": ({"REMEMBER_API_KEYS": "ana=s3cr3t"}, "REMEMBER_API_KEYS", "entry 1 has a key of 6 characters"),
    "a short secret in production": (
        {"REMEMBER_SECRET": "s3cr3t", "NODE_ENV": "production"},
        "REMEMBER_SECRET",
        "has 6 characters; at least 16 are needed",
    ),
    "no secret in production": ({"REMEMBER_SECRET": "", "NODE_ENV": "production"}, "REMEMBER_SECRET", "is not set"),
    "a switch": ({"REMEMBER_ANONYMOUS": "s3cr3t"}, "REMEMBER_ANONYMOUS", "must be allow or deny"),
    "a prefix": ({"REMEMBER_KEY_PREFIX": "s3cr3t *"}, "REMEMBER_KEY_PREFIX", "may hold up to 64 of"),
    "a ttl": ({"REMEMBER_DEFAULT_TTL": "-1"}, "REMEMBER_DEFAULT_TTL", "must be seconds"),
    "an issuer that does not answer": (
        {"REMEMBER_ISSUER": "http://localhost:1", "REMEMBER_AUDIENCE": "https://m.example/mcp"},
        "REMEMBER_ISSUER",
        "signing keys cannot be fetched",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_each_wrong_variable_is_told_once(name: str, environ: dict[str, str], doctor: Doctor) -> None:
    """One line that names it and what to do; nothing that was set stands in the report."""
    changes, variable, says = WRONG[name]
    report = doctor(environ | changes)
    told, message = the_wrong_one(report)
    assert told == variable
    assert says in message
    assert_nothing_leaks(report, "s3cr3t")


def test_it_says_what_the_health_says(environ: dict[str, str], doctor: Doctor) -> None:
    """The same sentence for the same problem, weak points and warnings too."""
    broken = environ | {"REMEMBER_ANONYMOUS": "allow", "REMEMBER_ENCRYPTION": "off", "REMEMBER_STROE": "x"}
    broken |= {"REMEMBER_DEFAULT_TTL": "never", "KV_REST_API_TOKEN": "made-up-and-not-accepted"}
    health = asyncio.run(create_fetch_handler(environ=broken).fetch(Request("GET", "/health"))).json()
    report = doctor(broken)
    assert {message for _, message in found(report, "wrong")} == {*health["problems"], *health["store_problems"]}
    assert {message for _, message in found(report, "weak")} == set(health["warnings"])
    assert len(health["warnings"]) == 3


WEAK: dict[str, tuple[dict[str, str], str, str]] = {
    "C8 a trailing line break": ({"REMEMBER_SECRET": f"{SECRET}\n"}, "REMEMBER_SECRET", "white space or quotes"),
    "C8 quotes": ({"REMEMBER_SECRET": f'"{SECRET}"'}, "REMEMBER_SECRET", "white space or quotes"),
    "a short secret on this machine": ({"REMEMBER_SECRET": "s3cr3t"}, "REMEMBER_SECRET", "has 6 characters"),
    "an unknown name": ({"REMEMBER_SECERT": "s3cr3t"}, "REMEMBER_SECERT", "did you mean REMEMBER_SECRET?"),
    "a name in small letters": ({"remember_issuer": "s3cr3t"}, "remember_issuer", "did you mean REMEMBER_ISSUER?"),
    "a name of another word": ({"KV_REST_API_URI": "s3cr3t"}, "KV_REST_API_URI", "did you mean KV_REST_API_URL?"),
    "an older name": ({"MCP_MEMORY_SECERT": "s3cr3t"}, "MCP_MEMORY_SECERT", "did you mean MCP_MEMORY_SECRET?"),
    "strangers": ({"REMEMBER_ANONYMOUS": "allow"}, "REMEMBER_ANONYMOUS", "whoever knows the address"),
    "nothing sealed": ({"REMEMBER_ENCRYPTION": "off"}, "REMEMBER_ENCRYPTION", "whoever can read the store"),
    "another store": (
        {"UPSTASH_REDIS_REST_URL": "https://s3cr3t.example", "UPSTASH_REDIS_REST_TOKEN": "s3cr3t"},
        "UPSTASH_REDIS_REST_URL",
        "name two different stores; the one in KV_REST_API_URL is used",
    ),
    "half of the other pair": (
        {"UPSTASH_REDIS_REST_URL": "https://s3cr3t.example"},
        "UPSTASH_REDIS_REST_TOKEN",
        "is set and UPSTASH_REDIS_REST_TOKEN is not",
    ),
    "a redis address in the other pair": (
        {"UPSTASH_REDIS_REST_URL": "redis://s3cr3t.example", "UPSTASH_REDIS_REST_TOKEN": "s3cr3t"},
        "UPSTASH_REDIS_REST_URL",
        "Until then the store in KV_REST_API_URL is used",
    ),
    "a store that forgets": ({"REMEMBER_STORE": "memory"}, "REMEMBER_STORE", "ends with the process"),
}


@pytest.mark.parametrize("name", WEAK)
def test_what_works_and_should_be_looked_at_is_told(name: str, environ: dict[str, str], doctor: Doctor) -> None:
    """As weak, with the variable, while everything works."""
    changes, variable, says = WEAK[name]
    report = doctor(environ | changes)
    ((told, message),) = found(report, "weak")
    assert (told, report.wrong) == (variable, 0)
    assert says in message
    assert_nothing_leaks(report, "s3cr3t")


FINE: dict[str, dict[str, str]] = {
    "the same store under both names": {
        "UPSTASH_REDIS_REST_URL": "$KV_REST_API_URL/",
        "UPSTASH_REDIS_REST_TOKEN": "$KV_REST_API_TOKEN",
    },
    "all that the integration sets": {
        "KV_URL": "rediss://x",
        "REDIS_URL": "rediss://x",
        "KV_REST_API_READ_ONLY_TOKEN": "y",
    },
    "other services of Upstash": {"UPSTASH_VECTOR_REST_URL": "x", "UPSTASH_SEARCH_REST_TOKEN": "y", "QSTASH_URL": "z"},
    "a second database": {"CACHE_KV_REST_API_URL": "https://x.example", "CACHE_KV_REST_API_TOKEN": "y"},
    "a previous secret": {"REMEMBER_SECRET_PREVIOUS": OLDER},
    "a shell": {"PATH": "/bin", "HOME": "/root", "SECRET": "x", "MCP_TIMEOUT": "1", "KV": "x", "_": "y"},
}


@pytest.mark.parametrize("name", FINE)
def test_what_is_right_is_left_alone(name: str, environ: dict[str, str], doctor: Doctor) -> None:
    """Nothing wrong and nothing weak."""
    changes = {key: re.sub(r"\$(\w+)", lambda by: environ[by[1]], value) for key, value in FINE[name].items()}
    report = doctor(environ | changes)
    assert {finding.level for finding in report.findings} == {"fine"}


MISSING = "(FileNotFoundError)."


@pytest.mark.parametrize(
    ("changes", "finding"),
    [
        ({}, ("fine", "REMEMBER_TOOLS offers memory, notes, wipe; notes are found by meaning, as the model is there.")),
        ({"REMEMBER_TOOLS": "memory", "REMEMBER_MODEL": "/nowhere"}, ("fine", "REMEMBER_TOOLS offers memory.")),
        (
            {"REMEMBER_MODEL": "/nowhere"},
            (
                "weak",
                "REMEMBER_MODEL: notes are found by their words alone, as the weights cannot be read " + MISSING,
            ),
        ),
    ],
)
def test_the_families_and_the_model_are_told(
    changes: dict[str, str], finding: tuple[str, str], environ: dict[str, str], doctor: Doctor
) -> None:
    """A model that is not there is weak where notes are offered; its path is not told."""
    findings = [(finding.level, finding.message) for finding in doctor(environ | changes).findings]
    assert finding in findings


def test_a_store_under_a_prefix_of_its_own_is_found(environ: dict[str, str], doctor: Doctor) -> None:
    """The integration can be told to put a word before its names; then nothing of it is read."""
    moved = {f"STORAGE_{name}" if name.startswith("KV_") else name: value for name, value in environ.items()}
    report = doctor({**moved, "REMEMBER_STORE": "memory"})
    messages = dict(found(report, "weak"))
    assert set(messages) == {"STORAGE_KV_REST_API_URL", "STORAGE_KV_REST_API_TOKEN", "REMEMBER_STORE"}
    assert "STORAGE_KV_REST_API_URL is not read, KV_REST_API_URL is." in messages["STORAGE_KV_REST_API_URL"]


@pytest.mark.parametrize("platform", ["vercel", "lambda"])
def test_an_address_of_this_machine_is_wrong_elsewhere(
    platform: str, environ: dict[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It answers here, and would not there."""
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert main(["doctor", "--json", "--platform", platform]) == 1
    said = json.loads(capsys.readouterr().out)
    (wrong,) = (finding for finding in said["findings"] if finding["level"] == "wrong")
    assert wrong["variable"] == "KV_REST_API_URL"
    assert f"on {platform} that is the function itself" in wrong["message"]
    assert said["store"]["state"] == "ok"


# What is wrong with the store


def test_the_token_that_may_only_read_is_found(environ: dict[str, str], upstash: UpstashRest, doctor: Doctor) -> None:
    """By a write, as a read does not show it."""
    report = doctor(environ | {"KV_REST_API_TOKEN": upstash.read_only_token})
    assert the_wrong_one(report) == (
        "KV_REST_API_TOKEN",
        "The memory store's token may only read; set KV_REST_API_TOKEN to the one that may write.",
    )
    assert report.trial is not None
    assert (report.trial.state, report.trial.round_trip_ms) == ("read-only", 9.0)
    assert not upstash.redis.admin.keys()


def test_the_token_that_may_only_read_is_told_by_its_name(
    environ: dict[str, str], upstash: UpstashRest, doctor: Doctor
) -> None:
    """Where the integration's own variable holds the same, the report says which one was taken."""
    token = upstash.read_only_token
    report = doctor(environ | {"KV_REST_API_TOKEN": f"{token}\n", "KV_REST_API_READ_ONLY_TOKEN": f'"{token}"'})
    (variable, message), _ = found(report, "wrong")
    assert variable == "KV_REST_API_TOKEN"
    assert "holds the token of KV_REST_API_READ_ONLY_TOKEN" in message


STATES: dict[str, tuple[list[str], str, str]] = {
    "timeout": (["hang"], "timeout", "KV_REST_API_URL"),
    "reset": (["drop"], "reset", "KV_REST_API_URL"),
    "C6 unauthorized": (
        ['401 {"error": "WRONGPASS, command was: [[\\"get\\",\\"s3cr3t\\"]]"}'],
        "unauthorized",
        "KV_REST_API_TOKEN",
    ),
    "rate-limited": (["429 s3cr3t"], "rate-limited", "KV_REST_API_URL"),
    "failed": (["500 s3cr3t"], "failed", "KV_REST_API_URL"),
    "a website": (["200 <html>s3cr3t</html>"], "garbled", "KV_REST_API_URL"),
}


@pytest.mark.parametrize("name", STATES)
def test_a_store_that_gives_no_answer_is_told(
    name: str, environ: dict[str, str], upstash: UpstashRest, doctor: Doctor
) -> None:
    """By one word and one sentence; it is asked once then, and not again and again."""
    faults, state, variable = STATES[name]
    upstash.faults += faults
    report = doctor(environ | {"REMEMBER_STORE_DEADLINE": "0.2"})
    assert report.trial is not None
    assert (report.trial.state, report.trial.round_trip_ms) == (state, None)
    assert the_wrong_one(report) == (variable, report.trial.problem)
    assert len(upstash.requests) == 1
    assert not report.counts
    assert f"does not answer: {state}." in "\n".join(as_lines(report))
    assert_nothing_leaks(report, "s3cr3t")


def test_nobody_at_the_address_is_told(environ: dict[str, str], doctor: Doctor) -> None:
    """Refused, with what to check."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    variable, message = the_wrong_one(doctor(environ | {"KV_REST_API_URL": f"http://localhost:{port}"}))
    assert variable == "KV_REST_API_URL"
    assert "cannot be reached" in message


def test_a_store_that_fails_later_is_told_too(environ: dict[str, str], upstash: UpstashRest, doctor: Doctor) -> None:
    """Wherever it happens, the sentence stands there once, and the report is whole."""
    doctor(environ)  # records the layout
    upstash.reset()
    doctor(environ)
    for at in range(1, len(upstash.requests)):
        upstash.reset()
        upstash.faults += [*[""] * at, "429 no more"]
        report = doctor(environ)
        assert the_wrong_one(report)[0] == "KV_REST_API_URL"
        assert "takes no more requests" in "\n".join(as_lines(report))


def test_the_variables_are_named_as_they_are_set(upstash: UpstashRest, environ: dict[str, str], doctor: Doctor) -> None:
    """Under Upstash's own names, the sentences name those."""
    named = {name: value for name, value in environ.items() if not name.startswith("KV_")}
    named |= {"UPSTASH_REDIS_REST_URL": upstash.url, "UPSTASH_REDIS_REST_TOKEN": "made-up-and-not-accepted"}
    variable, message = the_wrong_one(doctor(named))
    assert variable == "UPSTASH_REDIS_REST_TOKEN"
    assert "check UPSTASH_REDIS_REST_TOKEN" in message
    assert "The upstash store in UPSTASH_REDIS_REST_URL" in "\n".join(as_lines(doctor(named)))


def test_only_the_layout_s_record_stays(
    environ: dict[str, str], upstash: UpstashRest, doctor: Doctor, clock: MovingClock
) -> None:
    """It is written once, with the time; the trial entry goes; a second look changes nothing."""
    first = doctor(environ)
    assert first.trial is not None
    assert first.trial.since == START
    redis = upstash.redis.admin
    assert redis.get("remember:__layout__") == f'{{"version":2,"since":{START}}}'
    assert redis.keys("*trial*") == []
    assert redis.zrange("remember:__doctor__", 0, -1) == ["layout__"]
    clock.advance(1_000)
    second = doctor(environ)
    assert second.trial is not None
    assert second.trial.since == START
    assert sorted(redis.keys()) == ["remember:__doctor__", "remember:__layout__"]


def test_a_trial_that_is_cut_off_ends_by_itself(environ: dict[str, str], upstash: UpstashRest, doctor: Doctor) -> None:
    """The entry that could not be taken away expires within a minute."""
    upstash.faults += [*[""] * 8, "drop"]  # 1 look, 5 round trips, the layout, the put; then the removal
    assert doctor(environ).wrong == 1
    (left,) = upstash.redis.admin.keys("*trial*")
    assert 0 < upstash.redis.admin.pttl(left) <= LIFE_MS


@pytest.mark.parametrize("record", ["", "2", "{", '{"version":3,"since":1}', '{"version":2,"since":-1}', "[[[["])
def test_a_foreign_layout_is_told_and_kept(
    record: str, environ: dict[str, str], upstash: UpstashRest, doctor: Doctor
) -> None:
    """Somebody else may rely on it."""
    upstash.redis.admin.set("remember:__layout__", record)
    report = doctor(environ)
    assert [variable for variable, _ in found(report, "weak")] == ["REMEMBER_KEY_PREFIX"]
    assert upstash.redis.admin.get("remember:__layout__") == record


def test_the_round_trip_leaves_the_first_one_out(environ: dict[str, str], doctor: Doctor) -> None:
    """The median of five reads on a connection that stands."""
    report = doctor(environ)
    assert report.trial is not None
    assert report.trial.round_trip_ms == 9.0


def test_no_key_space_is_walked(environ: dict[str, str], upstash: UpstashRest, doctor: Doctor) -> None:
    """Neither KEYS nor SCAN: the pages of the known owners are enough."""
    keep(environ, KEY, 3)
    upstash.reset()
    doctor(environ, "carl")
    assert not {"keys", "scan", "flushdb", "flushall", "randomkey", "dbsize"} & set(upstash.commands())


# What lies in the store


def test_entries_are_counted_by_scope(environ: dict[str, str], doctor: Doctor) -> None:
    """Of all static keys, of the users that were named, and everybody's."""
    keep(environ, KEY, 2, scope="user")
    keep(environ, KEY, 3)
    keep(environ, OTHER, 1, scope="tool")
    keep(environ, OTHER, 4, scope="global")
    report = doctor(environ, "carl", "static:ana", "carl")
    assert [(counted.scope, counted.owners, counted.readable) for counted in report.counts] == [
        ("global", 1, 4),
        ("user", 3, 2),
        ("session", 3, 3),
        ("tool", 3, 1),
    ]


def test_a_named_user_is_counted(environ: dict[str, str], upstash: UpstashRest, doctor: Doctor) -> None:
    """Who comes with a token is known to nobody but the owner, who can say it."""
    shelf = shelf_of("remember:", Owner("user", "carl"))
    upstash.redis.admin.mset({shelf.place("note").key: "no envelope"})
    upstash.redis.admin.zadd(shelf.index, {"note": "inf"})
    assert doctor(environ).wrong == 0
    assert "1 entry in user scope cannot be read" in the_wrong_one(doctor(environ, "carl"))[1]


def test_g1_the_unreadable_are_told_by_key_id(environ: dict[str, str], doctor: Doctor) -> None:
    """G1: after the secret changed they are counted under the old one's key id; with it as a previous one all open."""
    keep(environ | {"REMEMBER_SECRET": OLDER}, KEY, 3, scope="user")
    older = doctor(environ | {"REMEMBER_SECRET": OLDER}).key_ids[0]
    keep(environ, OTHER, 2, scope="user")
    report = doctor(environ)
    (user,) = (counted for counted in report.counts if counted.scope == "user")
    assert (user.readable, user.unreadable) == (2, {older: 3})
    variable, message = the_wrong_one(report)
    assert variable == "REMEMBER_SECRET_PREVIOUS"
    assert message.startswith(f"3 entries in user scope cannot be read: they hold text sealed under the key id {older}")
    assert f"user           2         2  3 {older}" in "\n".join(as_lines(report))
    mended = doctor(environ | {"REMEMBER_SECRET_PREVIOUS": OLDER})
    assert (mended.wrong, mended.key_ids[1:]) == (0, (older,))
    assert sum(counted.readable for counted in mended.counts) == 5


def test_what_was_changed_or_never_sealed_is_told_apart(
    environ: dict[str, str], upstash: UpstashRest, doctor: Doctor
) -> None:
    """A moved envelope, a plain text, and a key id that somebody made up."""
    keep(environ, KEY, 2)
    first, second = sorted(upstash.redis.admin.keys("*private*"))
    upstash.redis.admin.set(first, upstash.redis.admin.get(second) or "")
    assert "of a secret that is here, and it does not open" in the_wrong_one(doctor(environ))[1]
    for text in ("plain", '{"alg":"A256GCM","kid":"\\u001b[2J s3cr3t","iv":"","tag":"","data":""}'):
        upstash.redis.admin.set(first, text)
        report = doctor(environ)
        assert "they hold no sealed text" in the_wrong_one(report)[1]
        assert_nothing_leaks(report, "s3cr3t")


def test_sealed_entries_with_encryption_off_are_told(environ: dict[str, str], doctor: Doctor) -> None:
    """What would open them is the switch, not another secret."""
    keep(environ, KEY, 2)
    assert (
        "REMEMBER_ENCRYPTION is off. Set it to on."
        in the_wrong_one(doctor(environ | {"REMEMBER_ENCRYPTION": "off"}))[1]
    )


def test_a_long_shelf_is_counted_over_its_pages(
    environ: dict[str, str], upstash: UpstashRest, doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Page by page up to a limit, which is said where it was met."""
    keep(environ, KEY, 7)
    monkeypatch.setattr("remember.cli.census._PAGE", 2)
    assert {counted.scope: (counted.readable, counted.cut) for counted in doctor(environ).counts}["session"] == (
        7,
        False,
    )
    monkeypatch.setattr("remember.cli.census.MOST", 4)
    report = doctor(environ)
    assert {counted.scope: (counted.readable, counted.cut) for counted in report.counts}["session"] == (4, True)
    assert "and more that were not looked at" in "\n".join(as_lines(report))


# What is printed


def test_json_holds_what_the_lines_hold(environ: dict[str, str], doctor: Doctor) -> None:
    """The same findings, states and numbers for a program."""
    keep(environ, KEY, 2)
    report = doctor(environ)
    said = json.loads(json.dumps(as_json(report)))
    assert said["status"] == "ok"
    assert said["identity"] == ["static keys"]
    assert said["store"] == {
        "name": "upstash",
        "variable": "KV_REST_API_URL",
        "state": "ok",
        "round_trip_ms": 9.0,
        "layout_since": START,
    }
    assert {row["scope"]: row["readable"] for row in said["entries"]}["session"] == 2
    assert said["month"]["rows"][0] == {"calls": 1000, "commands": 1500, "free_percent": 0.3, "dollars": 0.0}
    assert said["key_ids"] == list(report.key_ids)
    lines = "\n".join(as_lines(report))
    assert all(finding["message"] in lines for finding in said["findings"])


def test_nothing_of_the_settings_or_the_memory_is_printed(
    environ: dict[str, str], upstash: UpstashRest, doctor: Doctor, caplog: pytest.LogCaptureFixture
) -> None:
    """No credential, secret, token, address, user, key or value, neither where all works nor where it does not."""
    caplog.set_level(logging.DEBUG)
    keep(environ, KEY, 2)
    changed = environ | {"REMEMBER_SECRET": OLDER, "REMEMBER_SECRET_PREVIOUS": "a-third-secret-of-the-tests"}
    wrong_token = environ | {"KV_REST_API_TOKEN": "made-up-and-not-accepted"}
    read_only = environ | {"KV_REST_API_TOKEN": upstash.read_only_token}
    caplog.clear()
    for broken in (environ, changed, wrong_token, read_only):
        report = doctor(broken, "carl-the-user")
        hidden = [*broken.values(), KEY, OTHER, "localhost", str(upstash.port), "private-", "hidden", "static:"]
        assert_nothing_leaks(report, *hidden, "carl-the-user", "a-third-secret")
        assert not any(text in caplog.text for text in hidden)


@pytest.mark.parametrize("store", ["s3cr3t", "upstash:s3cr3t", "https://:s3cr3t@store"])
def test_a_token_in_the_wrong_variable_is_not_printed(
    environ: dict[str, str], doctor: Doctor, caplog: pytest.LogCaptureFixture, store: str
) -> None:
    """REMEMBER_STORE is named with what it may hold."""
    caplog.set_level(logging.DEBUG)
    report = doctor(environ | {"REMEMBER_STORE": store})
    variable, message = the_wrong_one(report)
    assert (variable, message[:30]) == ("REMEMBER_STORE", "REMEMBER_STORE must be upstash")
    assert_nothing_leaks(report, "s3cr3t")
    assert "s3cr3t" not in caplog.text


def test_a_finding_names_its_variable() -> None:
    """Before the sentence, unless that does it by itself."""
    assert str(Finding("wrong", "A", "B is not set.")) == "A: B is not set."
    assert str(Finding("wrong", "A", "A is not set.")) == "A is not set."


def assert_nothing_leaks(report: Report, *hidden: str) -> None:
    for printed in ("\n".join(as_lines(report)), json.dumps(as_json(report)), repr(report)):
        assert not [text for text in hidden if text in printed]
