"""Reading the Authorization header (cases E15, E16, F3, F11)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember.errors import CredentialRefused
from remember.identity.bearer import MAX_CREDENTIAL, read_bearer


@pytest.mark.parametrize(
    "value", ["Bearer T", "bearer T", "BEARER T", "bEaReR T", "Bearer  T", "Bearer T ", "  Bearer    T  ", "Bearer T\t"]
)
def test_the_scheme_in_any_case_with_any_spaces_gives_the_credential(value: str) -> None:
    """Case of the scheme and spaces around the credential make no difference."""
    assert read_bearer([value]) == "T"


def test_no_header_is_no_credential() -> None:
    """Without the header there is nothing to refuse."""
    assert read_bearer([]) is None


@pytest.mark.parametrize(
    "value",
    [
        "", " ", "Bearer", "Bearer ", "Bearer \t", "Basic x", "Basic dXNlcjpwdw==", "Bearer\tT", "BearerT", "Token T",
        "Bearer T U", "Bearer T, Bearer U", "Bearer a\x00b", "Bearer a\x7f", "Bearer a\nb", "Bearer \x1fx",
        b"Bearer \xc3\xa1".decode("latin-1"), b"Bearer a\xff".decode("latin-1"), "Bearer \ud83c", "Bearer\u2003T",
        "Bearer " + "x" * (MAX_CREDENTIAL + 1), "Bearer " + "x" * 100_000,
    ],
)  # fmt: skip
def test_anything_else_is_refused_without_a_word_of_it(value: str) -> None:
    """A header that is there and no good is refused, never taken for absent, and not repeated in the message."""
    with pytest.raises(CredentialRefused) as refused:
        read_bearer([value])
    assert refused.value.presented
    assert len(str(refused.value)) < 120
    assert str(refused.value).isascii()


@pytest.mark.parametrize("values", [["Bearer T", "Bearer T"], ["Bearer T", "Basic x"], ["Bearer T", ""]])
def test_two_headers_are_refused_even_when_equal(values: list[str]) -> None:
    """Which of two headers counts is nothing that two programs agree on."""
    with pytest.raises(CredentialRefused, match="more than one"):
        read_bearer(values)


def test_the_longest_credential_fits() -> None:
    """The limit is inclusive."""
    assert read_bearer(["Bearer " + "x" * MAX_CREDENTIAL]) == "x" * MAX_CREDENTIAL


@given(st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=200))
def test_every_credential_of_visible_ascii_arrives_whole(credential: str) -> None:
    """People choose keys with all of ASCII's signs in them."""
    assert read_bearer(["Bearer " + credential]) == credential


@given(st.lists(st.text(), max_size=3))
def test_no_header_whatever_ends_in_another_error(values: list[str]) -> None:
    """Never a 500: a credential, nothing, or the refusal."""
    try:
        read = read_bearer(values)
    except CredentialRefused:
        return
    assert read is None or read in values[0]
