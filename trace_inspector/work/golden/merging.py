"""In the golden child: merge a file that changed on disk, with a comparison as text."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.errors import ReadError
from trace_inspector.core.golden.case_merge import CaseMerge, Version
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.three_way import CONFLICTS, ChangedBy, MergeDifference
from trace_inspector.core.trace.trace import answer_text, calls_of, user_text
from trace_inspector.core.values.values import Absent, Json
from trace_inspector.documents.reading.reading import read
from trace_inspector.flows.goldens.golden_session import GoldenSession, Moved
from trace_inspector.flows.goldens.merging import Choices, Merge, carried_over, compared, merged
from trace_inspector.work.golden.requests import Merged, MergePreview, MergeRow

MOST_ROWS = 500
MOST_CHARS = 20_000
_ONCE_MORE = "The file changed on disk once more. Look at what is different now."
_NOT_THERE = "(not there)"


class Merging(Struct, frozen=True):
    """A comparison being shown, and the digest of the file on disk."""

    merge: Merge
    digest: str


def begin(golden: GoldenSession) -> Merging:
    """Compare the edited document with the file on disk."""
    session = golden.session
    theirs = read(session.state.document.path)
    merge = compared(session.saved, session.state.document, theirs, golden.format)
    return Merging(merge, hashlib.sha256(theirs.data).hexdigest())


def answer(merging: Merging, file: int) -> MergePreview:
    """The comparison as plain values for the window."""
    merge = merging.merge
    rows = [*_order_row(merge), *_case_rows(merge), *_part_rows(merge.parts)]
    rows.sort(key=lambda row: row.kind not in CONFLICTS)
    conflicts = sum(row.kind in CONFLICTS for row in rows)
    shown = tuple(rows[:MOST_ROWS])
    losses = tuple(loss.message for loss in merged(merge).losses)
    return MergePreview(file, merging.digest, shown, len(rows), conflicts, merge.unchanged, merge.order, losses)


def put_together(golden: GoldenSession, merging: Merging | None, asked: Merged) -> tuple[GoldenSession, Moved]:
    """A session of the file on disk with the changes made here, and what differs from before."""
    disk = read(golden.session.state.document.path)
    if merging is None or not (merging.digest == asked.digest == hashlib.sha256(disk.data).hexdigest()):
        raise ReadError(_ONCE_MORE, path=str(disk.path))
    choices = Choices(dict(asked.cases), dict(asked.parts), asked.order)
    before = golden.value
    session, losses = carried_over(golden.session, merging.merge, choices)
    now = GoldenSession(session, golden.format)
    return now, replace(now.since(before), losses=losses)


def _order_row(merge: Merge) -> Iterator[MergeRow]:
    if merge.order is not ChangedBy.SAME:
        mine, theirs = (_ids(merge.in_order(mine_leads=leads)) for leads in (True, False))
        yield MergeRow(None, "order of the cases", merge.order, mine, theirs)


def _ids(cases: Iterable[CaseMerge]) -> str:
    return "\n".join(case.id or "case" for case in cases)[:MOST_CHARS]


def _case_rows(merge: Merge) -> Iterator[MergeRow]:
    for index, case in enumerate(merge.cases):
        mine, theirs = _sides(case)
        yield MergeRow(index, case.id or "case", case.kind, mine, theirs)


def _part_rows(parts: tuple[MergeDifference, ...]) -> Iterator[MergeRow]:
    for part in parts:
        yield MergeRow(part.pointer, part.pointer or "file", part.kind, _value(part.mine), _value(part.theirs))


def _sides(case: CaseMerge) -> tuple[str, str]:
    """Both sides in readable form; as in the file where that would be the same text."""
    mine, theirs = _typed(case.mine), _typed(case.theirs)
    if mine != theirs:
        return mine, theirs
    return _raw(case.mine), _raw(case.theirs)


def _raw(version: Version | None) -> str:
    return _value(version.raw) if version is not None else _NOT_THERE


def _typed(version: Version | None) -> str:
    if version is None:
        return _NOT_THERE
    return "\n".join(_lines(version.case))[:MOST_CHARS] if version.case else _value(version.raw)


def _lines(case: Case) -> Iterator[str]:
    yield f"Case {case.id}"
    if case.tags:
        yield f"Tags: {', '.join(case.tags)}"
    for turn in case.turns:
        yield f"Turn {turn.index + 1}"
        yield f"  User: {user_text(turn)}"
        for call in calls_of(turn):
            yield f"  Call: {call.name} {json.dumps(call.args, ensure_ascii=False)[:MOST_CHARS]}"
        yield f"  Answer: {answer_text(turn)}"
    for rubric in case.rubrics:
        yield f"Rubric {rubric.id}: {rubric.text}"
    for matcher in case.matchers:
        yield f"Matcher {matcher.place}: {matcher.match.value}"


def _value(value: Json | Absent) -> str:
    if isinstance(value, Absent):
        return _NOT_THERE
    return json.dumps(value, indent=2, ensure_ascii=False)[:MOST_CHARS]
