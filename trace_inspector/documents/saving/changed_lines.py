"""Which lines differ after some patches, without comparing the rest of the document."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.documents.base.document import Document
from trace_inspector.documents.text.encoding import body_of
from trace_inspector.documents.text.patch import Patch


class ChangedLine(Struct, frozen=True):
    """One line: its number now (a removed one: before), its text before and now; None where it was not there."""

    number: int
    old: str | None
    new: str | None


class _Hunk(Struct, frozen=True):
    """A stretch that changed, as offsets before and now."""

    old_start: int
    old_end: int
    start: int
    end: int


def changed_lines(before: Document, after: Document, patches: Sequence[Patch]) -> tuple[ChangedLine, ...]:
    """The changed lines between two states of a document, given the patches that lead from one to the other."""
    old, new = body_of(before.data), body_of(after.data)
    hunks = [
        _Hunk(
            old.offset_of(before.data, hunk.old_start),
            old.offset_of(before.data, hunk.old_end, behind=True),
            new.offset_of(after.data, hunk.start),
            new.offset_of(after.data, hunk.end, behind=True),
        )
        for hunk in _composed(patches)
    ]
    changed: list[ChangedLine] = []
    for hunk in _merged(old.data, hunks):
        changed.extend(_lines_of(old.data, new.data, hunk, old.start))
    return tuple(changed)


def _composed(patches: Sequence[Patch]) -> list[_Hunk]:
    """Patches made one after the other as stretches that do not touch each other, in order."""
    hunks: list[_Hunk] = []
    for patch in patches:
        start, end = patch.offset, patch.offset + len(patch.old)
        grown = len(patch.new) - len(patch.old)
        before = [hunk for hunk in hunks if hunk.end < start]
        after = [hunk for hunk in hunks if hunk.start > end]
        touched = hunks[len(before) : len(hunks) - len(after)]
        if touched:
            start, end = min(start, touched[0].start), max(end, touched[-1].end)
        hunk = _Hunk(start + _shift(before), end + _shift(before + touched), start, end + grown)
        moved = [replace(later, start=later.start + grown, end=later.end + grown) for later in after]
        hunks = [*before, hunk, *moved]
    return hunks


def _shift(hunks: Sequence[_Hunk]) -> int:
    """How far unchanged text behind some stretches stood from where it stands now."""
    return hunks[-1].old_end - hunks[-1].end if hunks else 0


def _merged(old: bytes, hunks: Sequence[_Hunk]) -> list[_Hunk]:
    """Stretches with no line end between them count as one."""
    merged: list[_Hunk] = []
    for hunk in hunks:
        if merged and old.find(b"\n", merged[-1].old_end, hunk.old_start) < 0:
            merged[-1] = replace(merged[-1], old_end=hunk.old_end, end=hunk.end)
        else:
            merged.append(hunk)
    return merged


def _lines_of(old: bytes, new: bytes, hunk: _Hunk, text_start: int) -> list[ChangedLine]:
    back = hunk.old_start - max(old.rfind(b"\n", 0, hunk.old_start) + 1, text_start)
    line_end = old.find(b"\n", hunk.old_end)
    onward = (line_end if line_end >= 0 else len(old)) - hunk.old_end
    old_lines = old[hunk.old_start - back : hunk.old_end + onward].split(b"\n")
    new_lines = new[hunk.start - back : hunk.end + onward].split(b"\n")
    old_number = old.count(b"\n", 0, hunk.old_start - back) + 1
    new_number = new.count(b"\n", 0, hunk.start - back) + 1
    same = _same_at_start(old_lines, new_lines)
    old_lines, new_lines = old_lines[same:], new_lines[same:]
    tail = _same_at_start(old_lines[::-1], new_lines[::-1])
    old_lines, new_lines = old_lines[: len(old_lines) - tail], new_lines[: len(new_lines) - tail]
    return [
        ChangedLine((old_number if there is None else new_number) + same + index, _text(here), _text(there))
        for index, (here, there) in enumerate(zip_longest(old_lines, new_lines))
    ]


def _same_at_start(left: Sequence[bytes], right: Sequence[bytes]) -> int:
    return next(
        (index for index, (here, there) in enumerate(zip(left, right, strict=False)) if here != there),
        min(len(left), len(right)),
    )


def _text(line: bytes | None) -> str | None:
    return None if line is None else line.removesuffix(b"\r").decode("utf-8", "surrogateescape")
