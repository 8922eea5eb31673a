"""`tool_trajectory_avg_score`: the share of turns whose calls are the golden's, with ADK 2.13's numbers."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TypeVar

from pydantic import AliasGenerator, BaseModel, ConfigDict, ValidationError, field_validator
from pydantic.alias_generators import to_camel

from trace_inspector.core.alignment.turn_alignment import Policy, align_calls, align_names, call_groups, same_call
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.trace import Steps, Turn, calls_of
from trace_inspector.engine.scoring.call_orders import any_order, exact, in_order
from trace_inspector.engine.scoring.call_sentence import call_sentence
from trace_inspector.engine.scoring.metric import CannotJudge, Judged, Method, Subject
from trace_inspector.engine.scoring.scoring import NO_COUNTERPART, Compared, compare_turns


class MatchType(enum.Enum):
    """ADK's three ways to hold calls against the golden's."""

    EXACT = 0
    IN_ORDER = 1
    ANY_ORDER = 2


class Parameters(BaseModel):
    """The options of the criterion. Other keys are allowed and mean nothing, as in ADK."""

    model_config = ConfigDict(alias_generator=AliasGenerator(validation_alias=to_camel), populate_by_name=True)

    match_type: MatchType = MatchType.EXACT
    ignore_args: bool = False

    @field_validator("match_type", mode="before")
    @classmethod
    def _spelled(cls, value: object) -> object:
        if isinstance(value, str):
            name = value.strip().upper().replace("-", "_").replace(" ", "_")
            return MatchType.__members__.get(name, value)
        return value


def parameters_of(criterion: Criterion) -> Parameters:
    """The options of a criterion about calls."""
    return read_parameters(Parameters, criterion)


Read = TypeVar("Read", bound=Parameters)


def read_parameters(model: type[Read], criterion: Criterion) -> Read:
    """The options of a criterion about calls, or one sentence about the first that is wrong."""
    try:
        return model.model_validate(criterion.options)
    except ValidationError as problem:
        first = problem.errors()[0]
        name = ".".join(str(step) for step in first["loc"])
        raise CannotJudge(
            f"{criterion.metric}: {name} {first['input']!r} is not understood; "
            "match_type is EXACT, IN_ORDER or ANY_ORDER, all else is true or false"
        ) from problem


_MATCHES = {MatchType.EXACT: exact, MatchType.IN_ORDER: in_order, MatchType.ANY_ORDER: any_order}
POLICIES = {
    MatchType.EXACT: Policy.EXACT,
    MatchType.IN_ORDER: Policy.IN_ORDER,
    MatchType.ANY_ORDER: Policy.ANY_ORDER,
}


def _same_name(expected: ToolCall, observed: ToolCall) -> bool:
    return expected.stated_name == observed.stated_name


@dataclass(frozen=True, slots=True)
class _Comparison:
    parameters: Parameters

    def compare(self, golden: Turn, observed: Turn) -> Compared:
        """One turn: 1.0 or 0.0, and how the calls pair."""
        match_type = self.parameters.match_type
        same = _same_name if self.parameters.ignore_args else same_call
        expected, made = calls_of(golden), calls_of(observed)
        matches = _MATCHES[match_type](expected, made, same)
        groups = call_groups(golden), call_groups(observed)
        by_name = self.parameters.ignore_args
        pairs = align_names(expected, made, groups) if by_name else align_calls(expected, made, groups=groups)
        reason = "" if matches else call_sentence(pairs, expected, made, POLICIES[match_type])
        return Compared(1.0 if matches else 0.0, reason, tuple(pairs))

    def missing(self, golden: Turn) -> Compared:
        """A turn that the trace does not have misses every call."""
        return Compared(0.0, NO_COUNTERPART, tuple(align_calls(calls_of(golden), ())))


def _judge(subject: Subject, criterion: Criterion) -> Judged:
    comparison = _Comparison(parameters_of(criterion))
    return compare_turns(
        subject, criterion, unstated=unstated_calls, compare=comparison.compare, missing=comparison.missing
    )


def unstated_calls(golden: Turn) -> str:
    """Why a golden turn gives no calls to compare with, "" when it does."""
    return "the golden does not say which calls to expect" if golden.steps is Steps.ABSENT else ""


METHOD = Method(_judge, parameters=Parameters, check=parameters_of)
