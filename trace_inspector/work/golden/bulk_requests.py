"""The larger things that the child which edits goldens is asked: to be made as one step, or to be told beforehand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from trace_inspector.core.finding import Finding
from trace_inspector.core.golden.bulk_change import Bulk, Row, Where
from trace_inspector.core.golden.golden_change import SuiteDescribed
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.work.reading.contents_from_rows import Bodies


@dataclass(frozen=True, slots=True)
class Recorded:
    """A conversation as the window keeps it, the turns that are meant (None: all), and how it fared."""

    source: Bodies
    bodies: tuple[bytes, ...]
    turns: tuple[int, ...] | None = None
    verdict: Status | None = None


@dataclass(frozen=True, slots=True)
class Promote:
    """Make conversations new goldens. `name` is the id of a single one; "" leaves it to its words."""

    recorded: tuple[Recorded, ...]
    wants: frozenset[str]
    name: str = ""


@dataclass(frozen=True, slots=True)
class PromoteInto:
    """Put a conversation into the case at a place, in one of the WAYS."""

    recorded: Recorded
    wants: frozenset[str]
    place: str
    way: str


@dataclass(frozen=True, slots=True)
class PromoteCall:
    """Have a turn of a case expect a call of a recorded turn: instead of the call at a place, or behind all."""

    recorded: Recorded
    turn: int
    call: int
    place: str
    golden_turn: int
    instead_of: str = ""


@dataclass(frozen=True, slots=True)
class CopyHere:
    """Put cases of another file behind those of this one: of one that is edited too by their places, else as told."""

    source: int
    places: tuple[str, ...] = ()
    recorded: tuple[Recorded, ...] = ()


@dataclass(frozen=True, slots=True)
class ShapeCases:
    """Add, double, delete, split, join or move cases, or double turns of one; `turns` count from 0."""

    kind: str
    places: tuple[str, ...] = ()
    turns: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Replacing:
    """Other words for some, as a value that travels."""

    where: frozenset[Where]
    old: str
    new: str
    is_pattern: bool = False
    any_case: bool = False


@dataclass(frozen=True, slots=True)
class BulkHere:
    """Make a bulk edit in these cases."""

    bulk: Bulk | Replacing
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FixHint:
    """Take a hint of a lint away, which is known by its place and its sentence."""

    lint: str
    place: str
    sentence: str


Making: TypeAlias = Promote | PromoteInto | PromoteCall | CopyHere | ShapeCases | BulkHere | FixHint | SuiteDescribed


@dataclass(frozen=True, slots=True)
class PreviewChange:
    """What something larger would come to in a file, without making it."""

    what: Promote | PromoteInto | CopyHere


@dataclass(frozen=True, slots=True)
class ChangePreview:
    """Ids that would be given, what would be lost, and which chosen turns no turn of the golden asks for."""

    ids: tuple[str, ...] = ()
    losses: tuple[Finding, ...] = ()
    unmatched: tuple[int, ...] = ()
    changes: bool = True  # whether anything would change


@dataclass(frozen=True, slots=True)
class NewSuite:
    """A new file with goldens of conversations or of cases, written at a path where nothing stands yet."""

    format: str
    path: str = ""  # "" only tells what it would come to
    promote: Promote | None = None
    copy: CopyHere | None = None


@dataclass(frozen=True, slots=True)
class PreviewBulk:
    """What a bulk edit would do to these files, or to some of their cases."""

    bulk: Bulk | Replacing
    files: tuple[tuple[int, tuple[str, ...] | None], ...]


@dataclass(frozen=True, slots=True)
class BulkPreview:
    """A bulk edit before it is made: what is said of it, its rows with the file of each, what is left out and why.

    Of very many rows some are not told; `cases` are all that would change, each with its file.
    """

    title: str
    rows: tuple[tuple[int, Row], ...] = ()
    cases: tuple[tuple[int, str], ...] = ()
    count: int = 0
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProposeMatchers:
    """Matchers for a case that these runs of it suggest."""

    place: str
    runs: tuple[Recorded, ...]


Asking: TypeAlias = PreviewChange | NewSuite | PreviewBulk | ProposeMatchers
