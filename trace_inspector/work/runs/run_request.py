"""What the window asks a child to evaluate, as a value that travels there; bodies and earlier verdicts follow it."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.alignment.manual_pair import HandPair
from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.core.verdict.case_key import CaseKey
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.flows.judges.selection import JudgeChoice
from trace_inspector.store.runs import Unasked
from trace_inspector.work.reading.contents_from_rows import Bodies, rebuild

if TYPE_CHECKING:
    from trace_inspector.flows.runs.evaluate_files import Request

FEW_CASES = 32  # not worth starting more processes for


class RunOrder(Struct, frozen=True):
    """Files and choices of one run. `criteria` None: those of the files, or the defaults of ADK."""

    traces: tuple[Bodies, ...]
    goldens: tuple[Bodies, ...] = ()
    criteria: Criteria | None = None
    adk_defaults: bool = False  # whatever files say
    judge: JudgeChoice = field(default_factory=JudgeChoice)
    rules: str = ""
    pair_by: str = "auto"
    by_hand: tuple[HandPair, ...] = ()
    only: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    extra_turns_fail: bool = True
    files_are_repeats: bool = True
    calls: int = 0  # the number of judge calls expected; 0 where unknown
    earlier: int = 0  # the number of kept verdicts that follow the bodies
    again: frozenset[CaseKey] | None = None
    resume: bool = False
    unasked: Unasked | None = None  # where nobody asked for it

    def begun_by_itself(self, unasked: Unasked, before: RunOrder | None) -> RunOrder:
        """The order when nobody asked for it: no judge is called.

        It takes no place of a run that was about other files, or asked something else of them.
        """
        order = replace(self, judge=JudgeChoice() if self.judge.live else self.judge, unasked=unasked)
        paths = {body.path for body in order.traces}
        is_same = before is not None and _asked(order) == _asked(before)
        if before is not None and is_same and all(body.path in paths for body in before.traces):
            return order
        return replace(order, unasked=replace(unasked, instead_of=""))


def _asked(order: RunOrder) -> RunOrder:
    """The choices and goldens of a run, without what is different each time."""
    return replace(order, traces=(), calls=0, earlier=0, again=None, resume=False, unasked=None)


def payload(bodies: Iterable[bytes], earlier: Iterable[CaseVerdict] = ()) -> Iterator[bytes]:
    """What `request_of` reads. Pickled one by one, as they are sent: all at once would hold the window."""
    yield from bodies
    for verdict in earlier:
        yield pickle.dumps(verdict, pickle.HIGHEST_PROTOCOL)


def without_bodies(order: RunOrder) -> RunOrder:
    """The run with only its choices and files, without a judge."""
    traces = tuple(replace(body, count=0) for body in order.traces)
    goldens = tuple(replace(body, count=0) for body in order.goldens)
    return replace(order, traces=traces, goldens=goldens, earlier=0, judge=JudgeChoice())


def request_of(order: RunOrder, incoming: Iterator[bytes]) -> Request:
    """In the child: the same request that a command makes from files."""
    from trace_inspector.engine.criteria.rules import ADK_DEFAULTS
    from trace_inspector.engine.running.planning import Choices
    from trace_inspector.flows.judges.selection import judge_of
    from trace_inspector.flows.runs.evaluate_files import Given, Request

    sides = [
        tuple(Given(body.path, rebuild(body, incoming), body.digest) for body in side)
        for side in (order.traces, order.goldens)
    ]
    earlier = tuple(pickle.loads(next(incoming)) for _ in range(order.earlier))  # written by our own window
    conversations = sum(len(given.contents.traces) for given in sides[0])
    return Request(
        sides[0],
        sides[1],
        ADK_DEFAULTS if order.adk_defaults else order.criteria,
        only=order.only,
        choices=Choices(
            rules=order.rules,
            pair_by=order.pair_by,
            by_hand=order.by_hand,
            cases=order.cases,
            extra_turns_fail=order.extra_turns_fail,
            files_are_repeats=order.files_are_repeats,
        ),
        judge=judge_of(order.judge),
        jobs=max(1, (os.cpu_count() or 2) - 1) if conversations > FEW_CASES else 1,
        earlier=earlier,
        again=order.again,
        resume=order.resume,
    )
