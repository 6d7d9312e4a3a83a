"""URIs with variables: what a template takes, what it reads out of it, and which ones are none."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember.uri_template import UriTemplate


@pytest.mark.parametrize(
    ("template", "uri", "values"),
    [
        ("notes://all", "notes://all", {}),
        ("notes://{year}", "notes://2026", {"year": "2026"}),
        ("notes://{year}/{month}", "notes://2026/07", {"year": "2026", "month": "07"}),
        ("test://template/{id}/data", "test://template/123/data", {"id": "123"}),
        ("test://template/{id}/data", "test://template/a%2Fb/data", {"id": "a/b"}),
        ("test://template/{id}/data", "test://template/Z%C3%BCrich/data", {"id": "Zürich"}),
        ("test://template/{id}/data", "test://template/Zürich/data", {"id": "Zürich"}),
        ("test://template/{id}/data", "test://template/{id}/data", {"id": "{id}"}),
        ("notes://{a}-{b}", "notes://x-y-z", {"a": "x", "b": "y-z"}),
        ("notes://{a}.{b}.md", "notes://x.md.md", {"a": "x", "b": "md"}),
        ("notes://{a}--{b}--", "notes://-----x--", {"a": "-", "b": "--x"}),
        ("mailto:{who}", "mailto:ana@example.com", {"who": "ana@example.com"}),
        ("search://?q={words}", "search://?q=a%20b", {"words": "a b"}),
    ],
    ids=str,
)
def test_a_template_reads_its_variables(template: str, uri: str, values: dict[str, str]) -> None:
    """Decoded, and each as short as it can be."""
    assert UriTemplate.read(template).match(uri) == values


@pytest.mark.parametrize(
    ("template", "uri"),
    [
        ("notes://all", "notes://all/"),
        ("notes://all", "notes://ALL"),
        ("notes://{year}", "notes://"),
        ("notes://{year}", "note://2026"),
        ("notes://{year}", "notes://2026/07"),
        ("notes://{year}", "notes://2026?x"),
        ("notes://{year}", "notes://2026#x"),
        ("notes://{year}", "notes://%ff"),
        ("notes://{year}/{month}", "notes://2026"),
        ("notes://{year}/{month}", "notes:///07"),
        ("test://template/{id}/data", "test://template//data"),
        ("test://template/{id}/data", "test://template/data"),
        ("test://template/{id}/data", "test://template/1/data/"),
        ("notes://{a}aa{b}aa", "notes://xaaa"),
        ("notes://{a}", ""),
    ],
    ids=str,
)
def test_what_does_not_fit_is_no_match(template: str, uri: str) -> None:
    """No value is empty or goes past a slash, and nothing may stand before or behind."""
    assert UriTemplate.read(template).match(uri) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "notes",
        "//notes",
        "{scheme}://notes",
        "notes:",
        "notes://a b",
        "notes://Zürich",
        "notes://{year",
        "notes://year}",
        "notes://{}",
        "notes://{{year}}",
        "notes://{+path}",
        "notes://{a,b}",
        "notes://{1st}",
        "notes://{a}{b}",
        "notes://{a}/{a}",
        "notes://{a b}",
    ],
)
def test_what_is_no_template_is_refused(text: str) -> None:
    """With what came."""
    with pytest.raises(ValueError, match=r"got|of|brace"):
        UriTemplate.read(text)


TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@given(TEXT, TEXT)
def test_whatever_is_written_is_read_back(one: str, other: str) -> None:
    """Any two texts, percent-encoded, come back as they were."""
    template = UriTemplate.read("notes://{one}/x/{other}.md")
    uri = f"notes://{quote(one, safe='')}/x/{quote(other, safe='')}.md"
    assert template.match(uri) == {"one": one, "other": other}


def test_a_long_uri_is_read_in_one_pass() -> None:
    """A body may hold four million characters, and a pattern that goes back over them would never end."""
    template = UriTemplate.read("x:{a}-{b}-{c}-{d}-{e}.")
    assert template.match("x:" + "-" * 4_000_000) is None
    assert template.match("x:" + "a-" * 2_000_000 + ".") is not None
