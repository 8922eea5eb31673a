"""When a quota ends in the middle of a run: what was on its way is kept, what needs no call is decided."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest

from tests.engine.test_live_judge import QUICK, Memory
from tests.engine.test_thousand_judged import items
from tests.helpers.judge_server import Fault, Says, model_server
from trace_inspector.core.verdict.verdict import CaseVerdict, RunVerdict, Status
from trace_inspector.engine.criteria.outcome import exit_code
from trace_inspector.engine.judges.backends.backend import Backend, CallFailed, ModelAnswer, Prompted
from trace_inspector.engine.judges.backends.openai import OpenAIBackend
from trace_inspector.engine.judges.call_limits import Patience, QuotaUsedUp, Use
from trace_inspector.engine.judges.live import LiveJudge
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.running.live_runner import run_live
from trace_inspector.engine.running.runner import waiting
from trace_inspector.engine.scoring.metric import MODEL, SERVICE, Ask

VALID = '{"reasoning": "r", "is_the_agent_response_valid": "valid"}'
USED_UP = Fault(429, message="Quota exceeded: 250 requests per day")


def judged(
    backend: Backend, use: Use, cache: Memory, found: dict[int, CaseVerdict], cases: int = 4
) -> dict[int, CaseVerdict]:
    """Adds verdicts as they come, so that those before a stop are there, too."""
    work = items(lambda case, at: f"answer {case}-{at}")[:cases]
    found.update(run_live(work, METRICS, lambda: LiveJudge({MODEL: backend}, use, cache)))
    return found


def test_calls_on_their_way_are_kept_and_none_is_asked_again(backend_at: Callable[[str], Backend]) -> None:
    refused = threading.Event()

    def says(_prompt: str, number: int) -> Says:
        if number == 9:
            refused.set()
            return USED_UP
        if number < 10:
            assert refused.wait(20)  # nine are on their way when the tenth is refused
        return VALID

    cache = Memory()
    with model_server(says) as server:
        use = Use(in_flight=10, patience=QUICK)
        first: dict[int, CaseVerdict] = {}
        with pytest.raises(QuotaUsedUp, match="per day"):
            judged(backend_at(server.url), use, cache, first)
        asked = len(server.prompts)
        assert 10 <= asked < 40  # a reply may overtake the refusal, and make room for one more call
        assert len(cache.calls) == asked - 1
        assert len(judged(backend_at(server.url), use, cache, {})) == 4
        assert len(server.prompts) == 41  # the refused one alone came twice


class Slow:
    """A model that refuses the third call, and answers two others long after."""

    name = endpoint = "a model"

    def __init__(self) -> None:
        self.calls = 0

    async def call(self, prompted: Prompted) -> ModelAnswer:
        del prompted
        self.calls += 1
        if self.calls == 3:
            raise CallFailed("used up", again=False, quota=True)
        for _turn_of_the_loop in range(500):
            await asyncio.sleep(0)
        return ModelAnswer(VALID)

    async def close(self) -> None:
        """Nothing to let go of."""


def test_replies_that_come_long_after_the_refusal_are_kept_too() -> None:
    cache, slow = Memory(), Slow()
    with pytest.raises(QuotaUsedUp):
        judged(slow, Use(in_flight=3, patience=QUICK), cache, {})
    assert slow.calls == 3
    assert len(cache.calls) == 2


def test_what_is_kept_is_decided_after_the_quota_has_ended(backend_at: Callable[[str], Backend]) -> None:
    cache = Memory()
    with model_server(lambda _prompt, number: USED_UP if number >= 40 else VALID) as server:
        use = Use(in_flight=1, patience=QUICK)
        last = items(lambda case, at: f"answer {case}-{at}")[6:8]
        dict(run_live(last, METRICS, lambda: LiveJudge({MODEL: backend_at(server.url)}, use, cache)))
        found: dict[int, CaseVerdict] = {}
        with pytest.raises(QuotaUsedUp):
            judged(backend_at(server.url), use, cache, found, cases=8)
    assert sorted(found) == [0, 1, 6, 7]
    assert len(server.prompts) == 41


def test_who_waits_to_try_again_learns_of_it_at_once(backend_at: Callable[[str], Backend]) -> None:
    def says(_prompt: str, number: int) -> Says:
        return Fault(503) if number < 3 else USED_UP

    endless = Patience(first_s=1000.0, longest_s=1000.0)
    with model_server(says) as server, pytest.raises(QuotaUsedUp):
        judged(backend_at(server.url), Use(in_flight=4, patience=endless), Memory(), {})
    assert len(server.prompts) == 4


def test_one_quota_is_not_that_of_another_model(backend_at: Callable[[str], Backend]) -> None:
    async def ask(mine: Backend, theirs: Backend) -> str:
        judge = LiveJudge({MODEL: mine, SERVICE: theirs}, Use(patience=QUICK))
        try:
            with pytest.raises(QuotaUsedUp):
                await judge.ask(Ask("m", "case", 0, 0, "model", "q"))
            return (await judge.ask(Ask("m", "case", 0, 0, "model", "q", of=SERVICE))).text
        finally:
            await judge.close()

    with model_server(lambda _prompt, _number: USED_UP) as empty, model_server(lambda *_asked: "fine") as full:
        mine = backend_at(empty.url)
        theirs = OpenAIBackend({"OPENAI_BASE_URL": full.url}, 5)
        assert asyncio.run(ask(mine, theirs)) == "fine"


@pytest.mark.parametrize(("fail_on", "code"), [("not-evaluated", 3), ("failed", 0)])
def test_a_run_that_waits_for_a_judge_is_not_decided(fail_on: str, code: int) -> None:
    (work,) = items(lambda _case, _at: "x")[:1]
    done = CaseVerdict("a", "set", "trace a", Status.PASSED)
    run = RunVerdict("run", Status.PENDING, 0.0, "", "", cases=(done, waiting(work, "the quota is used up")))
    assert exit_code(run, fail_on) == code  # nobody asked for a criterion by name
