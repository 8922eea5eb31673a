"""The table of bulk edits: what each is called, and what it does to a case."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.golden import bulk_calls as of_calls
from trace_inspector.core.golden.bulk_change import (
    AddRubric,
    AddTag,
    Bulk,
    CompareArgument,
    DeleteCases,
    Effect,
    ExpectAnswer,
    ForgetRule,
    RemoveCalls,
    RemoveTag,
    RenameArgument,
    RenameTool,
    ReplaceText,
    Row,
    Where,
)
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import Answers, ExpectedCall, GoldenChange, Rubrics, Tagged, UserSays
from trace_inspector.core.golden.matcher import Match
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import answer_text, user_text
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.unique_id import unique_id
from trace_inspector.core.values.value_paths import with_value
from trace_inspector.core.values.values import Json, present


class BulkEffect(Struct, frozen=True):
    """A kind of bulk edit: how it begins its sentence, and what it does."""

    title: Callable[[Any], str]
    effect: Callable[[Case, Any], Effect]


def effect_on(case: Case, bulk: Bulk) -> Effect:
    """What a bulk edit does to a case."""
    return BULK[type(bulk)].effect(case, bulk)


def bulk_title(bulk: Bulk) -> str:
    """What a bulk edit does, as the beginning of a sentence."""
    return BULK[type(bulk)].title(bulk)


def _add_tag(case: Case, bulk: AddTag) -> Effect:
    return Effect() if bulk.tag in case.tags else _tagged(case, "", bulk.tag, (*case.tags, bulk.tag))


def _remove_tag(case: Case, bulk: RemoveTag) -> Effect:
    kept = tuple(tag for tag in case.tags if tag != bulk.tag)
    return Effect() if kept == case.tags else _tagged(case, bulk.tag, "", kept)


def _tagged(case: Case, before: str, after: str, tags: tuple[str, ...]) -> Effect:
    return Effect((_row(case, None, "tag", f"{case.place}/tags", before, after),), (Tagged(tags),))


def _expect_answer(case: Case, bulk: ExpectAnswer) -> Effect:
    rows: list[Row] = []
    changes: list[GoldenChange] = []
    for turn in case.turns[-1:] if bulk.last_only else case.turns:
        stated = None if turn.final_response is None else answer_text(turn)
        if stated != bulk.text:
            rows.append(_row(case, turn.index, "answer", turn.place, stated or "", bulk.text or ""))
            changes.append(Answers(turn.place, bulk.text))
    return Effect(tuple(rows), tuple(changes))


def _add_rubric(case: Case, bulk: AddRubric) -> Effect:
    if any(rubric.text == bulk.rubric.text for rubric in case.rubrics):
        return Effect()
    name = unique_id(bulk.rubric.id, {rubric.id for rubric in case.rubrics})
    new = replace(bulk.rubric, id=name, place="")
    row = _row(case, None, "rubric", case.place, "", new.text)
    return Effect((row,), (Rubrics(case.place, (*case.rubrics, new)),))


def _delete(case: Case, _bulk: DeleteCases) -> Effect:
    return Effect((_row(case, None, "case", case.place, case.id, ""),), deletes=True)


def _replace_text(case: Case, bulk: ReplaceText) -> Effect:
    rows: list[Row] = []
    changes: list[GoldenChange] = []
    for where in Where:
        if where in bulk.where:
            effect = _REPLACED[where](case, bulk)
            rows += effect.rows
            changes += effect.changes
    return Effect(tuple(rows), tuple(changes))


def _in_user_words(case: Case, bulk: ReplaceText) -> Effect:
    texts = [(turn, user_text(turn)) for turn in case.turns]
    new = [(turn, text, after) for turn, text in texts if text and (after := bulk.replaced(text)) != text]
    return Effect(
        tuple(_row(case, turn.index, "user", turn.place, text, after) for turn, text, after in new),
        tuple(UserSays(turn.place, after) for turn, _, after in new),
    )


def _in_answers(case: Case, bulk: ReplaceText) -> Effect:
    texts = [(turn, answer_text(turn)) for turn in case.turns]
    new = [(turn, text, after) for turn, text in texts if text and (after := bulk.replaced(text)) != text]
    return Effect(
        tuple(_row(case, turn.index, "answer", turn.place, text, after) for turn, text, after in new),
        tuple(Answers(turn.place, after) for turn, _, after in new),
    )


def _in_arguments(case: Case, bulk: ReplaceText) -> Effect:
    def edit_call(expected: ExpectedCall, edits: of_calls.CallEdits) -> ExpectedCall:
        args = expected.call.args
        if not present(args):
            return expected
        for pointer, text in list(_texts(args, "")):
            after = bulk.replaced(text)
            if after != text:
                edits.row(expected.call.name, f"{expected.call.place}/args{pointer}", text, after)
                args = with_value(args, pointer, after)
        return replace(expected, call=replace(expected.call, args=args))

    return of_calls.with_edited_calls(case, edit_call)


def _in_rubrics(case: Case, bulk: ReplaceText) -> Effect:
    owners = [(case.place, None, case.rubrics), *((turn.place, turn.index, turn.rubrics) for turn in case.turns)]
    rows: list[Row] = []
    changes: list[GoldenChange] = []
    for owner, turn, rubrics in owners:
        new = tuple(_replaced(rubric, bulk) for rubric in rubrics)
        if new != rubrics:
            changes.append(Rubrics(owner, new))
            rows += [
                _row(case, turn, "rubric", old.place, old.text, now.text)
                for old, now in zip(rubrics, new, strict=True)
                if old != now
            ]
    return Effect(tuple(rows), tuple(changes))


def _replaced(rubric: Rubric, bulk: ReplaceText) -> Rubric:
    after = bulk.replaced(rubric.text)
    return rubric if after == rubric.text else replace(rubric, text=after)


def _texts(value: Json, pointer: str) -> Iterator[tuple[str, str]]:
    """Every text in a value, with its pointer. Names of keys are none."""
    if isinstance(value, str):
        yield pointer, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from _texts(item, join(pointer, key))


def _row(case: Case, turn: int | None, what: str, place: str, before: str, after: str) -> Row:
    return Row(case.id, case.place, turn, what, place, before, after)


_REPLACED: Mapping[Where, Callable[[Case, ReplaceText], Effect]] = {
    Where.USER: _in_user_words,
    Where.ANSWERS: _in_answers,
    Where.ARGUMENTS: _in_arguments,
    Where.RUBRICS: _in_rubrics,
}


def _answer_title(bulk: ExpectAnswer) -> str:
    turns = "the last turn" if bulk.last_only else "every turn"
    return f"Expect no answer in {turns}" if bulk.text is None else f"Expect “{bulk.text}” as the answer of {turns}"


def _compare_title(bulk: CompareArgument) -> str:
    argument = f"argument “{bulk.argument}” of “{bulk.tool}”"
    if bulk.rule.match is Match.IGNORE:
        return f"Ignore {argument}"
    return f"Compare {argument} by {of_calls.rule_text(bulk.rule)}"


BULK: Mapping[type, BulkEffect] = {
    CompareArgument: BulkEffect(
        _compare_title,
        of_calls.compare_argument,
    ),
    ForgetRule: BulkEffect(
        lambda bulk: f"Want argument “{bulk.argument}” of “{bulk.tool}” to be equal", of_calls.forget_rule
    ),
    RenameTool: BulkEffect(lambda bulk: f"Rename tool “{bulk.tool}” to “{bulk.name}”", of_calls.rename_tool),
    RenameArgument: BulkEffect(
        lambda bulk: f"Rename argument “{bulk.argument}” of “{bulk.tool}” to “{bulk.name}”", of_calls.rename_argument
    ),
    RemoveCalls: BulkEffect(lambda bulk: f"Expect no calls of “{bulk.tool}”", of_calls.remove_calls),
    AddTag: BulkEffect(lambda bulk: f"Add tag “{bulk.tag}”", _add_tag),
    RemoveTag: BulkEffect(lambda bulk: f"Remove tag “{bulk.tag}”", _remove_tag),
    ExpectAnswer: BulkEffect(_answer_title, _expect_answer),
    AddRubric: BulkEffect(lambda bulk: f"Add rubric “{bulk.rubric.text}”", _add_rubric),
    DeleteCases: BulkEffect(lambda _bulk: "Delete", _delete),
    ReplaceText: BulkEffect(lambda bulk: bulk.title, _replace_text),
}
