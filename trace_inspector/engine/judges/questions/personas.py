"""The users that google-adk has built in: the names of what they do, and in our words what breaks with it."""

from __future__ import annotations

from msgspec import Struct

from trace_inspector.core.golden.golden import Persona
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.values import Json
from trace_inspector.engine.scoring.metric import CannotJudge


class Behaviour(Struct, frozen=True):
    """One thing a simulated user does, and how it shows that it did not."""

    name: str
    violations: tuple[str, ...]


_DETAIL = Behaviour(
    "Advance in the Agent succeeds",
    (
        "It holds back what the next goal needs although the agent is ready for it.",
        "It goes on to the next goal although the agent has not finished this one.",
        "It asks for something that the plan does not contain.",
    ),
)
_GOAL = Behaviour(
    "Advance if the Agent succeeds",
    (
        "It gives the details of a goal before the agent asks for them.",
        "It takes on more than one goal at once.",
        "It asks for something that the plan does not contain.",
    ),
)
_RELEVANT = Behaviour(
    "Answer only relevant questions",
    (
        "It answers a question that has nothing to do with the plan.",
        "It leaves a question open that the plan answers.",
    ),
)
_ALL = Behaviour(
    "Answer all questions",
    ("It leaves a question of the agent open.", "It makes up an answer that the plan does not give."),
)
_CORRECT = Behaviour(
    "Correct the Agent if it makes a mistake",
    ("The agent was wrong or assumed something, and it goes on as if that were right.",),
)
_LET_IT_BE = Behaviour("Do not correct the Agent", ("It points out or puts right a mistake of the agent.",))
_ONCE = Behaviour(
    "Troubleshoot once (if necessary)",
    ("It gives up at the agent's first mistake.", "It goes on after the agent's second mistake."),
)
_END_AFTER_ONE = Behaviour(
    "End the conversation appropriately",
    (
        "Everything in the plan is done, or the agent failed twice, and it does not end the conversation.",
        "It ends the conversation although the plan is not done and the agent has not failed twice.",
    ),
)
_END_AT_ONCE = Behaviour(
    "End the conversation appropriately",
    (
        "Everything in the plan is done, or the agent failed, and it does not end the conversation.",
        "It ends the conversation although the plan is not done and the agent has not failed.",
    ),
)
_PROFESSIONAL = Behaviour("Professional tone", ("It chats, jokes or rambles instead of coming to the point.",))
_CONVERSATIONAL = Behaviour(
    "Conversational tone", ("It sounds like a form or a manual: stiff, technical or a wall of text.",)
)

# What is looked for when a scenario names no user.
ANY_USER = (
    Behaviour(
        "Follows the plan",
        (
            "It repeats a goal that is done, or gives details for it.",
            "It lets the agent lead it away from the plan, or invents what the plan does not have.",
        ),
    ),
    Behaviour(
        "Ends when it should",
        (
            "The conversation should be over and it does not give the stop signal.",
            "It gives the stop signal although the plan is not done and the agent has not failed.",
            "The agent handed it over to a person and it goes on.",
        ),
    ),
    _GOAL,
    _ONCE,
    _ALL,
    _CORRECT,
    _CONVERSATIONAL,
)

_BUILT_IN = {
    "EXPERT": (_DETAIL, _RELEVANT, _CORRECT, _ONCE, _END_AFTER_ONE, _PROFESSIONAL),
    "NOVICE": (_GOAL, _LET_IT_BE, _ALL, _END_AT_ONCE, _CONVERSATIONAL),
    "EVALUATOR": (_DETAIL, _RELEVANT, _END_AT_ONCE, _LET_IT_BE, _CONVERSATIONAL),
}


def behaviours(persona: Persona | None) -> tuple[Behaviour, ...]:
    """The behaviours that a scenario's user should show."""
    if persona is None:
        return ANY_USER
    if persona.stated is not None:
        listed = persona.stated.get("behaviors")
        return tuple(_stated(entry) for entry in listed) if isinstance(listed, list) else ()
    built_in = _BUILT_IN.get(persona.id)
    if built_in is None:
        names = ", ".join(_BUILT_IN)
        raise CannotJudge(f"the persona “{one_line(persona.id, 60)}” is unknown; google-adk has {names}")
    return built_in


def _stated(entry: Json) -> Behaviour:
    if not isinstance(entry, dict):
        return Behaviour("", ())
    name, listed = entry.get("name"), entry.get("violation_rubrics")
    violations = tuple(str(line) for line in listed) if isinstance(listed, list) else ()
    return Behaviour(name if isinstance(name, str) else "", violations)
