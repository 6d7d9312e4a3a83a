"""An author's app on Lambda: what the artefact holds serves it too, and a stream comes whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from remember import Response
from tests.deploy.builders import PYTHON, TOOLS, LambdaArtefact
from tests.deploy.over_http import send
from tests.protocol.oracle import header
from tests.protocol.requests import ANA, call, post
from tests.standins.lambda_runtime import LambdaRuntime

pytestmark = pytest.mark.deploy

APP = f"""\
from mangum import Mangum
from remember import App, Context, create_fetch_handler, tool

@tool
async def work(context: Context, steps: int) -> str:
    "Work in steps."
    for done in range(1, steps + 1):
        await context.progress(done, steps)
    return "done"

handler = Mangum(create_fetch_handler(App("works", tools=[work]), auth={{"ana": "{ANA}"}}), lifespan="off")
"""


def test_lambda_buffers_progress_before_the_answer(aws: LambdaArtefact, tmp_path: Path) -> None:
    """Event after event in one body, three times, as a warm function gets them."""
    (tmp_path / "works.py").write_text(APP)
    runtime = TOOLS / "runtime"
    environ = {"PYTHONPATH": f"{runtime}:{tmp_path}"}
    with LambdaRuntime(aws.root, PYTHON, environ, handler="works.handler", runtime=runtime) as function:
        for steps in (2, 40, 1):
            message = call("work", steps=steps)
            message["params"]["_meta"] = {**message["params"]["_meta"], "progressToken": "t"}
            *told, last = events(send(function.port, post(message)))
            assert [report["params"]["progress"] for report in told][-1] == steps
            assert {report["method"] for report in told} == {"notifications/progress"}
            assert last["result"]["content"] == [{"type": "text", "text": "done"}]


def events(response: Response) -> list[dict[str, Any]]:
    """What each event of a stream carries."""
    assert (response.status, header(response, "content-type")) == (200, "text/event-stream")
    *whole, end = response.body.decode().split("\n\n")
    assert end == ""
    return [json.loads(event.removeprefix("event: message\ndata: ")) for event in whole]
