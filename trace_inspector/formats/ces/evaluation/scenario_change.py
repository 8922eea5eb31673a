"""Changes what is expected of a whole conversation of CES: in a scenario, and by sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.equivalent_changes import stated_expectations
from trace_inspector.core.golden.golden_change import ExpectationWithMatchers
from trace_inspector.core.golden.matcher import Matcher
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import ToolCall, ToolResult
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.ces.common.content_writer import by_place, call_json, message_json, result_json
from trace_inspector.formats.ces.common.losses import Losses
from trace_inspector.formats.ces.common.merged import merged
from trace_inspector.formats.common.fields import Fields
from trace_inspector.formats.writing.case_draft import CaseDraft, are_same
from trace_inspector.formats.writing.list_merge import refilled

_ORPHAN = "What a tool answers in the run belongs to a call that is expected. Put it behind its call."
_ALONE = "A scenario of CES expects calls and words alone. Say the rest in a sentence for a judge."
_NAMED = "CES names sentences that stand in resources of their own. Add an evaluation expectation, and name it here."
THING_TWICE = "The same thing is expected twice. Copy it instead."


def expect_in_scenario(draft: CaseDraft, scenario: str, wanted: Sequence[ExpectationWithMatchers]) -> None:
    """Expect these calls, with what their tools answer in the run, and these words."""
    pointer = draft.key(scenario, "scenario_expectations")
    stated = [one for one in draft.before.expectations if one.kind is not Expects.CRITERION]
    items = _items(stated_expectations(draft.before, stated))
    before = {one.place: one for one in items}
    if len(items) != len(before):
        raise EditError("Something here expects several things at once, which CES rejects. Change it in Raw.")
    found: list[tuple[int | None, Json]] = []
    for item in _items(wanted):
        old = before.get(item.place)
        if old is None:
            found.append((None, item.raw))
        else:
            raw = draft.value_at(draft.within(old.place))
            found.append((int(old.place.rpartition("/")[2]), merged(raw, old.raw, item.raw)))
    _write(draft, pointer, [int(place.rpartition("/")[2]) for place in before], found)


def expect_sentences(draft: CaseDraft, owner: str, wanted: Sequence[Expectation]) -> None:
    """Have these sentences judged: by the names under which they stand elsewhere, or as they are written out here."""
    pointer = draft.key(owner, "evaluation_expectations")
    before = {one.place: one for one in draft.before.expectations if one.kind is Expects.CRITERION}
    found: list[tuple[int | None, Json]] = []
    for one in wanted:
        if one != Expectation(Expects.CRITERION, text=one.text, reference=one.reference, place=one.place):
            raise EditError("A sentence for a judge has neither note nor criteria of its own. Leave them out.")
        old = before.get(one.place)
        if old is None:
            found.append((None, _new_sentence(one)))
        else:
            found.append((int(one.place.rpartition("/")[2]), _sentence(draft, one, old)))
    _write(draft, pointer, [int(place.rpartition("/")[2]) for place in before], found)


def _write(draft: CaseDraft, pointer: str, stated: Sequence[int], wanted: Sequence[tuple[int | None, Json]]) -> None:
    kept = [index for index, _ in wanted if index is not None]
    if len(kept) != len(set(kept)):
        raise EditError(THING_TWICE)
    listed = draft.list_at(pointer)
    new = refilled(listed, stated, wanted, len(listed))
    if not are_same(new, listed):
        draft.put_or_drop(pointer, new or None)


@dataclass(frozen=True, slots=True)
class _Item:
    """One scenario expectation: where it stands, and as it is written."""

    place: str
    raw: JsonObject


def _items(wanted: Sequence[ExpectationWithMatchers]) -> list[_Item]:
    items: list[_Item] = []
    for one in wanted:
        expected = one.expectation
        if expected.note or expected.skipped or expected.compared_by or expected.criteria:
            raise EditError(_ALONE)
        match expected.kind, expected.parts:
            case Expects.CALL, (ToolCall() as call,):
                items.append(_Item(expected.place, {"toolExpectation": {"expectedToolCall": _call(call, one)}}))
            case Expects.MOCK, (ToolResult() as answer,):
                items[-1:] = [_with_mock(items, answer)]
            case Expects.ANSWER, parts:
                losses = Losses()
                said = message_json(parts, losses)
                if losses.counts:
                    raise EditError(_ALONE)
                items.append(_Item(expected.place, {"agentResponse": said}))
            case _:
                raise EditError(_ALONE)
    return items


def _with_mock(items: Sequence[_Item], answer: ToolResult) -> _Item:
    held = items[-1].raw.get("toolExpectation") if items else None
    if not isinstance(held, dict) or "mockToolResponse" in held:
        raise EditError(_ORPHAN)
    return replace(items[-1], raw={"toolExpectation": {**held, "mockToolResponse": result_json(answer)}})


def _call(call: ToolCall, one: ExpectationWithMatchers) -> JsonObject:
    losses = Losses()
    matchers: list[Matcher] = [replace(rule, place=f"{call.place}/args{rule.place}") for rule in one.matchers]
    written = call_json(call, by_place(matchers), losses)
    if losses.counts:
        ways = "exactly, by meaning, with a text or a pattern, or not at all"
        raise EditError(f"CES compares an argument {ways}. Choose one of these.")
    return written


def _new_sentence(one: Expectation) -> Json:
    if one.text or not one.reference:
        raise EditError(_NAMED)
    return one.reference


def _sentence(draft: CaseDraft, one: Expectation, old: Expectation) -> Json:
    pointer = draft.within(one.place)
    raw = draft.value_at(pointer)
    if one == old:
        return raw
    if not isinstance(raw, dict):
        return _new_sentence(one)
    fields = Fields(raw, pointer)
    said: JsonObject = {**raw}
    if one.reference != old.reference:
        said[("name" if fields.text("name") else fields.key("display_name")) or "displayName"] = one.reference
    if one.text != old.text:
        said[fields.key("llm_criteria") or "llmCriteria"] = {
            **(fields.mapping("llm_criteria") or {}),
            "prompt": one.text,
        }
    return said
