"""Whatever has a long form is run by `make test-long`: there is one way to ask, and the collection sees it."""

from __future__ import annotations

import ast
import os
import re
import shlex
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.helpers import campaigns, slow_tests
from tests.helpers.tables import each

PROJECT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).relative_to(PROJECT).as_posix()
CAMPAIGNS = "tests/helpers/campaigns.py"
# These name the variable: one gives it its meaning, one takes it away from the tests that it runs.
KNOW_THE_VARIABLE = {CAMPAIGNS, "tests/faults/scratch.py", HERE}
TEST = re.compile(r"test_\w+\.py")


@cache
def asking() -> list[str]:
    """The files of tests that name `is_long` or the variable, by their path."""
    files = [file.relative_to(PROJECT).as_posix() for file in sorted((PROJECT / "tests").rglob("*.py"))]
    return [path for path in files if re.search(r"\bis_long\b|\bcampaigns\b|TRACE_INSPECTOR_LONG", source(path))]


def source(path: str) -> str:
    return (PROJECT / path).read_text(encoding="utf-8")


def mistakes(path: str, text: str) -> Iterator[str]:
    """Ways in which a file asks whether there are hours that the collection does not see."""
    tree = ast.parse(text)
    names = imported(tree)
    if "is_long" in names and not TEST.fullmatch(Path(path).name):
        yield "a helper asks is_long(): let the test ask, and tell the helper"
    if any(names.values()):
        yield "is_long has another name here"
    at_the_top = {id(node) for node in tree.body}
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=campaigns.__name__) if id(node) not in at_the_top:
                yield "is_long is imported inside of something"
            case ast.Import(names=[ast.alias(name=campaigns.__name__)]):
                yield "campaigns is imported as a module"
            case ast.ImportFrom(module="tests.helpers", names=given) if path != "tests/conftest.py":
                if "campaigns" in {alias.name for alias in given}:
                    yield "campaigns is imported as a module"
            case ast.Attribute(value=ast.Call(func=ast.Name(id="examples")), attr=attribute):
                yield f"examples().{attribute} tells how many, and marks nothing: ask is_long()"
            case ast.Constant(value=campaigns.LONG_VARIABLE):
                yield f"{campaigns.LONG_VARIABLE} is asked for past is_long()"


def imported(tree: ast.Module) -> dict[str, str | None]:
    """What a module imports of the campaigns, with other names that it gives."""
    froms = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == campaigns.__name__]
    return {alias.name: alias.asname for node in froms for alias in node.names}


def test_there_is_one_way_to_ask_whether_there_are_hours() -> None:
    found = {path: [*mistakes(path, source(path))] for path in asking() if path not in KNOW_THE_VARIABLE}
    assert {path: told for path, told in found.items() if told} == {}


@each(
    ("path", "text"),
    [
        ("tests/helpers/rounds.py", "from tests.helpers.campaigns import is_long"),
        ("tests/test_a.py", "from tests.helpers.campaigns import is_long as asked"),
        ("tests/test_a.py", "def test_a() -> None:\n    from tests.helpers.campaigns import is_long"),
        ("tests/test_a.py", "import tests.helpers.campaigns"),
        ("tests/test_a.py", "from tests.helpers import campaigns"),
        ("tests/test_a.py", "for seed in range(examples(12, 400).max_examples): ..."),
        ("tests/test_a.py", "os.environ['TRACE_INSPECTOR_LONG']"),
    ],
)
def test_another_way_is_found(path: str, text: str) -> None:
    assert len([*mistakes(path, text)]) == 1


def test_the_long_run_has_every_test_of_a_module_that_asks() -> None:
    """As the rule of `make test-long` says it, and with nothing chosen by hand."""
    modules = [path for path in asking() if "is_long" in imported(ast.parse(source(path)))]
    assert len(modules) > 20
    kept = collected(modules)
    missing = {path: slow_tests.tests_of(PROJECT / path) - kept[path] for path in modules}
    assert {path: tests for path, tests in missing.items() if tests} == {}


def collected(modules: list[str]) -> dict[str, set[str]]:
    """What the second line of `make test-long` would run of these modules: the names of tests by their module."""
    rule = source("Makefile").partition("\ntest-long:")[2].partition("\n\n")[0]
    setting, words = re.search(r"\n\t(\w+=1) .*? -m pytest (.*?)\n\t\$", rule.replace("\\\n", ""), re.DOTALL).groups()  # type: ignore[union-attr]
    name, _equals, value = setting.partition("=")
    line = [sys.executable, "-m", "pytest", *shlex.split(words), "-n", "0", "--collect-only", "-q", *modules]
    told = subprocess.run(
        [*line, "-p", "no:cacheprovider"],
        cwd=PROJECT,
        env={**os.environ, name: value},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    found: defaultdict[str, set[str]] = defaultdict(set)
    for test in filter(lambda word: "::" in word, told.splitlines()):
        path, *_classes, name = slow_tests.name_of(test).split("::")
        found[path].add(name)
    return found


def test_a_long_form_has_an_hour_and_a_short_one_what_it_says(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = request.node
    monkeypatch.setitem(globals(), "is_long", campaigns.is_long)
    item.add_marker(pytest.mark.timeout(7))
    monkeypatch.delenv(campaigns.LONG_VARIABLE, raising=False)
    campaigns.mark_long_forms([item])
    assert item.get_closest_marker("campaign") is None
    monkeypatch.setenv(campaigns.LONG_VARIABLE, "1")
    campaigns.mark_long_forms([item])
    assert item.get_closest_marker("campaign") is not None
    assert item.get_closest_marker("timeout").args == (campaigns.MOST_S,)
