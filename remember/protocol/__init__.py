"""MCP 2026-07-28 over one POST: headers, messages, methods, errors. No session, nothing kept between requests."""

from remember.protocol.dispatch import ServerInfo, answer, complete, discover
from remember.protocol.exchange import Request, Response, json_response
from remember.protocol.message import VERSION, Message, read_message
from remember.protocol.refusal import INTERNAL_ERROR, INVALID_REQUEST, Refusal, RequestId
from remember.protocol.result import call_tool

__all__ = [
    "INTERNAL_ERROR",
    "INVALID_REQUEST",
    "VERSION",
    "Message",
    "Refusal",
    "Request",
    "RequestId",
    "Response",
    "ServerInfo",
    "answer",
    "call_tool",
    "complete",
    "discover",
    "json_response",
    "read_message",
]
