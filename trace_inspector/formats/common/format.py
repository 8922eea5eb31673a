"""What a format is: a name, how to recognise it by content, how to read and to write it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from trace_inspector.core.finding import Finding
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import GoldenChange, SuiteDescribed
from trace_inspector.core.rows.contents import Contents, Item
from trace_inspector.core.values.edit import Edit
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.documents.large.pieces import Piece, Shape


@dataclass(frozen=True, slots=True)
class Source:
    """A parsed document on its way into a format. `tick` is the progress and cancellation point.

    Of a document that comes in pieces `value` holds no more than its beginning.
    """

    value: Json
    name: str = ""  # the file's name without folders, for ids that a format takes from it
    tick: Callable[[], None] = field(default=lambda: None)
    pieces: Iterable[Piece] | None = None
    size_bytes: int = 0  # of the whole file, where it comes in pieces
    place: str = ""  # the pointer of the value; more than "" only for formats that are read `anywhere`

    def in_pieces(self, shape: Shape) -> Iterable[Piece]:
        """The pieces that come, or the whole value as one."""
        return self.pieces if self.pieces is not None else (Piece(shape.level, [self.value]),)


@dataclass(frozen=True, slots=True)
class Written:
    """The text of a new document, and what it could not hold. An error among the losses is gone for good."""

    text: str
    losses: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Editing:
    """How people change the goldens of a format. Raw values keep every part that nobody touched as the same object.

    `cases` finds the list of goldens in a document; None where the document is one golden. `read` makes a golden of
    its raw value, its place and the id of its suite; `written` makes the raw value of a new one, with what it loses.
    `is_golden` tells the goldens of a list from what else stands among them. `described` changes what a document says
    of all its goldens; None where it says nothing.
    """

    cases: Callable[[Json], str | None]
    read: Callable[[JsonObject, str, str], Case]
    changed: Callable[[JsonObject, Case, GoldenChange], JsonObject]
    written: Callable[[Case], tuple[JsonObject, tuple[Finding, ...]]]
    is_golden: Callable[[JsonObject], bool] = lambda _raw: True
    described: Callable[[JsonObject, SuiteDescribed], JsonObject] | None = None


@dataclass(frozen=True, slots=True)
class Format:
    """One line of FORMATS. `recognise` says how sure it is, 0 to 100, from the parsed value alone."""

    name: str
    title: str
    system: str  # whose files these are
    short: str  # what they are, behind the system's name
    holds: str  # in words, for lists and file dialogs
    recognise: Callable[[Json], int]
    read: Callable[[Source], Iterator[Item]]
    write: Callable[[Contents], Written] | None = None
    edits: bool = False
    editing: Editing | None = None
    # What to take out of an edited copy, by the value before and after, where nothing of the original may be changed.
    renewed: Callable[[Json, Json], tuple[Edit, ...]] | None = None
    anywhere: bool = False  # documents of it are also read in lists and in texts
    layouts: Mapping[str, Callable[[Json], str]] = field(default_factory=dict)  # by suffix; JSON text under any other
    shape: Shape | None = None  # where a document that is too large to be read whole is cut into pieces
