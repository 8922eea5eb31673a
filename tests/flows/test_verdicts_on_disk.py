"""Verdicts of a run that lie on the disk: each once, in order, and none lost by Ctrl+C at any place."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable
from typing import TypeVar

import pytest

from trace_inspector.commands.output.evaluate_table import print_run
from trace_inspector.commands.output.terminal import Terminal
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.core.values import spilled
from trace_inspector.core.values.spilled import Picked, Spilled
from trace_inspector.core.verdict.verdict import CaseVerdict, Status
from trace_inspector.engine.judges.call_limits import QuotaUsedUp
from trace_inspector.engine.metrics import METRICS
from trace_inspector.flows.opening.given_files import Given
from trace_inspector.flows.opening.line_parts import LineShard
from trace_inspector.flows.runs import evaluate_files
from trace_inspector.flows.runs.evaluate_files import Request, evaluate
from trace_inspector.flows.runs.run_verdicts import Verdicts
from trace_inspector.work.runs.evaluating import CasesJudged, RunPace, _VerdictSender

NUMBER = 40
Message = TypeVar("Message")


@pytest.fixture(autouse=True)
def few_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """All but three lie on the disk."""
    monkeypatch.setattr(spilled, "HELD", 3)


class Sent:
    """Stands at the window's end of the channel."""

    def __init__(self) -> None:
        self.messages: list[object] = []

    def send(self, message: object) -> None:
        self.messages.append(message)

    def names(self) -> list[str | None]:
        """The conversations of the verdicts that came."""
        return [case.trace_id for message in self.of(CasesJudged) for case in message.cases]

    def of(self, kind: type[Message]) -> list[Message]:
        return [message for message in self.messages if isinstance(message, kind)]


def request() -> Request:
    traces = tuple(
        Trace(f"t{number}", (Turn(index=0, place=f"/{number}/turn"),), place=f"/{number}") for number in range(NUMBER)
    )
    given = (Given("a.json", Contents("adk-session", traces=traces), "digest"),)
    return Request(given, given)


def verdict(number: int) -> CaseVerdict:
    return CaseVerdict(f"c{number}", "set", f"t{number}", Status.PASSED, ())


def test_each_verdict_is_sent_to_the_window_once() -> None:
    sent = Sent()
    sender = _VerdictSender(sent, METRICS, 0)  # type: ignore[arg-type]
    run = evaluate(request(), sender.take, stood=sender.stood, unjudged=sender.leave)
    sender.flush()
    assert sorted(map(str, sent.names())) == sorted(f"t{number}" for number in range(NUMBER))
    assert len(run.cases) == NUMBER


def test_those_that_wait_for_a_quota_are_sent_once_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def used_up(*_given: object) -> None:
        raise QuotaUsedUp("Tomorrow again.")

    monkeypatch.setattr(evaluate_files, "_with_criteria", _after(5, used_up, evaluate_files._with_criteria))
    sent = Sent()
    sender = _VerdictSender(sent, METRICS, 0)  # type: ignore[arg-type]
    run = evaluate(request(), sender.take, stood=sender.stood, unjudged=sender.leave)
    sender.flush()
    assert len(sent.names()) == len(set(sent.names())) == len(run.cases) == NUMBER


def _after(number: int, then: Callable[..., None], real: Callable[..., CaseVerdict]) -> Callable[..., CaseVerdict]:
    """What does as it did, but for one time."""
    calls = 0

    def call(*given: object) -> CaseVerdict:
        nonlocal calls
        calls += 1
        if calls == number:
            then()
        return real(*given)

    return call


def test_the_rate_counts_nothing_that_was_there_before() -> None:
    sent = Sent()
    sender = _VerdictSender(sent, METRICS, 0)  # type: ignore[arg-type]
    for done in range(1, 9_001):
        sender.stood(done, 10_000, verdict(done))
    for done in (9_001, 9_002):
        sender.take(done, 10_000, verdict(done))
    sender.flush()
    pace = sent.of(RunPace)[-1]
    assert (pace.done, pace.judged) == (9_002, 1)  # the clock began with the first one


@pytest.mark.parametrize("held", [3, 100])
def test_ctrl_c_while_a_verdict_is_put_loses_no_other(held: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spilled, "HELD", held)
    verdicts = Verdicts(6, {})
    for number in (1, 2, 3, 5):
        verdicts.put(number, verdict(number))

    def interrupted(_self: object, _verdict: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(spilled.Spilled, "append", interrupted)
        with pytest.raises(KeyboardInterrupt):
            verdicts.put(0, verdict(0))
    assert [case.case_id for case in verdicts.in_order()] == ["c1", "c2", "c3", "c5"]
    assert len(verdicts) == 4


def test_half_a_character_in_an_id_is_kept() -> None:
    conversations = [("c\ud800", ((0, 5, 1),), b"digest")]
    assert list(LineShard.of("a.jsonl", "otlp", conversations).conversations) == conversations


def test_printing_a_run_looks_at_each_verdict_twice_or_three_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a large run each look at all of them takes minutes."""
    run = evaluate(request())
    assert isinstance(run.cases, Picked)
    looks: Counter[int] = Counter()
    read = Spilled.__getitem__

    def counted(values: Spilled[object], index: int) -> object:
        looks[index] += 1
        return read(values, index)

    monkeypatch.setattr(Spilled, "__getitem__", counted)
    out = io.StringIO()
    print_run(run, Terminal(out, io.StringIO()), {})
    assert out.getvalue().count("passed") + out.getvalue().count("not evaluated") >= NUMBER
    assert len(looks) == NUMBER
    assert max(looks.values()) <= 3
