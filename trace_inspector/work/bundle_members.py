"""What the files of a bundle look like on disk, followed without listing its folders again each time."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from trace_inspector.core.errors import ReadError
from trace_inspector.documents.bundles import listed
from trace_inspector.documents.document import Stamp, stamp_of

Look = Mapping[str, Stamp]


class BundleMembers:
    """The first files of a bundle by name, `most` at most. Listed anew only when one of their folders changed."""

    def __init__(self, path: Path, most: int) -> None:
        self._path = path
        self._most = most
        self._names: tuple[str, ...] = ()
        self._folders: dict[Path, int] | None = None  # when each was last written to

    def __len__(self) -> int:
        return len(self._names)

    def look(self) -> Look | None:
        """The stamps of those that are there; None when the bundle is gone."""
        if not self._path.is_dir():
            return None
        if self._folders is None or any(_written(folder) != at for folder, at in self._folders.items()):
            self._list()
        stamps = ((name, _stamp(self._path / name)) for name in self._names)
        return {name: stamp for name, stamp in stamps if stamp is not None}

    def _list(self) -> None:
        """Folders are asked first: what comes in while they are listed is found the next time."""
        folders = {self._path: _written(self._path)}
        try:
            names = tuple(name for name, _size in listed(self._path).members[: self._most])
        except (OSError, ReadError):
            return
        inside = {
            above for name in names for above in (self._path / name).parents if above.is_relative_to(self._path)
        }
        folders.update((folder, _written(folder)) for folder in inside - {self._path})
        self._names, self._folders = names, folders


def _written(folder: Path) -> int:
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return 0


def _stamp(path: Path) -> Stamp | None:
    try:
        return stamp_of(path.lstat())
    except OSError:
        return None
