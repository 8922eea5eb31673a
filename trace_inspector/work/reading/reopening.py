"""Opens files as a job: unchanged ones come from the index cache at once, the others from a child.

Starting a process takes longer than reading what is kept. So that happens in the thread of the job, which waits for
the disk most of the time and hands rows over as large pieces of memory.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from trace_inspector.core.errors import Stopped
from trace_inspector.core.rows.contents import Holds
from trace_inspector.flows.opening import index_entries
from trace_inspector.store.index_entry import Entry
from trace_inspector.work.processes.child import Child, Progress
from trace_inspector.work.reading import file_messages, loading


class Opening:
    """The messages of `loading.load`, from the cache or a child. For `Jobs.follow`.

    A folder that holds nothing but sessions of a coding agent is told as one thing, unless its files are wanted.
    """

    def __init__(
        self, files: Sequence[tuple[int, str]], folders: Sequence[str], *, wants_files: bool = False
    ) -> None:
        self._files = tuple(files)
        self._folders = tuple(folders)
        self._wants_files = wants_files
        self._lock = threading.Lock()
        self._stopped = False
        self._child: Child | None = None

    def messages(self) -> Iterator[object]:
        """What the files hold."""
        cache, rest = index_entries.index_cache(), []
        # Listing a folder is quick; an archive must be read.
        archives = [name for name in self._folders if not Path(name).is_dir()]
        sessions = [] if self._wants_files else [name for name in self._folders if self._may_hold_sessions(name)]
        try:
            for name in self._folders:
                if name not in archives and name not in sessions:
                    yield from self._listed(name)
            for number, path in self._files:
                entry = index_entries.stored_entry(cache, Path(path), self._tick)
                if entry is None:
                    rest.append((number, path))
                else:
                    yield from _read(number, entry, _size(path))
        except Stopped:
            return
        if rest or archives or sessions:
            with self._lock:
                child = self._child = Child(loading.load, (rest, archives, sessions))
                if self._stopped:
                    child.stop()
            yield from child.messages()

    def stop(self) -> None:
        """End soon."""
        with self._lock:
            self._stopped = True
            if self._child is not None:
                self._child.stop()

    def crash(self) -> str:
        """How the child ended when it did not end well, in a sentence; empty otherwise."""
        return self._child.crash() if self._child is not None else ""

    @staticmethod
    def _may_hold_sessions(folder: str) -> bool:
        return Path(folder).is_dir() and loading.may_hold_sessions(Path(folder))

    def _listed(self, folder: str) -> Iterator[object]:
        for listed in loading.listed_in(Path(folder)):
            self._tick()
            yield listed

    def _tick(self) -> None:
        if self._stopped:
            raise Stopped


def _read(number: int, entry: Entry, size_bytes: int) -> Iterator[object]:
    contents = entry.contents
    yield file_messages.Reopened(number, entry.bodies)
    yield file_messages.Recognised(number, contents.format)
    holds = tuple(Holds(what, count) for what, count in contents.holds.items())
    yield file_messages.Found(number, criteria=contents.criteria, holds=holds)
    done, total = 0, sum(len(batch) for batch in entry.batches)
    for batch in entry.batches:
        yield file_messages.RowsRead(number, batch)
        done += len(batch)
        yield Progress(done, total, f"{done:,} rows")
    for reported in entry.reported:
        yield file_messages.VerdictsReported(number, reported)
    for findings in entry.findings:
        yield file_messages.Found(number, findings)
    yield file_messages.FileRead(number, digest=entry.digest, size_bytes=size_bytes)


def _size(path: str) -> int:
    """How large the file is now. Whoever goes on from there compares the digest."""
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0
