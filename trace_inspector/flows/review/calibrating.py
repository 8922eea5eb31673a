"""Calibrations of every judged question of results, by the labels of files: `calibrate` and the window's page."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import chain, islice
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.errors import UsageError
from trace_inspector.core.finding import Finding
from trace_inspector.core.review.label import Label, Level, Split
from trace_inspector.core.review.label_sets import current
from trace_inspector.core.review.subjects import OVERALL, rubric_question
from trace_inspector.core.trace.judge_call import JudgeCall
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.canonical_json import canonical_json
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import (
    CaseVerdict,
    MetricVerdict,
    Provenance,
    RubricVerdict,
    Status,
    against,
)
from trace_inspector.documents.packing.packing import is_there
from trace_inspector.engine.calibration.calibration import (
    Calibration,
    JudgedOutput,
    JudgeIdentity,
    beside_newest,
    calibration,
)
from trace_inspector.engine.scoring.metric_names import LOCAL_GROUNDING
from trace_inspector.flows.review.candidates import Judged, candidates
from trace_inspector.flows.review.judged_files import judged_by, judged_in
from trace_inspector.flows.review.label_files import read_label_files
from trace_inspector.flows.review.queue import Candidate
from trace_inspector.flows.runs.store_run import load_run, open_store, runs_named
from trace_inspector.store.judge_calls import StoredCalls

_ANYTHING = "*"
_OF_MODEL = ("judge_model", "judgeModel")
_OF_OPTIONS = ("judge_model_options", "judgeModelOptions")
_OF_SAMPLES = ("num_samples", "numSamples")
_OF_PARAMETERS = ("judge_model_config", "judgeModelConfig")
_DIGEST_SIGN = "@"
_MOST_REASONS = 12  # of a verdict by rubrics that gives none as a whole
_STALE = "a result that was given later has another judge for this question"


Asked: TypeAlias = tuple[str, Level]
MayOpen: TypeAlias = Callable[[str, JudgeIdentity], bool]


class Calibrated(Struct, frozen=True):
    """All calibrations, the labels that answer nothing here, and what is odd about files of labels."""

    calibrations: tuple[Calibration, ...]
    labels: int  # that count
    elsewhere: int  # of these, about outputs or questions that no result here has
    findings: tuple[tuple[str, Finding], ...] = ()
    judges: Mapping[tuple[str, str, Level], JudgeIdentity] = {}  # in use, by file and question


class _Question(Struct):
    """What results say of one question: the outputs of each judge, each output once."""

    outputs: dict[JudgeIdentity, dict[str, JudgedOutput]] = field(default_factory=dict)
    by_path: dict[str, JudgeIdentity] = field(default_factory=dict)  # the judge in use, of each file

    def add(self, judge: JudgeIdentity, output: JudgedOutput) -> None:
        """Add an output; of one that is judged again by the same judge the first verdict counts."""
        self.outputs.setdefault(judge, {}).setdefault(output.subject, output)


def calibrate_files(results: Sequence[str], label_paths: Iterable[Path], question: str = "") -> Calibrated:
    """Calibrate. A result is a file, a folder, or the id or name of a stored run; `question` one or a pattern."""
    read = read_label_files(label_paths)
    return replace(calibrate(judged_results(results), read.labels, question), findings=read.findings)


def calibrate(
    results: Iterable[Judged],
    labels: Iterable[Label],
    question: str = "",
    *,
    earlier: Iterable[Judged] | None = None,
    may_open: MayOpen = lambda _question, _judge: True,
) -> Calibrated:
    """Calibrate. Of the judges of a question the last one is in use, and others are stale.

    With `earlier` results all judges of `results` are in use, and only those of the earlier ones are stale.
    `may_open` says of which judge the test part counts.
    """
    given = [*labels]
    # Overrules are given where people disagree: as labels they would say that the judge is nearly always wrong.
    counting = [*current(label for label in given if not label.overrules).values()]
    overrules = Counter(
        (label.question, label.level) for label in current(label for label in given if label.overrules).values()
    )
    parts = _parts(given)
    by_question: dict[Asked, list[Label]] = {}
    for label in counting:
        own_part = replace(label, split=parts.get((label.subject, label.question), Split.NONE))
        by_question.setdefault((label.question, label.level), []).append(own_part)
    levels = {label.level for label in counting}
    found: dict[Asked, _Question] = {}
    with open_store() as store:
        calls = StoredCalls(store)
        everything = chain(((each, True) for each in results), ((each, False) for each in earlier or ()))
        for judged, is_in_use in everything:
            for candidate in _candidates(judged, levels):
                asked = candidate.label.question, candidate.label.level
                name = asked[0]
                if asked in by_question and (not question or name == question or fnmatchcase(name, question)):
                    own = found.setdefault(asked, _Question())
                    judge = _add(own, judged, candidate, calls.get)
                    if judge is not None and is_in_use:
                        own.by_path.pop(judged.path, None)  # the last one given stands last
                        own.by_path[judged.path] = judge
    in_use = {
        asked: {*own.by_path.values()} if earlier is not None else {[*own.by_path.values()][-1]}
        for asked, own in found.items()
        if own.outputs
    }
    calibrations = tuple(
        each
        for asked, used in in_use.items()
        for each in _of(
            asked,
            found[asked].outputs,
            by_question[asked],
            used,
            may_open,
            (*_reworded(asked, by_question), *_left_out(overrules[asked])),
        )
    )
    known = {(asked, subject) for asked, own in found.items() for each in own.outputs.values() for subject in each}
    elsewhere = sum(((label.question, label.level), label.subject) not in known for label in counting)
    judges = {(path, *asked): judge for asked, own in found.items() for path, judge in own.by_path.items()}
    return Calibrated(calibrations, len(counting), elsewhere, judges=judges)


def _parts(labels: Iterable[Label]) -> dict[tuple[str, str], Split]:
    """The part of each output and question: test for good where any label ever put it there, whoever gave it.

    Else an output would leave the test part with the first answer that does not repeat where it belongs.
    """
    found: dict[tuple[str, str], Split] = {}
    for label in labels:
        key = label.subject, label.question
        if label.split is not Split.NONE and found.get(key) is not Split.TEST:
            found[key] = label.split
    return found


def judged_results(results: Iterable[str]) -> Iterator[Judged]:
    """The conversations of results, each a file, a folder, or the id or name of a stored run."""
    for name in results:
        if is_there(Path(name)):
            yield from judged_in([Path(name)])
            continue
        ids = runs_named(name)
        record = load_run(ids[0]) if len(ids) == 1 else None
        if record is None:
            many = f"{len(ids):,} stored runs are" if len(ids) > 1 else "No file and no stored run is"
            raise UsageError(f"{many} named “{one_line(name, 400)}”. Name a result file, or a run by its id or name.")
        yield from judged_by(record)


def _candidates(judged: Judged, levels: Iterable[Level]) -> Iterator[Candidate]:
    seen: set[tuple[str, str]] = set()
    for level in Level:
        if level not in levels:
            continue
        for candidate in candidates([judged], level, _ANYTHING):
            key = (candidate.label.subject, candidate.label.question)
            if key not in seen:
                seen.add(key)
                yield candidate


def _of(
    asked: Asked,
    by_judge: Mapping[JudgeIdentity, Mapping[str, JudgedOutput]],
    given: Sequence[Label],
    in_use: Collection[JudgeIdentity],
    may_open: MayOpen,
    notes: tuple[str, ...],
) -> Iterator[Calibration]:
    """The calibrations of one question, one for each judge: the stale ones first."""
    found = {}
    for judge, outputs in by_judge.items():
        sealed = set[str]()
        labels = given
        if not may_open(asked[0], judge):
            sealed = {label.subject for label in labels if label.split is Split.TEST} & outputs.keys()
            labels = [label for label in labels if label.split is not Split.TEST]
        made = calibration(*asked, judge, [*outputs.values()], labels, notes=notes)
        found[judge] = replace(made, labels=replace(made.labels, sealed=len(sealed)))
    newest = [each for judge, each in found.items() if judge in in_use][-1:]
    for judge, each in found.items():
        if judge not in in_use:
            yield replace(beside_newest(each, newest[0]) if newest else each, stale=_STALE)
    yield from (each for judge, each in found.items() if judge in in_use)


def _reworded(asked: Asked, by_question: Mapping[Asked, Sequence[Label]]) -> tuple[str, ...]:
    """What is said of labels that answer another wording of the same rubric."""
    name, level = asked
    rubric, sign, _digest_of_text = name.rpartition(_DIGEST_SIGN)
    if not sign:
        return ()
    others = sum(
        len(labels)
        for (other, at), labels in by_question.items()
        if other != name and at is level and other.rpartition(_DIGEST_SIGN)[:2] == (rubric, sign)
    )
    return (f"{others:,} labels answer another wording of this rubric, and are not counted",) if others else ()


def _left_out(overrules: int) -> tuple[str, ...]:
    """What is said of verdicts that people overruled."""
    told = f"{overrules:,} {'overrule is' if overrules == 1 else 'overrules are'} not counted"
    return (f"{told}: people overrule what they disagree with, which is no draw",) if overrules else ()


def _add(
    asked: _Question, judged: Judged, candidate: Candidate, call: Callable[[str], JudgeCall | None]
) -> JudgeIdentity | None:
    """Add a verdict, and tell whose it is; None where it decides nothing."""
    label = candidate.label
    metric, rubric = _verdict(judged, candidate)
    failed = _failed(candidate)
    if failed is None:
        return None
    threshold = candidate.threshold
    judge = _judge(label.question, judged, metric, rubric, call)
    asked.add(
        judge,
        JudgedOutput(
            label.subject,
            failed,
            _place(judged, label),
            _cluster(judged),
            _reason(metric, rubric),
            threshold,
            _sure(candidate, failed=failed),
            label,
        ),
    )
    return judge


def _failed(candidate: Candidate) -> bool | None:
    """Whether the judge fails an output; None where it decided nothing."""
    status = candidate.status
    if status not in (Status.PASSED, Status.FAILED):
        if candidate.label.question == LOCAL_GROUNDING and candidate.grounded is not None:
            return not candidate.grounded
        status = against(candidate.score, candidate.threshold)
    return {Status.PASSED: False, Status.FAILED: True}.get(status)


def _sure(candidate: Candidate, *, failed: bool) -> float | None:
    """The share of votes that say what the verdict says; the distance from the threshold where there are no votes."""
    threshold = candidate.threshold
    if threshold is None:
        return None
    votes = [vote for vote in candidate.votes if vote is not None]
    if len(votes) > 1:
        return sum((vote < threshold) is failed for vote in votes) / len(votes)
    return None if candidate.score is None or candidate.votes else abs(candidate.score - threshold)


def _cluster(judged: Judged) -> str:
    """The case: conversations of one are alike."""
    for verdict in judged.verdicts:
        if verdict.case_id:
            return f"case {verdict.suite_id}/{verdict.case_id}"
    return f"trace {judged.path}#{judged.trace.id}"


def _place(judged: Judged, label: Label) -> str:
    """Where the output opens: the file and the pointer of its turn."""
    turns = [turn for turn in judged.trace.turns if turn.index == label.turn] if label.turn is not None else []
    pointer = turns[0].place if turns else judged.trace.place
    return f"{judged.path}#{pointer}" if pointer else judged.path


def _verdict(judged: Judged, candidate: Candidate) -> tuple[MetricVerdict | None, RubricVerdict | None]:
    """The verdict that a candidate was made of."""
    name = candidate.label.question
    for metric in _metrics(judged.verdicts, candidate.label):
        if metric.metric == name:
            return metric, None
        if name.startswith(f"{metric.metric}/"):
            for rubric in metric.rubrics:
                if rubric_question(metric.metric, rubric.rubric_id, rubric.text) == name:
                    return metric, rubric
    return None, None


def _metrics(verdicts: Iterable[CaseVerdict], label: Label) -> Iterator[MetricVerdict]:
    for verdict in verdicts:
        if label.level is Level.CASE:
            yield from verdict.metrics
            continue
        for turn in verdict.turns:
            if turn.index == label.turn:
                yield from turn.metrics


def _reason(metric: MetricVerdict | None, rubric: RubricVerdict | None) -> str:
    if rubric is not None:
        return rubric.rationale
    if metric is None or metric.reason:
        return metric.reason if metric is not None else ""
    told = (f"{each.rubric_id}: {each.rationale}" for each in metric.rubrics if each.rationale)
    return "\n".join(islice(told, _MOST_REASONS))


def _judge(
    question: str,
    judged: Judged,
    metric: MetricVerdict | None,
    rubric: RubricVerdict | None,
    call: Callable[[str], JudgeCall | None],
) -> JudgeIdentity:
    """What is known of the judge: from the replies that are kept, else from the criterion that the result states."""
    if metric is None:
        return JudgeIdentity(prompt=_digest(question), provenance=OVERALL)
    options = _options(judged, metric)
    asked = _first_object(options, _OF_OPTIONS)
    kept = next((found for digest in metric.replies[:1] if (found := call(digest)) is not None), None)
    votes = rubric.votes if rubric is not None else metric.votes
    samples = _first(asked, _OF_SAMPLES)
    stated = _first(asked, _OF_PARAMETERS)
    others = {name: value for name, value in options.items() if name not in _OF_OPTIONS}
    model = _first(asked, _OF_MODEL) or _first(options, _OF_MODEL)
    return JudgeIdentity(
        kept.key.model if kept else model if isinstance(model, str) else None,
        canonical_json(kept.key.parameters) if kept else canonical_json(stated) if stated is not None else None,
        _digest(canonical_json([metric.metric, metric.version, others])),
        _digest(rubric.text) if rubric is not None else None,
        samples if isinstance(samples, int) else len(votes) or None,
        metric.provenance.value,
    )


def _options(judged: Judged, metric: MetricVerdict) -> JsonObject:
    """The options of the criterion: those of the verdict, or for what a file reports those that it records."""
    for verdict in judged.verdicts:
        for name, _threshold, options in verdict.criteria:
            if name == metric.metric:
                return options
    if metric.provenance is Provenance.REPORTED:
        for criterion in judged.trace.criteria:
            if criterion.metric == metric.metric:
                return criterion.options
    return {}


def _first_object(options: JsonObject, names: Iterable[str]) -> JsonObject:
    found = _first(options, names)
    return found if isinstance(found, dict) else {}


def _first(options: JsonObject, names: Iterable[str]) -> Json:
    return next((options[name] for name in names if name in options), None)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
