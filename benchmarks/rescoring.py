"""How long the verdict of a suite takes to follow the edit of one expected answer."""

from __future__ import annotations

import time

from msgspec.structs import replace

from benchmarks.engine_speed import CASES, TURNS_A_CASE, conversations
from benchmarks.measure import cpu_seconds, spread, table
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.verdict.verdict import RunVerdict, compose
from trace_inspector.engine.criteria.criteria import complete
from trace_inspector.engine.criteria.rules import ADK_DEFAULTS
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.running.rescoring import rescored
from trace_inspector.engine.running.runner import judge_item

EDITS = 50


def main() -> None:
    """An edit in each of some cases, one after the other, each on its own."""
    items = conversations(complete(ADK_DEFAULTS, METRICS).items)
    cases = tuple(judge_item(item, METRICS) for item in items)
    run = RunVerdict("run", compose(case.status for case in cases), time.time(), "", "the defaults", cases)

    def edit(number: int) -> float:
        item = items[number]
        assert item.case is not None
        first, *others = item.case.turns
        edited = replace(item.case, turns=(replace(first, final_response=(Text("Something else."),)), *others))
        return cpu_seconds(lambda: rescored(run, [(item, edited)], METRICS))

    edit(0)
    table(
        f"Scoring again after an edited answer, {CASES:,} cases of {TURNS_A_CASE} turns, CPU time, median of {EDITS}",
        [("what", "time"), ("one edit", spread([edit(number) for number in range(1, EDITS + 1)], "ms"))],
    )


if __name__ == "__main__":
    main()
