"""What a format is: a name, how to recognise it by content, and what reads and writes it once it is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from trace_inspector.core.finding import Finding
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.rows.contents import Contents, Item
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.common.recogniser import Recogniser

if TYPE_CHECKING:
    from trace_inspector.core.golden.golden_change import GoldenChange, SuiteDescribed
    from trace_inspector.core.values.edit import Edit
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

    @property
    def stem(self) -> str:
        """The file's name up to its first dot."""
        return self.name.split(".", maxsplit=1)[0]

    def in_pieces(self, shape: Shape) -> Iterable[Piece]:
        """The pieces that come, or the whole value as one."""
        if self.pieces is not None:
            return self.pieces
        from trace_inspector.documents.large.pieces import Piece

        return (Piece(shape.level, [self.value]),)


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
class Implementation:
    """What a format's module does with documents of it."""

    read: Callable[[Source], Iterator[Item]]
    write: Callable[[Contents], Written] | None = None
    editing: Editing | None = None
    # What to take out of an edited copy, by the value before and after, where nothing of the original may be changed.
    renewed: Callable[[Json, Json], tuple[Edit, ...]] | None = None
    layouts: Mapping[str, Callable[[Json], str]] = field(default_factory=dict)  # by suffix; JSON text under any other
    shape: Shape | None = None  # where a document that is too large to be read whole is cut into pieces


@dataclass(frozen=True, slots=True)
class Format:
    """One row of FORMATS: all that can be said of a format without importing what reads it.

    `recognise` says how sure it is, 0 to 100, from the parsed value alone. `load` imports the format's module; what
    the row says of it (that it writes, that its goldens are edited, that it reads in pieces) holds there too.
    """

    name: str
    title: str
    system: str  # whose files these are
    short: str  # what they are, behind the system's name
    holds: str  # in words, for lists and file dialogs
    recognise: Recogniser
    load: Callable[[], Implementation]
    writes: bool = False
    edits: bool = False
    edits_goldens: bool = False
    in_pieces: bool = False
    anywhere: bool = False  # documents of it are also read in lists and in texts

    def read(self, source: Source) -> Iterator[Item]:
        """What a document holds, item by item."""
        return self.load().read(source)

    @property
    def write(self) -> Callable[[Contents], Written] | None:
        """What writes it, where anything does."""
        return self.load().write if self.writes else None

    @property
    def editing(self) -> Editing | None:
        """How its goldens are changed, where they are."""
        return self.load().editing if self.edits_goldens else None

    @property
    def renewed(self) -> Callable[[Json, Json], tuple[Edit, ...]] | None:
        """What to take out of an edited copy, where anything must be."""
        return self.load().renewed

    @property
    def layouts(self) -> Mapping[str, Callable[[Json], str]]:
        """How its text is laid out under some suffixes."""
        return self.load().layouts

    @property
    def shape(self) -> Shape | None:
        """Where a large document of it is cut, if it may be."""
        return self.load().shape if self.in_pieces else None

    def read_by(self, read: Callable[[Source], Iterator[Item]]) -> Format:
        """The same format with another reader around its own, for documents that stand within others."""
        return replace(self, load=lambda: replace(self.load(), read=read))
