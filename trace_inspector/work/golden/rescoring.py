"""In the golden child: scores the cases of the shown run again as they are edited."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.values.value_edits import ValueStep, pointers_after
from trace_inspector.core.verdict.stale import stale_verdict
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.documents.base.document import Document
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.scoring.metric import metric_for
from trace_inspector.engine.scoring.metric_names import TRAJECTORY_MATCH
from trace_inspector.flows.goldens.golden_session import GoldenSession
from trace_inspector.flows.runs.evaluate_files import Ground
from trace_inspector.flows.runs.golden_rescoring import Rejudging, rejudging
from trace_inspector.work.golden.requests import Judged, Rescored, RunShown
from trace_inspector.work.reading.contents_from_rows import rebuild
from trace_inspector.work.runs.evaluating import MetricLine, line_of


class Scores(Struct):
    """The verdicts of the run for one file, by the current place of the case."""

    _ground: Ground | None = None
    _run: int = 0
    _verdicts: dict[str, dict[int, tuple[Judged, Rejudging | None]]] = field(default_factory=dict)
    _judged: Document | None = None  # as the run used it; None where that is not known

    def begin(self, message: RunShown, document: Document) -> None:
        """Another run is shown, which used this document, unless it was edited before this message."""
        self._ground = message.ground
        if message.ground is not None:
            _make_ready(message.ground)
        if self._run != message.run:
            self._run, self._verdicts = message.run, {}
            self._judged = None if message.edited else document

    def learn(self, judged: Iterable[Judged], golden: GoldenSession) -> None:
        """Take verdicts that come with a change, on the cases before it."""
        for item in judged:
            place = item.verdict.golden_place
            self._take(item, place, golden.case(place))

    def learn_late(self, judged: Judged, place: str, golden: GoldenSession) -> None:
        """Take a verdict on a case that changed after the run began, with its current place."""
        case = golden.case_in(self._judged.value, judged.verdict.golden_place) if self._judged is not None else None
        if case is not None and place in golden.places:
            self._take(judged, place, case)

    def _take(self, judged: Judged, place: str, case: Case) -> None:
        if self._ground is not None and judged.run == self._run:
            self._verdicts.setdefault(place, {})[judged.index] = judged, self._rejudging(judged, case, self._ground)

    def again(self, cases: Iterable[Case]) -> Iterator[Rescored]:
        """Score the current cases again."""
        for case in cases:
            for index, (judged, rejudged) in self._verdicts.get(case.place, {}).items():
                verdict = self._verdict(judged, rejudged, case)
                yield Rescored(judged.run, index, replace(verdict, golden_place=case.place, case_id=case.id))

    def follow(self, steps: tuple[ValueStep, ...]) -> None:
        """Follow cases to their new places."""
        now = pointers_after(self._verdicts, steps)
        self._verdicts = {place: judged for was, judged in self._verdicts.items() if (place := now[was]) is not None}

    def _rejudging(self, judged: Judged, case: Case, ground: Ground) -> Rejudging | None:
        traces = rebuild(judged.trace, iter(judged.bodies)).traces
        case = replace(case, suite_id=judged.verdict.suite_id)
        return rejudging(judged.verdict, case, traces[0], ground, METRICS) if len(traces) == 1 else None

    def _verdict(self, judged: Judged, rejudged: Rejudging | None, case: Case) -> CaseVerdict:
        if rejudged is None or self._ground is None:
            return stale_verdict(judged.verdict)
        # A new place or suite alone must not count as a change of the case.
        before = rejudged.item.case
        unmoved = replace(case, place=before.place, suite_id=before.suite_id) if before is not None else case
        return rejudged.with_case(unmoved, self._ground, METRICS)


def _make_ready(ground: Ground) -> None:
    """Load the metrics before the first edit; any edit may add matchers."""
    for name in (TRAJECTORY_MATCH, *(name for name, _threshold, _options in ground.criteria.lines)):
        metric = metric_for(name, METRICS)
        if metric is not None:
            metric.load()


def lines_of(rescored: Iterable[Rescored]) -> tuple[MetricLine, ...]:
    """The metrics of verdicts: an edit may add one that the run did not have."""
    names = dict.fromkeys(metric.metric for item in rescored for metric in item.verdict.metrics)
    return tuple(line_of(metric) for name in names if (metric := metric_for(name, METRICS)) is not None)
