"""App: what it is made of stays, however it was given."""

from __future__ import annotations

from remember import App, Remember, RememberPlugin, tool
from tests.seed.served import serve


@tool
async def count_keys(remember: Remember) -> dict[str, int]:
    """Count what is remembered for everybody."""
    return {"count": len(await remember.list(scope="global"))}


def test_tools_and_plugins_may_come_from_a_generator() -> None:
    """They are there for each handler, and for each look."""
    app = App("app", tools=(each for each in [count_keys]), plugins=(each for each in [RememberPlugin]))  # type: ignore[arg-type]
    for _ in range(2):
        ana = serve(app).ana
        assert list(ana.tools()) == ["count_keys"]
        assert ana.call("count_keys").data == {"count": 0}
