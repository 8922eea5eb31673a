"""Unique ids for merged cases: an id given here gives way to the same id on disk."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from trace_inspector.core.finding import Finding, info
from trace_inspector.core.golden.case_merge import CaseMerge, Version
from trace_inspector.core.golden.golden_change import Named
from trace_inspector.core.golden.three_way import ChangedBy
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.unique_id import unique_id
from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.format import Editing

_NAME = 80  # characters of an id in a message
_GIVEN_TWICE = "“{0}” from here becomes “{1}”: another golden on disk got the id “{0}”, too."
_KEPT_TWICE = "“{0}” as it was edited here becomes “{1}”, beside “{0}” as it is on disk."


class MergedCase(Struct, frozen=True):
    """A case in the result of a merge, and the version it is taken from. `again`: the second version of that case."""

    of: CaseMerge
    version: Version
    raw: Json
    again: bool = False


def with_own_ids(
    cases: Sequence[MergedCase], listed: str, editing: Editing
) -> tuple[list[Json], tuple[Finding, ...]]:
    """The values of the cases, renamed where two of them would have one id, and a finding for each renaming.

    Ids that one side already had twice stay.
    """
    raws = [case.raw for case in cases]
    ids = {index: _given(case, editing) for index, case in enumerate(cases) if case.of.kind is not ChangedBy.SAME}
    there = {given for index, given in ids.items() if given != _id(cases[index].of.mine)}
    clashing = {
        index: given
        for index, given in ids.items()
        if (cases[index].again or (given in there and given != _id(cases[index].of.theirs)))
        and given == _stated_id(cases[index].raw, editing) != ""
    }
    if not clashing:
        return raws, ()
    taken = {_stated_id(raw, editing) for index, raw in enumerate(raws) if index not in clashing}
    findings: list[Finding] = []
    for index, given in clashing.items():
        free = unique_id(given, taken)
        taken.add(free)
        if free != given:
            raws[index] = _renamed(raws[index], free, editing)
            words = _KEPT_TWICE if cases[index].again else _GIVEN_TWICE
            findings.append(info("renamed", words.format(_shown(given), _shown(free)), join(listed, index)))
    return raws, tuple(findings)


def _shown(name: str) -> str:
    """An id in a sentence; cut in the middle, because a number at its end tells it apart."""
    text = one_line(name, len(name) + 1)
    return text if len(text) <= _NAME else f"{text[: _NAME // 2]}…{text[-_NAME // 2 :]}"


def _id(version: Version | None) -> str:
    return version.case.id if version is not None and version.case is not None else ""


def _given(case: MergedCase, editing: Editing) -> str:
    """The id of a case; one that both sides changed in different places may have that of either."""
    return _stated_id(case.raw, editing) if case.of.kind is ChangedBy.COMBINED else _id(case.version)


def _stated_id(raw: Json, editing: Editing) -> str:
    """The id that a case states; "" where its name only comes from its place."""
    if not isinstance(raw, dict) or not editing.is_golden(raw):
        return ""
    first, second = (editing.read(raw, place, "").id for place in ("/0", "/1"))
    return first if first == second else ""


def _renamed(raw: Json, name: str, editing: Editing) -> Json:
    return editing.changed(raw, editing.read(raw, "/0", ""), Named(name)) if isinstance(raw, dict) else raw
