"""Rebase the goldens of files on disk: read, decided, and saved all together or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from msgspec.structs import replace

from trace_inspector.core.errors import SaveError, UsageError
from trace_inspector.documents.base.document import Document
from trace_inspector.documents.saving.real_path import real_path
from trace_inspector.documents.saving.saving import save
from trace_inspector.flows.goldens.edit_session import EditSession
from trace_inspector.flows.goldens.golden_files import writable
from trace_inspector.flows.goldens.golden_session import GoldenSession
from trace_inspector.flows.opening.given_files import Given, open_given
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.flows.rebasing.rebase import GoldenFile, Rebase, Rebased
from trace_inspector.flows.runs.stored_inputs import conversations_named


@contextmanager
def rebase_of(goldens: Sequence[Path], base: str | Path, new: str | Path) -> Iterator[Rebase]:
    """The goldens of files and folders beside two runs: files, folders, or stored runs by id or name."""
    with ExitStack() as sessions:
        files = []
        for given in open_given(goldens):
            if given.contents.suites:
                session = sessions.enter_context(closing(_session(Path(given.path))))
                files.append(GoldenFile(GoldenSession(session, writable(given.contents.format)), given))
        if not files:
            raise UsageError("There is no golden in these files. Name a file that holds some.", path=str(goldens[0]))
        yield Rebase(files, conversations_named(str(base)), conversations_named(str(new)))


def save_rebased(rebase: Rebase, rebased: Rebased, folder: Path | None = None) -> tuple[list[Path], list[str]]:
    """Save all files or none, in place or by their names in a folder; the files, and notes of the saves.

    In a folder every file is written, also those that stay as they are; in place only those that change.
    """
    documents = []
    for number, file in enumerate(rebase.files):
        steps = rebase.steps(rebased, number)
        document = file.session.after(steps)
        if folder is not None or steps:
            documents.append((document, Path(file.given.path) if folder is None else _in(folder, file.given)))
    names = [path for _document, path in documents]
    if folder is not None:
        _refuse_inputs(names, rebase)
    if folder is not None and len(set(names)) < len(names):
        raise UsageError(
            "Two of the files have the same name, and cannot both be written into one folder. Name their folders one "
            "by one.",
            path=str(folder),
        )
    if folder is not None:
        _made(folder)
    notes: list[str] = []
    with _all_or_none() as written:
        for document, path in documents:
            written(document, path, notes.append)
    return names, notes


def _refuse_inputs(names: Sequence[Path], rebase: Rebase) -> None:
    inputs = set(map(real_path, rebase.paths))
    for path in names:
        if real_path(path) in inputs:
            sentence = (
                "This file is one of those that are read. Name another folder, or leave -o out to change goldens."
            )
            raise UsageError(sentence, path=str(path))


@contextmanager
def _all_or_none() -> Iterator[Callable[[Document, Path, Callable[[str], object]], None]]:
    """Saves that are taken back when a later one fails."""
    before: list[tuple[Path, bytes | None]] = []

    def written(document: Document, path: Path, note: Callable[[str], object]) -> None:
        before.append((path, _bytes_of(path)))
        save(document, path, note=note)

    try:
        yield written
    except BaseException:
        for path, old in reversed(before):
            with suppress(OSError):  # the others are put back all the same
                _put_back(path, old)
        raise


def _bytes_of(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError as problem:
        sentence = f"It could not be read before it is written ({problem.strerror or problem}). Name another folder."
        raise SaveError(sentence, path=str(path)) from problem


def _put_back(path: Path, old: bytes | None) -> None:
    if old is None:
        path.unlink(missing_ok=True)
    else:
        path.write_bytes(old)


def _in(folder: Path, given: Given) -> Path:
    return folder / Path(given.path).name


def _made(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        sentence = f"The folder could not be made ({problem.strerror or problem}). Name another one."
        raise SaveError(sentence, path=str(folder)) from problem


def _session(path: Path) -> EditSession:
    return EditSession(replace(open_file(path).document), lambda _journal: None)
