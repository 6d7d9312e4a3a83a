"""What an author's function raised, where there is no result to say it in: a refusal for the client."""

from __future__ import annotations

from remember.errors import InvalidInput, RememberError
from remember.protocol.message import Message
from remember.protocol.refusal import INTERNAL_ERROR, INVALID_PARAMS, Refusal
from remember.protocol.result import log_failure


def refusal_of(what: str, exc: Exception, message: Message) -> Refusal:
    """Our errors say what they say, with their code; of others the log alone learns the kind and the place.

    A refused argument is the client's to put right, so it is 400; what else the function says is an answer, 200.
    """
    if isinstance(exc, Refusal):
        return exc
    if isinstance(exc, RememberError):
        code, status = (INVALID_PARAMS, 400) if isinstance(exc, InvalidInput) else (INTERNAL_ERROR, 200)
        return Refusal(code, str(exc), status=status, id=message.id, data={"code": exc.code})
    log_failure(what, exc)
    sentence = f"{what} failed. Nothing more can be said here; the server's log names the kind of failure."
    return Refusal(INTERNAL_ERROR, sentence, status=500, id=message.id)
