"""Two texts compared word by word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")
_MOST_TOKENS = 4_000  # of both together; beyond that each text differs as a whole


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text, and whether the other side has it too."""

    text: str
    shared: bool


def word_pieces(left: str, right: str) -> tuple[list[Piece], list[Piece]]:
    """Both texts in pieces; put together they are the texts."""
    here, there = _TOKEN.findall(left), _TOKEN.findall(right)
    if len(here) + len(there) > _MOST_TOKENS:
        return _whole(left, shared=left == right), _whole(right, shared=left == right)
    mine: list[Piece] = []
    theirs: list[Piece] = []
    for kind, start, end, other_start, other_end in SequenceMatcher(None, here, there, autojunk=False).get_opcodes():
        _put(mine, here[start:end], shared=kind == "equal")
        _put(theirs, there[other_start:other_end], shared=kind == "equal")
    return mine, theirs


def _whole(text: str, *, shared: bool) -> list[Piece]:
    return [Piece(text, shared)] if text else []


def _put(pieces: list[Piece], tokens: Sequence[str], *, shared: bool) -> None:
    if tokens:
        pieces.append(Piece("".join(tokens), shared))
