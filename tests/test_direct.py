"""create_direct: what is wrong with who calls, or with the settings, is said at once."""

from __future__ import annotations

from typing import Any

import pytest

from remember import App, ConfigurationError, InvalidInput, create_direct


@pytest.mark.parametrize(
    "user_id", ["", 5, b"ana", "\ud800", "a\nb", "x" * 513], ids=["empty", "number", "bytes", "half", "break", "long"]
)
def test_a_user_id_that_is_none_is_refused(user_id: Any) -> None:
    """As one that stands in a token would be, and by the field's name."""
    with pytest.raises(InvalidInput) as refused:
        create_direct(App("app"), user_id=user_id, environ={})
    assert refused.value.field == "user_id"
    assert str(refused.value).startswith("user_id ")


def test_a_user_id_signs_in() -> None:
    """The counterpart: bounded text is one, and none at all is nobody."""
    assert create_direct(App("app"), user_id="x" * 512, environ={}).caller.user_id == "x" * 512
    assert create_direct(App("app"), environ={}).caller.anonymous


@pytest.mark.parametrize(
    ("name", "wrong"), [("REMEMBER_DEFAULT_TTL", "s3cr3t"), ("REMEMBER_ENCRYPTION", "s3cr3t"), ("REMEMBER_SECRET", ",")]
)
def test_a_wrong_setting_is_raised(name: str, wrong: str) -> None:
    """No handler stands between that could answer with it; the value is not said."""
    with pytest.raises(ConfigurationError) as refused:
        create_direct(App("app"), environ={name: wrong})
    assert refused.value.variable == name
    assert "s3cr3t" not in str(refused.value)
