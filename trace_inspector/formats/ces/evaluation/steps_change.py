"""Changes the steps of a golden turn: the user's message, the answer, the expected calls."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden_change import Answers, Calls, ExpectedCall, UserSays
from trace_inspector.core.golden.matcher import Matcher
from trace_inspector.core.trace.parts import Text, ToolCall, Unknown
from trace_inspector.core.trace.trace import calls_of
from trace_inspector.core.values.difference import same
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.value_edits import is_below
from trace_inspector.core.values.values import ABSENT, Json, JsonObject
from trace_inspector.formats.ces.common.content import VARIABLES
from trace_inspector.formats.ces.common.content_writer import arguments_json, by_place, message_json
from trace_inspector.formats.ces.common.losses import Losses
from trace_inspector.formats.common.fields import Fields, or_null
from trace_inspector.formats.writing.call_parts import CALL_TWICE, answers_gone
from trace_inspector.formats.writing.case_draft import CaseDraft, texts_in
from trace_inspector.formats.writing.list_merge import kept_places, refilled

_BY_HAND = "Edit the file by hand."


def change_user_text(draft: CaseDraft, change: UserSays) -> None:
    """Another text in the place of the first; further ones go. A step where there was none."""
    steps = StepList.of(draft, change.turn)
    words = texts_in(draft.turn(change.turn).user)
    if words:
        draft.put(draft.within(words[0].place), change.text)
        steps.remove({steps.index(part.place) for part in words[1:]})
        return
    inputs = [index for index, step in enumerate(steps.items) if step.object("user_input") is not None]
    steps.insert(inputs[-1] + 1 if inputs else 0, {"userInput": {"text": change.text}})


def change_answer(draft: CaseDraft, change: Answers) -> None:
    """Another text of the last message that is expected in the turn; a step behind all others where there is none."""
    turn = draft.turn(change.turn)
    steps = StepList.of(draft, change.turn)
    if turn.final_event is None:
        if change.text is not None:
            message = message_json((Text(change.text),), Losses())
            steps.insert(len(steps.items), {"expectation": {"agentResponse": message}})
        return
    place = turn.events[turn.final_event].place
    words = texts_in(turn.final_response or ())
    if change.text is None:
        steps.remove({steps.index(place)})
    elif words:
        draft.put_text(words, change.text)
    else:
        pointer = draft.fields(draft.within(place)).pointer("chunks")
        draft.put(pointer, [*draft.list_at(pointer), {"text": change.text}])


def change_calls(draft: CaseDraft, change: Calls) -> None:
    """Expect these calls. Kept ones take the places of kept ones; a new one follows the one before it."""
    turn = draft.turn(change.turn)
    steps = StepList.of(draft, change.turn)
    stated = {call.place: (steps.index(call.place), call) for call in calls_of(turn)}
    if not all(steps.expects(place) for place in stated):
        raise EditError(f"This turn has calls within a message of the agent. {_BY_HAND}")
    kept_places((expected.call.place for expected in change.calls), stated, CALL_TWICE)
    expected_steps: list[tuple[int | None, Json]] = []
    for expected in change.calls:
        index, call = stated.get(expected.call.place, (None, None))
        step = _new_step(expected) if call is None else _changed_step(draft, steps, call, expected)
        expected_steps.append((index, step))
    emptied = [*(index for index, _ in stated.values()), *map(steps.index, answers_gone(turn, change))]
    steps.refill(emptied, expected_steps, steps.first_expectation)


def set_variables(draft: CaseDraft, turn: str, variables: JsonObject | None) -> None:
    """What the caller sets before anything else; in one step, whatever it was in before."""
    steps = StepList.of(draft, turn)
    stated = []
    for part in draft.turn(turn).user:
        if not isinstance(part, Unknown) or part.kind != VARIABLES:
            break
        stated.append(part)
    unneeded = {steps.index(part.place) for part in stated[1 if variables is not None else 0 :]}
    if variables is not None and stated:
        draft.put(draft.within(stated[0].place), variables)
    elif variables is not None:
        steps.insert(0, {"userInput": {"variables": variables}})
    steps.remove(unneeded)


class StepList(Struct, frozen=True):
    """The steps of a turn as they stand, and where: as a pointer from the case."""

    draft: CaseDraft
    pointer: str
    items: tuple[Fields, ...]

    @classmethod
    def of(cls, draft: CaseDraft, turn: str) -> StepList:
        """Those of one turn. What is no object among them is not shown either, and must not shift them."""
        pointer = draft.fields(draft.within(turn)).pointer("steps")
        items = [
            Fields(raw if isinstance(raw, dict) else {}, join(pointer, index))
            for index, raw in enumerate(draft.list_at(pointer))
        ]
        return cls(draft, pointer, tuple(items))

    @property
    def first_expectation(self) -> int:
        """The index of the first step that expects something; behind the last where none does."""
        indexes = (index for index, step in enumerate(self.items) if step.object("expectation") is not None)
        return next(indexes, len(self.items))

    def index(self, place: str) -> int:
        """The index of the step in which something stands."""
        token = self.draft.within(place).removeprefix(f"{self.pointer}/").split("/", maxsplit=1)[0]
        if not token.isdecimal() or int(token) >= len(self.items):
            raise EditError(f"This stands outside the steps of its turn. {_BY_HAND}")
        return int(token)

    def expects(self, place: str) -> bool:
        """Whether a call is what a step expects, not a part of a message."""
        expectation = self.items[self.index(place)].object("expectation")
        return expectation is not None and self.draft.within(place) == expectation.pointer("tool_call")

    def insert(self, index: int, new: Json) -> None:
        """A step before another."""
        self.refill((), [(None, new)], index)

    def remove(self, indexes: Collection[int]) -> None:
        """Take steps out."""
        self.refill(indexes, (), 0)

    def refill(self, stated: Iterable[int], replacements: Sequence[tuple[int | None, Json]], first: int) -> None:
        """Other steps in the place of the `stated` ones, as in `refilled`."""
        listed = self.draft.list_at(self.pointer)
        self.draft.put_items(self.pointer, refilled(listed, {*stated}, replacements, first))


def _new_step(expected: ExpectedCall) -> JsonObject:
    call: JsonObject = {"tool": expected.call.resource or expected.call.name}
    args = _written(expected.call.args if expected.call.args is not ABSENT else None, expected.matchers)
    if args is not None:
        call["args"] = args
    return {"expectation": {"toolCall": call}}


def _changed_step(draft: CaseDraft, steps: StepList, before: ToolCall, expected: ExpectedCall) -> JsonObject:
    """The step with what is different now; the very same one where nothing is."""
    step = steps.items[steps.index(before.place)]
    expectation = step.object("expectation")
    call = expectation.object("tool_call") if expectation is not None else None
    if expectation is None or call is None:
        return step.value
    changed: JsonObject = {**call.value}
    if expected.call.name != before.name:
        changed.pop(call.key("toolset_tool") or "", None)
        changed[call.key("tool") or "tool"] = expected.call.name
    _change_args(draft, call, before, expected, changed)
    if changed == call.value and same(changed, call.value):
        return step.value
    inner = {**expectation.value, expectation.key("tool_call") or "toolCall": changed}
    return {**step.value, step.key("expectation") or "expectation": inner}


def _change_args(
    draft: CaseDraft, call: Fields, before: ToolCall, expected: ExpectedCall, changed: JsonObject
) -> None:
    """Arguments that are the same, directives and all, stay as they are spelt."""
    key = call.key("args") or "args"
    owner = f"{before.place}/args"
    stated = [
        Matcher(matcher.place.removeprefix(owner), matcher.match, matcher.text)
        for matcher in draft.before.matchers
        if is_below(matcher.place, owner)
    ]
    args = expected.call.args
    if args is ABSENT:
        changed.pop(key, None)
        return
    if same(or_null(args), or_null(before.args)) and _comparisons(expected.matchers, "") == _comparisons(stated, ""):
        return
    new = _written(args, expected.matchers)
    raw = call.mapping("args") or {}
    if isinstance(new, dict) and isinstance(args, dict) and isinstance(before.args, dict):
        for name, value in args.items():
            pointer = join("", name)
            is_same = name in before.args and name in raw and same(value, before.args[name])
            if is_same and _comparisons(expected.matchers, pointer) == _comparisons(stated, pointer):
                new[name] = raw[name]
    if new is None:
        changed.pop(key, None)
    else:
        changed[key] = new


def _comparisons(matchers: Sequence[Matcher], pointer: str) -> set[tuple[str, str, str]]:
    """How a value and those in it are compared."""
    return {
        (matcher.place, matcher.match.value, matcher.text) for matcher in matchers if is_below(matcher.place, pointer)
    }


def _written(args: Json, matchers: Sequence[Matcher]) -> Json:
    losses = Losses()
    written = arguments_json(args, "", by_place(matchers), losses)
    if losses.counts:
        ways = "exactly, by meaning, with a text or a pattern, or not at all"
        raise EditError(f"CES compares an argument {ways}. Choose one of these.")
    return written if written is None or isinstance(written, dict) else {"value": written}
