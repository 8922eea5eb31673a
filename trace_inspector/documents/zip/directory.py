"""A zip archive as a folder: its members under paths that lead nowhere else, readable or with a reason why not."""

from __future__ import annotations

import os
import stat
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice, takewhile
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from trace_inspector.core.errors import ReadError
from trace_inspector.documents.zip.inflate import ALWAYS_ALLOWED_BYTES, BOMB, MOST_TIMES
from trace_inspector.documents.zip.layout import (
    LOCAL,
    MOST_DIRECTORY_BYTES,
    MemberRecord,
    find_end,
    records,
)
from trace_inspector.documents.zip.names import decoded, leads_outside, safe_path
from trace_inspector.documents.zip.recovery import recovered
from trace_inspector.regular_file import opened

MOST_MEMBERS = 100_000
STORED, DEFLATED, ZSTANDARD = 0, 8, 93

_ENCRYPTED = 1 << 0 | 1 << 6 | 1 << 13
_COUNTED = 0xFFFF  # the count of members may have no more bits
_KEPT_ARCHIVES = 2
_NAME_CHARS = 200


class Member(Struct, frozen=True):
    """One file in an archive. `refusal` says in a sentence why it is not read, "" when it is."""

    path: str
    record: MemberRecord
    refusal: str = ""
    copies: int = 1  # how many members have this path


class Directory(Struct, frozen=True):
    """The files of an archive by their paths, in its order; of several with one path the last."""

    members: Mapping[str, Member]
    is_whole: bool = True
    ordered: Sequence[str] = ()  # the paths in their order: an archive may hold thousands of documents of many files

    def below(self, folder: str) -> Iterator[str]:
        """The paths below a folder, without those before and after: all for ""."""
        head = f"{folder}/" if folder else ""
        first = bisect_left(self.ordered, head)
        return takewhile(lambda path: path.startswith(head), islice(self.ordered, first, None))


def directory_of(path: Path) -> Directory:
    """What an archive holds; ReadError when that cannot be determined. An unchanged archive is read once."""
    status = path.stat()
    try:
        return _directory(os.path.realpath(path), status.st_size, status.st_mtime_ns, status.st_ino)
    except ReadError as problem:
        raise ReadError(problem.sentence, path=str(path)) from None


@lru_cache(maxsize=_KEPT_ARCHIVES)
def _directory(path: str, size: int, _modified_ns: int, _inode: int) -> Directory:
    with opened(Path(path)) as file:
        members = _listed_records(file, size)
        is_whole = members is not None
        if members is None:
            members = recovered(file, size, MOST_MEMBERS)
            if not members:
                raise ReadError("The archive is cut off or damaged; nothing in it can be read. Get it again.")
    if len(members) > MOST_MEMBERS:
        raise ReadError(_TOO_MANY)
    if sum(record.unpacked_bytes for record in members) > max(ALWAYS_ALLOWED_BYTES, size * MOST_TIMES):
        raise ReadError(BOMB)
    listed = _members(members)
    return Directory(listed, is_whole, sorted(listed))


def _listed_records(file: BinaryIO, size: int) -> list[MemberRecord] | None:
    """The members that the archive's own directory lists; None when it has none that is credible."""
    end = find_end(file, size)
    if end is None:
        return None
    if end.disk:
        raise ReadError("This is one part of an archive in several files. Join them and open that.")
    if end.directory_bytes > MOST_DIRECTORY_BYTES:
        raise ReadError(_TOO_MANY)
    file.seek(end.directory_at)
    listed = list(islice(records(file.read(end.directory_bytes), end.shift), MOST_MEMBERS + 1))
    is_whole = len(listed) > MOST_MEMBERS or len(listed) & _COUNTED == end.count & _COUNTED
    return listed if is_whole else None


def _members(listed: Sequence[MemberRecord]) -> dict[str, Member]:
    entangled = _overlapping(listed)
    members: dict[str, Member] = {}
    for record in listed:
        name = decoded(record.name)
        path = safe_path(name)
        if path and not name.endswith(("/", "\\")):
            same = members.pop(path, None)
            refusal = _refusal(record, name, is_entangled=record.header_at in entangled)
            members[path] = Member(path, record, refusal, same.copies + 1 if same else 1)
    return members


def _overlapping(listed: Iterable[MemberRecord]) -> set[int]:
    """Where the headers of those members lie that share bytes with others."""
    shared: set[int] = set()
    farthest, owner = 0, 0
    for record in sorted(listed, key=lambda record: record.header_at):
        if record.header_at < farthest:
            shared |= {owner, record.header_at}
        end = record.header_at + LOCAL.size + len(record.name) + record.packed_bytes
        if end > farthest:
            farthest, owner = end, record.header_at
    return shared


def _refusal(record: MemberRecord, name: str, *, is_entangled: bool) -> str:
    if leads_outside(name):
        return f"Its name in the archive, “{name[:_NAME_CHARS]}”, leads elsewhere. Rename it there and open it again."
    if stat.S_ISLNK(record.mode):
        return "This is a symbolic link in an archive, which is not followed. Open what it leads to."
    if record.flags & _ENCRYPTED:
        return "This part of the archive is encrypted. Unpack it with its password and open what comes out."
    if record.method not in (STORED, DEFLATED, ZSTANDARD):
        sentence = (
            "This part of the archive is packed by method {}, which is not read. Unpack it and open what comes out."
        )
        return sentence.format(record.method)
    if is_entangled:
        return "This part of the archive shares bytes with others, as in a zip bomb; it is not unpacked."
    return ""


_TOO_MANY = f"The archive holds more than {MOST_MEMBERS:,} files. Unpack it and open the ones that matter."
