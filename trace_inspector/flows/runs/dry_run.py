"""Estimate the judge calls of an evaluation before anything is sent."""

from __future__ import annotations

import contextlib

from msgspec import Struct

from trace_inspector.engine.running.runner import fetched, judge_item
from trace_inspector.flows.judges.judge_files import LiveChoice
from trace_inspector.flows.judges.stored_calls import stored_calls
from trace_inspector.flows.runs.evaluate_files import Request, divided, prepared


class Forecast(Struct, frozen=True):
    """The calls of one metric to one model. `tokens` is an estimate for the prompts to be sent."""

    metric: str
    model: str
    judge: str
    calls: int
    kept: int
    tokens: int


def foresee(request: Request) -> tuple[Forecast, ...]:
    """One forecast for each metric and model, in the order of the criteria. Nothing is sent or stored."""
    _chosen, items, request = prepared(request)
    judge = request.judge
    if not isinstance(judge, LiveChoice) or not (judge := judge.without_classifier()).backends:
        return ()
    from trace_inspector.engine.judges.counting_judge import Rehearsal

    with stored_calls() if judge.keeps else contextlib.nullcontext() as cache:
        rehearsal = Rehearsal({who: make() for who, make in judge.backends.items()}, judge.use, cache)
        for item in fetched(items[index] for index in divided(request, items)[1]):
            rehearsal.next_case()
            judge_item(item, request.metrics, rehearsal, judge.without)
    return tuple(
        Forecast(metric, model, name, line.calls, line.kept, line.tokens)
        for (metric, model, name), line in rehearsal.foreseen.items()
    )
