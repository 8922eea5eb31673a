"""Many runs of a case with a fault in most that fail: what the braid is tried and measured with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import TypeAlias

from msgspec import Struct

from trace_inspector.core.trace.parts import Text, ToolCall, Transfer
from trace_inspector.core.trace.trace import Event, Steps, Trace, Turn
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import CaseVerdict, Status
from trace_inspector.engine.braid.attempts import Attempt, StepKind, attempt_of
from trace_inspector.engine.braid.features import FeatureKind
from trace_inspector.engine.braid.findings import Finding

HAND_OFF = "hand-off"
# What a run does: the name of a tool with arguments, or HAND_OFF with the name of an agent.
Made: TypeAlias = list[tuple[str, JsonObject]]

_PLAN = (
    "find_customer", "verify_address", HAND_OFF, "search_flights", "read_fares", "check_seats", "quote_price",
    "hold_seat", "book_flight", "send_receipt",
)  # fmt: skip
_OPTIONAL = ("read_weather", "read_news", "log_event", "check_miles")
_ANY_ORDER = slice(3, 6)  # these three come in any order


def usual_run(random: Random) -> Made:
    """A run without a fault: three steps in any order, each optional one in every other run, arguments that vary."""
    plan = list(_PLAN)
    middle = plan[_ANY_ORDER]
    random.shuffle(middle)
    plan[_ANY_ORDER] = middle
    made: Made = []
    for name in plan:
        made.append((name, {"agent": "booking"} if name == HAND_OFF else _arguments(name, random)))
    for name in _OPTIONAL:
        if random.random() < 0.5:
            made.insert(random.randrange(len(made) + 1), (name, _arguments(name, random)))
    return made


def _arguments(name: str, random: Random) -> JsonObject:
    args: JsonObject = {"customer": f"c-{random.randrange(10**6)}", "channel": random.choice(["web", "app"])}
    if name == "quote_price":
        args["currency"] = "USD"
    if name in ("quote_price", "hold_seat"):
        args["amount"] = random.randrange(100, 900)
    return args


def _without(made: Made, name: str) -> Made:
    return [(own, args) for own, args in made if own != name]


def _index(made: Made, name: str) -> int:
    return next(index for index, (own, _args) in enumerate(made) if own == name)


def _skipped(made: Made, _random: Random) -> Made:
    return _without(made, "verify_address")


def _wrong_argument(made: Made, _random: Random) -> Made:
    return [(name, {**args, "currency": "EUR"} if name == "quote_price" else args) for name, args in made]


def _loop(made: Made, random: Random) -> Made:
    index = _index(made, "check_seats")
    more = [("check_seats", _arguments("check_seats", random)) for _ in range(random.randrange(2, 6))]
    return [*made[: index + 1], *more, *made[index + 1 :]]


def _early_stop(made: Made, random: Random) -> Made:
    return made[: _index(made, "quote_price") + random.randrange(2)]


def _wrong_hand_off(made: Made, _random: Random) -> Made:
    return [(name, {"agent": "support"} if name == HAND_OFF else args) for name, args in made]


def _order(made: Made, _random: Random) -> Made:
    changed = list(made)
    one, other = _index(made, "hold_seat"), _index(made, "quote_price")
    changed[one], changed[other] = changed[other], changed[one]
    return changed


class Fault(Struct, frozen=True):
    """How a run goes wrong, and whether a finding tells that."""

    make: Callable[[Made, Random], Made]
    is_told: Callable[[Finding], bool]


def _is_about(name: str, *kinds: FeatureKind) -> Callable[[Finding], bool]:
    return lambda finding: finding.feature.label[1] == name and finding.feature.kind in kinds


_STEPS = FeatureKind.STEP, FeatureKind.STEP_IN_TURN
FAULTS: Mapping[str, Fault] = {
    "skipped call": Fault(_skipped, lambda finding: finding.absent and _is_about("verify_address", *_STEPS)(finding)),
    "wrong argument": Fault(
        _wrong_argument,
        lambda finding: (
            _is_about("quote_price", FeatureKind.VALUE)(finding) and finding.feature.argument == "currency"
        ),
    ),
    "loop": Fault(_loop, _is_about("check_seats", FeatureKind.TIMES, FeatureKind.REPEATS)),
    "early stop": Fault(_early_stop, lambda finding: finding.feature.kind is FeatureKind.STOP and not finding.absent),
    "wrong hand-off": Fault(
        _wrong_hand_off,
        lambda finding: (
            finding.feature.label[0] is StepKind.HAND_OFF
            and finding.feature.kind in _STEPS
            and (finding.feature.label[1] == "support") is not finding.absent
        ),
    ),
    "order": Fault(
        _order,
        lambda finding: (
            finding.feature.kind is FeatureKind.ORDER
            and finding.feature.other is not None
            and {finding.feature.label[1], finding.feature.other[1]} == {"hold_seat", "quote_price"}
        ),
    ),
}


def is_told(finding: Finding, fault: Fault) -> bool:
    """Whether a finding, or what it says of the same runs at the same place, tells the fault."""
    return any(map(fault.is_told, (finding, *finding.same)))


def faulty_runs(
    fault: Fault | None, random: Random, failing: int = 10, passing: int = 10, rate: float = 0.9
) -> list[Attempt]:
    """Runs of one case: `rate` of the failing ones have the fault, and as large a share of the passing ones not."""
    attempts: list[Attempt] = []
    for count, failed in ((failing, True), (passing, False)):
        faulty = round(count * (rate if failed else 1 - rate))
        for number in range(count):
            made = usual_run(random)
            if fault is not None and number < faulty:
                made = fault.make(made, random)
            attempts.append(attempt(made, failed, f"run-{len(attempts)}"))
    return attempts


def attempt(made: Made, failed: bool, trace_id: str = "run", case: str = "case") -> Attempt:
    """A run of a case as an attempt that the braid takes."""
    status = Status.FAILED if failed else Status.PASSED
    return attempt_of(CaseVerdict(case, "suite", trace_id, status), trace_of(made, trace_id), failed)


def trace_of(made: Made, trace_id: str = "run") -> Trace:
    """A run of a case as a conversation of one turn."""
    events: list[Event] = []
    agent = "front"
    for name, args in made:
        events.append(Event(agent, (_part(name, args),)))
        agent = str(args["agent"]) if name == HAND_OFF else agent
    turn = Turn(0, events=tuple(events), final_response=(Text("Done."),), steps=Steps.EVENTS)
    return Trace(trace_id, (turn,))


def _part(name: str, args: JsonObject) -> ToolCall | Transfer:
    target: Json = args.get("agent")
    return Transfer(str(target)) if name == HAND_OFF else ToolCall(name, args)
