"""Whether the tests notice a fault: first the nearest of its room, then the whole room, then what lies over it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct, to_builtins

from tests.faults.choosing import Suite
from tests.faults.drawing import Fault
from tests.faults.scratch import PASSED, UNFINISHED, Ran, Scratch

NEAREST = 8  # test files that are tried before the whole room is collected
NEAREST_LIMIT_S, ROOM_LIMIT_S, ELSEWHERE_LIMIT_S = 300.0, 1_200.0, 300.0
ALONE_LIMIT_S = 240.0
BROKEN_MAX = 5  # tests that fail without the fault as well, and are then left out


class End(StrEnum):
    """What became of a fault."""

    CAUGHT = "caught"
    ELSEWHERE = "caught elsewhere"
    SURVIVED = "survived"


class Trial(Struct, frozen=True):
    """One fault and what became of it."""

    fault: Fault
    end: End
    by: str = ""
    why: str = ""
    seconds: float = 0.0
    unfinished: str = ""  # which tests were stopped by the clock before they had all been run
    broken: tuple[str, ...] = ()  # tests that failed without the fault too, which says nothing

    def as_json(self) -> dict[str, object]:
        """For a file of results."""
        return {"name": self.fault.name, **to_builtins(self)}


class Trials:
    """Tries faults in one copy of the project, one after the other."""

    def __init__(self, scratch: Scratch, suite: Suite, sound: set[str]) -> None:
        self._scratch = scratch
        self._suite = suite
        self._sound = sound  # tests known to pass without any fault; shared by all copies
        self._broken: list[str] = []

    def of(self, fault: Fault) -> Trial:
        """Put the fault in, run the tests, take it out."""
        started = time.monotonic()
        own, others = self._suite.near(fault.path)
        unfinished: list[str] = []
        stages: tuple[tuple[End, str, Sequence[str], float], ...] = (
            (End.CAUGHT, "the nearest tests", own[:NEAREST], NEAREST_LIMIT_S),
            (End.CAUGHT, "the room's tests", own[NEAREST:], ROOM_LIMIT_S),
            (End.ELSEWHERE, "the other tests", others, ELSEWHERE_LIMIT_S),
        )
        for end, name, tests, limit_s in stages:
            ran = self._noticed(fault, tests, limit_s) if tests else PASSED
            if ran.noticed:
                return self._trial(fault, end, started, ran, unfinished)
            if not ran.finished:
                unfinished.append(name)
        return self._trial(fault, End.SURVIVED, started, PASSED, unfinished)

    def _trial(self, fault: Fault, end: End, started: float, ran: Ran, unfinished: Sequence[str]) -> Trial:
        seconds = round(time.monotonic() - started, 1)
        return Trial(fault, end, ran.by, ran.why, seconds, ", ".join(unfinished), tuple(self._broken))

    def _noticed(self, fault: Fault, tests: Sequence[str], limit_s: float) -> Ran:
        """A run of tests whose failure is the fault's doing: what fails passes without it."""
        for _time in range(BROKEN_MAX):
            with self._scratch.fault(fault):
                ran = self._scratch.run(tests, limit_s, self._broken)
            if not ran.noticed or self._passes(ran.by or tests[0]):
                return ran
            self._broken.append(ran.by or tests[0])
        return UNFINISHED

    def _passes(self, test: str) -> bool:
        if test not in self._sound:
            ran = self._scratch.run([test], ALONE_LIMIT_S)
            if ran.noticed or not ran.finished:
                return False
            self._sound.add(test)
        return True
