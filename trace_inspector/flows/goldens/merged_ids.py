"""The ids of the cases that a merge leaves: what was named here gives way to what got the same id on disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trace_inspector.core.finding import Finding, info
from trace_inspector.core.golden.case_merge import CaseMerge, Version
from trace_inspector.core.golden.golden_change import Named
from trace_inspector.core.golden.three_way import ChangedBy
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.unique_id import unique_id
from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.format import Editing

_NAME = 80  # chars of an id that is told
_GIVEN_TWICE = "“{0}” from here becomes “{1}”: another golden on disk got the id “{0}”, too."
_KEPT_TWICE = "“{0}” as it was edited here becomes “{1}”, beside “{0}” as it is on disk."


@dataclass(frozen=True, slots=True)
class Left:
    """A case as a merge leaves it, made of a version. `again`: it stands behind another one of the same case."""

    of: CaseMerge
    version: Version
    raw: Json
    again: bool = False


def with_own_ids(left: Sequence[Left], listed: str, editing: Editing) -> tuple[list[Json], tuple[Finding, ...]]:
    """Their values, under other ids where the merge would give one to two cases; and which these are.

    Ids that one side had twice already are that side's affair, and stay.
    """
    raws = [one.raw for one in left]
    ids = {at: _given(one, editing) for at, one in enumerate(left) if one.of.kind is not ChangedBy.SAME}
    there = {given for at, given in ids.items() if given != _id(left[at].of.mine)}
    clashing = {
        at: given
        for at, given in ids.items()
        if (left[at].again or (given in there and given != _id(left[at].of.theirs)))
        and given == _stated_id(left[at].raw, editing) != ""
    }
    if not clashing:
        return raws, ()
    taken = {_stated_id(raw, editing) for at, raw in enumerate(raws) if at not in clashing}
    said: list[Finding] = []
    for at, given in clashing.items():
        free = unique_id(given, taken)
        taken.add(free)
        if free != given:
            raws[at] = _renamed(raws[at], free, editing)
            words = _KEPT_TWICE if left[at].again else _GIVEN_TWICE
            said.append(info("renamed", words.format(_shown(given), _shown(free)), join(listed, at)))
    return raws, tuple(said)


def _shown(name: str) -> str:
    """An id in a sentence; cut in the middle, because what makes it another one stands at its end."""
    told = one_line(name, len(name) + 1)
    return told if len(told) <= _NAME else f"{told[: _NAME // 2]}…{told[-_NAME // 2 :]}"


def _id(version: Version | None) -> str:
    return version.case.id if version is not None and version.case is not None else ""


def _given(one: Left, editing: Editing) -> str:
    """The id of a case; what both sides changed in different places may have that of either."""
    return _stated_id(one.raw, editing) if one.of.kind is ChangedBy.COMBINED else _id(one.version)


def _stated_id(raw: Json, editing: Editing) -> str:
    """The id that a case states; "" where it is only named by its place."""
    if not isinstance(raw, dict) or not editing.is_golden(raw):
        return ""
    first, second = (editing.read(raw, place, "").id for place in ("/0", "/1"))
    return first if first == second else ""


def _renamed(raw: Json, name: str, editing: Editing) -> Json:
    return editing.changed(raw, editing.read(raw, "/0", ""), Named(name)) if isinstance(raw, dict) else raw
