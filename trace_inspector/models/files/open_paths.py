"""Which open file a path means: one file is open once, by whatever link or spelling somebody comes to it."""

from __future__ import annotations

from pathlib import Path

from trace_inspector.documents.saving.real_path import real_path


class OpenPaths:
    """Numbers of files by the path that they were opened by, and by the one to which it led then."""

    def __init__(self) -> None:
        self._numbers: dict[Path, int] = {}
        self._paths: dict[int, tuple[Path, Path]] = {}

    def number(self, path: Path) -> int:
        """The number of the file; 0 where it is not open."""
        return self._numbers.get(path) or self._numbers.get(real_path(path), 0)

    def put(self, number: int, path: Path) -> None:
        """The file lies there now."""
        self.drop(number)
        self._paths[number] = paths = path, real_path(path)
        self._numbers |= dict.fromkeys(paths, number)

    def drop(self, number: int) -> None:
        """The file is no longer open."""
        for path in self._paths.pop(number, ()):
            if self._numbers.get(path) == number:
                del self._numbers[path]
