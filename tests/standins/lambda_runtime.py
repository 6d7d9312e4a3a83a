"""Runs a function that `sam build` made with AWS's own runtime client, which asks a small Runtime API for its events.

As on Lambda, one instance has one event at a time, and stands still from the moment that it asks for the next one
until there is one. A Function URL is in front: `port`.
"""

from __future__ import annotations

import json
import queue
import threading
import time
from base64 import b64decode
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self
from urllib.parse import unquote, urlsplit

from remember import Request
from tests.fetch.events import Event, function_url
from tests.standins.function_process import FunctionProcess

ANSWER_BYTES = 6 * 1024 * 1024


class FunctionFailed(Exception):
    """The function raised, ended, or took too long: its caller would see a 502 and no word of ours."""


class LambdaRuntime:
    """One instance, from `with` to its end. `invoke` hands it one event."""

    def __init__(
        self,
        root: Path,
        python: Path,
        environ: Mapping[str, str],
        *,
        handler: str,
        runtime: Path,
        watched: bool = True,
    ) -> None:
        self.root = root
        self.timeout = 30.0  # seconds, as in the template
        self._watched = watched
        self.asked = threading.Event()
        self.events: queue.Queue[Event] = queue.Queue()
        self.answers: queue.Queue[tuple[str, bytes]] = queue.Queue()
        self._one_at_a_time = threading.Lock()
        self._command = [str(python), "-m", "awslambdaric", handler]
        self._environ = {
            "AWS_LAMBDA_FUNCTION_NAME": "remember",
            "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "1024",
            "AWS_REGION": "eu-central-1",
            "LAMBDA_TASK_ROOT": str(root),
            "PYTHONPATH": str(runtime),
            "_HANDLER": handler,
            **environ,
        }

    def __enter__(self) -> Self:
        self._servers = [_serve(_RuntimeApi, self), _serve(_FunctionUrl, self)]
        api, front = (server.server_port for server in self._servers)
        self.port = front
        environ = {**self._environ, "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{api}"}
        self.process = FunctionProcess(self._command, root=self.root, environ=environ, watched=self._watched)
        if not self.asked.wait(30) or not self.answers.empty():
            self.__exit__()
            raise FunctionFailed(f"the function did not start: {self.process.printed}")
        return self

    def __exit__(self, *failure: object) -> None:
        self.process.end()
        for server in self._servers:
            server.shutdown()
            server.server_close()

    @property
    def log(self) -> str:
        """What the function logged and printed."""
        return self.process.printed

    def invoke(self, event: Event) -> dict[str, Any]:
        """The function's answer to one event.

        Raises:
            FunctionFailed: it gave none that Lambda would pass on.
        """
        with self._one_at_a_time:
            self.events.put(event)
            end = time.monotonic() + self.timeout
            while True:
                try:
                    kind, body = self.answers.get(timeout=0.2)
                    break
                except queue.Empty:
                    if not self.process.alive or time.monotonic() > end:
                        raise FunctionFailed(f"no answer: {self.process.printed}") from None
        if kind != "response" or len(body) > ANSWER_BYTES:
            raise FunctionFailed(body[:2000].decode())
        answer: dict[str, Any] = json.loads(body)
        return answer


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    function: LambdaRuntime

    def handle_error(self, request: object, client_address: object) -> None:
        """A function that is taken away drops its connection."""


def _serve(handler: type[BaseHTTPRequestHandler], function: LambdaRuntime) -> _Server:
    server = _Server(("127.0.0.1", 0), handler)
    server.function = function
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    return server


class _Talk(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the base's name
        """No access log."""

    def body(self) -> bytes:
        if self.headers.get("transfer-encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        parts = []
        while size := int(self.rfile.readline(), 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def reply(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(b"" if self.command == "HEAD" else body)


class _RuntimeApi(_Talk):
    """What the runtime client asks: the next event, and where answers go."""

    def do_GET(self) -> None:
        function = self.server.function
        function.asked.set()
        try:
            event = function.events.get_nowait()
        except queue.Empty:
            function.process.freeze()
            event = function.events.get()
            function.process.thaw()
        headers = {
            "content-type": "application/json",
            "lambda-runtime-aws-request-id": f"request-{time.monotonic_ns()}",
            "lambda-runtime-deadline-ms": str(int((time.time() + function.timeout) * 1000)),
            "lambda-runtime-invoked-function-arn": "arn:aws:lambda:eu-central-1:123456789012:function:remember",
        }
        self.reply(200, headers, json.dumps(event).encode())

    def do_POST(self) -> None:
        kind = self.path.rpartition("/")[2]  # response or error
        self.server.function.answers.put((kind, self.body()))
        self.server.function.asked.set()
        self.reply(202, {"content-type": "application/json"}, b'{"status":"OK"}')


class _FunctionUrl(_Talk):
    """HTTP in front of one instance."""

    def answer(self) -> None:
        url = urlsplit(self.path)
        headers: dict[str, str] = {}
        for name, value in self.headers.items():
            key = name.lower()
            headers[key] = f"{headers[key]},{value}" if key in headers else value
        headers.pop("host")  # the Function URL's own stands in its place
        request = Request(self.command, unquote(url.path), tuple(headers.items()), self.body())
        # JSON arrives as text, whatever is not a text in base64.
        base64 = not headers.get("content-type", "").startswith(("application/json", "text/"))
        try:
            answer = self.server.function.invoke(function_url(request, base64=base64, query=url.query))
        except FunctionFailed:
            return self.reply(502, {"content-type": "application/json"}, b'{"Message":"Internal Server Error"}')
        text = answer.get("body") or ""
        body = b64decode(text) if answer.get("isBase64Encoded") else text.encode()
        kept = {name: value for name, value in answer["headers"].items() if name.lower() != "content-length"}
        return self.reply(answer["statusCode"], kept, body)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = answer  # noqa: N815  the base's names
