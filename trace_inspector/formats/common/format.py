"""A format: its name, how to recognise it by content, and its lazily imported reader and writer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.finding import Finding
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.rows.contents import Contents, Item
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.common.recogniser import Recogniser

if TYPE_CHECKING:
    from trace_inspector.core.golden.golden_change import GoldenChange, SuiteDescribed
    from trace_inspector.core.values.edit import Edit
    from trace_inspector.documents.large.pieces import Piece, Shape


class Source(Struct, frozen=True):
    """A parsed document for a format to read. `tick` is the progress and cancellation point.

    Of a document that is read in pieces, `value` only holds the beginning.
    """

    value: Json
    name: str = ""  # the file name, for ids that a format takes from it
    tick: Callable[[], None] = field(default=lambda: None)
    pieces: Iterable[Piece] | None = None
    size_bytes: int = 0  # of the whole file, where it is read in pieces
    place: str = ""  # the pointer of the value; more than "" only for formats that are read `anywhere`
    every_span: bool = True  # else what is only around the work may be left out, and is not counted

    @property
    def stem(self) -> str:
        """The file name up to its first dot."""
        return self.name.split(".", maxsplit=1)[0]

    def in_pieces(self, shape: Shape) -> Iterable[Piece]:
        """The pieces, or the whole value as one piece."""
        if self.pieces is not None:
            return self.pieces
        from trace_inspector.documents.large.pieces import Piece

        return (Piece(shape.level, [self.value]),)


class Continued(Protocol):
    """A reader of lines that come one after the other, as another program writes them."""

    def take(self, values: Sequence[Json], first: int) -> None:
        """Take more lines, the first of which has that number."""

    def items(self, known: int = 0) -> Iterator[Item]:
        """What `read` gives of all lines so far. A trace or turn without news is the same object as the last time.

        Whoever has the first `known` traces of the last time is told `Kept` for those of them that are the same.
        """


class Written(Struct, frozen=True):
    """The text of a new document, and what it cannot hold. Losses of severity ERROR cannot be restored."""

    text: str
    losses: tuple[Finding, ...] = ()


class Editing(Struct, frozen=True):
    """How the goldens of a format are edited. Unchanged parts of raw values stay the same objects.

    `cases` gives the pointer of the list of goldens; None where the document is a single golden. `read` makes a
    golden from its raw value, its place and the id of its suite; `written` makes the raw value of a new one, with the
    losses. `is_golden` filters the items of the list. `described` changes the name and description of all goldens;
    None where the format has none.
    """

    cases: Callable[[Json], str | None]
    read: Callable[[JsonObject, str, str], Case]
    changed: Callable[[JsonObject, Case, GoldenChange], JsonObject]
    written: Callable[[Case], tuple[JsonObject, tuple[Finding, ...]]]
    is_golden: Callable[[JsonObject], bool] = lambda _raw: True
    described: Callable[[JsonObject, SuiteDescribed], JsonObject] | None = None


class Linked(Struct, frozen=True):
    """A conversation in a part of a file of documents in lines: which ids tie it to others, and its documents."""

    trace: Trace
    links: frozenset[str]
    documents: tuple[int, ...]  # indexes in the part


class Implementation(Struct, frozen=True):
    """The functions of a format's module."""

    read: Callable[[Source], Iterator[Item]]
    write: Callable[[Contents], Written] | None = None
    editing: Editing | None = None
    # Edits for a copy under another name, by the value before and after, where originals may not be changed.
    renewed: Callable[[Json, Json], tuple[Edit, ...]] | None = None
    layouts: Mapping[str, Callable[[Json], str]] = field(default_factory=dict)  # by suffix; JSON text under any other
    shape: Shape | None = None  # where a document too large to be read whole is cut
    # The conversations of a part of a file; items of kind `Holds` where something in it cannot be told apart.
    linked: Callable[[Source], Iterator[Linked | Item]] | None = None
    # Of one record, the sub-agents that it names, by the ids of their conversations, with the call that started each.
    starts_in: Callable[[Json], Iterator[tuple[str, str]]] | None = None


class Format(Struct, frozen=True):
    """One row of FORMATS: everything about a format that needs no import of its module.

    `recognise` gives a confidence of 0 to 100 for a parsed value. `load` imports the format's module; the flags of
    the row (writes, edits goldens, reads in pieces) agree with it.
    """

    name: str
    title: str
    system: str  # whose format this is
    short: str  # for lists, after the name of the system
    holds: str  # a description for lists and file dialogs
    recognise: Recogniser
    load: Callable[[], Implementation]
    writes: bool = False
    edits: bool = False
    edits_goldens: bool = False
    in_pieces: bool = False
    anywhere: bool = False  # documents are also read within lists and strings
    # Imports what reads lines one after the other, where what is known of the earlier ones need not be read again.
    continued: Callable[[], Callable[[], Continued]] | None = None

    def read(self, source: Source) -> Iterator[Item]:
        """The items of a document."""
        return self.load().read(source)

    @property
    def write(self) -> Callable[[Contents], Written] | None:
        """The writer, if any."""
        return self.load().write if self.writes else None

    @property
    def editing(self) -> Editing | None:
        """How its goldens are edited, if they are."""
        return self.load().editing if self.edits_goldens else None

    @property
    def renewed(self) -> Callable[[Json, Json], tuple[Edit, ...]] | None:
        """Edits for a copy under another name, if any are needed."""
        return self.load().renewed

    @property
    def layouts(self) -> Mapping[str, Callable[[Json], str]]:
        """The layouts of its text by file suffix."""
        return self.load().layouts

    @property
    def shape(self) -> Shape | None:
        """Where a large document is cut, if it can be."""
        return self.load().shape if self.in_pieces else None

    @property
    def linked(self) -> Callable[[Source], Iterator[Linked | Item]] | None:
        """How the conversations of a part of a file are read, if they can be."""
        return self.load().linked if self.in_pieces else None

    @property
    def starts_in(self) -> Callable[[Json], Iterator[tuple[str, str]]] | None:
        """How a record tells which call started a sub-agent, if any does."""
        return self.load().starts_in

    def read_by(self, read: Callable[[Source], Iterator[Item]]) -> Format:
        """The format with another reader around its own, for documents within others."""
        return replace(self, load=lambda: replace(self.load(), read=read))
