"""The files of a large bundle that are read when somebody asks for one, so that they are never all in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from trace_inspector.core.errors import ReadError
from trace_inspector.core.values.values import Json
from trace_inspector.documents.packing.packing import is_real_folder, spot_of

if TYPE_CHECKING:
    from trace_inspector.documents.base.document import Document

FOLDER = "samples/"  # of an archive of Inspect: one file a sample, which can make up gigabytes


class MembersOnDemand(Mapping[str, "Document"]):
    """Documents by name: some that are there, the others read again each time, but for the last one."""

    def __init__(
        self, path: Path, present: Mapping[str, Document], later: tuple[str, ...], read: Callable[[Path], Document]
    ) -> None:
        self._path, self._present, self._read = path, present, read
        self._later = dict.fromkeys(later)
        self._last: tuple[str, Document] | None = None

    def __getitem__(self, name: str) -> Document:
        if name not in self._later:
            return self._present[name]
        if self._last is None or self._last[0] != name:
            self._last = None  # two at a time would be twice the memory
            try:
                self._last = name, self._read(self._path / name)
            except (ReadError, OSError) as problem:
                raise KeyError(name) from problem
        return self._last[1]

    def __iter__(self) -> Iterator[str]:
        yield from self._present
        yield from self._later

    def __len__(self) -> int:
        return len(self._present) + len(self._later)


class ValuesOnDemand(dict[str, Json]):
    """The object that a bundle makes, without the files that are read when they are asked for by `[name]`.

    Those are none of its keys, for whoever goes through all of an object would read them all: `later` names them.
    """

    def __init__(self, values: Mapping[str, Json], members: MembersOnDemand, later: tuple[str, ...]) -> None:
        super().__init__(values)
        self.later = dict.fromkeys(later)
        self._members = members

    def __missing__(self, name: str) -> Json:
        if name not in self.later:
            raise KeyError(name)
        document = self._members.get(name)
        return document.value if document is not None else None  # as of every file that cannot be read


def checksums(path: Path, names: tuple[str, ...]) -> Iterator[bytes]:
    """What is stated of members without reading them: enough to tell whether one has changed."""
    if is_real_folder(path):
        for name in names:
            status = (path / name).stat()
            yield f"{status.st_mtime_ns} {status.st_size} {name}\n".encode()
        return
    from trace_inspector.documents.zip.directory import directory_of

    spot = spot_of(path)
    head = f"{spot.member}/" if spot.member else ""
    members = directory_of(spot.file).members
    for name in names:
        record = members[head + name].record
        yield f"{record.crc:08x} {record.unpacked_bytes} {name}\n".encode()
