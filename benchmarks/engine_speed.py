"""How long 10,000 turns take to be scored, calls and answers, in one process."""

from __future__ import annotations

import random
import string

from msgspec.structs import replace

from benchmarks.measure import cpu_seconds, spread, table
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.trace import Event, Steps, Trace, Turn
from trace_inspector.core.values.values import JsonObject
from trace_inspector.engine.criteria.case_verdict import Frame
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.running.runner import WorkItem, judge_item

TURNS_A_CASE = 10
CASES = 1_000
WORDS = 60
CALLS = 4
RUNS = 5
_VOCABULARY = 5_000


def main() -> None:
    """Each criterion by itself and both together; the first run of all has every word to learn."""
    both = (Criterion("tool_trajectory_avg_score", 1.0), Criterion("response_match_score", 0.8))
    items = conversations(both)
    first_s = _judged(items)
    table(
        f"Scoring {CASES * TURNS_A_CASE:,} turns in {CASES:,} cases, CPU time, median of {RUNS}",
        [
            ("criteria", "time"),
            ("both, the first run", f"{first_s:.2f} s"),
            ("both", _measured(items)),
            *((criterion.metric, _measured(_only(items, criterion))) for criterion in both),
        ],
    )


def _measured(items: list[WorkItem]) -> str:
    return spread([_judged(items) for _ in range(RUNS)])


def _judged(items: list[WorkItem]) -> float:
    def judge_all() -> None:
        for item in items:
            judge_item(item, METRICS)

    return cpu_seconds(judge_all)


def _only(items: list[WorkItem], criterion: Criterion) -> list[WorkItem]:
    return [replace(item, criteria=(criterion,)) for item in items]


def conversations(criteria: tuple[Criterion, ...]) -> list[WorkItem]:
    """Cases with their traces: the answers differ in some words, two turns of three in one or two calls."""
    chance = random.Random(60)
    words = ["".join(chance.choices(string.ascii_lowercase, k=chance.randint(2, 10))) for _ in range(_VOCABULARY)]
    return [_item(number, criteria, words, chance) for number in range(CASES)]


def _item(number: int, criteria: tuple[Criterion, ...], words: list[str], chance: random.Random) -> WorkItem:
    pairs = [_turns(number, at, words, chance) for at in range(TURNS_A_CASE)]
    golden, observed = (tuple(side) for side in zip(*pairs, strict=True))
    return WorkItem(Case(f"case {number}", turns=golden), Trace(f"trace {number}", observed), criteria, Frame())


def _turns(number: int, at: int, words: list[str], chance: random.Random) -> tuple[Turn, Turn]:
    """A golden turn, and the turn that was observed."""
    answer = chance.choices(words, k=WORDS)
    calls: list[JsonObject] = [{"article": chance.choice(words), "store": store} for store in range(CALLS)]
    golden = _turn(f"golden-{number}-{at}", at, number, answer, calls)
    for place in chance.sample(range(WORDS), chance.randint(0, WORDS // 4)):
        answer[place] = chance.choice(words)
    other = chance.sample(range(CALLS), at % 3)
    calls = [{**call, "article": "other"} if place in other else call for place, call in enumerate(calls)]
    return golden, _turn(f"observed-{number}-{at}", at, number, answer, calls)


def _turn(name: str, at: int, number: int, answer: list[str], calls: list[JsonObject]) -> Turn:
    return Turn(
        at,
        id=name,
        user=(Text(f"Question {at} of conversation {number}?"),),
        events=tuple(Event("stock_agent", (ToolCall("get_stock", args),)) for args in calls),
        final_response=(Text(f"{' '.join(answer).capitalize()}."),),
        steps=Steps.EVENTS,
    )


if __name__ == "__main__":
    main()
