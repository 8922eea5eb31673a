"""The options of a criterion for comparing calls, as in ADK, read by pydantic."""

from __future__ import annotations

from typing import TypeVar

from pydantic import AliasGenerator, BaseModel, ConfigDict, ValidationError, field_validator
from pydantic.alias_generators import to_camel

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.engine.scoring.call_orders import MatchType
from trace_inspector.engine.scoring.metric import CannotJudge


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
