"""The options of CES's metrics, in both spellings; enumerations as words or as numbers, read where they count."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.engine.judges.questions.options import BOTH_NAMES, JudgedParameters, options_of

_Enumerated = str | int | None


class SwitchOptions(BaseModel):
    """A metric that can be switched off; a switch that is not stated leaves it on."""

    model_config = ConfigDict(alias_generator=BOTH_NAMES, populate_by_name=True)

    enabled: bool | None = None


class ExtraCallOptions(SwitchOptions):
    """Whether extra calls fail a turn."""

    extra_tool_call_behavior: _Enumerated = Field(None, description="FAIL or ALLOW")


class AskedOptions(JudgedParameters):
    """A metric that a judge decides and that can be switched off."""

    enabled: bool | None = None


class SentenceOptions(AskedOptions):
    """A criterion in words, and the name by which goldens refer to it."""

    name: str = ""
    prompt: str = ""


class SimilarityOptions(AskedOptions):
    """What is compared: the words, or what was heard of them."""

    semantic_similarity_channel: _Enumerated = Field(None, description="TEXT or AUDIO")


class HallucinationOptions(AskedOptions):
    """Whether hallucinations decide; they are looked for in any case."""

    golden_hallucination_metric_behavior: _Enumerated = Field(None, description="DISABLED or ENABLED")
    scenario_hallucination_metric_behavior: _Enumerated = Field(None, description="DISABLED or ENABLED")
    hallucination_metric_behavior: _Enumerated = Field(None, description="DISABLED or ENABLED")


class CompletedOptions(SwitchOptions):
    """Which terms a completed task has."""

    without_hallucination: bool = False


def asked_options(criterion: Criterion) -> AskedOptions:
    """How to ask."""
    return options_of(AskedOptions, criterion)
