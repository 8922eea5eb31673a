"""How long 10,000 turns take to be scored, calls and answers, in one process."""

from __future__ import annotations

from benchmarks.measure import seconds, spread, table
from trace_inspector.core.criteria import Criterion
from trace_inspector.core.golden import Case
from trace_inspector.core.parts import Text, ToolCall
from trace_inspector.core.trace import Event, Steps, Trace, Turn
from trace_inspector.engine.composing import Frame
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.runner import WorkItem, judge_item

TURNS_A_CASE = 10
CASES = 1_000
RUNS = 5
WORDS = (
    "stock",
    "shelf",
    "article",
    "store",
    "counted",
    "pieces",
    "red",
    "blue",
    "Leeds",
    "Graz",
    "Monday",
    "twelve",
)


def main() -> None:
    """Each criterion by itself and both together."""
    both = (Criterion("tool_trajectory_avg_score", 1.0), Criterion("response_match_score", 0.8))
    table(
        f"Scoring {CASES * TURNS_A_CASE:,} turns in {CASES:,} cases, median of {RUNS}",
        [
            ("criteria", "time"),
            *((criterion.metric, _measured((criterion,))) for criterion in both),
            ("both", _measured(both)),
        ],
    )


def _measured(criteria: tuple[Criterion, ...]) -> str:
    items = [_item(number, criteria) for number in range(CASES)]

    def judge_all() -> None:
        for item in items:
            judge_item(item, METRICS)

    return spread([seconds(judge_all) for _ in range(RUNS)])


def _item(number: int, criteria: tuple[Criterion, ...]) -> WorkItem:
    golden = tuple(_turn(number, at, 0) for at in range(TURNS_A_CASE))
    observed = tuple(_turn(number, at, at % 3) for at in range(TURNS_A_CASE))
    return WorkItem(Case(f"case {number}", turns=golden), Trace(f"trace {number}", observed), criteria, Frame())


def _turn(number: int, at: int, off: int) -> Turn:
    """A turn with two calls and an answer of 40 words; `off` words and arguments differ from the golden's."""
    words = [WORDS[(number * 7 + at * 3 + place * place) % len(WORDS)] for place in range(40)]
    answer = " ".join(words[:-off] + ["other"] * off if off else words)
    calls = tuple(ToolCall("get_stock", {"article": number, "store": place + off}) for place in range(2))
    return Turn(
        at,
        id=f"{number}-{at}",
        user=(Text(f"Question {at} of conversation {number}?"),),
        events=(Event("stock_agent", calls),),
        final_response=(Text(answer),),
        steps=Steps.EVENTS,
    )


if __name__ == "__main__":
    main()
