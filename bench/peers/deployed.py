"""The peer's MCPServer as a project to deploy, the way that the SDK and both platforms recommend it.

The builders, their flags and the pinned versions are those that Remember is built with.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

from bench.process import ROOT

NEEDS = ("cryptography", "mangum", "mcp", "pydantic", "upstash-redis")
OWN = ("__init__.py", "tool_call.py", "peers/__init__.py", "peers/mcpserver.py", "peers/sealing.py")

APP = """\
import os

from bench.peers.mcpserver import UpstashShelf, build_server

shelf = UpstashShelf(os.environ["KV_REST_API_URL"], os.environ["KV_REST_API_TOKEN"])
app = build_server(shelf).streamable_http_app(json_response=True, stateless_http=True, host="0.0.0.0")
"""

HANDLER = """\
from mangum import Mangum

from index import app

handler = Mangum(app)
"""

PROJECT = """\
[project]
name = "peer"
version = "1"
requires-python = ">=3.12"
dependencies = {needs}

[tool.uv]
package = false
constraint-dependencies = {pins}
"""

VERCEL = {
    "framework": "python",
    "functions": {"api/index.py": {"maxDuration": 30, "excludeFiles": "{*.toml,*.txt,*.yaml,*.lock}"}},
    "buildCommand": "python -m pip uninstall --quiet --yes pip",
}

TEMPLATE = """\
AWSTemplateFormatVersion: "2010-09-09"
Transform: AWS::Serverless-2016-10-31
Parameters:
  RestUrl: {Type: String}
  RestToken: {Type: String}
  Secret: {Type: String}
  Keys: {Type: String}
  Architecture: {Type: String}
Resources:
  Peer:
    Type: AWS::Serverless::Function
    Metadata:
      BuildMethod: python-uv
    Properties:
      CodeUri: api
      Handler: _aws.handler
      Runtime: python3.12
      Architectures: [!Ref Architecture]
      Environment:
        Variables:
          KV_REST_API_URL: !Ref RestUrl
          KV_REST_API_TOKEN: !Ref RestToken
          REMEMBER_SECRET: !Ref Secret
          REMEMBER_API_KEYS: !Ref Keys
"""

SAMCONFIG = """\
version = 0.1
[default.build.parameters]
beta_features = true
manifest = "requirements.txt"
"""


def write_project(folder: Path) -> Path:
    """All files of the project, ready for either builder."""
    pins = re.findall(r"^([a-z0-9-]+==[^\s;]+)", (ROOT / ".ci" / "requirements-dev.txt").read_text(), re.MULTILINE)
    files = {
        ".python-version": "3.12\n",
        "api/index.py": APP,
        "api/_aws.py": HANDLER,
        "constraints.txt": "\n".join(pins),
        "pyproject.toml": PROJECT.format(needs=json.dumps(NEEDS), pins=json.dumps(pins)),
        "requirements.txt": "\n".join(["-c constraints.txt", *NEEDS]),
        "samconfig.toml": SAMCONFIG,
        "template.yaml": TEMPLATE,
        "vercel.json": json.dumps(VERCEL),
    }
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    for path in OWN:  # Vercel searches from above api on, Lambda in it
        for place in (
            folder / "bench",
            folder / "api" / "bench",
        ):
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / "bench" / path, place / path)
    return folder
