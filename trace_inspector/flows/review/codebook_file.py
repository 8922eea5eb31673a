"""The file of a codebook: beside the labels of a folder, in the data folder, or where somebody chose."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from trace_inspector.core.errors import ChangedOnDiskError, ReadError
from trace_inspector.core.review.codebook import Codebook, CodebookError
from trace_inspector.core.review.codebook_text import codebook_text, read_codebook
from trace_inspector.documents.base.document import Container, Document
from trace_inspector.documents.saving.saving import save
from trace_inspector.private_files import create
from trace_inspector.regular_file import IrregularFileError, read_regular
from trace_inspector.settings import data_folder, ready_data_folder

NAME = "codebook.toml"
_MOST_BYTES = 1 << 24


class CodebookFile(Struct, frozen=True):
    """A codebook as its file had it, what is odd about it, and its text; a file that is not there yet has none."""

    path: Path
    book: Codebook = Codebook()
    notes: tuple[str, ...] = ()
    text: str | None = None


def own_codebook() -> Path:
    """Where the codebook of the data folder is."""
    return data_folder() / NAME


def load_codebook(path: Path) -> CodebookFile:
    """The codebook; an empty one where there is no such file. ReadError where it cannot be read."""
    try:
        data = read_regular(path, _MOST_BYTES + 1)
    except FileNotFoundError:
        return CodebookFile(path)
    except IrregularFileError as problem:
        raise ReadError(problem.sentence, path=str(path)) from problem
    except OSError as problem:
        raise ReadError(f"The codebook cannot be read: {problem.strerror or problem}.", path=str(path)) from problem
    except ValueError as problem:  # a NUL in the name
        raise ReadError("No file can have this name. Check the spelling.", path=str(path)) from problem
    if len(data) > _MOST_BYTES:
        raise ReadError(f"The codebook is larger than {_MOST_BYTES:,} bytes.", path=str(path))
    try:
        text = data.decode("utf-8-sig")
        book, notes = read_codebook(text)
    except UnicodeDecodeError as problem:
        raise ReadError("The codebook is not UTF-8.", path=str(path)) from problem
    except CodebookError as problem:
        column = 1 if problem.line else 0
        raise ReadError(str(problem), path=str(path), line=problem.line, column=column) from problem
    return CodebookFile(path, book, tuple(notes), text)


def save_codebook(before: CodebookFile, book: Codebook) -> CodebookFile:
    """Write another codebook, whole or not at all; ChangedOnDiskError where the file is not the one that was read."""
    if load_codebook(before.path).text != before.text:
        raise ChangedOnDiskError(
            "The codebook was changed by somebody else, and is read again. Make your change once more.",
            path=str(before.path),
        )
    if before.path == own_codebook():
        create(ready_data_folder() / NAME)
    text = codebook_text(book)
    save(Document(before.path, text.encode("utf-8"), Container.TEXT, None), force=True)
    return CodebookFile(before.path, book, before.notes, text)
