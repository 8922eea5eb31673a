"""What CES's results say expectation by expectation: what was expected, what was observed, how it came out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.trace.parts import Part, ToolCall, Unknown
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.verdict.verdict import ExpectationVerdict, Status
from trace_inspector.formats.ces.common import evaluation_schemas as schemas
from trace_inspector.formats.ces.common.content import (
    PAYLOAD,
    beside_call,
    beside_chunks,
    beside_result,
    beside_transfer,
    call_of,
    checked_call,
    checked_result,
    checked_transfer,
    message_parts,
    result_of,
    short_name,
    transfer_of,
)
from trace_inspector.formats.ces.common.enums import OUTCOME, enum_word
from trace_inspector.formats.ces.common.thresholds import OF_EXPECTATION, PARAMETERS, criteria_in
from trace_inspector.formats.ces.common.values import plain, seconds, time_of
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.schema import check

_STATUSES = {"PASS": Status.PASSED, "FAIL": Status.FAILED, "SKIPPED": Status.SKIPPED}
_OBSERVED = "observed_"
OWN_THRESHOLD = "threshold"  # the figure by which an expectation overrules that of the result


class Observed(Struct, frozen=True):
    """What was observed in one entry: a description, its parts, and its author."""

    what: str
    parts: tuple[Part, ...]
    place: str
    role: str = ""
    is_answer: bool = False
    time_s: float | None = None
    extras: tuple[Extra, ...] = ()


class Outcome(Struct, frozen=True):
    """One entry: what was observed, its verdict, and the extras of a call's arguments."""

    observed: tuple[Observed, ...]
    verdict: ExpectationVerdict
    arguments: ExpectationVerdict | None = None
    extras: tuple[Extra, ...] = ()  # of the entry itself

    @property
    def is_extra_call(self) -> bool:
        """Whether it is a call that was not expected."""
        return self.verdict.extra and any(
            isinstance(part, ToolCall) for observed in self.observed for part in observed.parts
        )


def outcome_status(fields: Fields, name: str, report: Report) -> Status:
    """An outcome as a status; what is not recognised is neither passed nor failed."""
    return _STATUSES.get(enum_word(fields, name, OUTCOME, report), Status.NOT_EVALUATED)


def golden_outcome(fields: Fields, report: Report) -> Outcome:
    """An entry of a replayed turn. One without an expectation was not expected; a payload is never judged."""
    observed = tuple(_observed(fields, report))
    expectation = fields.object("expectation")
    is_payload = fields.object(_OBSERVED + "payload") is not None
    verdict = _verdict(fields, expectation, observed, is_extra=expectation is None and not is_payload, report=report)
    call = fields.object("tool_invocation_result")
    extras = extras_of(fields, *_OF_AN_ENTRY)
    if call is None:
        return Outcome(observed, verdict, extras=extras)
    arguments = ExpectationVerdict(
        what=verdict.what,
        status=outcome_status(call, "outcome", report),
        score=call.number("parameter_correctness_score"),
        reason=call.text("explanation") or "",
        figures=tuple(_own_threshold(expectation)),
        native=call.get("outcome"),
        place=call.place,
        golden_place=verdict.golden_place,
    )
    return Outcome(observed, verdict, arguments, extras)


def _own_threshold(expectation: Fields | None) -> Iterator[tuple[str, float | None]]:
    """The threshold that an expectation states for its own arguments; whoever reads the golden reports on it."""
    for criterion in criteria_in(expectation, OF_EXPECTATION, Report()):
        if criterion.metric == PARAMETERS and criterion.threshold is not None:
            yield OWN_THRESHOLD, criterion.threshold


def scenario_outcome(fields: Fields, report: Report) -> Outcome:
    """An entry of a simulated conversation."""
    observed = tuple(_observed(fields, report))
    expectation = fields.object("expectation")
    verdict = _verdict(fields, expectation, observed, is_extra=expectation is None, report=report)
    return Outcome(observed, verdict, extras=extras_of(fields, *_OF_AN_ENTRY))


def criterion_verdict(fields: Fields, report: Report) -> ExpectationVerdict:
    """One sentence that a judge of CES decided about the whole conversation."""
    names = (short_name(fields.text("evaluation_expectation") or ""), fields.text("prompt"))
    return ExpectationVerdict(
        what=": ".join(words for words in names if words) or "criterion",
        status=outcome_status(fields, "outcome", report),
        reason=fields.text("explanation") or "",
        native=fields.get("outcome"),
        place=fields.place,
    )


def _verdict(
    fields: Fields, expectation: Fields | None, observed: tuple[Observed, ...], *, is_extra: bool, report: Report
) -> ExpectationVerdict:
    call, likeness = fields.object("tool_invocation_result"), fields.object("semantic_similarity_result")
    if likeness is not None:
        outcome_status(likeness, "outcome", report)  # a deprecated copy; that of the turn counts
    texts = [inner.text(name) for inner in (likeness, call) if inner is not None for name in ("label", "explanation")]
    note = expectation.text("note") if expectation else None
    status = outcome_status(fields, "outcome", report)
    missed = "" if observed or status is not Status.FAILED else "nothing like it was observed"
    figures = [
        (words, score)
        for words, inner, name in (
            ("parameter correctness", call, "parameter_correctness_score"),
            ("semantic similarity", likeness, "score"),
        )
        if inner is not None and (score := inner.number(name)) is not None
    ]
    return ExpectationVerdict(
        what=_expected(expectation) or (observed[0].what if observed else "nothing"),
        status=status,
        reason="; ".join(words for words in (*texts, missed, f"note: {note}" if note else "") if words),
        extra=is_extra,
        figures=tuple(figures),
        native=fields.get("outcome"),
        place=fields.place,
        golden_place=expectation.place if expectation else "",
    )


def _observed(fields: Fields, report: Report) -> Iterator[Observed]:
    for name, read, beside in _KINDS:
        inner = fields.object(_OBSERVED + name)
        if inner is not None:
            observed = read(inner, report)
            yield replace(observed, time_s=seconds(time_of(inner, "event_time", report)), extras=tuple(beside(inner)))


def _expected(expectation: Fields | None) -> str:
    """An expectation as text."""
    if expectation is None:
        return ""
    if expectation.get("no_tool_calls") is True:
        return "no calls"
    holder = expectation.object("tool_expectation") or expectation
    for name, words in _EXPECTED:
        inner = holder.object(name)
        if inner is not None:
            return words(inner)
    return "expectation"


def _call(fields: Fields, report: Report) -> Observed:
    if fields.object("tool_call") is not None or fields.object("tool_response") is not None:
        return _call_and_answer(fields, report)
    call = checked_call(fields, report)
    return Observed(f"call {call.name}", (call,), fields.place, call.agent)


def _call_and_answer(fields: Fields, report: Report) -> Observed:
    """What a scenario observed: a call and its result; one of them may be missing."""
    check(fields, schemas.OBSERVED_CALL, report)
    made, given = fields.object("tool_call"), fields.object("tool_response")
    call = checked_call(made, report) if made is not None else None
    result = checked_result(given, report) if given is not None else None
    what = f"call {call.name}" if call else f"result of {result.name}" if result else "call"
    parts = tuple(part for part in (call, result) if part is not None)
    return Observed(what, parts, fields.place, call.agent if call else "")


def _result(fields: Fields, report: Report) -> Observed:
    result = checked_result(fields, report)
    return Observed(f"result of {result.name}", (result,), fields.place, fields.text("agent_name") or "")


def _answer(fields: Fields, report: Report) -> Observed:
    parts = message_parts(fields.value, fields.place, report)
    return Observed("answer", parts, fields.place, fields.text("role") or "", is_answer=True)


def _transfer(fields: Fields, report: Report) -> Observed:
    transfer = checked_transfer(fields, report)
    return Observed(f"transfer to {transfer.target}", (transfer,), fields.place)


def _payload(fields: Fields, _report: Report) -> Observed:
    return Observed("payload", (Unknown(PAYLOAD, plain(fields.value), fields.place),), fields.place)


def _beside_call(fields: Fields) -> Iterator[Extra]:
    """The extras of a call, and of its result where a scenario has both."""
    inner, answer = fields.object("tool_call"), fields.object("tool_response")
    if inner is None and answer is None:
        yield from beside_call(fields)
        return
    yield from extras_of(fields, "tool_call", "tool_response")
    yield from beside_call(inner) if inner is not None else ()
    yield from beside_result(answer) if answer is not None else ()


def _beside_message(fields: Fields) -> Iterator[Extra]:
    yield from extras_of(fields, "role", "chunks", "event_time")
    yield from beside_chunks(fields)


def _nothing(_fields: Fields) -> tuple[Extra, ...]:
    return ()


# How each kind of observation is read, and which of its members its parts do not show.
_KINDS: tuple[tuple[str, Callable[[Fields, Report], Observed], Callable[[Fields], Iterable[Extra]]], ...] = (
    ("tool_call", _call, _beside_call),
    ("tool_response", _result, beside_result),
    ("agent_response", _answer, _beside_message),
    ("agent_transfer", _transfer, beside_transfer),
    ("payload", _payload, _nothing),
)
_OF_AN_ENTRY = (
    "expectation",
    "outcome",
    "semantic_similarity_result",
    "tool_invocation_result",
    *(_OBSERVED + name for name, *_read in _KINDS),
)
_EXPECTED: tuple[tuple[str, Callable[[Fields], str]], ...] = (
    ("tool_call", lambda fields: f"call {call_of(fields).name}"),
    ("expected_tool_call", lambda fields: f"call {call_of(fields).name}"),
    ("tool_response", lambda fields: f"result of {result_of(fields).name}"),
    ("agent_response", lambda _fields: "answer"),
    ("agent_transfer", lambda fields: f"transfer to {transfer_of(fields).target}"),
    ("updated_variables", lambda _fields: "variables"),
    ("mock_tool_response", lambda fields: f"mock of {result_of(fields).name}"),
)
