"""The runner: crashes are verdicts, runs can be stopped, any executor will do."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.errors import EngineLost, UsageError
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Status
from trace_inspector.engine.criteria.case_verdict import Frame
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.pairing.pairing import TraceLocation
from trace_inspector.engine.running.engine import Engine
from trace_inspector.engine.running.engine_runner import run_on
from trace_inspector.engine.running.handshake import identity
from trace_inspector.engine.running.runner import WorkItem, judge_item, run
from trace_inspector.engine.scoring.metric import Ask, Inquiry, Judged, Method, Metric, Reply, Subject
from trace_inspector.plugins import chosen


def _breaks(_subject: Subject, _criterion: Criterion) -> Judged:
    raise ZeroDivisionError("by zero")


def _forgets_turns(_subject: Subject, criterion: Criterion) -> Judged:
    return Judged(MetricVerdict(criterion.metric, 1.0, Status.PASSED), ())


def _asks_twice(subject: Subject, criterion: Criterion) -> Inquiry:
    first = yield (Ask("asks", "c", 0, 0, "m", "one"),)
    second = yield (Ask("asks", "c", 0, 0, "m", first[0].text + " two"),)
    verdict = MetricVerdict(criterion.metric, 1.0, Status.PASSED, reason=second[0].text)
    return Judged(verdict, tuple(verdict for _row in subject.turns))


BROKEN = Metric("broken", "Broken", "local", "breaks", partial(Method, _breaks))
FORGETFUL = Metric("forgetful", "Forgetful", "local", "forgets turns", partial(Method, _forgets_turns))
ASKING = Metric("asks", "Asks", "local", "asks", partial(Method, _asks_twice), needs=frozenset({"judge"}))
ALL = (*METRICS, BROKEN, FORGETFUL, ASKING)


class Echo:
    """A judge that repeats the prompt."""

    name = "echo"

    def ask(self, question: Ask) -> Reply:
        """The prompt as a reply."""
        return Reply(question.prompt)


class Dead(Executor):
    """An executor whose workers died."""

    def submit(self, *_arguments: Any, **_named: Any) -> Future[Any]:
        """Refuse."""
        raise BrokenExecutor


TURNS = (Turn(0, user=(Text("hi"),), final_response=(Text("hello"),)),)


def item(*metrics: str, rules: str = "") -> WorkItem:
    """One turn against itself."""
    criteria = tuple(Criterion(metric, 0.5) for metric in metrics)
    return WorkItem(Case("c", turns=TURNS), Trace("t", TURNS), criteria, Frame(rules))


@pytest.mark.parametrize("metric", ["broken", "forgetful"])
def test_a_crash_is_an_error_with_a_reason(metric: str) -> None:
    verdict = judge_item(item("response_match_score", metric), ALL)
    assert verdict.status is Status.ERROR
    assert "the metric broke" in verdict.metrics[1].reason
    assert verdict.metrics[0].status is Status.PASSED
    assert [one.status for one in verdict.turns[0].metrics] == [Status.PASSED, Status.ERROR]


def test_by_adk_rules_a_crash_is_ignored_and_marked() -> None:
    verdict = judge_item(item("response_match_score", "broken", rules="adk"), ALL)
    assert verdict.status is Status.PASSED
    assert verdict.metrics[1].status is Status.NOT_EVALUATED
    assert verdict.metrics[1].crashed
    assert verdict.hides[0] == "passed on 1 metric; 1 could not run"


def test_an_unknown_metric_is_not_evaluated() -> None:
    verdict = judge_item(item("my_company.metric"), ALL)
    assert verdict.status is Status.NOT_EVALUATED
    assert "never run" in verdict.metrics[0].reason


def test_a_judged_metric_may_ask_again() -> None:
    verdict = judge_item(item("asks"), ALL, Echo())
    assert verdict.metrics[0].reason == "one two"
    assert judge_item(item("asks"), ALL).metrics[0].status is Status.NOT_EVALUATED


@pytest.fixture
def threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as executor:
        yield executor


def on(executor: Executor, items: list[WorkItem], **others: Any) -> list[CaseVerdict]:
    """The verdicts of an executor, by their item."""
    found = dict(run_on(Engine("any", executor, 2), items, ALL, **others))
    return [found[index] for index in sorted(found)]


def test_any_executor_gives_the_same(threads: Executor) -> None:
    items = [item("response_match_score") for _ in range(150)]
    assert on(threads, items) == list(run(items, ALL))


def test_a_dead_worker_is_an_error_of_its_case() -> None:
    verdicts = on(Dead(), [item("response_match_score")] * 2)
    assert [verdict.status for verdict in verdicts] == [Status.ERROR, Status.ERROR]
    assert "ended unexpectedly" in verdicts[0].reason


class DiesOnce(Executor):
    """An executor that breaks with everything that it was given, as a pool does; another one takes its place."""

    def __init__(self, most: int) -> None:
        self._most = most  # that it takes before

    def submit(self, fn: Callable[..., Any], /, *arguments: Any, **_named: Any) -> Future[Any]:
        """Break, or do it here and now."""
        done: Future[Any] = Future()
        self._most -= 1
        if self._most < 0:
            done.set_result(fn(*arguments))
        else:
            done.set_exception(BrokenExecutor())
        return done


def test_what_waited_for_a_worker_that_died_is_judged_by_another_one() -> None:
    items = [item("response_match_score") for _ in range(150)]
    assert on(DiesOnce(5), items) == list(run(items, ALL))


class File(Struct, frozen=True):
    """A file with many traces that are alike."""

    name: str

    def traces(self) -> tuple[Trace, ...]:
        """All of them."""
        return (Trace("t", TURNS),) * 100

    def identity(self, number: int) -> list[object]:
        """Which one it is."""
        return [self.name, number]


def far(file: str, count: int, *, poisoned: Sequence[int] = ()) -> list[WorkItem]:
    """Items of one file, of which some end their worker."""
    return [
        replace(
            item("response_match_score"),
            case=Case("poison" if number in poisoned else f"c{number}", turns=TURNS),
            elsewhere=TraceLocation(File(file), number),
        )
        for number in range(count)
    ]


class Mortal(Executor):
    """Dies of poison, with all that it has in hand; counts what it was given."""

    def __init__(self) -> None:
        self.given: list[int] = []

    def submit(self, fn: Callable[..., Any], /, *arguments: Any, **_named: Any) -> Future[Any]:
        """Break, or do it here and now."""
        items = arguments[0]
        self.given.append(len(items))
        done: Future[Any] = Future()
        if any(one.case.id == "poison" for one in items):
            done.set_exception(BrokenExecutor())
        else:
            done.set_result(fn(*arguments))
        return done


@pytest.mark.parametrize("poisoned", [(0,), (63,), (5, 6), (0, 31, 60)])
def test_what_ends_its_worker_is_found_by_halves_and_costs_itself_alone(poisoned: tuple[int, ...]) -> None:
    mortal = Mortal()
    verdicts = on(mortal, far("f", 64, poisoned=poisoned))
    assert [at for at, one in enumerate(verdicts) if one.status is Status.ERROR] == list(poisoned)
    assert all("ended unexpectedly" in verdicts[at].reason for at in poisoned)
    assert len(verdicts) == 64
    assert len(mortal.given) <= 2 + 2 * 6 * len(poisoned)


def test_small_files_travel_together_and_large_ones_alone() -> None:
    mortal = Mortal()
    on(mortal, [one for number in range(30) for one in far(f"small {number}", 50)])
    assert mortal.given == [500, 500, 500]


def test_a_connection_that_broke_ends_the_run_with_what_is_done() -> None:
    class Gone(Executor):
        def __init__(self) -> None:
            self.left = 3

        def submit(self, fn: Callable[..., Any], /, *arguments: Any, **_named: Any) -> Future[Any]:
            done: Future[Any] = Future()
            self.left -= 1
            if self.left < 0:
                done.cancel()
                done.set_running_or_notify_cancel()
            else:
                done.set_result(fn(*arguments))
            return done

    found: list[int] = []
    verdicts = run_on(Engine("any", Gone(), 1), [item("response_match_score")] * 9, ALL)
    with pytest.raises(EngineLost, match="--resume"):
        found.extend(index for index, _verdict in verdicts)
    assert set(found) <= {0, 1, 2}


def test_a_worker_of_another_version_that_comes_later_is_refused() -> None:
    version, _digest, python, process = identity()
    engine = Engine("any", Dead(), 1)
    engine.take_identity(process, identity())
    for other, words in (
        (("0.0.1", "x", python, "h:1"), "0.0.1"),
        ((version, "x", python, "h:1"), "other rules"),
        ((version, identity()[1], "2.7", "h:1"), "Python 2.7"),
    ):
        with pytest.raises(UsageError, match=words):
            engine.take_identity(other[-1], other)
    assert engine.processes == {process}


def test_a_worker_without_a_command_that_judges_here_is_refused() -> None:
    theirs = identity()
    with chosen((), {"mine": ("true",)}), pytest.raises(UsageError, match="metric commands"):
        Engine("any", Dead(), 1).take_identity("h:1", theirs)


@pytest.mark.parametrize("parallel", [False, True])
def test_a_stopped_run_ends_early(parallel: bool, threads: Executor) -> None:
    looks = iter(range(200))
    items = [item("response_match_score") for _ in range(200)]
    stop = partial(next, looks)
    found = (
        on(threads, items, cancelled=lambda: stop() >= 3)
        if parallel
        else list(run(items, ALL, cancelled=lambda: stop() >= 3))
    )
    assert 3 <= len(found) <= (100 if parallel else 3)  # by fives of six


def test_every_metric_can_travel_to_another_process() -> None:
    for metric in METRICS:
        assert pickle.loads(pickle.dumps(metric)).name == metric.name
