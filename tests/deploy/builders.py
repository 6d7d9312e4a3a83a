"""Both artefacts as the platforms' own builders make them from a clean clone, and the tools that make and run them."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.standins.lambda_runtime import LambdaRuntime
from tests.standins.vercel_runtime import VercelRuntime

HOME = Path(__file__).resolve().parents[2]
TOOLS = HOME / ".deploy-tools"
PYTHON = TOOLS / "python" / "bin" / "python"
"""Python 3.12 with nothing installed, as both platforms have it."""

BYTECODE = {"UV_PYTHON": "3.12", "UV_COMPILE_BYTECODE": "1", "PYC_INVALIDATION_MODE": "UNCHECKED_HASH"}
"""Before `sam build`, as docs/deploy.md says."""

PRUNE = "find .aws-sam/build -type d -name tests -prune -exec rm -r {} +"
"""After it, as the page says, too. Vercel's build command does the same."""

MACHINE = "arm64" if os.uname().machine in ("arm64", "aarch64") else "x86_64"
"""This machine's architecture, by Lambda's name for it."""

QUIET = {"VERCEL_TELEMETRY_DISABLED": "1", "SAM_CLI_TELEMETRY": "0", "NO_UPDATE_NOTIFIER": "1"}


class BuildFailed(Exception):
    """A builder ended with an error; the message is what it printed."""


def clone(folder: Path) -> Path:
    """HEAD, as somebody else would get it: what is not committed is not there."""
    run(["git", "clone", "--quiet", "--no-hardlinks", str(HOME), str(folder)], folder.parent)
    return folder


def run(command: list[str], folder: Path, **environ: str) -> str:
    """What a command of the tools prints."""
    found = [TOOLS / "uv" / "bin", TOOLS / "sam" / "bin", TOOLS / "vercel" / "node_modules" / ".bin"]
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONDONTWRITEBYTECODE", "VIRTUAL_ENV")}
    path = os.pathsep.join([*map(str, found), kept["PATH"]])
    done = subprocess.run(
        command,
        cwd=folder,
        env={**kept, **QUIET, "PATH": path, **environ},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise BuildFailed(f"{' '.join(command)}\n{done.stdout}")
    return done.stdout


@dataclass(frozen=True, slots=True)
class VercelArtefact:
    """What `vercel build` left under .vercel/output."""

    output: Path

    @property
    def root(self) -> Path:
        """The one function."""
        (config,) = self.output.glob("functions/**/.vc-config.json")
        return config.parent

    def start(self, environ: Mapping[str, str], *, watched: bool = True, **more: str) -> VercelRuntime:
        """`more` is what the platform would set, and not the owner."""
        return VercelRuntime(self.root, PYTHON, {**environ, **more}, watched=watched)


def build_vercel(project: Path) -> VercelArtefact:
    """As Vercel builds it. A linked project is all that is made up, and one that belongs to nobody will do.

    Vercel reads build.env from vercel.json before it builds; here that is for the caller of the builder to do.
    """
    (project / ".vercel").mkdir()
    (project / ".vercel" / "project.json").write_text('{"projectId": "prj_x", "orgId": "team_x", "settings": {}}')
    run(["vercel", "build", "--prod", "--yes", "--standalone"], project, VERCEL_PYTHON_COMPILEALL="1")
    return VercelArtefact(project / ".vercel" / "output")


@dataclass(frozen=True, slots=True)
class LambdaArtefact:
    """What `sam build` left under .aws-sam/build: the function, and the template that says how it is started."""

    build: Path

    @property
    def root(self) -> Path:
        (function,) = (folder for folder in self.build.iterdir() if folder.is_dir())
        return function

    @property
    def template(self) -> str:
        return (self.build / "template.yaml").read_text()

    @property
    def variables(self) -> dict[str, str]:
        """The variables that the template sets, each with the parameter that it is set to."""
        return dict(re.findall(r"^ {10}([A-Z_]+):\n {12}Ref: (\w+)$", self.template, re.MULTILINE))

    def start(self, environ: Mapping[str, str], *, watched: bool = True, **more: str) -> LambdaRuntime:
        """As the template starts it: what is not in `environ` is set all the same, and empty. `more` as above."""
        unknown = set(environ) - set(self.variables)
        assert not unknown, f"the template has no parameter for {unknown}"
        (handler,) = re.findall(r"Handler: (\S+)", self.template)
        whole = {variable: environ.get(variable, "") for variable in self.variables} | more
        runtime = TOOLS / "runtime"
        return LambdaRuntime(self.root, PYTHON, whole, handler=handler, runtime=runtime, watched=watched)


def build_lambda(project: Path, architecture: str = MACHINE, **environ: str) -> LambdaArtefact:
    """For this machine's own architecture, unless told otherwise, so that it can be started here."""
    run(["sam", "build", "--parameter-overrides", f"Architecture={architecture}"], project, **environ)
    run(["sh", "-c", PRUNE], project)
    return LambdaArtefact(project / ".aws-sam" / "build")
