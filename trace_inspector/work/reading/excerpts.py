"""Reads excerpts of files for the Raw view, in a child that caches the last file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from trace_inspector.core.errors import ReadError

if TYPE_CHECKING:
    from trace_inspector.documents.base.document import Document, Stamp
    from trace_inspector.documents.editing.places import Excerpt
    from trace_inspector.documents.large.piece_places import PiecePlaces


class ExcerptRequest(Struct, frozen=True):
    """Read a place in a file, by JSON pointer, with a number of lines around it."""

    path: str
    pointer: str
    lines_around: int


class ExcerptReader:
    """Reads a file again only when it is another one or has changed on disk."""

    def __init__(self) -> None:
        self._path = ""
        self._stamp: Stamp | None = None
        self._document: Document | None = None

    def __call__(self, request: ExcerptRequest) -> Excerpt:
        from trace_inspector.documents.base.document import TEXTLESS
        from trace_inspector.documents.editing.places import excerpt
        from trace_inspector.documents.large.large import large_file

        with large_file(Path(request.path)) as large:
            if large is not None:
                large.places = _kept_places(Path(request.path))
            if large is not None and (answer := large.excerpt(request.pointer, request.lines_around)):
                return answer
        document = self._opened(request.path)
        answer = excerpt(document, request.pointer, request.lines_around)
        if answer is None and document.container in TEXTLESS:
            raise ReadError(
                "This is a binary file: it has no text to show. Content says what was read.", path=request.path
            )
        if answer is None:
            raise ReadError(
                "This place is not in the file any more. Close the file and open it again.", path=request.path
            )
        return answer

    def _opened(self, path: str) -> Document:
        from trace_inspector.documents.reading.reading import read, stamp_at

        stamp = stamp_at(Path(path))  # where there is none, reading raises the error
        if self._document is None or path != self._path or stamp is None or stamp != self._stamp:
            self._document = read(Path(path))
            self._path, self._stamp = path, self._document.stamp
        return self._document


def _kept_places(path: Path) -> PiecePlaces:
    """Where the pieces of a large file stand, as far as the window has read it to its end."""
    from trace_inspector.documents.large.piece_places import PiecePlaces
    from trace_inspector.flows.opening.index_entries import stored_pieces

    return PiecePlaces.of_plain(stored_pieces(path))
