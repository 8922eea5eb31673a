"""The state on disk of files, members of archives and bundles: cheap to check while nothing changes."""

from __future__ import annotations

import stat
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from trace_inspector.core.errors import ReadError
from trace_inspector.documents.base.document import Stamp, stamp_of
from trace_inspector.documents.bundles.bundles import listed
from trace_inspector.documents.packing.packing import Spot, spot_of
from trace_inspector.documents.zip.directory import directory_of
from trace_inspector.documents.zip.layout import MemberStamp

Look = Mapping[str, Stamp]
State: TypeAlias = Stamp | MemberStamp | Look | None  # None: it is gone


class FileLook:
    """One path. The directory of an archive is read again only when the archive has changed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._archive: Stamp | None = None
        self._member: Stamp | MemberStamp | None = None

    def look(self) -> Stamp | MemberStamp | None:
        """The stamp of a file, or of the contents of a member, so that changes of other members do not count."""
        for path in (self._path, *self._path.parents):
            try:
                status = path.stat()
            except (OSError, ValueError):
                continue
            if not stat.S_ISREG(status.st_mode):
                return None
            return stamp_of(status) if path is self._path else self._inside(path, stamp_of(status))
        return None

    def _inside(self, holder: Path, archive: Stamp) -> Stamp | MemberStamp | None:
        if archive != self._archive:
            self._archive, self._member = archive, _member(spot_of(self._path), holder, archive)
        return self._member


class BundleMembers:
    """The first files of a bundle by name, at most `most`. Listed again only when one of their folders changed."""

    def __init__(self, path: Path, most: int) -> None:
        self._path = path
        self._most = most
        self._names: tuple[str, ...] = ()
        self._folders: dict[Path, int] | None = None  # when each was last written to

    def __len__(self) -> int:
        return len(self._names)

    def look(self) -> Look | None:
        """The stamps of existing files; None when the bundle is gone."""
        if not self._path.is_dir():
            return None
        if self._folders is None or any(_written(folder) != changed for folder, changed in self._folders.items()):
            self._list()
        stamps = {name: stamp for name in self._names if (stamp := _stamp(self._path / name)) is not None}
        return stamps if self._path.is_dir() else None  # it may have gone meanwhile, file by file

    def _list(self) -> None:
        """Folders are stamped first: files added during the listing are found the next time."""
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


def _member(spot: Spot, holder: Path, archive: Stamp) -> Stamp | MemberStamp | None:
    """The stamp of a member; that of the archive where its directory cannot be read, None where it went meanwhile."""
    try:
        member = directory_of(spot.file).members.get(spot.member) if spot.member else None
    except (OSError, ReadError):
        return archive if holder.exists() else None
    if member is not None:
        return member.record.contents
    return None if spot.member or not holder.exists() else archive
