"""What took time in a turn: model calls, tools, agents and spans as one forest on one clock, in flat columns."""

from __future__ import annotations

import enum
import math
from array import array
from collections.abc import Iterable, Sequence

from msgspec import Struct, field

from trace_inspector.core.rows.rows import TextColumn

UNKNOWN_S = math.nan
NO_COUNT = -1
FARTHEST_S = 4e11  # about the year 14,600: beyond it, seconds are no times
NOWHERE = -1


class Form(enum.IntEnum):
    """What kind of work a piece is: how it is drawn."""

    AGENT = 0
    MODEL = 1
    TOOL = 2
    TRANSPORT = 3  # HTTP, queues and other spans around the work
    WAIT = 4  # derived: between two requests of one tool


class Mark(enum.IntFlag):
    """What is special about a piece."""

    PLUMBING = 1
    ERROR = 2
    DERIVED = 4  # the file does not state these times
    MOMENT = 8  # when it was is known, and not how long it took


_PLUMBING = int(Mark.PLUMBING)


class Sign(enum.IntEnum):
    """What happened at a moment."""

    USER = 0
    CALL = 1
    RESULT = 2
    TEXT = 3


class Prompts(Struct):
    """The model calls that say how long their prompt was, by their start; in tokens, 0 for none from the cache."""

    begin_s: array[float] = field(default_factory=lambda: array("d"))
    end_s: array[float] = field(default_factory=lambda: array("d"))
    tokens: array[int] = field(default_factory=lambda: array("q"))
    cached: array[int] = field(default_factory=lambda: array("q"))

    def extend(self, other: Prompts) -> None:
        """Those of another turn, which may have begun before."""
        self.begin_s.extend(other.begin_s)
        self.end_s.extend(other.end_s)
        self.tokens.extend(other.tokens)
        self.cached.extend(other.cached)

    def ordered(self) -> Prompts:
        """The same by their start; mostly they are already."""
        if sorted(self.begin_s) == self.begin_s.tolist():
            return self
        order = sorted(range(len(self.begin_s)), key=self.begin_s.__getitem__)
        return Prompts(
            array("d", map(self.begin_s.__getitem__, order)),
            array("d", map(self.end_s.__getitem__, order)),
            array("q", map(self.tokens.__getitem__, order)),
            array("q", map(self.cached.__getitem__, order)),
        )


class Work(Struct):
    """One turn, or some spans outside of turns. A piece is a number; those without a time come last.

    Pieces are listed as they are shown: each below the one around it, brothers by their start. `address` says what a
    piece tells of: an event, one part of it, or, where the event is NOWHERE, the span of that number.
    """

    start_s: float = UNKNOWN_S
    end_s: float = UNKNOWN_S
    derived: bool = False  # its own times
    length_s: float = UNKNOWN_S  # of a turn that says how long it took, while nothing says when
    timed: int = 0  # how many pieces have a time
    plumbing: int = 0  # how many are transport, queues and wrappers
    form: bytearray = field(default_factory=bytearray)
    mark: bytearray = field(default_factory=bytearray)
    label: TextColumn = field(default_factory=TextColumn)
    begin_s: array[float] = field(default_factory=lambda: array("d"))
    duration_s: array[float] = field(default_factory=lambda: array("d"))
    around: array[int] = field(default_factory=lambda: array("i"))
    address: array[int] = field(default_factory=lambda: array("q"))
    prompt: array[int] = field(default_factory=lambda: array("q"))
    cached: array[int] = field(default_factory=lambda: array("q"))
    slack_s: array[float] = field(default_factory=lambda: array("d"))  # of work beside the path, else UNKNOWN_S
    path: array[int] = field(default_factory=lambda: array("i"))  # pieces, earliest first
    path_at: array[int] = field(default_factory=lambda: array("i"))  # for each piece, where on it
    path_begin_s: array[float] = field(default_factory=lambda: array("d"))
    path_end_s: array[float] = field(default_factory=lambda: array("d"))
    path_model_s: float = 0.0  # how much of the path is models at work
    path_tool_s: float = 0.0
    sign: bytearray = field(default_factory=bytearray)
    sign_s: array[float] = field(default_factory=lambda: array("d"))
    sign_piece: array[int] = field(default_factory=lambda: array("i"))
    # Begin, end, begin, end… in order and apart from each other: of all that goes on, of model calls, of tools.
    busy_s: array[float] = field(default_factory=lambda: array("d"))
    model_s: array[float] = field(default_factory=lambda: array("d"))
    tool_s: array[float] = field(default_factory=lambda: array("d"))
    prompts: Prompts = field(default_factory=Prompts)
    # How long each model call and each tool took, from short to long.
    model_lengths_s: array[float] = field(default_factory=lambda: array("d"))
    tool_lengths_s: array[float] = field(default_factory=lambda: array("d"))

    def __len__(self) -> int:
        """How many pieces there are."""
        return len(self.form)

    def stop_s(self, piece: int) -> float:
        """When a piece ended; what ended before it began is shown where it began."""
        return self.begin_s[piece] + max(0.0, self.duration_s[piece])


class Piece(Struct):
    """A piece before it has its place."""

    form: Form
    label: str
    begin_s: float
    duration_s: float = 0.0
    mark: int = 0  # of Mark
    event: int = NOWHERE
    part: int = NOWHERE
    prompt: int = NO_COUNT
    cached: int = NO_COUNT
    around: int = NOWHERE  # the number of another piece

    @property
    def is_timed(self) -> bool:
        """Whether it can be drawn."""
        return not math.isnan(self.begin_s)

    @property
    def end_s(self) -> float:
        """When it ended, where it can be drawn."""
        return self.begin_s + max(0.0, self.duration_s)


def usable(seconds: float | None) -> float:
    """A time that can be drawn, UNKNOWN_S for every other."""
    if seconds is None or not math.isfinite(seconds) or abs(seconds) > FARTHEST_S:
        return UNKNOWN_S
    return float(seconds)


def address(event: int, part: int) -> int:
    """An event and a part of it, or a span, as one number."""
    return (event + 1 << 32) + part + 1


def event_of(place: int) -> int:
    """The event of an address."""
    return (place >> 32) - 1


def part_of(place: int) -> int:
    """The part or span of an address."""
    return (place & 0xFFFFFFFF) - 1


def place_by_length(works: Iterable[Work]) -> None:
    """Place the turns of a conversation one after another where all that is known is how long each took."""
    listed = list(works)
    afloat = [work for work in listed if not math.isnan(work.length_s)]
    if any(work.timed or (math.isnan(work.length_s) and not math.isnan(work.start_s)) for work in listed):
        return
    end_s = 0.0
    for work in afloat:
        work.start_s, work.end_s = end_s, end_s + work.length_s
        work.derived, work.busy_s = True, array("d", (work.start_s, work.end_s))
        end_s = work.end_s


def arrange(pieces: Sequence[Piece], work: Work) -> None:
    """Put the pieces into their places; what goes round in a circle is cut, what hangs nowhere stands on top."""
    around = _rooted(pieces, _timed_above(pieces))
    timed = sorted(
        (index for index, piece in enumerate(pieces) if piece.is_timed), key=lambda index: pieces[index].begin_s
    )
    inside: dict[int, list[int]] = {}
    for index in timed:
        inside.setdefault(around[index], []).append(index)
    order: list[int] = []
    waiting = inside.get(NOWHERE, [])[::-1]
    while waiting:
        index = waiting.pop()
        order.append(index)
        waiting += inside.get(index, ())[::-1]
    place = {index: number for number, index in enumerate(order)}
    work.timed = len(order)
    order += [index for index, piece in enumerate(pieces) if not piece.is_timed]
    for index in order:
        _append(work, pieces[index], place.get(around[index], NOWHERE) if pieces[index].is_timed else NOWHERE)


def _append(work: Work, piece: Piece, around: int) -> None:
    work.form.append(piece.form)
    work.mark.append(piece.mark)
    work.label.append(piece.label)
    work.begin_s.append(piece.begin_s)
    work.duration_s.append(piece.duration_s)
    work.around.append(around)
    work.address.append(address(piece.event, piece.part))
    work.slack_s.append(UNKNOWN_S)
    work.path_at.append(NOWHERE)
    work.prompt.append(piece.prompt)
    work.cached.append(piece.cached)
    work.plumbing += bool(piece.mark & _PLUMBING)


def _timed_above(pieces: Sequence[Piece]) -> list[int]:
    """For each piece the nearest one around it that has a time."""
    nearest: list[int] = []
    for index, piece in enumerate(pieces):
        above, steps = piece.around, len(pieces)
        while above != NOWHERE and not pieces[above].is_timed and steps:
            above, steps = pieces[above].around, steps - 1
        nearest.append(NOWHERE if above == index or not steps else above)
    return nearest


def _rooted(pieces: Sequence[Piece], around: list[int]) -> list[int]:
    """The same without circles: each is cut where the walk that found it came in."""
    done = bytearray(len(pieces))
    for first in range(len(pieces)):
        walked, current = [], first
        while current != NOWHERE and not done[current]:
            done[current] = 1
            walked.append(current)
            current = around[current]
        if current != NOWHERE and done[current] == 1:
            around[current] = NOWHERE
        for passed in walked:
            done[passed] = 2
    return around
