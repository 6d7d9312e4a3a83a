"""Every promise has a test, and every promise that a test wears is one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.promises import PROMISES

TESTS = Path(__file__).parent
Function = ast.FunctionDef | ast.AsyncFunctionDef


def worn() -> dict[str, list[str]]:
    """The tests that wear each promise, read from the files and not from the run, so that any subset may run."""
    tests: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for function, ids in _marked(ast.parse(path.read_text())):
            for id_ in ids:
                tests.setdefault(id_, []).append(f"{path.relative_to(TESTS)}::{function.name}")
    return tests


def _marked(module: ast.Module) -> Iterator[tuple[Function, list[str]]]:
    for node in ast.walk(module):
        if isinstance(node, Function) and node.name.startswith("test_"):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.promise":
                    yield node, [str(ast.literal_eval(argument)) for argument in decorator.args]


def test_every_promise_has_a_test() -> None:
    """A promise alone is a wish."""
    assert sorted(set(PROMISES) - set(worn())) == []


def test_every_promise_that_a_test_wears_is_one() -> None:
    """An id that stands in no table pins nothing."""
    unknown = {id_: tests for id_, tests in worn().items() if id_ not in PROMISES}
    assert unknown == {}


def test_every_promise_says_something_once() -> None:
    """No two promises are one, and each has a place."""
    words = [promise.words for promise in PROMISES.values()]
    assert len(set(words)) == len(words)
    assert all(promise.place and promise.words for promise in PROMISES.values())
