"""The input files of a run: read once, or again when needed where they are larger than memory."""

from __future__ import annotations

import pickle
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, overload

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.errors import ReadError, UsageError
from trace_inspector.core.finding import info
from trace_inspector.core.golden.golden import Case, Suite, as_case, as_trace
from trace_inspector.core.rows.contents import Contents, Item, collect
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.core.values import spilled
from trace_inspector.core.values.spilled import Chained, Picked, Spilled
from trace_inspector.documents.packing.packing import spot_of
from trace_inspector.documents.saving.real_path import real_path
from trace_inspector.documents.text.garbage_collection import gc_paused
from trace_inspector.engine.pairing.pairing import Golden, Recorded, TraceLocation, outlined
from trace_inspector.flows.opening.input_notes import GIVEN_TWICE, is_broken
from trace_inspector.flows.opening.listing import SKIPPED, expand
from trace_inspector.flows.opening.open_file import BytesRead, Recognised, stream_file
from trace_inspector.formats import FORMATS
from trace_inspector.settings import ready_data_folder

if TYPE_CHECKING:
    from trace_inspector.engine.running.engine import Engine

# The pickled size of the traces held in memory, where they take about three times as much. Files beyond it are read
# again when needed.
HELD_BYTES = 1 << 26
_UNKNOWN = ("not-recognised", "plugin-failed")  # what a file that nobody can read is told by
# Metrics only use spans of formats that have them beside turns; in these formats spans are most of the file.
_OF_SPANS = frozenset(file_format.name for file_format in FORMATS if file_format.in_pieces)


class Given(Struct, frozen=True):
    """One input file of a run: its contents and the SHA-256 of its bytes, where known.

    When `outlined`, its traces hold only what pairing needs.
    """

    path: str
    contents: Contents
    digest: str = ""
    outlined: bool = False
    places: Sequence[TraceLocation] = ()  # of its traces, where it is read part by part


class RereadFile(Struct, frozen=True):
    """A file whose traces are read again when they are needed."""

    path: str
    digest: str

    def traces(self) -> tuple[Trace, ...]:
        """All traces in order; ReadError when the file has changed."""
        given = _read(Path(self.path))
        if given.digest != self.digest:
            sentence = (
                "The file changed while it was being evaluated, so this case was not judged. Evaluate it again."
            )
            raise ReadError(sentence, path=self.path)
        return tuple(_traces(given.contents))

    def identity(self, number: int) -> Sequence[object]:
        """What one of them follows from."""
        return [self.path, self.digest, number]


def open_given(
    paths: Iterable[Path],
    besides: Iterable[Path] = (),
    *,
    held_bytes: int | None = None,
    engine: Engine | None = None,
    cases: CasesOnDisk | None = None,
) -> tuple[Given, ...]:
    """Read files and folders for a request.

    A file of unknown format is an error when it is named itself. A file given twice is read once, with a finding.
    Files in `besides` are skipped in folders: a golden among the traces is not a trace. Once `held_bytes` of traces
    are held, further files are only outlined. Of a large file of lines parts are, by an `engine` where there is one.
    CasesOfFiles that are too many for memory go to `cases`.
    """
    left_out = set(map(real_path, expand(besides)))
    opened: list[Given] = []
    trace_bytes = _TraceBytes(held_bytes)
    skipped: list[Path] = []
    for resolved, (named, path, times) in _once(paths, skipped).items():
        if path != named and resolved in left_out:
            continue
        is_full = trace_bytes.is_full(opened)
        given = _read_of(named, path, engine, in_parts=held_bytes is not None)
        if given.contents.format or (path != named and is_broken(given.contents)):
            given = _noted(given, times) if times > 1 else given
            given = cases.with_room(given) if cases is not None else given
            opened.append(_outlined(given) if is_full and not given.places else given)
        elif path == named:
            told = [each.message for each in given.contents.findings if each.code in _UNKNOWN]
            reason = " ".join(told)
            raise UsageError(
                reason
                or "This is not one of the formats that Trace Inspector reads. “trace-inspector formats” lists them.",
                path=str(path),
            )
    opened += [Given(str(path), Contents("", findings=(SKIPPED,))) for path in skipped]
    return tuple(opened)


def _once(paths: Iterable[Path], skipped: list[Path]) -> dict[Path, tuple[Path, Path, int]]:
    """By real path: the name given, the file, and how often it is given; a name of the file itself has priority."""
    meant: dict[Path, tuple[Path, Path, int]] = {}
    for named in paths:
        for path in expand([named], skipped):
            resolved = real_path(path)
            before = meant.get(resolved)
            if before is None or (path == named and before[0] != before[1]):
                meant[resolved] = named, path, before[2] + 1 if before else 1
            else:
                meant[resolved] = *before[:2], before[2] + 1
    return meant


class CasesOnDisk:
    """The cases of golden files: in memory up to the first thousands, and of further files on the disk.

    They are written there as they were read, so a golden that is changed later does not change a run.
    """

    def __init__(self) -> None:
        self._cases = Spilled[Case](ready_data_folder, held=0)
        self._held = 0

    def with_room(self, given: Given) -> Given:
        """A file of which so many cases are held as there is room for: all of them or none."""
        suites = given.contents.suites
        size = sum(len(suite.cases) for suite in suites)
        if self._held + size <= spilled.HELD:
            self._held += size
            return given
        return replace(given, contents=replace(given.contents, suites=tuple(map(self._written, suites))))

    def _written(self, suite: Suite) -> Suite:
        start = len(self._cases)
        self._cases.extend(suite.cases)
        return replace(suite, cases=Picked(self._cases, range(start, len(self._cases))))


class _TraceBytes:
    """The size of the traces held so far, measured only when one more file comes."""

    def __init__(self, most_bytes: int | None) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._measured = 0

    def is_full(self, opened: Sequence[Given]) -> bool:
        """Whether the files opened so far reach the limit."""
        if self._most_bytes is None:
            return False
        new = (given for given in opened[self._measured :] if not given.outlined)
        self._bytes += sum(size_bytes(trace) for given in new for trace in _traces(given.contents))
        self._measured = len(opened)
        return self._bytes >= self._most_bytes


def _noted(given: Given, times: int) -> Given:
    finding = info(GIVEN_TWICE, f"The file is given {times} times, and was read and judged once.")
    return replace(given, contents=replace(given.contents, findings=(*given.contents.findings, finding)))


class Recordings(Sequence[Recorded]):
    """The traces of files; the cases of an eval set without traces count as recordings.

    What was given up for another branch is only asked for where the file holds nothing else.
    """

    def __init__(self, files: Iterable[Given]) -> None:
        self._files: list[tuple[Given, Sequence[Trace], RereadFile | None]] = []
        self._places = array("Q")  # of each trace the file
        self._numbers = array("Q")  # and the number in it
        for given in files:
            self._add(given)

    def _add(self, given: Given) -> None:
        again = RereadFile(given.path, given.digest) if given.outlined else None
        traces = given.contents.traces or list(_traces(given.contents))
        if given.places:  # none of these is one of another branch
            self._numbers.extend(range(len(traces)))
        else:
            only_abandoned = all(trace.abandoned for trace in traces)
            self._numbers.extend(n for n, trace in enumerate(traces) if only_abandoned or not trace.abandoned)
        self._places.extend(repeat(len(self._files), len(self._numbers) - len(self._places)))
        self._files.append((given, traces, again))

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> Recorded: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Recorded]: ...
    def __getitem__(self, index: int | slice) -> Recorded | Sequence[Recorded]:
        if isinstance(index, slice):
            return Picked(self, range(len(self))[index])
        given, traces, _again = self._files[self._places[index]]
        return Recorded(traces[self._numbers[index]], given.path, self.location(index))

    def location(self, index: int) -> TraceLocation | None:
        """Where one that is not in memory is read, without what is known of it."""
        number = self._numbers[index]
        given, _traces, again = self._files[self._places[index]]
        return given.places[number] if given.places else TraceLocation(again, number) if again else None


class CasesOfFiles(Sequence[Golden]):
    """The cases of files, one file after the other. A trace given as golden expects what was recorded."""

    def __init__(self, files: Iterable[Given]) -> None:
        parts = [(given.path, cases) for given in files for cases in _cases_of(given) if cases]
        self._paths = [path for path, _cases in parts]
        self._parts = [cases for _path, cases in parts]
        self._cases = Chained(self._parts)

    def by_file(self) -> Mapping[str, Sequence[Case]]:
        """The cases of each file that has any."""
        found: dict[str, list[Sequence[Case]]] = {}
        for path, cases in zip(self._paths, self._parts, strict=True):
            found.setdefault(path, []).append(cases)
        return {path: Chained(own) for path, own in found.items()}

    def __len__(self) -> int:
        return len(self._cases)

    def __iter__(self) -> Iterator[Golden]:
        parts = zip(self._paths, self._parts, strict=True)
        return (Golden(case, path) for path, cases in parts for case in cases)

    @overload
    def __getitem__(self, index: int) -> Golden: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Golden]: ...
    def __getitem__(self, index: int | slice) -> Golden | Sequence[Golden]:
        if isinstance(index, slice):
            return Picked(self, range(len(self))[index])
        number = range(len(self))[index]  # IndexError, as of any sequence
        return Golden(self._cases[number], self._paths[self._cases.part_of(number)])


def _cases_of(given: Given) -> Iterator[Sequence[Case]]:
    for suite in given.contents.suites:
        yield suite.cases
    if not given.contents.suites:
        yield [as_case(trace) for trace in given.contents.traces]


def recorded_in(given: Given) -> Sequence[Recorded]:
    """The traces of one file."""
    return Recordings([given])


def _in_parts(path: Path, engine: Engine | None) -> Given | None:
    """A file that is outlined part by part; None for all that cannot be, or is small enough to be held."""
    try:
        if spot_of(path).member or path.stat().st_size < HELD_BYTES:
            return None
    except OSError:
        return None
    from trace_inspector.flows.opening.line_shards import sharded

    found = sharded(path, engine)
    if found is None:
        return None
    contents, digest, places = found
    return Given(str(path), contents, digest, outlined=True, places=places)


def _read_of(named: Path, path: Path, engine: Engine | None, *, in_parts: bool) -> Given:
    try:
        return (in_parts and _in_parts(path, engine)) or _read(path)
    except ReadError as problem:
        if path == named:
            raise
        sentence = f"{problem.sentence} It lies in {named}: move it away, or name the files to evaluate."
        raise ReadError(sentence, path=problem.path, line=problem.line, column=problem.column) from problem


def size_bytes(trace: Trace) -> int:
    """The pickled size of a trace, turn by turn: a measure of the memory that it takes."""
    return sum(len(pickle.dumps(turn, pickle.HIGHEST_PROTOCOL)) for turn in trace.turns)


def _read(path: Path) -> Given:
    """What a run needs of a file, without the spans of formats that mostly consist of spans."""
    format_name = digest = ""
    items: list[Item] = []
    with gc_paused():
        for item in stream_file(path, placed=False, every_span=False):
            match item:
                case Recognised(format=format_name):
                    pass
                case BytesRead(digest=digest):
                    pass
                case Turn() | Trace() if format_name in _OF_SPANS:
                    items.append(replace(item, spans=()) if item.spans else item)
                case _:
                    items.append(item)
        return Given(str(path), collect(format_name, items), digest)


def _traces(contents: Contents) -> Iterator[Trace]:
    yield from contents.traces
    if not contents.traces:
        for suite in contents.suites:
            yield from (as_trace(case) for case in suite.cases if case.scenario is None)


def _outlined(given: Given) -> Given:
    contents = given.contents
    if contents.traces:  # cases in a file with traces are goldens
        return replace(given, contents=replace(contents, traces=tuple(map(_trace, contents.traces))), outlined=True)
    suites = tuple(replace(suite, cases=tuple(map(_case, suite.cases))) for suite in contents.suites)
    return replace(given, contents=replace(contents, suites=suites), outlined=True)


def _trace(trace: Trace) -> Trace:
    return replace(trace, turns=_turns(trace.turns), agents=(), spans=(), final_state=None)


def _case(case: Case) -> Case:
    return Case(case.id, case.suite_id, _turns(case.turns), case.scenario, case.session, place=case.place)


def _turns(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    return tuple(map(outlined, turns))
