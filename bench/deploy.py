"""Both deployed functions from their start to the first answered tools/call, beside the peer deployed alike.

Built by the platforms' own builders, so `sh .ci/deploy` has to have installed those.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from bench.peers.deployed import write_project
from bench.process import SERVER
from bench.report import Cell, Report, Target
from bench.tool_call import ARGUMENTS, BEARER, ToolCall
from tests.deploy.builders import BYTECODE, LambdaArtefact, VercelArtefact, build_lambda, build_vercel, clone
from tests.deploy.over_http import send
from tests.protocol.requests import call, post
from tests.standins.redis_server import RedisServer
from tests.standins.upstash_rest import UpstashRest

Artefact = VercelArtefact | LambdaArtefact

OURS, PEER = "ours", "MCPServer"
NO_BYTECODE = "without bytecode"
NOT_LATE = "everything imported at the start"
NOTES = "a note is asked for"

VALUE_READ, NOTE_READ = "recall", "engram_recall"
WRITTEN_BY = {VALUE_READ: "remember_this", NOTE_READ: "engram_remember"}
FIRST_CALLS = {
    **ARGUMENTS,
    "engram_remember": {"content": "The release is planned for the last week of March", "force": True},
    NOTE_READ: {"query": "When will the new version come out?"},
}

# What the function imports late; the first call needs some of it, and the rest some later call or none.
EAGER = """\
import cryptography.hazmat.primitives.ciphers.aead, cryptography.hazmat.primitives.hashes
import cryptography.hazmat.primitives.kdf.hkdf, jwt, http.client, urllib.request, ssl, sqlite3, html, random, difflib
import remember.stores.memory, remember.stores.sqlite, remember.stores.upstash, remember.stores.transport
import remember.schema.inline, upstash_redis.asyncio
import remember.notebook.reading, remember.notebook.writing, remember.notebook.signs, remember.text.redaction
import remember.text.bm25_arrays, remember.text.time_words, remember.text.transformer, remember.text.vectors, numpy
"""


@dataclass(frozen=True, slots=True)
class Case:
    """One artefact, what it is first asked for, and the figures of one start."""

    platform: str
    what: str
    artefact: Artefact
    tool: str = VALUE_READ

    def prepare(self, environ: Mapping[str, str]) -> None:
        """Store what there is to be found."""
        replace(self, tool=WRITTEN_BY[self.tool]).run(environ)

    def run(self, environ: Mapping[str, str]) -> tuple[float, float]:
        """CPU in ms until the platform may send the first call, and of that call."""
        # What a call compiled must not be there for the next process to find.
        with self.artefact.start(environ, watched=False, PYTHONDONTWRITEBYTECODE="1") as function:
            ready = function.process.cpu_ms
            arguments = FIRST_CALLS[self.tool]
            answer = send(function.port, post(call(self.tool, **arguments), key=BEARER))
            answered = function.process.cpu_ms
            ToolCall(self.tool, arguments).check(answer.body)
            return ready, answered - ready

    @property
    def megabytes(self) -> float:
        return sum(path.stat().st_size for path in self.artefact.root.rglob("*") if path.is_file()) / 1e6


def measure(runs: int) -> Report:
    """Every artefact once a round, so that what else the machine does meets all of them alike."""
    with tempfile.TemporaryDirectory() as folder, _store() as environ:
        cases = _build(Path(folder))
        for case in cases:
            case.prepare(environ)
        rounds = [[case.run(environ) for case in cases] for _ in range(runs)]
        columns = list(zip(*rounds, strict=True))
        init, first = ([median(run[part] for run in column) for column in columns] for part in (0, 1))
        whole = [a + b for a, b in zip(init, first, strict=True)]
        peers = {case.platform: total for case, total in zip(cases, whole, strict=True) if case.what == PEER}
        rows: list[dict[str, Cell]] = [
            {
                "what": f"{case.platform}: {case.what}",
                "init_ms": init[at],
                "first_call_ms": first[at],
                "x_MCPServer": whole[at] / peers[case.platform],
                "megabytes": case.megabytes,
            }
            for at, case in enumerate(cases)
        ]
    ratios = {case.platform: whole[at] / peers[case.platform] for at, case in enumerate(cases) if case.what == OURS}
    return Report(
        f"Deployed: CPU from process start to the first answered tools/call, median of {runs}",
        rows,
        [Target(f"{platform}: CPU of {OURS} / {PEER}", ratio, 0.45) for platform, ratio in ratios.items()],
    )


@contextmanager
def _store() -> Iterator[dict[str, str]]:
    """What every function is configured with, while a REST store before a real Redis is there for it."""
    with RedisServer() as redis:
        rest = UpstashRest(redis).start()
        try:
            kept = {name: SERVER[name] for name in ("REMEMBER_API_KEYS", "REMEMBER_SECRET")}
            yield {**kept, "KV_REST_API_URL": rest.url, "KV_REST_API_TOKEN": rest.token}
        finally:
            rest.stop()


def _build(folder: Path) -> list[Case]:
    """Both of each for both platforms, and what two of our own means are worth."""
    made: dict[tuple[str, str], Callable[[], Artefact]] = {
        ("Vercel", OURS): lambda: build_vercel(clone(folder / "ours-vercel")),
        ("Vercel", PEER): lambda: build_vercel(write_project(folder / "peer-vercel")),
        ("Lambda", OURS): lambda: build_lambda(clone(folder / "ours-lambda"), **BYTECODE),
        ("Lambda", PEER): lambda: build_lambda(write_project(folder / "peer-lambda"), **BYTECODE),
    }
    with ThreadPoolExecutor(2) as pool:
        artefacts = list(pool.map(lambda build: build(), made.values()))
    cases = []
    for (platform, what), artefact in zip(made, artefacts, strict=True):
        cases += [Case(platform, what, artefact), Case(platform, f"{what}, {NO_BYTECODE}", _without_bytecode(artefact))]
        if what == OURS:
            cases.append(Case(platform, f"{what}, {NOT_LATE}", _nothing_late(artefact)))
            cases.append(Case(platform, f"{what}, {NOTES}", artefact, NOTE_READ))
    return cases


def _copy(artefact: Artefact, name: str) -> Artefact:
    whole = artefact.output if isinstance(artefact, VercelArtefact) else artefact.build
    target = whole.with_name(f"{whole.name}-{name}")
    shutil.copytree(whole, target)
    return type(artefact)(target)


def _without_bytecode(artefact: Artefact) -> Artefact:
    copied = _copy(artefact, "without-bytecode")
    for path in list(copied.root.rglob("__pycache__")):
        shutil.rmtree(path)
    return copied


def _nothing_late(artefact: Artefact) -> Artefact:
    copied = _copy(artefact, "nothing-late")
    name = "api/index.py" if isinstance(copied, VercelArtefact) else "_aws.py"
    for compiled in (copied.root / name).parent.glob("__pycache__/index.*"):
        compiled.unlink()  # is not checked against its source
    door = copied.root / name
    source = door.read_text()
    at = source.index('"""', 3) + 4  # behind the docstring
    door.write_text(source[:at] + EAGER + source[at:])
    return copied
