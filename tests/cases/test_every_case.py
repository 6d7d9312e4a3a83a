"""Every failure that others reported and we looked at, with the tests that pin what is right here."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
VALUES, NOTES = "cases/test_public_bugs.py", "cases/test_notes_bugs.py"
ISOLATION = "fetch/test_isolation.py"

# What went wrong elsewhere, and the files in which a test carries the case's id; a test that has none is named.
CASES: dict[str, tuple[str, ...]] = {
    "A1": ("two pairs of parts make one key", ISOLATION,
           "test_keys.py::test_two_different_things_never_share_a_name"),
    "A3": ("an id that equals an internal prefix", ISOLATION, "identity/test_tokens.py"),
    "A4": ("signs of a pattern in an id", ISOLATION, "tools/test_forget_all.py", NOTES),
    "A5": ("KEYS is refused", "stores/test_upstash.py::test_neither_keys_nor_scan_is_ever_sent"),
    "A7": ("accents written apart", VALUES, NOTES),
    "A8": ("a long number is rounded", ISOLATION),
    "A9": ("a text that looks like JSON changes its type", VALUES),
    "A10": ("one user's answer goes to another", ISOLATION, "sdk/test_isolation.py"),
    "A11": ("the request says who the user is", ISOLATION, NOTES),
    "A12": ("deleting one user's things deletes all", ISOLATION, "tools/test_forget_all.py", NOTES),
    "A14": ("an old session id lets in", ISOLATION, "identity/test_authenticator.py"),
    "A15": ("hyphens and braces are operators", VALUES, NOTES),
    "B1": ("half a character", VALUES, NOTES),
    "B3": ("NUL, empty and over-long keys", VALUES, NOTES),
    "B4": ("an oversize value", VALUES, NOTES, "hostile/test_attack.py"),
    "B5": ("one damaged record", "fetch/test_sealed.py", "notebook/test_sealed.py"),
    "B6": ("ttl 0", VALUES),
    "B7": ("a negative ttl", VALUES),
    "B8": ("a ttl that is no whole number", VALUES),
    "B10": ("an update in the last second", VALUES),
    "B11": ("a write that replaces in silence", VALUES),
    "C1": ("two processes, one store", "notebook/test_races.py", NOTES),
    "C2": ("the answer is lost after the write", "notebook/test_retries.py"),
    "C4": ("200 with an error inside", "stores/test_upstash.py::test_every_fault_is_one_clear_refusal"),
    "C5": ("the second of two steps fails", "stores/test_faults.py::test_a_fault_at_any_request"),
    "C6": ("the store's own words reach the caller", "fetch/test_pages.py",
           "stores/test_faults.py::test_a_fault_at_any_request"),
    "C8": ("a line break in a variable", "fetch/test_sealed.py", "cli/test_doctor.py"),
    "C9": ("a redis address where a REST one belongs", "fetch/test_configuration.py", "cli/test_doctor.py"),
    "C10": ("a store that hangs", "stores/test_hung.py::test_a_hundred_callers_hear_of_a_hung_store_in_time",
            "stores/test_upstash.py::test_a_lost_answer_of_a_write_is_told_and_not_repeated"),
    "D1": ("no lifespan", "fetch/test_asgi.py", "sdk/test_serving.py"),
    "D2": ("lifespan twice", "fetch/test_lambda.py"),
    "D3": ("a client bound to its first loop", "fetch/test_asgi.py",
           "stores/test_transport.py::test_several_loops_one_after_the_other"),
    "D5": ("a bundle over the limit", "deploy/test_artefacts.py::test_the_artefacts_fit_the_budget"),
    "D6": ("a stage before the path", "fetch/test_lambda.py"),
    "D7": ("work after the answer", "fetch/test_asgi.py"),
    "E1": ("406 for one of two types", "protocol/test_results.py", "protocol/probes.py"),
    "E2": ("a redirect loses the credential", "protocol/test_results.py", "protocol/probes.py"),
    "E3": ("a preflight is refused", "fetch/test_cors.py"),
    "E4": ("401 without a challenge", "fetch/test_credentials.py"),
    "E5": ("a legacy handshake", "protocol/test_versions.py"),
    "E7": ("headers that repeat the body", "protocol/test_headers.py"),
    "E9": ("a notification is answered", "protocol/test_methods.py"),
    "E10": ("421 behind a real name", "protocol/test_results.py", "protocol/probes.py"),
    "E11": ("$ref and anyOf in schemas", VALUES, "tools/test_families.py::test_schemas_are_closed_and_flat"),
    "E12": ("arguments come as text", VALUES, NOTES),
    "E13": ("an unbounded reply", VALUES, NOTES),
    "E14": ("a reply carries its payload twice", NOTES),
    "E15": ("bearer in small letters", "fetch/test_credentials.py"),
    "E16": ("bytes beyond ASCII in a header", "protocol/test_headers.py"),
    "E18": ("a body without a limit", "protocol/test_bodies.py", "hostile/test_attack.py"),
    "F1": ("alg none", "identity/test_tokens.py", "hostile/test_attack.py::test_the_bad_credentials_are_nobody_s"),
    "F2": ("aud is not looked at", "identity/test_tokens.py"),
    "F3": ("any text is a credential", "fetch/test_credentials.py"),
    "F4": ("exp, nbf, iss, sub", "identity/test_tokens.py"),
    "F5": ("keys are kept for ever", VALUES),
    "F7": ("the keys cannot be had", VALUES, "identity/test_jwks.py"),
    "F8": ("a token in the query", "fetch/test_asgi.py", "identity/test_authenticator.py"),
    "F9": ("static keys lead to a registration", "fetch/test_credentials.py"),
    "F10": ("one key for two users", "fetch/test_credentials.py"),
    "F11": ("very long tokens", "fetch/test_credentials.py"),
    "G1": ("a changed secret looks like loss", "fetch/test_sealed.py"),
    "G3": ("a random secret in production", "fetch/test_configuration.py"),
    "G4": ("options that are not applied", "fetch/test_sealed.py"),
    "G5": ("names are readable in the store", "notebook/test_sealed.py"),
    "H1": ("too much is redacted", "text/test_redaction.py::test_what_only_looks_like_a_secret_stays"),
    "H2": ("a secret is missed", "text/test_redaction.py::test_secrets_are_found_and_nothing_around_them_goes"),
    "H4": ("only one field is looked through", "notebook/test_redaction.py", NOTES),
    "H5": ("connection strings", "text/test_redaction.py::test_of_a_url_the_password_goes_alone"),
    "H6": ("an expression that backtracks", "text/test_redaction.py::test_hostile_text_is_read_to_its_end",
           "hostile/test_texts.py::test_a_text_of_one_piece_over_and_over_is_read_at_once"),
    "I1": ("a contradiction is swallowed", "notebook/test_pairs.py", "notebook/test_writing.py"),
    "I2": ("a discarded write is said to be stored", NOTES),
    "I3": ("the same text again", "notebook/test_writing.py", NOTES),
    "I5": ("case is ignored", "notebook/test_writing.py", "notebook/test_row.py"),
    "I6": ("other scripts are not found", "text/test_terms.py", "notebook/test_lexical.py"),
    "I7": ("two gates disagree", "notebook/test_writing.py"),
    "I8": ("a merge loses what was said", NOTES),
    "I9": ("a feedback loop", "notebook/test_loops.py"),
    "I10": ("forgotten things come back", "notebook/test_keeping.py", NOTES),
    "I11": ("a list that stops in silence", VALUES, NOTES),
    "I12": ("no vector at the write", "notebook/test_lexical.py"),
    "I13": ("another model", "notebook/test_lexical.py"),
    "I14": ("success without an effect", NOTES),
    "I15": ("an empty answer is asked for again", VALUES, NOTES),
    "J1": ("stored text gives orders", "tools/test_recalled_text.py", VALUES),
    "J2": ("models do not call", "tools/test_families.py"),
}  # fmt: skip


@cache
def text_of(path: str) -> str:
    return (TESTS / path).read_text()


@pytest.mark.parametrize("case", list(CASES))
def test_every_case_is_tried_where_this_table_says(case: str) -> None:
    """A file of which a test was named is one that has it; of the others something in the file carries the id."""
    _, *places = CASES[case]
    assert places
    for place in places:
        path, _, name = place.partition("::")
        if name:
            assert re.search(rf"def {name}\b", text_of(path)), place
        else:
            assert re.search(rf"\b{case}\b|def test_(?:[a-z0-9]+_)*?{case.lower()}_", text_of(path)), (case, path)


def test_the_sections_are_whole() -> None:
    """As many as were looked at: a case that is dropped from the table is missed here."""
    sections = {letter: sum(case[0] == letter for case in CASES) for letter in "ABCDEFGHIJ"}
    assert sections == {"A": 12, "B": 9, "C": 8, "D": 6, "E": 15, "F": 10, "G": 4, "H": 5, "I": 14, "J": 2}
