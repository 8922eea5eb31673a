"""Reports of a run, written whole or not at all."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.errors import InspectorError, SaveError
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.trace import Trace, answer_text, user_text
from trace_inspector.core.values.spilled import KeyIndex
from trace_inspector.core.verdict.verdict import MANY_CASES, CaseVerdict, RunVerdict
from trace_inspector.documents.base.document import TEXTLESS, Container, Document
from trace_inspector.documents.packing.packing import is_file
from trace_inspector.documents.reading.reading import read
from trace_inspector.engine.pairing.pairing import Golden, Recorded, TraceFile, TraceLocation
from trace_inspector.engine.redaction.options import STILL_THERE, Redaction
from trace_inspector.engine.reports.sources import Key, Reported, Sources, trace_key
from trace_inspector.flows.opening.given_files import HELD_BYTES, size_bytes
from trace_inspector.flows.runs.criteria_files import BESIDE
from trace_inspector.flows.runs.evaluate_files import Given, Request, open_given, sides
from trace_inspector.flows.runs.golden_digests import with_digests
from trace_inspector.flows.runs.requested_reports import RUN_REPORTS, RequestedReport, refuse_inputs
from trace_inspector.flows.runs.store_run import RunRecord

if TYPE_CHECKING:
    from trace_inspector.engine.redaction.redactor import Redactor


Item = TypeVar("Item")
Thing = TypeVar("Thing")


class _ByKey(Mapping[Key, Thing], Generic[Item, Thing]):
    """Things by the keys of what they are made of, of which a few bytes are held; the last one of a key counts."""

    def __init__(self, items: Sequence[Item], key_of: Callable[[Item], Key]) -> None:
        self._items, self._key_of = items, key_of
        self._index = KeyIndex()
        for number, item in enumerate(items):
            self._index.add(_spelled(key_of(item)), number)

    def _item(self, key: Key) -> Item:
        number = self._index.last(_spelled(key))
        if number is None:
            raise KeyError(key)
        return self._items[number]

    def __iter__(self) -> Iterator[Key]:
        keys = enumerate(map(self._key_of, self._items))
        return (key for number, key in keys if self._index.last(_spelled(key)) == number)

    def __len__(self) -> int:
        return sum(1 for _key in self)


def _spelled(key: Key) -> str:
    return "".join(f"{len(part)}:{part}" for part in key)


def _golden_key(golden: Golden) -> Key:
    return golden.path, golden.case.place, golden.case.id


def _recorded_key(recorded: Recorded) -> Key:
    return recorded.path, recorded.trace.place, recorded.trace.id


class _RereadCases(_ByKey[Golden, Case]):
    """The cases of goldens; the last one is kept, as reports ask for it again for each of its turns."""

    def __init__(self, goldens: Sequence[Golden]) -> None:
        super().__init__(goldens, _golden_key)
        self._last: tuple[Key, Case] | None = None

    def __getitem__(self, key: Key) -> Case:
        if self._last is None or self._last[0] != key:
            self._last = key, self._item(key).case
        return self._last[1]


class RereadTraces(_ByKey[Recorded, Trace]):
    """Traces read again on demand. Files are kept while there is room, because cases may alternate between them."""

    def __init__(self, recorded: Sequence[Recorded], held_bytes: int = HELD_BYTES) -> None:
        super().__init__(recorded, _recorded_key)
        self._held_bytes = held_bytes
        self._files: dict[TraceFile, tuple[Sequence[Trace], int]] = {}  # the most recently read, with their sizes

    def __getitem__(self, key: Key) -> Trace:
        recorded = self._item(key)
        return self._reread(recorded.elsewhere) if recorded.elsewhere else recorded.trace

    def _reread(self, elsewhere: TraceLocation) -> Trace:
        loaded = self._files.pop(elsewhere.file, None)
        if loaded is None:
            traces = elsewhere.file.traces()
            loaded = traces, sum(map(size_bytes, traces))
            while self._files and sum(size for _traces, size in self._files.values()) + loaded[1] > self._held_bytes:
                del self._files[next(iter(self._files))]
        self._files[elsewhere.file] = loaded
        return loaded[0][elsewhere.number]


_NAMED = 3
_TELLING_JUDGES = frozenset({"html", "markdown"})
JudgeLines: TypeAlias = Callable[[RunVerdict, Request], tuple[str, ...]]


def _no_lines(_run: RunVerdict, _request: Request) -> tuple[str, ...]:
    return ()


class ReportInput(Struct, frozen=True):
    """What the reports and the table of a run are made of: the verdict and its sources."""

    run: RunVerdict
    sources: Sources
    redactor: Redactor | None = None


def redacted(run: RunVerdict, request: Request, redaction: Redaction) -> ReportInput:
    """The redacted run. The same text is replaced by the same everywhere, so that parts still match."""
    _refuse_many(run, "")
    from trace_inspector.engine.redaction.leak_check import leaks_in_texts
    from trace_inspector.engine.redaction.reasons import without_quotes_of_secrets
    from trace_inspector.engine.redaction.redactor import Redactor

    redactor, sources = Redactor(redaction), report_sources(request)
    before = _report_contents(sources)
    shown, after = redactor.redacted((replace(run, cases=tuple(run.cases)), before))
    changed = frozenset(redactor.changed)
    traces = {
        (old.path, old.thing.place, old.thing.id): (old.thing, new.thing)
        for old, new in zip(before.traces, after.traces, strict=True)
    }

    def mended(new: CaseVerdict, old: CaseVerdict) -> CaseVerdict:
        was, now = traces.get(trace_key(old), (None, None))
        return without_quotes_of_secrets(new, old, was, now, changed)

    pairs = zip(after.reported, before.reported, strict=True)
    after = replace(after, reported=tuple(_From(new.path, mended(new.thing, old.thing)) for new, old in pairs))
    shown = replace(shown, cases=tuple(map(mended, shown.cases, run.cases)))
    if leaks_in_texts(redactor, _whole_texts(after), tuple):
        raise SaveError(STILL_THERE)
    return ReportInput(shown, _sources_of(after, sources.where), redactor)


class _From(Struct, Generic[Thing], frozen=True):
    """An object and the path of its file."""

    path: str
    thing: Thing


class _ReportContents(Struct, frozen=True):
    """Everything that a report can show."""

    cases: tuple[_From[Case], ...]
    traces: tuple[_From[Trace], ...]
    reported: tuple[_From[CaseVerdict], ...]


def _report_contents(sources: Sources) -> _ReportContents:
    return _ReportContents(_from(sources.cases), _from(sources.traces), _from(sources.reported))


def _from(things: Mapping[Key, Thing]) -> tuple[_From[Thing], ...]:
    return tuple(_From(key[0], thing) for key, thing in things.items())


def _sources_of(contents: _ReportContents, where: Callable[[str, str], tuple[int, int]]) -> Sources:
    """The sources with keys made of the redacted ids."""
    return Sources(
        {(entry.path, entry.thing.place, entry.thing.id): entry.thing for entry in contents.cases},
        {(entry.path, entry.thing.place, entry.thing.id): entry.thing for entry in contents.traces},
        {
            (entry.path, entry.thing.trace_place, entry.thing.trace_id or ""): entry.thing
            for entry in contents.reported
        },
        where,
    )


def _whole_texts(contents: _ReportContents) -> Iterator[str]:
    """Texts that are shown as one although a file has them in several parts."""
    talks = (*(entry.thing.turns for entry in contents.cases), *(entry.thing.turns for entry in contents.traces))
    for turn in chain.from_iterable(talks):
        yield from (user_text(turn), answer_text(turn))


def report_sources(request: Request) -> Sources:
    """What the inputs of a run hold, for reports: large files are read again on demand."""
    cases, traces = _by_key(request)
    digests = {given.path: given.digest for given in (*request.traces, *request.goldens)}
    return Sources(cases, traces, reported_by(request), _Lines(cases, digests).of)


def reported_by(request: Request) -> Reported:
    """The verdicts that the files of the traces report."""
    return {
        (given.path, verdict.trace_place, verdict.trace_id or ""): verdict
        for given in request.traces
        for verdict in given.contents.reported
    }


def _by_key(request: Request) -> tuple[Mapping[Key, Case], Mapping[Key, Trace]]:
    if not request.traces:  # no inputs are available
        return {}, {}
    traces, goldens = sides(request)
    return _RereadCases(goldens), RereadTraces(traces)


class _Lines(Struct, frozen=True):
    """Lines of goldens and their turns; each file is read once, on demand."""

    cases: Mapping[Key, Case]
    digests: Mapping[str, str]  # of the files as they were read, where known
    keys: dict[str, list[Key]] = field(default_factory=dict)  # of the cases of each file, once one is asked for
    by_path: dict[str, dict[str, tuple[int, int]]] = field(default_factory=dict)

    def of(self, path: str, place: str) -> tuple[int, int]:
        """Line and column, from 1; 0 where the file has no lines, is gone or has changed."""
        if not self.by_path:
            for key in self.cases:
                self.keys.setdefault(key[0], []).append(key)
        if path not in self.by_path:
            own = [self.cases[key] for key in self.keys.get(path, ())]
            places = {case.place for case in own} | {turn.place for case in own for turn in case.turns}
            self.by_path[path] = _lines(path, self.digests.get(path, ""), places)
        return self.by_path[path].get(place, (0, 0))


def _lines(path: str, digest: str, places: set[str]) -> dict[str, tuple[int, int]]:
    try:
        document = read(Path(path))
    except InspectorError:
        return {}
    if document.container in TEXTLESS or document.packing is not None:
        return {}
    if digest and hashlib.sha256(document.data).hexdigest() != digest:
        return {}
    from trace_inspector.documents.editing.places import find_all, lines_and_columns

    starts = {pointer: place.start for pointer, place in find_all(document, places).items()}
    lines = lines_and_columns(document, starts.values())
    return {pointer: lines[start] for pointer, start in starts.items()}


def save_stored_report(requested: RequestedReport, record: RunRecord, judges: JudgeLines = _no_lines) -> str:
    """Write a report of a stored run. Returns a sentence about files that are gone or changed, else ""."""
    refuse_inputs([requested], record.inputs)
    named = record.configuration.get("traces")
    sides: dict[bool, list[Given]] = {True: [], False: []}
    missing = []
    for path, digest in record.inputs.items():
        try:
            files = [given for given in open_given([Path(path)]) if given.digest == digest]
        except InspectorError:
            files = []
        missing += [] if files else [Path(path).name]
        sides[isinstance(named, list) and path in named] += files
    request = Request(tuple(sides[True]), tuple(sides[False]))
    _write(requested, ReportInput(record.shown, _sources_for(requested, record.judged, request, judges)))
    if not missing:
        return ""
    return f"The report lacks the content of {', '.join(missing[:_NAMED])}, which changed after the evaluation."


def save_report(
    requested: RequestedReport,
    run: RunVerdict,
    request: Request,
    report_input: ReportInput | None = None,
    judges: JudgeLines = _no_lines,
) -> None:
    """Write one report, from `report_input` where it is given; never over an input of the run.

    `judges` tells, where nothing is redacted, how far each judge agrees with people.
    """
    refuse_inputs([requested], inputs_of(request))
    _refuse_many(run, str(requested.path))
    _write(requested, report_input or ReportInput(run, _sources_for(requested, run, request, judges)))


def _refuse_many(run: RunVerdict, path: str) -> None:
    if len(run.cases) > MANY_CASES:
        what = "no report is made of it" if path else "nothing is taken out of it"
        raise SaveError(
            f"The run has {len(run.cases):,} cases; of more than {MANY_CASES:,} {what}. "
            "Evaluate fewer files at once, or only with --json or --results.",
            path=path,
        )


def _sources_for(requested: RequestedReport, run: RunVerdict, request: Request, judges: JudgeLines) -> Sources:
    sources = report_sources(request)
    return replace(sources, judges=judges(run, request)) if requested.kind in _TELLING_JUDGES else sources


def inputs_of(request: Request) -> list[Path]:
    """The files that a run reads: its inputs, and the criteria beside goldens."""
    given = [Path(file.path) for file in (*request.traces, *request.goldens)]
    named = [Path(request.criteria.source)] if request.criteria else []
    return [*given, *named, *(beside for path in given if is_file(beside := path.parent / BESIDE))]


def _without_words(report_input: ReportInput) -> tuple[RunVerdict, Sources]:
    """The run without any text of the inputs: only the program's own words remain."""
    from trace_inspector.engine.redaction.blank import blanked

    return blanked(report_input.run), _sources_of(
        blanked(_report_contents(report_input.sources)), report_input.sources.where
    )


def _write(requested: RequestedReport, report_input: ReportInput) -> None:
    run = report_input.run
    if requested.kind == "adk" and report_input.redactor is None:  # a redacted golden has another digest
        run = with_digests(run, report_input.sources.cases)
    report = RUN_REPORTS[requested.kind]
    text = report.write(run, report_input.sources)
    if report_input.redactor is not None:
        from trace_inspector.engine.redaction.leak_check import leaks_in_report

        if leaks_in_report(report_input.redactor, report, text, lambda: report.write(*_without_words(report_input))):
            raise SaveError(STILL_THERE, path=str(requested.path))
    from trace_inspector.documents.saving.saving import save

    save(Document(requested.path, text.encode("utf-8"), Container.JSON, None), force=True)
