"""`ces_variables`: of the variables that a golden turn expects to be updated, the share that was, to those values."""

from __future__ import annotations

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.core.values.values import Absent, Json, JsonObject
from trace_inspector.core.verdict.verdict import ExpectationVerdict, MetricVerdict, Status, against
from trace_inspector.engine.ces.options import SwitchOptions
from trace_inspector.engine.ces.settings import settings_of
from trace_inspector.engine.ces.turn_verdicts import MISSING_TURN, joined, of_golden_turns
from trace_inspector.engine.ces.values import leaves
from trace_inspector.engine.scoring.metric import Judged, Method, PairedTurn, Subject

NAME = "ces_variables"
_UNRECORDED = "the trace records no variables"


def updated_variables(turn: Turn) -> JsonObject:
    """What a turn changed, later changes over earlier ones."""
    changed: JsonObject = {}
    for event in turn.events:
        changed |= event.state_delta or {}
    return changed


def records_variables(trace: Trace) -> bool:
    """Whether a trace records variables at all: without a record none can be missing."""
    return any(event.state_delta is not None for turn in trace.turns for event in turn.events)


def expected_variables(golden: Turn) -> list[Expectation]:
    """The expectations of variables that a turn has."""
    return [expectation for expectation in golden.expectations if expectation.kind is Expects.VARIABLES]


def variables_outcome(
    expectation: Expectation, observed: Turn | None, trace: Trace
) -> tuple[float | None, ExpectationVerdict]:
    """One expectation: the share of its values that were set, each member of an object on its own."""
    expected: Json = {} if isinstance(expectation.value, Absent) else expectation.value
    named = ", ".join(one_line(name, 60) for name in expected) if isinstance(expected, dict) else ""
    what = f"variables {one_line(named, 120)}"
    if expectation.skipped:
        return None, ExpectationVerdict(what, Status.SKIPPED, golden_place=expectation.place)
    if observed is not None and not records_variables(trace):
        return None, ExpectationVerdict(
            what, Status.NOT_EVALUATED, reason=_UNRECORDED, golden_place=expectation.place
        )
    compared = list(leaves(expected, updated_variables(observed) if observed else {}))
    missed = [place.lstrip("/") for place, met in compared if not met]
    score = (len(compared) - len(missed)) / len(compared)
    reason = f"not as expected: {', '.join(one_line(name, 60) for name in missed[:5])}" if missed else ""
    status = Status.FAILED if missed else Status.PASSED
    return score, ExpectationVerdict(what, status, score, reason, golden_place=expectation.place)


def _judge(subject: Subject, criterion: Criterion) -> Judged:
    def say(golden: Turn, row: PairedTurn) -> MetricVerdict | None:
        stated = expected_variables(golden)
        if not stated:
            return None
        settings = settings_of(NAME, subject, criterion, golden)
        if settings.off:
            return MetricVerdict(NAME, None, Status.SKIPPED, reason=settings.off)
        judged = [variables_outcome(expectation, row.observed, subject.trace) for expectation in stated]
        scores = [score for score, _verdict in judged if score is not None]
        outcomes = tuple(verdict for _score, verdict in judged)
        late = "" if row.observed else MISSING_TURN
        if not scores:
            status, reason = outcomes[0].status, outcomes[0].reason or "the expectation is skipped"
            return MetricVerdict(NAME, None, status, reason=reason, expectations=outcomes)
        score, threshold = sum(scores) / len(scores), settings.threshold
        remark = next((outcome.reason for outcome in outcomes if outcome.reason), "")
        reason = joined(late, remark, threshold.text)
        status = against(score, threshold.value)
        return MetricVerdict(NAME, score, status, threshold.value, reason, expectations=outcomes)

    return of_golden_turns(subject, criterion, say, "the golden expects no variables to be updated")


METHOD = Method(_judge, parameters=SwitchOptions)
