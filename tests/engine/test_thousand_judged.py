"""Hundreds of judged turns, a thousand in the long run of the tests, while a tenth of all calls fails in some way.

Each gets one verdict, and none is judged twice.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from tests.engine.test_live_judge import QUICK, Memory
from tests.helpers.campaigns import is_long
from tests.helpers.judge_server import RESET, TRUNCATED, Fault, Says, model_server
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.engine.criteria.case_verdict import Frame
from trace_inspector.engine.judges.backends.backend import Backend
from trace_inspector.engine.judges.call_limits import Use
from trace_inspector.engine.judges.live import LiveJudge
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.running.live_runner import run_live
from trace_inspector.engine.running.runner import WorkItem
from trace_inspector.engine.scoring.metric import MODEL

CASES, TURNS = 100 if is_long() else 20, 10
# As many tries as usual: with four, one run in ten has a call that meets a fault each time.
STEADY = replace(QUICK, tries=7)
FAULTS = [Fault(429, (("Retry-After", "0"),)), Fault(500), RESET, TRUNCATED, Fault(503)]


def items(words: Callable[[int, int], str]) -> list[WorkItem]:
    """Cases of which every turn asks one question, in words of its own."""

    def turn(case: int, at: int) -> Turn:
        return Turn(at, user=(Text(f"question {case}-{at}."),), final_response=(Text(words(case, at)),))

    criterion = Criterion("final_response_match_v2", 0.9, {"judge_model_options": {"num_samples": 1}})
    found = []
    for case in range(CASES):
        turns = tuple(turn(case, at) for at in range(TURNS))
        found.append(
            WorkItem(Case(f"case {case}", turns=turns), Trace(f"trace {case}", turns), (criterion,), Frame())
        )
    return found


def is_right(case: int, at: int) -> bool:
    return (case * 7 + at * 3) % 4 != 0


def judged(backend: Backend, in_flight: int, cases: int = CASES) -> list[CaseVerdict]:
    """The verdicts in the order of the cases."""
    use = Use(in_flight=in_flight, patience=STEADY)
    work = items(lambda case, at: "right" if is_right(case, at) else "wrong")[:cases]
    found = dict(run_live(work, METRICS, lambda: LiveJudge({MODEL: backend}, use)))
    return [found[at] for at in sorted(found)]


def test_a_tenth_of_all_calls_may_fail(
    backend_at: Callable[[str], Backend],
) -> None:
    answered: Counter[str] = Counter()

    def says(prompt: str, number: int) -> Says:
        if number % 10 == 3:
            return FAULTS[number // 10 % len(FAULTS)]
        answered[prompt] += 1
        label = "invalid" if "\nwrong\n" in prompt else "valid"
        return json.dumps({"is_the_agent_response_valid": label, "reasoning": "r"})

    with model_server(says) as server:
        verdicts = judged(backend_at(server.url), 32)
    assert [[turn.metrics[0].score for turn in verdict.turns] for verdict in verdicts] == [
        [1.0 if is_right(case, at) else 0.0 for at in range(TURNS)] for case in range(CASES)
    ]
    assert len(answered) == CASES * TURNS
    assert set(answered.values()) == {1}


def test_how_many_are_in_flight_changes_no_verdict(
    backend_at: Callable[[str], Backend],
) -> None:
    def says(prompt: str, _number: int) -> Says:
        label = "invalid" if "\nwrong\n" in prompt else "valid"
        return json.dumps({"is_the_agent_response_valid": label, "reasoning": "r"})

    with model_server(says) as server:
        one = judged(backend_at(server.url), 1, 8)
        assert judged(backend_at(server.url), 40, 8) == one


@pytest.mark.parametrize("text", ["half \ud83d of a pair", "\x00\x1b[31m", "{prompt} {0} %s"])
def test_no_text_of_a_trace_breaks_a_call(
    text: str,
    backend_at: Callable[[str], Backend],
) -> None:
    def says(_prompt: str, _number: int) -> Says:
        return json.dumps({"is_the_agent_response_valid": "valid", "reasoning": "r"}) + "\n"

    with model_server(says) as server:
        use = Use(in_flight=8, patience=QUICK)
        work = items(lambda _case, _at: text)[:1]
        (found,) = run_live(work, METRICS, lambda: LiveJudge({MODEL: backend_at(server.url)}, use, Memory()))
    assert found[1].metrics[0].score == 1.0
    assert len(server.prompts) == TURNS
    assert all(prompt.encode("utf-8") for prompt in server.prompts)  # fails for half a pair
