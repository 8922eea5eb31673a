"""What a person chooses for the next evaluations."""

from __future__ import annotations

import enum

from msgspec import Struct

from trace_inspector.flows.judges.selection import JudgeChoice


class CriteriaFrom(enum.Enum):
    """Where the criteria of a run come from."""

    FOUND = "found"  # an open criteria file, what results record, the file beside the golden, ADK's defaults
    ADK = "adk"
    EDITED = "edited"


class EvaluationOptions(Struct, frozen=True):
    """Options until the program ends. `judge` None: the preferred one; for the samples, recorded replies."""

    criteria: CriteriaFrom = CriteriaFrom.FOUND
    rules: str = ""
    pair_by: str = "auto"
    cases: tuple[str, ...] = ()  # names or patterns of them; all where there is none
    only: tuple[str, ...] = ()  # metrics; all of the criteria where there is none
    extra_turns_fail: bool = True
    files_are_repeats: bool = False  # whoever opens two files side by side has not said so
    judge: JudgeChoice | None = None
    fresh: bool = False
    keeps: bool = True
