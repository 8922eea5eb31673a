"""The files of a SQLite database, held still while they are read, without writing anything beside them."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from trace_inspector.core.errors import ReadError
from trace_inspector.documents.base.document import Stamp, stamp_of
from trace_inspector.regular_file import copy_regular, opened

# What SQLite keeps beside a database while it writes, or leaves there when the writer dies.
_WAL, _JOURNAL = "-wal", "-journal"
_MOST_BESIDE_BYTES = 1 << 30
# A journal that ends like this names a file that SQLite removes when it is done; no journal may choose that.
_NAMES_ANOTHER = bytes.fromhex("d9d505f920a163d7")


class State(Struct, frozen=True):
    """The stamps of a database on disk and of what stands beside it: equal ones mean that nobody wrote meanwhile."""

    main: Stamp
    beside: tuple[tuple[str, Stamp], ...]


def state_of(path: Path) -> State:
    """What lies on disk now; OSError when it is gone."""
    return State(
        stamp_of(path.stat()),
        tuple((ending, stamp) for ending in (_WAL, _JOURNAL) if (stamp := _file_at(path, ending))),
    )


@contextmanager
def database_address(data: bytes, path: Path, state: State | None) -> Iterator[str]:
    """The address under which SQLite opens these bytes; without a state they lie nowhere on disk.

    A file alone is opened where it is, as one that never changes. Anything beside it may belong to a change that is
    not finished, which SQLite settles by writing: that happens to a private copy, which is gone afterwards.
    """
    if state is not None and not state.beside:
        yield f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        return
    with tempfile.TemporaryDirectory(prefix="trace-inspector-") as folder:
        copy = Path(folder) / "database"
        copy.write_bytes(data)
        for ending, _stamp in state.beside if state else ():
            _copy_beside(path, copy, ending)
        yield f"{copy.as_uri()}?mode=rw"


def _file_at(path: Path, ending: str) -> Stamp | None:
    try:
        status = _beside(path, ending).stat()
    except OSError:
        return None
    return stamp_of(status) if stat.S_ISREG(status.st_mode) else None


def _beside(path: Path, ending: str) -> Path:
    # A link's own folder is not where its database is written.
    real = os.path.realpath(path)
    return Path(real + ending)


def _copy_beside(path: Path, copy: Path, ending: str) -> None:
    source = _beside(path, ending)
    if source.stat().st_size > _MOST_BESIDE_BYTES:
        sentence = f"“{source.name}” beside this database is larger than 1 GiB. Close the program that writes it."
        raise ReadError(sentence, path=str(path))
    if ending == _JOURNAL and _names_another(source):
        sentence = f"“{source.name}” beside this database spans several databases. Let the program that wrote it end."
        raise ReadError(sentence, path=str(path))
    copy_regular(source, Path(f"{copy}{ending}"))


def _names_another(journal: Path) -> bool:
    with opened(journal) as file:
        file.seek(max(0, journal.stat().st_size - len(_NAMES_ANOTHER)))
        return file.read() == _NAMES_ANOTHER
