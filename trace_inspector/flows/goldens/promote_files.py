"""Promote recorded conversations of files into a suite on disk: planned first, with every loss, then written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.errors import UsageError
from trace_inspector.core.finding import Finding
from trace_inspector.core.golden.expectation_kinds import EXPECTATIONS, default_expectations
from trace_inspector.core.golden.golden import Case, as_trace
from trace_inspector.core.golden.golden_formats import USUAL_FORMAT
from trace_inspector.core.golden.promoting import Origin, PromotionChoice, promoted_many
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.documents.base.document import Document
from trace_inspector.documents.packing.packing import is_there
from trace_inspector.flows.goldens.edit_session import EditSession
from trace_inspector.flows.goldens.golden_files import Draft, add, drafted, new_suite, taken_ids, writable
from trace_inspector.flows.goldens.golden_session import GoldenSession
from trace_inspector.flows.opening.convert_file import Converted, save_converted
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.formats.common.unread_formats import not_read

Conversation: TypeAlias = "tuple[Trace, Origin]"


class Plan(Struct, frozen=True):
    """What a promotion would write: `made` as a new file, or `draft` into the existing document."""

    path: Path
    format_name: str
    cases: tuple[Case, ...]
    losses: tuple[Finding, ...]
    gone: tuple[Finding, ...]
    made: Converted | None = None
    document: Document | None = None
    draft: Draft | None = None


def planned(
    traces: Sequence[Path], into: Path, *, turns: Sequence[int] = (), wants: Sequence[str] = (), format_name: str = ""
) -> Plan:
    """Plan the promotion of recorded conversations into a suite. Nothing is written."""
    recorded = [conversation for path in traces for conversation in _recorded(path)]
    return planned_of(recorded, str(traces[0]), into, turns=turns, wants=wants, format_name=format_name)


def planned_of(
    recorded: Sequence[Conversation],
    source: str,
    into: Path,
    *,
    turns: Sequence[int] = (),
    wants: Sequence[str] = (),
    format_name: str = "",
) -> Plan:
    """The same of conversations that are read already; `source` names where they come from."""
    document = open_file(into).document if is_there(into) else None
    name = _name_of(into, format_name)
    if not recorded:
        raise UsageError("These files contain no recorded conversation. Name a file that has one.", path=source)
    if turns and len(recorded) > 1:
        sentence = (
            f"These files contain {len(recorded)} conversations, but turns can be chosen from one only. Name a file "
            "with that one alone."
        )
        raise UsageError(sentence, path=source)
    choice = PromotionChoice(tuple(turns) or None, _expectations(wants, name))
    chosen = [(trace, choice, origin) for trace, origin in recorded]
    if document is None:
        cases = promoted_many(chosen)
        made = new_suite(cases, name, into.name.partition(".")[0] or "goldens")
        return Plan(into, name, cases, made.losses, made.gone, made=made)
    with closing(_session(document)) as session:
        taken = taken_ids(GoldenSession(session, writable(name)))
    cases = promoted_many(chosen, taken)
    draft = drafted(cases, writable(name), taken)
    return Plan(into, name, cases, draft.losses, draft.gone, document=document, draft=draft)


def carry_out(plan: Plan) -> tuple[str, ...]:
    """Write the new file, or the goldens into the existing one, whose other bytes stay. Returns notes of the save."""
    notes: list[str] = []
    if plan.made is not None:
        notes += save_converted(plan.made, plan.path)
    elif plan.document is not None and plan.draft is not None:
        with closing(_session(plan.document)) as session:
            add(GoldenSession(session, writable(plan.format_name)), plan.draft)
            session.save(note=notes.append)
    return tuple(notes)


def _name_of(into: Path, format_name: str) -> str:
    if not is_there(into):
        return writable(format_name or USUAL_FORMAT).name
    recognised = open_file(into).contents.format
    if format_name and recognised != format_name:
        sentence = f"This file is “{recognised or 'of no known format'}”, not “{format_name}”. Name another."
        raise UsageError(sentence, path=str(into))
    return writable(recognised).name


def _expectations(wants: Sequence[str], format_name: str) -> frozenset[str]:
    by_name = {expectation.name: expectation for expectation in EXPECTATIONS}
    for name in wants:
        if name not in by_name:
            raise UsageError(f"Nothing to expect is called “{name}”; choose from {', '.join(by_name)}.")
        formats = by_name[name].formats
        if formats and format_name not in formats:
            raise UsageError(f"“{format_name}” has no place for “{name}”; it is for {', '.join(formats)}.")
    return frozenset(wants) or default_expectations(format_name)


def _recorded(path: Path) -> Iterator[Conversation]:
    opened = open_file(path)
    if not opened.contents.format:
        raise UsageError(not_read(opened.document.value), path=str(path))
    yield from conversations(opened.contents, path.name)


def conversations(contents: Contents, name: str) -> Iterator[Conversation]:
    """The conversations of a file with the verdicts it reports; its scripts where it has no conversations."""
    scripts = [as_trace(case) for suite in contents.suites for case in suite.cases if case.turns]
    for trace in filter(lambda recorded: recorded.turns, contents.traces or scripts):
        reported = _reported(contents, trace)
        yield trace, Origin(name, reported.status if reported is not None else None)


def _reported(contents: Contents, trace: Trace) -> CaseVerdict | None:
    return next(
        (
            verdict
            for verdict in contents.reported
            if (verdict.trace_id, verdict.trace_place) == (trace.id, trace.place)
        ),
        None,
    )


def _session(document: Document) -> EditSession:
    return EditSession(replace(document), lambda _journal: None)
