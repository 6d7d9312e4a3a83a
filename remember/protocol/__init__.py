"""MCP 2026-07-28 over one POST: headers, messages, methods, errors. No session, nothing kept between requests."""

from remember.protocol.dispatch import ServerInfo, answer, complete, described, discover, open_to, trace_of
from remember.protocol.exchange import Request, Response, json_response
from remember.protocol.message import VERSION, Message, id_of, read_message
from remember.protocol.refusal import INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, Refusal, RequestId
from remember.protocol.result import call_tool, failure
from remember.protocol.serving import Serving

__all__ = [
    "INTERNAL_ERROR",
    "INVALID_PARAMS",
    "INVALID_REQUEST",
    "VERSION",
    "Message",
    "Refusal",
    "Request",
    "RequestId",
    "Response",
    "ServerInfo",
    "Serving",
    "answer",
    "call_tool",
    "complete",
    "described",
    "discover",
    "failure",
    "id_of",
    "json_response",
    "open_to",
    "read_message",
    "trace_of",
]
