"""The calibration of one judged question: what the judge says of outputs beside what people say of the same."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.review.label import Answer, Label, Level, Split
from trace_inspector.core.values.canonical_json import canonical_json
from trace_inspector.engine.calibration.agreement import Agreement, agreement
from trace_inspector.engine.calibration.corrected_rate import CorrectedRates, corrected_rates
from trace_inspector.engine.calibration.counts import Clusters, counted, is_clustered
from trace_inspector.engine.calibration.escalation import Escalation, escalation
from trace_inspector.engine.calibration.estimate import Estimate
from trace_inspector.engine.calibration.paired import Rejudged, rejudged
from trace_inspector.engine.calibration.planner import LabelsNeeded, labels_needed
from trace_inspector.engine.calibration.raters import Rated, alpha

PROMISED = 0.95  # the agreement that escalation promises
WANTED_HALF = 0.05  # how exact a corrected pass rate is planned to be
LEAST_LABELS = 2
_OF_ONE_CASE = "several labels are of one case, and errors of one case come together; label one output of each"
_CHOSEN = "the labelled outputs are no random draw"


class JudgeIdentity(Struct, frozen=True):
    """What a calibration holds for: another of any of these is another judge. None where nothing tells it."""

    model: str | None = None
    parameters: str | None = None  # as JSON
    prompt: str = ""  # the digest of the criterion: metric, version, and the options that shape the prompt
    rubric: str | None = None  # the digest of its text
    samples: int | None = None
    provenance: str = ""

    @property
    def digest(self) -> str:
        """One digest of all of them."""
        parts = [self.model, self.parameters, self.prompt, self.rubric, self.samples, self.provenance]
        return hashlib.sha256(canonical_json([*parts]).encode()).hexdigest()

    def what_changed(self, now: JudgeIdentity) -> str:
        """What makes another one another judge, as the end of a sentence."""
        parts = [words for name, words in _PARTS.items() if getattr(self, name) != getattr(now, name)]
        return f"{parts[0] if parts else 'the judge'} changed"


_PARTS = {  # the first that differs is told
    "provenance": "who judges",
    "model": "the judge’s model",
    "prompt": "the judge’s prompt",
    "rubric": "the rubric’s text",
    "samples": "the number of the judge’s votes",
    "parameters": "the judge’s parameters",
}


class JudgedOutput(Struct, frozen=True):
    """An output with what one judge says of it."""

    subject: str
    failed: bool
    place: str = ""
    cluster: str = ""  # the case it is of
    reason: str = ""
    threshold: float | None = None  # a number that people gave is a failure below it
    sure: float | None = None  # the share of votes for the verdict, or the distance from the threshold
    asked: Label | None = None  # the question about it, with file, trace and turn


class Compared(Struct, frozen=True):
    """An output of which judge and people both say pass or fail."""

    output: JudgedOutput
    people_failed: bool
    notes: tuple[tuple[str, str], ...]  # rater and note, of those who say so

    @property
    def is_right(self) -> bool:
        """Whether the judge says what people say."""
        return self.output.failed is self.people_failed


class LabelCounts(Struct, frozen=True):
    """What was done with the labels of a question."""

    raters: int = 0
    unsure: int = 0  # labels that say so
    undecided: int = 0  # outputs of which as many people say pass as fail
    no_number: int = 0  # numbers that nothing says from where on they pass
    split: Split = Split.NONE  # the part that counts
    left_out: int = 0  # outputs that are labelled in another part
    not_blind: int = 0  # labels of which nothing says that the verdict was hidden
    sealed: int = 0  # outputs of the test part, which was not opened for this judge


class Calibration(Struct, frozen=True):
    """Everything that is told of one question and one judge."""

    question: str
    level: Level  # of the outputs: whole conversations, turns, …
    judge: JudgeIdentity
    labels: LabelCounts
    agreement: Agreement
    alpha: Estimate
    rates: CorrectedRates
    needed: LabelsNeeded
    escalation: Escalation | None
    outputs: tuple[Compared, ...]
    clusters: Clusters  # of all outputs, labelled or not
    rejudged: Rejudged | None = None  # the same outputs by this judge and by the newest
    stale: str = ""  # why: the judge or the rubric has changed since
    notes: tuple[str, ...] = ()

    @property
    def compared(self) -> int:
        """How many outputs have a verdict and a label that say pass or fail."""
        return self.agreement.counts.labelled

    @property
    def disagreements(self) -> tuple[Compared, ...]:
        """The outputs of which the judge says something else than people."""
        return tuple(each for each in self.outputs if not each.is_right)


class _PeoplesAnswer(Struct, frozen=True):
    """What people say of one output. None: as many say pass as fail, or nobody says either."""

    failed: bool | None
    failing: int
    passing: int
    notes: tuple[tuple[str, str], ...] = ()


def calibration(
    question: str,
    level: Level,
    judge: JudgeIdentity,
    outputs: Sequence[JudgedOutput],
    labels: Iterable[Label],
    *,
    notes: tuple[str, ...] = (),
) -> Calibration:
    """Compare. `outputs` has each output once; `labels` are those of the question that count, of any output."""
    own = {output.subject: output for output in outputs}
    by_subject: dict[str, list[Label]] = {}
    for label in labels:
        if label.subject in own:
            by_subject.setdefault(label.subject, []).append(label)
    split = _split(by_subject.values())
    counting = {
        subject: kept
        for subject, listed in by_subject.items()
        if (kept := [label for label in listed if split is Split.NONE or label.split is split])
    }
    answers_of = {subject: _answers(listed, own[subject].threshold) for subject, listed in counting.items()}
    people = {subject: each.failed for subject, each in answers_of.items() if each.failed is not None}
    clusters = counted((output.cluster, output.failed, people.get(output.subject)) for output in outputs)
    found, rates = agreement(clusters), corrected_rates(clusters)
    return Calibration(
        question,
        level,
        judge,
        _counts(counting, own, answers_of, split, left_out=len(by_subject) - len(counting)),
        found,
        alpha(Rated(own[subject].cluster, each.failing, each.passing) for subject, each in answers_of.items()),
        rates,
        labels_needed(found.counts, WANTED_HALF, rates.ppi if rates.ppi.value is not None else None),
        _escalation(outputs, people, clusters, is_random=rates.drawn_at_random),
        tuple(Compared(own[subject], failed, answers_of[subject].notes) for subject, failed in people.items()),
        clusters,
        notes=notes,
    )


def beside_newest(found: Calibration, newest: Calibration) -> Calibration:
    """A calibration of an older judge, with how the newest one fares on the same outputs."""
    now = {each.output.subject: each.is_right for each in newest.outputs}
    both = [(each.is_right, now[each.output.subject]) for each in found.outputs if each.output.subject in now]
    return replace(found, rejudged=rejudged(both)) if both else found


def _split(labels: Iterable[Sequence[Label]]) -> Split:
    """The part that counts: the test part where there is one; without any all labels do."""
    parts = {label.split for listed in labels for label in listed}
    if Split.TEST in parts:
        return Split.TEST
    return Split.DEV if parts == {Split.DEV} else Split.NONE


def _answers(labels: Sequence[Label], threshold: float | None) -> _PeoplesAnswer:
    answers = [(label, failed) for label in labels if (failed := _failed(label, threshold)) is not None]
    failing = sum(failed for _label, failed in answers)
    passing = len(answers) - failing
    if failing == passing:
        return _PeoplesAnswer(None, failing, passing)
    majority = failing > passing
    return _PeoplesAnswer(
        majority,
        failing,
        passing,
        tuple((label.rater, label.note) for label, failed in answers if failed is majority),
    )


def _failed(label: Label, threshold: float | None) -> bool | None:
    """Whether a label says that the output fails; None where it says neither."""
    if isinstance(label.value, Answer):
        return {Answer.FAIL: True, Answer.PASS: False}.get(label.value)
    if label.value is None or threshold is None:
        return None
    return label.value < threshold


def _counts(
    counting: Mapping[str, Sequence[Label]],
    own: Mapping[str, JudgedOutput],
    answers_of: Mapping[str, _PeoplesAnswer],
    split: Split,
    *,
    left_out: int,
) -> LabelCounts:
    kinds = Counter(label.value for listed in counting.values() for label in listed)
    numbers = sum(
        isinstance(label.value, float | int)
        for subject, listed in counting.items()
        if own[subject].threshold is None
        for label in listed
    )
    return LabelCounts(
        len({label.rater for listed in counting.values() for label in listed}),
        kinds[Answer.UNSURE],
        sum(each.failed is None and each.failing > 0 for each in answers_of.values()),
        numbers,
        split,
        left_out,
        sum(not label.blind for listed in counting.values() for label in listed),
    )


def _escalation(
    outputs: Sequence[JudgedOutput], people: Mapping[str, bool], clusters: Clusters, *, is_random: bool
) -> Escalation | None:
    """Which outputs the judge may decide; None where nothing tells how sure it was.

    The exact test counts each label as a draw of its own: outputs of one case, or chosen ones, break the promise.
    """
    scores = [output.sure for output in outputs if output.sure is not None]
    if len(scores) < len(outputs) or not people:
        return None
    if is_clustered(clusters) or not is_random:
        return Escalation(PROMISED, None, 0, len(outputs), 0, 0, _OF_ONE_CASE if is_random else _CHOSEN)
    sure = [
        (output.sure or 0.0, people[output.subject] is output.failed)
        for output in outputs
        if output.subject in people
    ]
    return escalation(sure, scores, PROMISED)
