"""Writes the rows of a view into a file, in a child: fifty thousand rows take a while."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from msgspec import Struct

from trace_inspector.flows.opening.table_text import Line
from trace_inspector.work.processes.child import Channel

_LINES_A_PIECE = 500


class ViewRequest(Struct, frozen=True):
    """What is written: a kind of `table_text.WRITERS`, where, and all but the rows, which follow in pieces."""

    kind: str
    path: str
    title: str
    columns: tuple[str, ...]
    more: bool


def pieces(lines: Sequence[Line]) -> Iterator[bytes]:
    """The rows as the child is given them."""
    for first in range(0, len(lines), _LINES_A_PIECE):
        yield pickle.dumps(list(lines[first : first + _LINES_A_PIECE]))


def write_view(channel: Channel, request: ViewRequest) -> None:
    """In the child: spell it out, and save it at once."""
    from trace_inspector.documents.base.document import Container, Document
    from trace_inspector.documents.saving.saving import save
    from trace_inspector.flows.opening.table_text import WRITERS, Table

    lines = list(chain.from_iterable(pickle.loads(piece) for piece in channel.incoming()))
    text = WRITERS[request.kind](Table(request.title, request.columns, lines, request.more))
    save(Document(Path(request.path), text.encode("utf-8", "replace"), Container.JSON, None), force=True)
