"""Copy, split, join and reorder cases within their document, keeping every key that the file has."""

from __future__ import annotations

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.case_arranging import Arrangement, ReworkedCase
from trace_inspector.core.golden.golden_change import Turns
from trace_inspector.core.values.pointer import resolve
from trace_inspector.core.values.value_paths import with_value
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.flows.goldens.golden_session import Arranged, GoldenSession, Moved
from trace_inspector.formats.common.format import Editing


def arranged(goldens: GoldenSession, arrangement: Arrangement) -> Moved:
    """Arrange the cases like this, as one undo step."""
    editing = goldens.format.editing
    if editing is None:
        raise EditError(
            f"Goldens of {goldens.format.title} cannot be edited here. Convert the file, and edit the new one."
        )
    cases: list[Arranged] = [
        case if isinstance(case, str) else _reworked(goldens.value, editing, case) for case in arrangement.cases
    ]
    return goldens.arrange(cases)


def _reworked(value: Json, editing: Editing, case: ReworkedCase) -> JsonObject:
    raw = resolve(value, case.place)
    if not isinstance(raw, dict):
        raise EditError(f"There is no case at “{case.place}” any more. Select it again.")
    for change in case.changes:
        raw = editing.changed(raw, editing.read(raw, case.place, ""), change)
        if isinstance(change, Turns):
            raw = _with_borrowed(value, editing, raw, case)
    return raw


def _with_borrowed(value: Json, editing: Editing, raw: JsonObject, case: ReworkedCase) -> JsonObject:
    """Insert turns of other cases with the text that they have there."""
    turns = editing.read(raw, case.place, "").turns
    new: Json = raw
    for index, place in case.borrowed:
        stated = resolve(value, place)
        if isinstance(stated, dict):
            new = with_value(new, turns[index].place[len(case.place) :], _copied(stated))
    return new if isinstance(new, dict) else raw


def _copied(value: Json) -> Json:
    """A deep copy: parts are compared by identity, so none may occur twice."""
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    return [_copied(item) for item in value] if isinstance(value, list) else value
