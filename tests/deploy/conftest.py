"""Both artefacts, built once for all tests, and started with a REST store before a real Redis."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.deploy.builders import BYTECODE, TOOLS, LambdaArtefact, VercelArtefact, build_lambda, build_vercel, clone
from tests.protocol.requests import ANA, BOB
from tests.standins.lambda_runtime import LambdaRuntime
from tests.standins.upstash_rest import UpstashRest
from tests.standins.vercel_runtime import VercelRuntime

Artefact = VercelArtefact | LambdaArtefact
Runtime = VercelRuntime | LambdaRuntime

SECRET = "made-up-secret-of-the-deploy-tests-0123456789"


@pytest.fixture(scope="session")
def artefacts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Artefact]:
    """One clone for each platform, built side by side."""
    assert (TOOLS / "installed").exists(), "the builders are not there; `sh .ci/deploy` installs them and runs this"
    folder = tmp_path_factory.mktemp("deploy")
    with ThreadPoolExecutor() as both:
        vercel = both.submit(lambda: build_vercel(clone(folder / "vercel")))
        aws = both.submit(lambda: build_lambda(clone(folder / "lambda"), **BYTECODE))
        return {"vercel": vercel.result(), "lambda": aws.result()}


@pytest.fixture(scope="session")
def vercel(artefacts: dict[str, Artefact]) -> VercelArtefact:
    artefact = artefacts["vercel"]
    assert isinstance(artefact, VercelArtefact)
    return artefact


@pytest.fixture(scope="session")
def aws(artefacts: dict[str, Artefact]) -> LambdaArtefact:
    artefact = artefacts["lambda"]
    assert isinstance(artefact, LambdaArtefact)
    return artefact


@pytest.fixture(params=["vercel", "lambda"])
def artefact(request: pytest.FixtureRequest, artefacts: dict[str, Artefact]) -> Artefact:
    return artefacts[request.param]


@pytest.fixture
def settings(upstash: UpstashRest) -> dict[str, str]:
    """All that a deployment needs."""
    return {
        "KV_REST_API_URL": upstash.url,
        "KV_REST_API_TOKEN": upstash.token,
        "REMEMBER_SECRET": SECRET,
        "REMEMBER_API_KEYS": f"ana={ANA},bob={BOB}",
    }


@pytest.fixture
def deployed(artefact: Artefact, settings: dict[str, str]) -> Iterator[Runtime]:
    """A cold instance, on each platform."""
    with artefact.start(settings) as function:
        yield function


@pytest.fixture
def on_vercel(vercel: VercelArtefact, settings: dict[str, str]) -> Iterator[VercelRuntime]:
    with vercel.start(settings) as function:
        yield function


@pytest.fixture
def on_lambda(aws: LambdaArtefact, settings: dict[str, str]) -> Iterator[LambdaRuntime]:
    with aws.start(settings) as function:
        yield function


@pytest.fixture(scope="session")
def parts(artefacts: dict[str, Artefact]) -> dict[str, list[Path]]:
    """What is in each artefact, as paths within it."""
    return {
        name: [path.relative_to(artefact.root) for path in artefact.root.rglob("*") if path.is_file()]
        for name, artefact in artefacts.items()
    }
