"""The golden that a conversation is compared with when no run paired it: guessed by its case id, if unique."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Trace
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.files.files import Files

_MOST_OPENED = 200  # conversations in all whose case is looked up in them

Found = tuple[OpenFile, int]


def guessed_partner(files: Files, file: OpenFile, top: int) -> Found | None:
    """The only golden of a conversation's case, or the only conversation of a case; None where there are several."""
    here = file.table.body(top)
    if isinstance(here, Trace):
        partners = list(_goldens(files, here))
    elif isinstance(here, Case):
        partners = list(_conversations(files, here))
    else:
        return None
    own = [
        partner for partner in partners if partner[0] is file
    ]  # cases of a file are meant for its own conversations first
    partners = own or partners
    return partners[0] if len(partners) == 1 else None


def _goldens(files: Files, trace: Trace) -> Iterator[Found]:
    name = one_line(trace.case_id or trace.id)
    for file in _of_kind(files, Kind.CASE):
        for top in file.table.named.called(name):
            case = file.table.body(top)
            if isinstance(case, Case) and _belong(trace, case):
                yield file, top


def _conversations(files: Files, case: Case) -> Iterator[Found]:
    name, room = one_line(case.id), _MOST_OPENED
    for file in _of_kind(files, Kind.TRACE):
        others = [top for top in file.table.tops[:room] if file.table.name(top) != name]
        room -= len(others)
        for top in (*file.table.named.called(name), *others):
            trace = file.table.body(top)
            if isinstance(trace, Trace) and _belong(trace, case):
                yield file, top


def _belong(trace: Trace, case: Case) -> bool:
    """Case ids mean something inside their suite only, where a conversation names one."""
    return (trace.case_id or trace.id) == case.id and trace.suite_id in (None, case.suite_id)


def _of_kind(files: Files, kind: Kind) -> Iterator[OpenFile]:
    for file in files:
        if file.state is FileState.READY and (file.has_cases if kind is Kind.CASE else file.has_traces):
            yield file
