"""Which test files to try first: those that import the changed module, then those that are named like it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.faults.drawing import PACKAGE, room_of

FAR = 99  # no chain of imports leads from the test file to the module
_TESTS = "tests"


class Suite:
    """The test files of a project in the order of their nearness to a module."""

    def __init__(self, project: Path) -> None:
        files = [file for top in (PACKAGE, _TESTS) for file in sorted((project / top).rglob("*.py"))]
        self._paths = {_module(file.relative_to(project)): file.relative_to(project).as_posix() for file in files}
        self._importers: dict[str, set[str]] = {name: set() for name in self._paths}
        for name, path in self._paths.items():
            for imported in _imported(ast.parse((project / path).read_text(encoding="utf-8"))):
                if imported in self._importers:
                    self._importers[imported].add(name)

    def near(self, path: str) -> tuple[list[str], list[str]]:
        """The tests of the module's own room, and all others, the nearest first."""
        levels = self._levels(_module(Path(path)))
        room = room_of(path)
        words = set(Path(path).stem.split("_"))

        def rank(test: str) -> tuple[bool, int, int, str]:
            named = Path(test).stem.removeprefix("test_")
            level = levels.get(_module(Path(test)), FAR)
            return level > 1, -sum(word in named for word in words), level, test

        tests = sorted((one for one in self._paths.values() if _is_test(one)), key=rank)
        own = [test for test in tests if _room_of_test(test) == room]
        return own, [test for test in tests if _room_of_test(test) != room]

    def _levels(self, module: str) -> dict[str, int]:
        levels = {module: 0}
        front = [module]
        while front:
            after = [name for one in front for name in sorted(self._importers.get(one, ())) if name not in levels]
            levels |= dict.fromkeys(after, levels[front[0]] + 1)
            front = list(dict.fromkeys(after))
        return levels


def _module(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _is_test(path: str) -> bool:
    return path.startswith(f"{_TESTS}/") and Path(path).name.startswith("test_")


def _room_of_test(path: str) -> str:
    """The folder below `tests/`; files beside the folders are of the modules beside the rooms."""
    return room_of(path) if path.count("/") > 1 else PACKAGE


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
