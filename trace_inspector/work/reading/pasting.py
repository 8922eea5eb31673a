"""Writes a long pasted text into a file, in a child: a hundred megabytes take a while."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from trace_inspector.core.errors import SaveError
from trace_inspector.work.processes.child import Channel, Progress

_CHARS_A_PIECE = 1 << 20


def pieces(text: str) -> Iterator[bytes]:
    """The text as the child is given it; half a surrogate pair stays what it is."""
    for first in range(0, len(text), _CHARS_A_PIECE):
        yield text[first : first + _CHARS_A_PIECE].encode("utf-8", "surrogatepass")


def write_pasted(channel: Channel, name: str, chars: int) -> None:
    """In the child: write what comes in."""
    done_bytes = 0
    try:
        with Path(name).open("wb") as file:
            for piece in channel.incoming():
                done_bytes += file.write(piece)
                channel.send(Progress(done_bytes, max(chars, done_bytes)))
    except OSError as problem:
        raise SaveError(
            f"The text from the clipboard could not be written to a file: {problem.strerror or problem}."
        ) from problem
