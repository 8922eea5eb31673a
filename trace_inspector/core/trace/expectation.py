"""What a golden expects beyond calls and answer, one thing at a time."""

from __future__ import annotations

import enum

from msgspec import Struct

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import Part
from trace_inspector.core.values.values import ABSENT, Absent, Json


class Expects(enum.Enum):
    """What kind of thing is expected, or stated for the run."""

    CALL = "call"
    RESULT = "result"
    ANSWER = "answer"
    TRANSFER = "transfer"
    VARIABLES = "variables"
    NO_CALLS = "no calls"
    CRITERION = "criterion"  # a sentence that a judge decides
    MOCK = "mock"  # no check: what a tool answers in the run


class Expectation(Struct, frozen=True):
    """One thing that must hold of a turn or of a whole case.

    `parts` are the expected call, result, words or transfer; `value` the expected variables. `text` is the sentence
    of a criterion, `reference` the name under which it stands elsewhere. `criteria` overrule those of turn and case.
    """

    kind: Expects
    parts: tuple[Part, ...] = ()
    value: Json | Absent = ABSENT
    text: str = ""
    reference: str = ""
    compared_by: str = ""  # the file's own word, e.g. CONTAINS
    note: str = ""
    skipped: bool = False
    criteria: tuple[Criterion, ...] = ()
    place: str = ""
