"""What formats cannot store of a golden, and why. A table, because asking the formats would import them all.

Tests change a golden of each format field by field, and compare the result with this table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.field import GoldenField

_NOT_HERE = "Goldens of this format cannot be edited here. Convert the file, and edit the new one."
_DESCRIBED = frozenset({"adk-eval-set"})
_SCRIPT, _SCENARIO, _BOTH = (False,), (True,), (False, True)
_Line = tuple[Sequence[bool], str, str]  # in which kinds of cases, the ids of fields, why

_SIMULATED = (
    "scenario-prompt scenario-plan scenario-persona scenario-turns scenario-facts scenario-goal scenario-variables"
)
_OF_TURN = (
    "turn-transfers turn-results turn-mocks turn-variables turn-no-calls turn-skips "
    "rubric-text-turn note-turn note-call criteria-turn"
)
_MOCKS = (
    "This format does not list “mock” among expectations. "
    "Give the agent a tool that returns this value, and state it as the expected result."
)
_VARIABLES = (
    "This format does not list “variables” among expectations. "
    "Expect a state at the end of the case, or a call that sets them."
)
_NO_CALLS = (
    "This format does not list “no calls” among expectations. "
    "Remove the expected calls, and set the trajectory criterion to compare exactly."
)
_CRITERIA = "This format stores criteria in a separate file. Open Criteria, and change them there."
_KEPT_ELSEWHERE: tuple[_Line, ...] = (
    (_BOTH, "case-title", "A case of this format has no title beside its id. Change the id."),
    (_BOTH, "case-description", "A case of this format has no description. Add a note to it."),
    (_BOTH, "case-sentences", "This format does not list a sentence for a judge among expectations. Add a rubric."),
    (_BOTH, "criteria-case", _CRITERIA),
    (_SCRIPT, "criteria-turn", _CRITERIA),
    (_SCRIPT, "turn-mocks", _MOCKS),
    (_SCRIPT, "turn-variables", _VARIABLES),
    (_SCRIPT, "turn-no-calls", _NO_CALLS),
)
_LINES: Mapping[str, tuple[_Line, ...]] = {
    "adk-eval-set": (
        *_KEPT_ELSEWHERE,
        (
            _BOTH,
            "rubric-group rubric-importance",
            "A rubric of ADK has no group and no importance. Put them into its text.",
        ),
        (_SCRIPT, _SIMULATED, "A scripted case of ADK has no simulated user. Make a new scenario for that."),
        (_SCRIPT, "turn-skips", "ADK eval set has no place for this."),
        (_SCENARIO, _OF_TURN, "ADK eval set has no place for this."),
        (
            _SCENARIO,
            "scenario-turns scenario-facts scenario-goal scenario-variables",
            "A scenario of ADK has a first message, a plan and a persona. Put everything else into the plan.",
        ),
    ),
    "vertex-item": (
        *_KEPT_ELSEWHERE,
        (
            _BOTH,
            "session-app session-user session-id session-state final-state",
            "Vertex AI stores no session in an item. Convert the golden to an ADK eval set, and set it there.",
        ),
        (
            _SCRIPT,
            "rubric-text-turn",
            "Rubrics of Vertex AI are those of the whole request. Add this one to the case.",
        ),
        (
            _SCRIPT,
            _SIMULATED,
            "This request has scripted messages of the user, so no simulated user. Make a new golden for that.",
        ),
        (_SCRIPT, "turn-skips", "Vertex AI evaluation item has no place for this."),
        (_SCENARIO, _OF_TURN, "Vertex AI evaluation item has no place for this."),
        (
            _SCENARIO,
            "scenario-persona scenario-turns scenario-facts scenario-goal scenario-variables",
            "A scenario of Vertex AI has a first message and a plan. Put everything else into the plan.",
        ),
    ),
    "ces-evaluation": (
        (
            _BOTH,
            "session-app session-user session-id",
            "CES stores no app, user or session in an evaluation. Set only the state.",
        ),
        (
            _BOTH,
            "final-state",
            "CES expects variables in a turn, not at the end. Expect them in the last turn.",
        ),
        (_BOTH, "note-case", "CES stores notes only at expectations. Add the note to one of them."),
        (_SCRIPT, "note-turn", "CES stores notes only at expectations. Add the note to one of them."),
        (
            _SCRIPT,
            "rubric-text rubric-id rubric-type rubric-group rubric-description rubric-importance rubric-text-turn",
            "Only scenarios of CES have rubrics. Expect a criterion by its name instead.",
        ),
        (
            _SCRIPT,
            _SIMULATED,
            "A golden of CES has no simulated user. Make a scenario of it in a file of its own.",
        ),
        (
            _SCENARIO,
            "session-state",
            "There is no turn in which variables could be set. Add a turn first.",
        ),
        (_SCENARIO, f"rubric-id {_OF_TURN}", "CES evaluation has no place for this."),
        (
            _SCENARIO,
            "rubric-type rubric-group rubric-description rubric-importance",
            "A rubric of CES is only a sentence. Leave type, group, importance and description empty.",
        ),
        (
            _SCENARIO,
            "scenario-prompt scenario-persona",
            "CES has no first message and no persona here. Say in the task how the user begins.",
        ),
    ),
}


def _each() -> Iterator[tuple[tuple[str, bool, str], str]]:
    for format_name, lines in _LINES.items():
        for kinds, ids, why in lines:
            for scenario in kinds:
                for field_id in ids.split():
                    yield (format_name, scenario, field_id), why


_WHY = dict(_each())


def why_not(format_name: str, field: GoldenField, *, scenario: bool) -> str:
    """Why goldens of a format have no place for a field, as a sentence; "" when they have one."""
    if format_name not in _LINES:
        return tr(_NOT_HERE)
    why = _WHY.get((format_name, scenario, field.id.partition(" ")[0]), "")
    return tr(why) if why else ""


def why_not_described(format_name: str) -> str:
    """Why a file of a format has neither a name nor a description of its suite; "" when it has them."""
    if format_name not in _LINES:
        return tr(_NOT_HERE)
    return "" if format_name in _DESCRIBED else tr("This format has neither. Name the file itself.")
