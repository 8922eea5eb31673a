"""Strings that stand in a file as what they say, line by line, as in block scalars and single quotes of YAML."""

from __future__ import annotations

from trace_inspector.documents.text.patch import Patch

_HEADS = (b"|",)  # the first line of a block scalar says how the others are meant


def change_of_lines(source: bytes, text: bytes, patch: Patch) -> Patch | None:
    """A patch of a text as one of the source that shows it; None where it does not show these lines.

    It is a guess, for the source may have marks of its own: whoever makes it must look at what comes of it.
    """
    start, end = _outward(source, text, patch.at), _outward(source, text, patch.at + len(patch.old))
    if start is None or end is None:
        return None
    newline = b"\r\n" if b"\r\n" in source else b"\n"
    new = patch.new.replace(b"\n", newline + b" " * _column(source, text, patch.at))
    return Patch(start, source[start:end], new)


def _outward(source: bytes, text: bytes, offset: int) -> int | None:
    column = _column(source, text, offset)
    if column < 0:
        return None
    lines = source.split(b"\n")[: _number(source, text, offset)]
    return sum(len(line) + 1 for line in lines) + column + offset - (text.rfind(b"\n", 0, offset) + 1)


def _number(source: bytes, text: bytes, offset: int) -> int:
    """The line of the source that should show an offset of the text."""
    return text.count(b"\n", 0, offset) + source.startswith(_HEADS)


def _column(source: bytes, text: bytes, offset: int) -> int:
    """Where that line begins to show the text's own; -1 where it does not."""
    begin = text.rfind(b"\n", 0, offset) + 1
    wanted = text[begin:].partition(b"\n")[0]
    lines = source.split(b"\n")
    number = _number(source, text, offset)
    return lines[number].find(wanted) if number < len(lines) else -1
