"""Evidence of a run: its cases with goldens, conversations and verdicts, as one file that holds no secret."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from fnmatch import fnmatchcase
from pathlib import Path, PurePath
from typing import TypeAlias

from msgspec.structs import replace

from trace_inspector.core.errors import UsageError
from trace_inspector.core.rows.evidence import EvidencePack
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.verdict.verdict import CaseVerdict, RunVerdict
from trace_inspector.documents.base.document import Container, Document
from trace_inspector.documents.saving.saving import save
from trace_inspector.engine.evidence.evidence_file import EvidenceFile, evidence_file
from trace_inspector.engine.evidence.gathering import Gathered, GatheredFile, Shown, pack_of
from trace_inspector.engine.redaction.options import Redaction
from trace_inspector.flows.opening.given_files import Given, open_given
from trace_inspector.flows.opening.input_notes import input_notes
from trace_inspector.flows.opening.sides_of_packs import is_in_side, side_of_pack
from trace_inspector.flows.runs.requested_reports import RequestedReport, refuse_inputs
from trace_inspector.flows.runs.store_run import RunRecord
from trace_inspector.flows.runs.stored_inputs import record_named, unchanged_inputs

_NAMED = 3
Location: TypeAlias = tuple[str, str]  # the path of a file and a place in it
TurnsAt: TypeAlias = Mapping[Location, Sequence[int]]  # of each conversation some turns, all where none are named
LEFT = "Nothing was written: a secret would still be in it, spread over several values or part of the page itself."
Wanted = str | None  # a case by its id, or a pattern of ids; None for all


def evidence_of(name: str, case: Wanted = None) -> tuple[EvidencePack, tuple[str, ...]]:
    """The pack of a run, and the files that it was made of. UsageError where there is no such run or case."""
    path = Path(name)
    side, notes, inputs = _of_files(path) if path.exists() else _of_stored(name)
    if case is not None:
        side = only(side, case)
        if not any(file.suites or file.traces for file in side.files) and not side.verdicts:
            raise UsageError(f"There is no case “{one_line(case, 80)}” in it.", path=name)
    if not any(file.suites or file.traces for file in side.files) and not side.verdicts:
        raise UsageError("It contains no case, conversation or verdict to show.", path=name)
    title = PurePath(name).name or name
    return pack_of(title if case is None else f"{title}: {case}", [side], _first(side), notes), inputs


def evidence_of_files(
    files: Iterable[Given], run: RunVerdict | None, title: str, turns_at: TurnsAt, shown: Location | None
) -> EvidencePack:
    """The pack of open files with what a run, or else they, say of them; of all where no place is named."""
    given = tuple(files)
    if run is None:
        verdicts = tuple(
            replace(verdict, trace_path=file.path) for file in given for verdict in file.contents.reported
        )
        side = Gathered(title, tuple(map(_gathered, given)), verdicts, _criteria(given))
    else:
        side = Gathered(title, tuple(map(_gathered, given)), tuple(run.cases), _criteria_of(run))
        side = side if turns_at else _of_these_cases(side)
    side = only_at(side, turns_at) if turns_at else side
    return pack_of(title, [side], Shown(*shown) if shown else _first(side))


def evidence_of_compared(
    files: Iterable[Given], verdict: CaseVerdict | None, title: str, compared: Sequence[Location]
) -> EvidencePack:
    """The pack of conversations that are compared, with what a run says of them and what else their files report."""
    given = tuple(files)
    reported = (replace(each, trace_path=file.path) for file in given for each in file.contents.reported)
    own = () if verdict is None else (verdict,)
    verdicts = (*own, *(each for each in reported if not own or _trace_of(each) != _trace_of(own[0])))
    places = dict.fromkeys(compared)
    side = _at_places(Gathered(title, tuple(map(_gathered, given)), verdicts, _criteria(given)), places.keys())
    shown = [Shown(*location) for location in compared]
    return pack_of(title, [side], shown[-1] if shown else None, compared=shown)


def _at_places(side: Gathered, places: Set[Location]) -> Gathered:
    """What stands at these places alone, with the verdicts on it."""
    kept = [verdict for verdict in side.verdicts if _trace_of(verdict) in places]
    whole = _with(side, kept, places)
    files = (
        replace(
            file,
            suites=tuple(
                replace(suite, cases=tuple(case for case in suite.cases if (file.path, case.place) in places))
                for suite in file.suites
            ),
        )
        for file in whole.files
    )
    return replace(whole, files=tuple(map(_without_empty, files)))


def evidence_of_two(base: str, new: str, titles: tuple[str, str]) -> tuple[EvidencePack, tuple[str, ...]]:
    """The pack of two runs that are compared, and the files that it was made of."""
    sides: list[Gathered] = []
    notes: list[str] = []
    inputs: list[str] = []
    for name, title in zip((base, new), titles, strict=True):
        side, own_notes, own_inputs = _side_named(name)
        sides.append(replace(side, name=title))
        notes += own_notes
        inputs += own_inputs
    return pack_of(" – ".join(titles), sides, _first(sides[-1]), dict.fromkeys(notes)), tuple(inputs)


def write_evidence(
    pack: EvidencePack,
    target: Path,
    inputs: Iterable[str | Path],
    redaction: Redaction,
    *,
    without_texts: bool = False,
) -> EvidenceFile:
    """Write the file, never over an input, and only when no secret is left in it."""
    refuse_inputs([RequestedReport("evidence", target)], inputs)
    made = evidence_file(pack, redaction, without_texts=without_texts)
    if not made.left:
        save(Document(target, made.data, Container.PAGE, None), force=True)
    return made


def only(side: Gathered, wanted: str) -> Gathered:
    """What belongs to the cases of that id, or of those that fit the pattern."""
    judged = {_trace_of(verdict) for verdict in side.verdicts}

    def is_meant(location: Location, *names: str | None) -> bool:
        return location not in judged and any(_fits(name, wanted) for name in names if name)

    traces = {
        (file.path, trace.place)
        for file in side.files
        for trace in file.traces
        if is_meant((file.path, trace.place), trace.case_id, trace.id, trace.session_id)
    }
    goldens = {
        (file.path, case.place)
        for file in side.files
        for suite in file.suites
        for case in suite.cases
        if _fits(case.id, wanted)
    }
    return _with(side, [verdict for verdict in side.verdicts if _fits(verdict.case_id, wanted)], traces | goldens)


def only_at(side: Gathered, turns_at: TurnsAt) -> Gathered:
    """What belongs to these conversations and goldens; of those for which turns are named, these alone."""
    verdicts = [
        verdict for verdict in side.verdicts if _trace_of(verdict) in turns_at or _golden_of(verdict) in turns_at
    ]
    whole = _with(side, verdicts, turns_at.keys())
    files = (
        replace(file, traces=tuple(_cut(trace, turns_at.get((file.path, trace.place), ())) for trace in file.traces))
        for file in whole.files
    )
    cut = tuple(_cut_verdict(verdict, turns_at.get(_trace_of(verdict), ())) for verdict in whole.verdicts)
    return replace(whole, files=tuple(files), verdicts=cut)


def _cut(trace: Trace, turns: Sequence[int]) -> Trace:
    """Some turns of a conversation, counted anew, without what is told of all of it."""
    if not turns:
        return trace
    kept = (turn for turn in trace.turns if turn.index in turns)
    counted = tuple(replace(turn, index=index) for index, turn in enumerate(kept))
    return replace(trace, turns=counted, final_state=None, spans=(), extras=())


def _cut_verdict(verdict: CaseVerdict, turns: Sequence[int]) -> CaseVerdict:
    if not turns:
        return verdict
    counted = {index: number for number, index in enumerate(sorted(turns))}
    kept = (turn for turn in verdict.turns if turn.index in counted)
    return replace(
        verdict,
        turns=tuple(replace(turn, index=counted.get(turn.index or 0)) for turn in kept),
        missing_turns=(),
        extra_turns=tuple(counted[index] for index in verdict.extra_turns if index in counted),
        extras=(),
    )


def _with(side: Gathered, verdicts: Sequence[CaseVerdict], locations: Set[Location]) -> Gathered:
    """These verdicts with all that they are about, and what else is at these places."""
    shown = {*locations, *map(_trace_of, verdicts), *map(_golden_of, verdicts)}
    files = (
        GatheredFile(
            file.path,
            tuple(
                replace(suite, cases=tuple(case for case in suite.cases if (file.path, case.place) in shown))
                for suite in file.suites
            ),
            tuple(trace for trace in file.traces if (file.path, trace.place) in shown),
        )
        for file in side.files
    )
    return replace(side, verdicts=tuple(verdicts), files=tuple(map(_without_empty, files)))


def _trace_of(verdict: CaseVerdict) -> Location:
    return verdict.trace_path, verdict.trace_place


def _golden_of(verdict: CaseVerdict) -> Location:
    return verdict.golden_path or verdict.trace_path, verdict.golden_place


def _without_empty(file: GatheredFile) -> GatheredFile:
    return replace(file, suites=tuple(suite for suite in file.suites if suite.cases))


def _fits(text: str, wanted: str) -> bool:
    return text == wanted or fnmatchcase(text, wanted)


def _first(side: Gathered) -> Shown | None:
    """The conversation that failed first, or else the first."""
    broken = (verdict for verdict in side.verdicts if verdict.status.value in ("FAILED", "ERROR"))
    verdict = next(broken, next(iter(side.verdicts), None))
    if verdict is not None and verdict.trace_id is not None:
        return Shown(verdict.trace_path, verdict.trace_place)
    return next((Shown(file.path, trace.place) for file in side.files for trace in file.traces), None)


def _side_named(name: str) -> tuple[Gathered, tuple[str, ...], tuple[str, ...]]:
    """A file or folder, one of the runs in an evidence pack, or a stored run."""
    path = Path(name)
    file, pointer = side_of_pack(path)
    if pointer:
        side, notes, inputs = _of_files(file)
        places = [(each.path, trace.place) for each in side.files for trace in each.traces]
        places += [(each.path, case.place) for each in side.files for suite in each.suites for case in suite.cases]
        inside = {(each, place) for each, place in places if place.startswith(pointer)}
        kept = [verdict for verdict in side.verdicts if is_in_side(verdict, pointer)]
        return _with(side, kept, inside), notes, inputs
    return _of_files(path) if path.exists() else _of_stored(name)


def _of_files(path: Path) -> tuple[Gathered, tuple[str, ...], tuple[str, ...]]:
    given = open_given([path])
    notes = input_notes((PurePath(file.path).name, file.contents) for file in given)
    verdicts = tuple(replace(verdict, trace_path=file.path) for file in given for verdict in file.contents.reported)
    side = Gathered(path.name, tuple(map(_gathered, given)), verdicts, _criteria(given))
    return side, tuple(notes), (str(path), *(file.path for file in given))


def _gathered(file: Given) -> GatheredFile:
    return GatheredFile(file.path, file.contents.suites, tuple(file.contents.traces))


def _criteria(given: Iterable[Given]) -> Criteria | None:
    return next((file.contents.criteria for file in given if file.contents.criteria is not None), None)


def _of_stored(name: str) -> tuple[Gathered, tuple[str, ...], tuple[str, ...]]:
    return of_record(name, record_named(name))


def of_record(name: str, record: RunRecord) -> tuple[Gathered, tuple[str, ...], tuple[str, ...]]:
    """What a stored run is about, of the files that are still the same."""
    stored = unchanged_inputs(record)
    notes = [_without_folders(note, record.inputs) for note in record.shown.notes]
    if stored.missing:
        named = ", ".join(stored.missing[:_NAMED])
        notes.append(f"It lacks the content of {named}, which changed after the evaluation.")
    side = Gathered(name, tuple(map(_gathered, stored.files)), tuple(record.shown.cases), _criteria_of(record.shown))
    return _of_these_cases(side), tuple(notes), tuple(record.inputs)


def _without_folders(note: str, paths: Iterable[str]) -> str:
    """A note that names files by their names alone."""
    for path in sorted(paths, key=len, reverse=True):
        note = note.replace(path, PurePath(path).name)
    return note


def _of_these_cases(side: Gathered) -> Gathered:
    """Without goldens that the run is not about: a suite may have a thousand more."""
    about = {(verdict.golden_path, verdict.golden_place) for verdict in side.verdicts}
    return replace(
        side,
        files=tuple(
            replace(
                file,
                suites=tuple(
                    replace(suite, cases=tuple(case for case in suite.cases if (file.path, case.place) in about))
                    for suite in file.suites
                ),
            )
            for file in side.files
        ),
    )


def _criteria_of(run: RunVerdict) -> Criteria | None:
    items = tuple(Criterion(metric, threshold, options) for metric, threshold, options in run.criteria)
    return Criteria(items, run.criteria_source) if items else None
