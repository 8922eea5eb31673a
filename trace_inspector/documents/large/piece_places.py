"""Where values of a large document stand, found from the pieces that were read without walking through all of it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import chain

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.finding import Finding
from trace_inspector.core.values import pointer as pointers
from trace_inspector.core.values.values import Json
from trace_inspector.documents.json.tolerant import TolerantReader
from trace_inspector.documents.large.pieces import Piece
from trace_inspector.documents.text.encoding import Body, lines_and_columns
from trace_inspector.documents.text.requested_places import watch_for


def _triples(numbers: list[Json]) -> list[tuple[int, int, int]]:
    """Numbers in threes; none where they are anything else."""
    counts = [number for number in numbers if isinstance(number, int) and number >= 0]
    if len(counts) != len(numbers) or len(counts) % 3:
        return []
    return list(zip(counts[::3], counts[1::3], counts[2::3], strict=True))


class PiecePlaces(Struct):
    """The bytes of every piece: for a list, of groups of its members."""

    _groups: dict[str, list[tuple[int, int, int]]] = field(default_factory=dict)  # first member, start, end
    _whole: dict[str, int] = field(default_factory=dict)
    _counted: list[tuple[int, int, int]] = field(default_factory=list)  # offset, line, column

    def add(self, piece: Piece) -> None:
        """Remember where a piece stands."""
        if piece.first is None:
            self._whole[piece.place] = piece.start
        else:
            self._groups.setdefault(piece.place, []).append((piece.first, piece.start, piece.end))

    def count(self, body: Body, end: int) -> None:
        """Count lines and columns up to the end of a piece, so that nobody has to count from the beginning."""
        before = self._counted[-1] if self._counted else None
        line, column = lines_and_columns(body.data, body.utf_8, (end,), before)[end]
        self._counted.append((end, line, column))

    def counted_before(self, offset: int) -> tuple[int, int, int] | None:
        """The nearest offset before another that has been counted, with its line and column."""
        position = bisect_right(self._counted, offset, key=lambda counted: counted[0])
        return self._counted[position - 1] if position else None

    def around(self, pointer: str) -> tuple[int, int, str] | None:
        """The bytes of the members of a list among which a value stands, and its pointer in a list of just these."""
        tokens = pointers.split(pointer)
        for depth in range(len(tokens) - 1, -1, -1):
            if (group := self._group(tokens, depth)) is not None:
                first, start, end = group
                return start, end, pointers.join("", int(tokens[depth]) - first, *tokens[depth + 1 :])
        return None

    def plain(self) -> Json:
        """All groups and counts as numbers and texts, to be kept."""
        groups: list[Json] = [[place, *chain.from_iterable(each)] for place, each in self._groups.items()]
        return {"groups": groups, "counted": [*chain.from_iterable(self._counted)]}

    @staticmethod
    def of_plain(kept: Json) -> PiecePlaces:
        """The places as they were kept; whatever is none of them is left out."""
        places = PiecePlaces()
        match kept:
            case {"groups": list(groups), "counted": list(counted)}:
                places._counted = _triples(counted)
                for listed in groups:
                    match listed:
                        case [str(place), *numbers]:
                            places._groups[place] = _triples(numbers)
        return places

    def placed(self, body: Body, findings: Sequence[Finding]) -> tuple[Finding, ...]:
        """Findings with the line and column of their pointer, or of the nearest value around it that was read."""
        offsets = {finding.pointer: self._offset(body, finding.pointer) for finding in findings if not finding.line}
        places = lines_and_columns(body.data, body.utf_8, offsets.values())
        return tuple(
            finding if finding.line else replace(finding, line=line, column=column)
            for finding in findings
            for line, column in [places.get(offsets.get(finding.pointer, -1), (0, 0))]
        )

    def _offset(self, body: Body, pointer: str) -> int:
        tokens = pointers.split(pointer)
        for depth in range(len(tokens) - 1, -1, -1):
            if (group := self._group(tokens, depth)) is not None:
                first, start, end = group
                return start + _within(body.data[start:end], [str(int(tokens[depth]) - first), *tokens[depth + 1 :]])
        return self._whole.get(pointer, body.start)

    def _group(self, tokens: Sequence[str], depth: int) -> tuple[int, int, int] | None:
        """The members among which the one is that a token counts, if pieces of their list were read."""
        groups = self._groups.get(pointers.join("", *tokens[:depth]), ())
        index = pointers.index_of(tokens[depth]) if groups else None
        if index is None:
            return None
        position = bisect_right(groups, index, key=lambda group: group[0])
        return groups[position - 1] if position else None


def _within(group: bytes, tokens: Sequence[str]) -> int:
    """The offset of a value in the text of some members of a list, or of the nearest around it."""
    watch = watch_for([pointers.join("", *tokens)])
    reader = TolerantReader(group, lambda: None)
    reader.values(0, len(group), lambda number: watch.children.get(str(number)))
    offset = 0
    for token in tokens:
        watch = watch.children[token]
        if watch.place is None:
            break
        offset = watch.place.start
    return offset
