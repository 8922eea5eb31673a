"""A task of tau2-bench as a case: whom the user plays, which calls are expected, what is to be true afterwards."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.golden.golden import Case, Persona, Scenario
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Part, Text, ToolCall
from trace_inspector.core.trace.trace import Event
from trace_inspector.core.values.pointer import join
from trace_inspector.formats.common.chat_flow import speaker_of
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, or_null
from trace_inspector.formats.common.message_parts import message_parts

_FACTS = ("known_info", "unknown_info")
_PLAN = ("reason_for_call", "task_instructions")
_USER = "user"


def identity_of(owner: Fields, name: str) -> str:
    """The id of a task, which may be a number."""
    value = owner.get(name)
    return str(value) if isinstance(value, int | str) and not isinstance(value, bool) else owner.place


def case_of(task: Fields, suite: str) -> Case:
    """The expected calls are those of the whole conversation: no task says in which turn they are made."""
    wanted = task.object("evaluation_criteria") or Fields({}, task.place)
    actions = wanted.objects("actions")
    initial = task.object("initial_state") or Fields({}, task.place)
    return Case(
        id=identity_of(task, "id"),
        suite_id=suite,
        scenario=_scenario(task),
        context=tuple(_before(initial)),
        expectations=(*map(_action, actions), *_sentences(wanted)),
        matchers=tuple(matcher for action in actions for matcher in _not_compared(action)),
        extras=(
            *stated_extras(task, "id", "user_scenario", "evaluation_criteria", "initial_state"),
            *stated_extras(wanted, "actions", "nl_assertions", "communicate_info"),
            *stated_extras(initial, "message_history"),
        ),
        place=task.place,
    )


def _scenario(task: Fields) -> Scenario:
    told = task.object("user_scenario") or Fields({}, task.place)
    persona = told.text("persona")
    plan, facts = told.text("instructions") or "", tuple[tuple[str, str], ...]()
    detailed = told.object("instructions")
    if detailed is not None:
        plan = "\n".join(words for name in _PLAN if (words := detailed.text(name)))
        facts = tuple((name, words) for name in _FACTS if (words := detailed.text(name)))
    player = Persona("", persona, place=told.pointer("persona")) if persona else None
    return Scenario("", plan, player, facts=facts, place=told.place)


def _action(action: Fields) -> Expectation:
    by = _USER if action.text("requestor") == _USER else ""
    call = ToolCall(action.text("name") or "", action.get("arguments"), place=action.place, agent=by)
    return Expectation(Expects.CALL, (call,), note=action.text("info") or "", place=action.place)


def _not_compared(action: Fields) -> Iterator[Matcher]:
    """The arguments that are left out of the comparison, where the task lists those that are not."""
    compared = or_null(action.get("compare_args"))
    arguments = action.object("arguments")
    if isinstance(compared, list) and arguments is not None:
        for name in arguments.value:
            if name not in compared:
                yield Matcher(join(arguments.place, name), Match.IGNORE)


def _sentences(wanted: Fields) -> Iterator[Expectation]:
    """Sentences for a judge, and what the agent has to tell the user."""
    for text, place in _texts(wanted, "nl_assertions"):
        yield Expectation(Expects.CRITERION, text=text, place=place)
    for text, place in _texts(wanted, "communicate_info"):
        yield Expectation(Expects.ANSWER, (Text(text, place),), compared_by="CONTAINS", place=place)


def _texts(owner: Fields, name: str) -> Iterator[tuple[str, str]]:
    listed = or_null(owner.get(name))
    for index, text in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(text, str):
            yield text, join(owner.pointer(name), index)


def _before(initial: Fields) -> Iterator[Event]:
    """What was said before the task begins."""
    for message in initial.objects("message_history"):
        speaker = speaker_of(message)
        raw = {**message.value, "role": "tool"} if speaker == "tool" else message.value
        parts: tuple[Part, ...] = tuple(message_parts(raw, message.place))
        yield Event(_USER if speaker == _USER else "assistant", parts, speaker or "system", place=message.place)
