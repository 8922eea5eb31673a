"""Works out in a child what an evaluation would do: which trace meets which case, by which criteria, at what cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.errors import InspectorError
from trace_inspector.core.trace.summary import one_line
from trace_inspector.flows.judges.selection import JudgeChoice
from trace_inspector.work.processes.child import Channel
from trace_inspector.work.runs.run_request import RunOrder, request_of

if TYPE_CHECKING:
    from trace_inspector.flows.runs.evaluate_files import Request

LINES_A_MESSAGE = 500
_NAME_CHARS = 200
Line = TypeVar("Line")


class CandidateCase(Struct, frozen=True):
    """A case that a trace may belong to."""

    path: str
    place: str
    suite_id: str
    case_id: str


class PairLine(Struct, frozen=True):
    """A trace, the number of its case (-1: none) and why; `proposed` is what it would be without a person's word."""

    path: str
    place: str
    trace_id: str
    turns: int
    golden: int
    how: str
    proposed: int
    proposed_how: str


class CostLine(Struct, frozen=True):
    """What one metric would ask of one model."""

    metric: str
    model: str
    judge: str
    calls: int
    kept: int
    tokens: int


class CasesListed(Struct, frozen=True):
    """Some more cases, in the order in which pairs count them."""

    cases: tuple[CandidateCase, ...]


class PairsListed(Struct, frozen=True):
    """Some more pairs."""

    pairs: tuple[PairLine, ...]


class Proposed(Struct, frozen=True):
    """The end of a proposal: criteria, costs, and what judges cannot do, in sentences."""

    criteria_source: str
    criteria: tuple[tuple[str, float | None], ...]
    costs: tuple[CostLine, ...] = ()
    cases_to_judge: int = 0
    notes: tuple[str, ...] = ()
    problem: str = ""  # why the chosen judge cannot be asked

    @property
    def calls(self) -> int:
        """How many questions would be sent."""
        return sum(line.calls for line in self.costs)

    @property
    def tokens(self) -> int:
        """The approximate number of tokens to be sent."""
        return sum(line.tokens for line in self.costs)


def propose(channel: Channel, order: RunOrder) -> None:
    """In the child: pair, choose criteria, and count the judge calls. Nothing is sent or stored."""
    from trace_inspector.flows.judges.selection import judge_of
    from trace_inspector.flows.runs.dry_run import foresee
    from trace_inspector.flows.runs.evaluate_files import divided, prepared

    request = request_of(replace(order, judge=JudgeChoice()), channel.incoming())
    try:
        judge, problem = judge_of(order.judge), ""
    except InspectorError as failure:
        judge, problem = None, failure.sentence
    request = replace(request, judge=judge)
    _list_pairs(channel, request)
    chosen, items, ready = prepared(request)
    costs = tuple(
        CostLine(forecast.metric, forecast.model, forecast.judge, forecast.calls, forecast.kept, forecast.tokens)
        for forecast in foresee(request)
    )
    decided = {name for name, _threshold, _options in chosen.lines}
    notes = (*chosen.notes, *_missing(ready, decided))
    lines = tuple((metric, threshold) for metric, threshold, _options in chosen.lines)
    channel.send(Proposed(chosen.source, lines, costs, len(divided(ready, items)[1]), notes, problem))


def _list_pairs(channel: Channel, request: Request) -> None:
    from trace_inspector.engine.pairing.pairing import pair
    from trace_inspector.engine.running.planning import by_hand
    from trace_inspector.flows.runs.evaluate_files import sides

    traces, goldens = sides(request)
    cases = [
        CandidateCase(golden.path, golden.case.place, golden.case.suite_id, golden.case.id) for golden in goldens
    ]
    for some in _helpings(cases):
        channel.send(CasesListed(tuple(some)))
    proposed = pair(traces, goldens, request.choices.pair_by)
    chosen = by_hand(proposed, traces, goldens, request.choices.by_hand)
    pairs = [
        PairLine(
            recorded.path,
            recorded.trace.place,
            recorded.trace.id,
            len(recorded.trace.turns),
            -1 if now.golden is None else now.golden,
            one_line(now.how, _NAME_CHARS),
            -1 if own.golden is None else own.golden,
            one_line(own.how, _NAME_CHARS),
        )
        for recorded, now, own in zip(traces, chosen, proposed, strict=True)
    ]
    for some_pairs in _helpings(pairs):
        channel.send(PairsListed(tuple(some_pairs)))


def _missing(request: Request, decided: set[str]) -> Iterator[str]:
    """A sentence for each unmet need of the criteria."""
    from trace_inspector.engine.scoring.metric import CLASSIFIER, MODEL, SERVICE
    from trace_inspector.flows.judges.judge_files import LiveChoice

    judge = request.judge
    has = judge.backends.keys() if isinstance(judge, LiveChoice) else {MODEL} if hasattr(judge, "ask") else set()
    needed = ((MODEL, "a judge"), (SERVICE, "Vertex AI’s evaluation service"), (CLASSIFIER, "a grounding model"))
    for who, words in needed:
        names = [metric.title for metric in request.metrics if metric.name in decided and who in metric.needs]
        if names and who not in has:
            yield f"Without {words} these are not evaluated: {', '.join(names)}."


def _helpings(lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
    for start in range(0, len(lines), LINES_A_MESSAGE):
        yield lines[start : start + LINES_A_MESSAGE]
