"""Evidence of a run: its cases with goldens, conversations and verdicts, as one file that holds no secret."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path, PurePath

from msgspec.structs import replace

from trace_inspector.core.errors import InspectorError, UsageError
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.evidence import EvidencePack
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.verdict.verdict import RunVerdict
from trace_inspector.documents.base.document import Container, Document
from trace_inspector.documents.saving.saving import save
from trace_inspector.engine.evidence.evidence_file import EvidenceFile, evidence_file
from trace_inspector.engine.evidence.gathering import Gathered, GatheredFile, Shown, pack_of
from trace_inspector.engine.redaction.options import Redaction
from trace_inspector.flows.opening.given_files import Given, open_given
from trace_inspector.flows.opening.input_notes import input_notes
from trace_inspector.flows.runs.requested_reports import RequestedReport, refuse_inputs
from trace_inspector.flows.runs.store_run import RunRecord, load_run, runs_named

_NAMED = 3
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


def write_evidence(
    pack: EvidencePack, target: Path, inputs: Iterable[str | Path], redaction: Redaction
) -> EvidenceFile:
    """Write the file, never over an input, and only when no secret is left in it."""
    refuse_inputs([RequestedReport("evidence", target)], inputs)
    made = evidence_file(pack, redaction)
    if not made.left:
        save(Document(target, made.data, Container.PAGE, None), force=True)
    return made


def only(side: Gathered, wanted: str) -> Gathered:
    """What belongs to the cases of that id, or of one that fits the pattern."""
    verdicts = tuple(verdict for verdict in side.verdicts if _fits(verdict.case_id, wanted))
    traces = {(verdict.trace_path, verdict.trace_place) for verdict in verdicts}
    goldens = {(verdict.golden_path or verdict.trace_path, verdict.golden_place) for verdict in verdicts}
    judged = {(verdict.trace_path, verdict.trace_place) for verdict in side.verdicts}

    def is_meant(path: str, trace: Trace) -> bool:
        place = path, trace.place
        return (
            place in traces
            if place in judged
            else any(_fits(text, wanted) for text in (trace.case_id, trace.id, trace.session_id) if text)
        )

    def is_golden(path: str, case: Case) -> bool:
        return (path, case.place) in goldens or _fits(case.id, wanted)

    files = [
        GatheredFile(
            file.path,
            tuple(
                _with_cases(suite, [case for case in suite.cases if is_golden(file.path, case)])
                for suite in file.suites
            ),
            tuple(trace for trace in file.traces if is_meant(file.path, trace)),
        )
        for file in side.files
    ]
    return replace(side, verdicts=verdicts, files=tuple(_without_empty(file) for file in files))


def _with_cases(suite: Suite, cases: Sequence[Case]) -> Suite:
    return replace(suite, cases=tuple(cases))


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


def _of_files(path: Path) -> tuple[Gathered, tuple[str, ...], tuple[str, ...]]:
    given = open_given([path])
    notes = input_notes((PurePath(file.path).name, file.contents) for file in given)
    verdicts = tuple(replace(verdict, trace_path=file.path) for file in given for verdict in file.contents.reported)
    side = Gathered(path.name, tuple(map(_gathered, given)), verdicts, _criteria(given))
    return side, tuple(notes), (str(path), *(file.path for file in given))


def _gathered(file: Given) -> GatheredFile:
    return GatheredFile(file.path, file.contents.suites, file.contents.traces)


def _criteria(given: Iterable[Given]) -> Criteria | None:
    return next((file.contents.criteria for file in given if file.contents.criteria is not None), None)


def _of_stored(name: str) -> tuple[Gathered, tuple[str, ...], tuple[str, ...]]:
    ids = runs_named(name)
    if len(ids) != 1:
        many = f"{len(ids):,} runs are" if ids else "There is no file and no run"
        raise UsageError(f"{many} named “{one_line(name, 80)}”. “Runs” in the window lists them.")
    record = load_run(ids[0])
    if record is None:
        raise UsageError(f"Run “{one_line(name, 80)}” can no longer be read.")
    return of_record(name, record)


def of_record(name: str, record: RunRecord) -> tuple[Gathered, tuple[str, ...], tuple[str, ...]]:
    """What a stored run is about, of the files that are still the same."""
    files: list[Given] = []
    missing: list[str] = []
    for path, digest in record.inputs.items():
        try:
            same = [given for given in open_given([Path(path)]) if given.digest == digest]
        except InspectorError:
            same = []
        files += same
        missing += [] if same else [PurePath(path).name]
    notes = list(record.shown.notes)
    if missing:
        notes.append(f"It lacks the content of {', '.join(missing[:_NAMED])}, which changed after the evaluation.")
    side = Gathered(name, tuple(map(_gathered, files)), record.shown.cases, _criteria_of(record.shown))
    return _of_these_cases(side), tuple(notes), tuple(record.inputs)


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
