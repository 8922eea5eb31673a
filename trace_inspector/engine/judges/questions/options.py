"""The options of judged criteria, as people write them in a criteria file, in both of ADK's spellings."""

from __future__ import annotations

from typing import Literal, TypeVar

from pydantic import AliasGenerator, BaseModel, ConfigDict, Field, JsonValue, ValidationError
from pydantic.alias_generators import to_camel

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.engine.scoring.metric import CannotJudge

BOTH_NAMES = AliasGenerator(validation_alias=to_camel)


class JudgeModelOptions(BaseModel):
    """Which model to ask, and how often."""

    model_config = ConfigDict(
        alias_generator=BOTH_NAMES, populate_by_name=True, extra="forbid", protected_namespaces=()
    )

    judge_model: str = "gemini-2.5-flash"
    judge_model_config: dict[str, JsonValue] | None = None
    num_samples: int = Field(5, ge=1)
    parallelism_limit: int = Field(1, ge=1)


class JudgedParameters(BaseModel):
    """The options of every judged criterion. Other keys are allowed and mean nothing, as in ADK."""

    model_config = ConfigDict(alias_generator=BOTH_NAMES, populate_by_name=True)

    judge_model_options: JudgeModelOptions = Field(default_factory=JudgeModelOptions)

    def one_sample(self) -> JudgeModelOptions:
        """The same judge, asked once."""
        return self.judge_model_options.model_copy(update={"num_samples": 1})


class VotedParameters(JudgedParameters):
    """The options of a criterion that a majority of samples decides."""

    confirm_on_fail: bool = False  # a failing majority is asked once more, with as many samples

    def confirms(self, rules: str) -> bool:
        """Whether failures are confirmed; google-adk knows no such thing."""
        return self.confirm_on_fail and rules != "adk"


class AnswerParameters(VotedParameters):
    """The options of a criterion that judges answers."""

    include_intermediate_responses_in_final: bool = False


class RubricContent(BaseModel):
    """The words of a rubric."""

    model_config = ConfigDict(alias_generator=BOTH_NAMES, populate_by_name=True, extra="forbid")

    text_property: str | None = None


class RubricOption(BaseModel):
    """A rubric for every turn."""

    model_config = ConfigDict(alias_generator=BOTH_NAMES, populate_by_name=True, extra="forbid")

    rubric_id: str
    rubric_content: RubricContent
    description: str | None = None
    type: str | None = None


class OwnRubrics(BaseModel):
    """Rubrics that a criterion brings along."""

    rubrics: list[RubricOption] = Field(default_factory=list)

    def own_rubrics(self) -> list[Rubric]:
        """The criterion's rubrics as the core knows them."""
        return [
            Rubric(rubric.rubric_id, rubric.rubric_content.text_property or "", rubric.type, rubric.description)
            for rubric in self.rubrics
        ]


class GroupParameters(OwnRubrics, VotedParameters):
    """The options of a criterion that judges a group of rubrics."""


class RubricParameters(OwnRubrics, AnswerParameters):
    """The options of a rubric criterion. `variant` "fixed" leaves a mistake of google-adk out."""

    variant: Literal["adk", "fixed"] = "adk"

    def fixes(self, rules: str) -> bool:
        """Whether each turn is read with its own rubrics; google-adk knows no such choice."""
        return self.variant == "fixed" and rules != "adk"


Options = TypeVar("Options", bound=BaseModel)


def options_of(model: type[Options], criterion: Criterion) -> Options:
    """The options of a criterion, or one sentence about the first that is wrong."""
    try:
        return model.model_validate(criterion.options)
    except ValidationError as problem:
        first = problem.errors()[0]
        place = ".".join(str(step) for step in first["loc"])
        raise CannotJudge(f"{criterion.metric}: {place}: {first['msg']}") from problem


def rubric_parameters(criterion: Criterion) -> RubricParameters:
    """The options of a rubric criterion."""
    return options_of(RubricParameters, criterion)


def answer_parameters(criterion: Criterion) -> AnswerParameters:
    """The options of a criterion that judges answers."""
    return options_of(AnswerParameters, criterion)
