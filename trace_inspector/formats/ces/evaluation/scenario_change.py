"""Changes what is expected of a whole conversation of CES: in a scenario, and by sentences."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.equivalent_changes import stated_expectations
from trace_inspector.core.golden.golden_change import ExpectationWithMatchers
from trace_inspector.core.golden.matcher import Matcher
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import ToolCall, ToolResult
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.ces.common.content_writer import by_place, call_json, message_json, result_json
from trace_inspector.formats.ces.common.losses import Losses
from trace_inspector.formats.ces.common.value_overlay import merged
from trace_inspector.formats.common.fields import Fields
from trace_inspector.formats.writing.case_draft import CaseDraft, are_same
from trace_inspector.formats.writing.list_merge import refilled

_ORPHAN = "What a tool answers in the run belongs to a call that is expected. Put it behind its call."
_ALONE = "A scenario of CES expects calls and words alone. Say the rest in a sentence for a judge."
_NAMED = "CES names sentences that stand in resources of their own. Add an evaluation expectation, and name it here."
THING_TWICE = "The same thing is expected twice. Copy it instead."


def expect_in_scenario(draft: CaseDraft, scenario: str, expected: Sequence[ExpectationWithMatchers]) -> None:
    """Expect these calls, with the mocks of their results, and these messages."""
    pointer = draft.key(scenario, "scenario_expectations")
    stated = [expectation for expectation in draft.before.expectations if expectation.kind is not Expects.CRITERION]
    items = _items(stated_expectations(draft.before, stated))
    before = {expectation.place: expectation for expectation in items}
    if len(items) != len(before):
        raise EditError("Something here expects several things at once, which CES rejects. Change it in Raw.")
    replacements: list[tuple[int | None, Json]] = []
    for item in _items(expected):
        old = before.get(item.place)
        if old is None:
            replacements.append((None, item.raw))
        else:
            raw = draft.value_at(draft.within(old.place))
            replacements.append((int(old.place.rpartition("/")[2]), merged(raw, old.raw, item.raw)))
    _write(draft, pointer, [int(place.rpartition("/")[2]) for place in before], replacements)


def expect_sentences(draft: CaseDraft, owner: str, sentences: Sequence[Expectation]) -> None:
    """Have these sentences judged: by the names under which they stand elsewhere, or as they are written out here."""
    pointer = draft.key(owner, "evaluation_expectations")
    before = {
        sentence.place: sentence for sentence in draft.before.expectations if sentence.kind is Expects.CRITERION
    }
    replacements: list[tuple[int | None, Json]] = []
    for sentence in sentences:
        if sentence != Expectation(
            Expects.CRITERION, text=sentence.text, reference=sentence.reference, place=sentence.place
        ):
            raise EditError("A sentence for a judge has neither note nor criteria of its own. Leave them out.")
        old = before.get(sentence.place)
        if old is None:
            replacements.append((None, _new_sentence(sentence)))
        else:
            replacements.append((int(sentence.place.rpartition("/")[2]), _sentence(draft, sentence, old)))
    _write(draft, pointer, [int(place.rpartition("/")[2]) for place in before], replacements)


def _write(
    draft: CaseDraft, pointer: str, stated: Sequence[int], replacements: Sequence[tuple[int | None, Json]]
) -> None:
    kept = [index for index, _ in replacements if index is not None]
    if len(kept) != len(set(kept)):
        raise EditError(THING_TWICE)
    listed = draft.list_at(pointer)
    new = refilled(listed, stated, replacements, len(listed))
    if not are_same(new, listed):
        draft.put_or_drop(pointer, new or None)


class _Item(Struct, frozen=True):
    """One scenario expectation: where it stands, and as it is written."""

    place: str
    raw: JsonObject


def _items(listed: Sequence[ExpectationWithMatchers]) -> list[_Item]:
    items: list[_Item] = []
    for item in listed:
        expected = item.expectation
        if expected.note or expected.skipped or expected.compared_by or expected.criteria:
            raise EditError(_ALONE)
        match expected.kind, expected.parts:
            case Expects.CALL, (ToolCall() as call,):
                items.append(_Item(expected.place, {"toolExpectation": {"expectedToolCall": _call(call, item)}}))
            case Expects.MOCK, (ToolResult() as answer,):
                items[-1:] = [_with_mock(items, answer)]
            case Expects.ANSWER, parts:
                losses = Losses()
                message = message_json(parts, losses)
                if losses.counts:
                    raise EditError(_ALONE)
                items.append(_Item(expected.place, {"agentResponse": message}))
            case _:
                raise EditError(_ALONE)
    return items


def _with_mock(items: Sequence[_Item], answer: ToolResult) -> _Item:
    expectation = items[-1].raw.get("toolExpectation") if items else None
    if not isinstance(expectation, dict) or "mockToolResponse" in expectation:
        raise EditError(_ORPHAN)
    return replace(items[-1], raw={"toolExpectation": {**expectation, "mockToolResponse": result_json(answer)}})


def _call(call: ToolCall, expected: ExpectationWithMatchers) -> JsonObject:
    losses = Losses()
    matchers: list[Matcher] = [replace(rule, place=f"{call.place}/args{rule.place}") for rule in expected.matchers]
    written = call_json(call, by_place(matchers), losses)
    if losses.counts:
        ways = "exactly, by meaning, with a text or a pattern, or not at all"
        raise EditError(f"CES compares an argument {ways}. Choose one of these.")
    return written


def _new_sentence(sentence: Expectation) -> Json:
    if sentence.text or not sentence.reference:
        raise EditError(_NAMED)
    return sentence.reference


def _sentence(draft: CaseDraft, sentence: Expectation, old: Expectation) -> Json:
    pointer = draft.within(sentence.place)
    raw = draft.value_at(pointer)
    if sentence == old:
        return raw
    if not isinstance(raw, dict):
        return _new_sentence(sentence)
    fields = Fields(raw, pointer)
    members: JsonObject = {**raw}
    if sentence.reference != old.reference:
        members[("name" if fields.text("name") else fields.key("display_name")) or "displayName"] = sentence.reference
    if sentence.text != old.text:
        members[fields.key("llm_criteria") or "llmCriteria"] = {
            **(fields.mapping("llm_criteria") or {}),
            "prompt": sentence.text,
        }
    return members
