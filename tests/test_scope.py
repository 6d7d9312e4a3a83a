"""The four scopes: reading one, allowing some, and the words that a model reads."""

from __future__ import annotations

from itertools import combinations

import pytest

from remember.errors import InvalidInput, RememberScopeNotAllowedError
from remember.scope import DEFAULT_SCOPE, SCOPES, Scope, check_allowed, describe_scopes, parse_scope

SOME = [chosen for size in range(1, 5) for chosen in combinations(SCOPES, size)]


def test_there_are_four_and_session_is_the_default() -> None:
    """In the order in which they are told."""
    assert SCOPES == ("session", "user", "tool", "global")
    assert DEFAULT_SCOPE == "session"


def test_every_scope_is_read_and_nothing_else() -> None:
    """Case and white space matter; a long wrong one is shortened."""
    assert [parse_scope(scope) for scope in SCOPES] == list(SCOPES)
    for wrong in ("", "User", " user", None, 5, ["user"], "x" * 10_000):
        with pytest.raises(InvalidInput, match="scope must be one of session, user, tool, global") as refused:
            parse_scope(wrong)
        assert refused.value.field == "scope"
        assert len(str(refused.value)) < 200


@pytest.mark.parametrize("allowed", SOME)
def test_a_scope_outside_the_allowed_ones_is_refused(allowed: tuple[Scope, ...]) -> None:
    """The message lists those in their own order."""
    for scope in SCOPES:
        if scope in allowed:
            check_allowed(scope, iter(allowed))
            continue
        with pytest.raises(RememberScopeNotAllowedError) as refused:
            check_allowed(scope, iter(allowed))
        assert str(refused.value) == f"Scope '{scope}' is not allowed. Allowed scopes: {', '.join(allowed)}"


@pytest.mark.parametrize("allowed", SOME)
def test_the_description_tells_of_the_allowed_scopes_alone(allowed: tuple[Scope, ...]) -> None:
    """With their meanings; the default where it is allowed, and to pass one where it is not."""
    said = describe_scopes(iter(allowed))
    for scope in SCOPES:
        assert (f" {scope}: " in said.replace("default: ", "")) is (scope in allowed)
    assert ("default: session" in said) is ("session" in allowed)
    assert ("pass one of" in said) is ("session" not in allowed)
