"""What measures the bite of the tests: it draws the same faults for a seed, and tries them on the changed code."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.faults.choosing import Suite
from tests.faults.drawing import LEAST, PACKAGE, Fault, draw, room_of, shares
from tests.faults.scratch import Scratch, Stopped, WrongCode
from tests.faults.sites import Kind, changed, sites
from tests.faults.trials import End, Trials

PROJECT = Path(__file__).resolve().parents[2]
MODULE = '''"""Words that nothing reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, cast

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["every"]
Side: TypeAlias = Literal["left", "right"]


def every(a: int, b: Literal["x"], *names: str) -> str | None:
    """More words."""
    assert a != 7
    if a == b and not names:
        return tr("Nothing")
    elif a in names:
        a += 1
    else:
        print("no")
    for name in names:
        try:
            a = a + 2 * len(name) if name else -a
        except ValueError:
            raise
    match a:
        case 3 if b:
            return f"{a:>4} and"
        case "three":
            a = cast("int", b)
    return [one for one in names if one > "m"][0] or None


def tr(text: str) -> str:
    return text


def counted():
    yield from range(3)
'''
WHAT = {
    "`a == b and (not names)` → `a == b or not names`", "`a == b` → `a != b`", "`not names` → `names`",
    "`'Nothing'` → `'Nothing~'`", "`a in names` → `a not in names`", "`a += 1` → `a -= 1`", "`1` → `2`", "`1` → `0`",
    "`print('no')` left out", "`else` of `if a in names` is skipped", "`for … in names`: the body is skipped",
    "`a + 2 * len(name)` → `a - 2 * len(name)`", "`except ValueError`: what follows is skipped",
    "`b` → `True`", "`case 3`: what follows is skipped", "`' and'` → `' and~'`", "`one > 'm'` → `not one > 'm'`",
    "`one > 'm'` → `one >= 'm'`", "`every` returns at once", "`return text` → `return None`",
    "`if a == b and (not names)` negated", "`if a == b and (not names)`: what follows is skipped",
    "`counted` returns at once", "`a + 2 * len(name) if name else -a` → `-a if name else a + 2 * len(name)`",
}  # fmt: skip


ANY = "def test_any():\n    pass\n"
TOY = {
    "trace_inspector/__init__.py": "",
    "trace_inspector/core/__init__.py": "",
    "trace_inspector/core/deep/__init__.py": "",
    "trace_inspector/views/__init__.py": "",
    "trace_inspector/core/larger.py": """
def larger(a, b):
    return a if a > b else b

LEFT = "out"
""",
    "trace_inspector/core/deep/pairs.py": """
from trace_inspector.core.larger import larger

def largest(a, b, c):
    return larger(larger(a, b), c)
""",
    "trace_inspector/views/shown.py": """
from trace_inspector.core.deep import pairs

SHOWN = str(pairs.largest(1, 2, 3))
""",
    "tests/__init__.py": "",
    "tests/core/test_all.py": ANY,
    "tests/core/test_larger.py": """
from trace_inspector.core.larger import larger

def test_it():
    assert larger(1, 2) == 2
""",
    "tests/core/test_pairs.py": """
from trace_inspector.core.deep import pairs

def test_three():
    assert pairs.largest(1, 3, 2) == 3
""",
    "tests/views/test_shown.py": """
from trace_inspector.views.shown import SHOWN

def test_shown():
    assert SHOWN == "3"
""",
}
PARTS = """
def pytest_addoption(parser):
    parser.addoption("--part", default="all")

def pytest_pycollect_makeitem(collector):
    return [] if collector.config.getoption("part") == "quick" else None
"""


def toy(folder: Path) -> Path:
    """A project of two rooms, with tests of both."""
    for path, text in TOY.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    shutil.copytree(PROJECT / "tests" / "faults", folder / "tests" / "faults")
    return folder


def fault(project: Path, path: str, what: str) -> Fault:
    """One fault of a module by its description."""
    for index, site in enumerate(sites(ast.parse((project / path).read_text(encoding="utf-8")))):
        if site.what() == what:
            return Fault(path, site.line, site.column, site.kind, what, index)
    raise AssertionError(what)


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scratch:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # plugins take most of the time
    return Scratch(toy(tmp_path / "toy"), tmp_path / "scratch")


def test_faults_are_drawn_where_something_runs() -> None:
    found = sites(ast.parse(MODULE))
    assert WHAT - {site.what() for site in found} == set()
    lines = [line.strip() for line in MODULE.splitlines()]
    untouched = ('"""', "__all__", "Side", "if TYPE_CHECKING", "assert")
    assert [lines[site.line - 1] for site in found if lines[site.line - 1].startswith(untouched)] == []
    assert [
        site.what() for site in found if site.what() in {"`'int'` → `'int~'`", "`'x'` → `'x~'`", "`'>4'` → `'>4~'`"}
    ] == []
    assert {site.kind for site in found} == set(Kind)


def test_each_fault_changes_the_module_and_leaves_one_that_compiles() -> None:
    plain = ast.unparse(ast.parse(MODULE))
    texts = [changed(MODULE, index) for index in range(len(sites(ast.parse(MODULE))))]
    for text in texts:
        compile(text, "module", "exec")
        assert text.strip() != plain
    assert len(set(texts)) > 0.9 * len(texts)  # `not x` in a branch can be turned round in two ways


@pytest.mark.parametrize("file", sorted((PROJECT / PACKAGE).rglob("*.py"))[::100], ids=lambda file: file.stem)
def test_only_the_fault_is_changed_in_real_modules(file: Path) -> None:
    source = file.read_text(encoding="utf-8")
    tree = ast.parse(source)
    assert ast.dump(ast.parse(ast.unparse(tree))) == ast.dump(tree)
    for index in range(0, len(sites(tree)), 100):
        compile(changed(source, index), file.name, "exec")


def test_every_room_has_its_share() -> None:
    given = shares({"core": 1_000, "views": 9_000, "store": 10}, 120)
    assert given == {"core": 15, "store": LEAST, "views": 101}
    assert sum(shares(dict.fromkeys("abcdefg", 1), 20).values()) == 20


def test_a_seed_draws_the_same_faults_again(tmp_path: Path) -> None:
    project = toy(tmp_path)
    (project / PACKAGE / "core" / "every.py").write_text(MODULE, encoding="utf-8")
    first = draw(project, "1", 12)
    assert draw(project, "1", 12) == first
    assert draw(project, "2", 12) != first
    assert {room_of(one.path) for one in first} == {"core", "views"}
    assert len({(one.path, one.line) for one in first}) == len(first)


def test_the_nearest_tests_come_first(tmp_path: Path) -> None:
    suite = Suite(toy(tmp_path))
    own, others = suite.near("trace_inspector/core/larger.py")
    assert own == ["tests/core/test_larger.py", "tests/core/test_pairs.py", "tests/core/test_all.py"]
    assert others == ["tests/views/test_shown.py"]
    assert suite.near("trace_inspector/views/shown.py")[0] == ["tests/views/test_shown.py"]


def test_a_fault_is_caught_by_the_tests_of_its_room(scratch: Scratch) -> None:
    one = fault(scratch.project, "trace_inspector/core/larger.py", "`a > b` → `a >= b`")
    other = fault(scratch.project, "trace_inspector/core/larger.py", "`a if a > b else b` → `b if a > b else a`")
    trials = Trials(scratch, Suite(scratch.project), set())
    assert trials.of(one).end is End.SURVIVED  # both are the same number then: nobody can notice
    caught = trials.of(other)
    assert (caught.end, caught.by) == (End.CAUGHT, "tests/core/test_larger.py::test_it")
    assert caught.why.startswith("assert 1 == 2")
    assert "a if a > b else b" in (scratch.project / other.path).read_text(encoding="utf-8")


def test_what_only_another_room_notices_is_counted_apart(scratch: Scratch) -> None:
    for name in ("test_larger", "test_pairs"):
        (scratch.project / f"tests/core/{name}.py").write_text(ANY, encoding="utf-8")
    one = fault(scratch.project, "trace_inspector/core/larger.py", "`a if a > b else b` → `b if a > b else a`")
    trial = Trials(scratch, Suite(scratch.project), set()).of(one)
    assert (trial.end, trial.by) == (End.ELSEWHERE, "tests/views/test_shown.py::test_shown")


def test_a_test_that_fails_anyway_notices_nothing(scratch: Scratch) -> None:
    broken = scratch.project / "tests/core/test_all.py"
    broken.write_text(ANY.replace("pass", "assert False"), encoding="utf-8")
    one = fault(scratch.project, "trace_inspector/core/larger.py", "`'out'` → `'out~'`")
    trial = Trials(scratch, Suite(scratch.project), set()).of(one)
    assert (trial.end, trial.broken) == (End.SURVIVED, ("tests/core/test_all.py::test_any",))


def test_the_bite_of_one_part_of_the_tests_is_measured_alone(scratch: Scratch) -> None:
    (scratch.project / "conftest.py").write_text(PARTS, encoding="utf-8")
    one = fault(scratch.project, "trace_inspector/core/larger.py", "`a if a > b else b` → `b if a > b else a`")
    quick = Scratch(scratch.project, scratch.folder.parent / "quick", "quick")
    ends = [Trials(copy, Suite(copy.project), set()).of(one).end for copy in (scratch, quick)]
    assert ends == [End.CAUGHT, End.SURVIVED]


def test_the_code_of_another_place_is_not_tested_instead(scratch: Scratch) -> None:
    shutil.rmtree(scratch.project / PACKAGE)  # an editable install still leads to a checkout
    with pytest.raises(WrongCode):
        scratch.run(["tests/core/test_all.py"], 60)


def test_a_run_says_what_became_of_each_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    project = toy(tmp_path / "toy")
    line = [sys.executable, "-m", "tests.faults", "--seed", "3", "--count", "2", "--jobs", "1", "--result", "result"]
    environment = {**os.environ, "PYTHONPATH": str(project), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    first, second = (
        subprocess.run(line, cwd=project, env=environment, capture_output=True, text=True, check=False)
        for _time in range(2)
    )
    results = [json.loads(one) for one in (project / "result").read_text(encoding="utf-8").splitlines()]
    assert sorted(room_of(one["fault"]["path"]) for one in results) == ["core", "views"], first.stdout + first.stderr
    survived = sum(one["end"] == "survived" for one in results)
    assert first.returncode == second.returncode == int(survived > 0)
    assert f"| all | 2 | {2 - survived} | 0 | {survived} |" in first.stdout
    assert all(one["name"] in first.stdout for one in results)
    assert "0 faults tried" in second.stdout
    assert f"| all | 2 | {2 - survived} | 0 | {survived} |" in second.stdout


def test_a_run_that_is_stopped_ends_with_its_tests(scratch: Scratch) -> None:
    test = scratch.project / "tests/core/test_all.py"
    test.write_text("import time\n\ndef test_any():\n    time.sleep(100)\n", encoding="utf-8")
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(scratch.run, ["tests/core/test_all.py"], 60)
        while not (scratch.folder / "witness.jsonl").exists() and not running.done():
            time.sleep(0.01)
        scratch.stop()
        with pytest.raises(Stopped):
            running.result()
