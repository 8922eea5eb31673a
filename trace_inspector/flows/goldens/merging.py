"""Three-way merge of a file that changed on disk while it was edited here."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct, field

from trace_inspector.core.finding import Finding
from trace_inspector.core.golden.case_merge import (
    CaseMerge,
    CaseNumbers,
    Version,
    case_kind,
    chosen_versions,
    in_order,
    matched_cases,
    order_kind,
)
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.three_way import (
    CONFLICTS,
    OF_MINE,
    ChangedBy,
    MergeChoice,
    MergeDifference,
    merge_differences,
    merged_value,
)
from trace_inspector.core.rows.contents import collect
from trace_inspector.core.values.pointer import join, resolve
from trace_inspector.core.values.structural_sharing import with_shared_parts
from trace_inspector.core.values.value_edits import steps_between
from trace_inspector.core.values.value_paths import with_value
from trace_inspector.core.values.values import ABSENT, Json
from trace_inspector.documents.base.document import Document
from trace_inspector.flows.goldens.apply_steps import after_steps
from trace_inspector.flows.goldens.edit_session import EditSession
from trace_inspector.flows.goldens.merged_ids import MergedCase, with_own_ids
from trace_inspector.formats.common.format import Editing, Format, Source


class Merge(Struct, frozen=True):
    """The changes of both sides. `parts` are those outside of cases, by key.

    Cases that are the same in all versions are only counted. `order` says which side reordered the cases.
    `theirs` is the file as it is on disk.
    """

    theirs: Document
    format: Format
    listed: str | None  # the pointer of the cases; None where the document is only compared by key
    cases: tuple[CaseMerge, ...]
    unchanged: int
    parts: tuple[MergeDifference, ...]
    order: ChangedBy
    _rows: tuple[tuple[CaseNumbers, CaseMerge], ...] = ()

    @property
    def conflicts(self) -> tuple[CaseMerge | MergeDifference, ...]:
        """What a person has to choose besides the order. Without any there is nothing to ask."""
        return (
            *(row for row in self.cases if row.kind in CONFLICTS),
            *(row for row in self.parts if row.kind in CONFLICTS),
        )

    def in_order(self, *, mine_leads: bool) -> list[CaseMerge]:
        """All cases, unchanged ones included, in the order of one side."""
        by_row = dict(self._rows)
        return [by_row[row] for row in in_order([row for row, _ in self._rows], mine_leads=mine_leads)]


class Choices(Struct, frozen=True):
    """What a person chooses, for cases by index in the merge, for other parts by pointer; theirs by default."""

    cases: Mapping[int, MergeChoice] = field(default_factory=dict)
    parts: Mapping[str, MergeChoice] = field(default_factory=dict)
    order: MergeChoice = MergeChoice.THEIRS


def compared(base: Document, mine: Document, theirs: Document, file_format: Format) -> Merge:
    """Compare what both sides made of their common base."""
    lists = [_CaseList.of(document, file_format) for document in (base, mine, theirs)]
    listed = lists[0].pointer
    if listed is None or any(case_list.pointer != listed for case_list in lists):
        parts = tuple(merge_differences(base.value, mine.value, theirs.value))
        return Merge(theirs, file_format, None, (), 0, parts, ChangedBy.SAME)
    numbered = matched_cases(lists[0].raws, lists[1].raws, lists[2].raws, (lists[0].id, lists[1].id, lists[2].id))
    order = order_kind(numbered)
    rows = tuple((numbers, _case_merge(numbers, lists, named=order is not ChangedBy.SAME)) for numbers in numbered)
    around = [with_value(document.value, listed, []) for document in (base, mine, theirs)]
    cases = tuple(merge for _, merge in rows if merge.kind is not ChangedBy.SAME)
    parts = tuple(merge_differences(around[0], around[1], around[2])) if listed else ()
    return Merge(theirs, file_format, listed, cases, len(rows) - len(cases), parts, order, rows)


AS_ON_DISK = Choices()


class Outcome(Struct, frozen=True):
    """The merged value. `losses` name the cases that could not keep their ids."""

    value: Json
    losses: tuple[Finding, ...] = ()


def merged(merge: Merge, choices: Choices = AS_ON_DISK) -> Outcome:
    """The value on disk with the changes made here; unchanged parts are the same objects."""
    theirs = merge.theirs.value
    value = merged_value(theirs, merge.parts, lambda row: choices.parts.get(row.pointer, MergeChoice.THEIRS))
    if merge.listed is None:
        return Outcome(with_shared_parts(value, theirs))
    by_number = {id(row): index for index, row in enumerate(merge.cases)}
    leads = merge.order in OF_MINE or (merge.order in CONFLICTS and choices.order is MergeChoice.MINE)
    merged_cases: list[MergedCase] = []
    for case in merge.in_order(mine_leads=leads):
        choice = choices.cases.get(by_number.get(id(case), -1), MergeChoice.THEIRS)
        merged_cases += [
            MergedCase(case, version, raw, again=index > 0)
            for index, (version, raw) in enumerate(chosen_versions(case, choice))
        ]
    editing = merge.format.editing
    raws, losses = (
        with_own_ids(merged_cases, merge.listed, editing) if editing else ([case.raw for case in merged_cases], ())
    )
    return Outcome(with_value(value, merge.listed, raws), losses)


def carried_over(
    session: EditSession, merge: Merge, choices: Choices = AS_ON_DISK
) -> tuple[EditSession, tuple[Finding, ...]]:
    """A session of the file as it is on disk, with the changes made here applied in one undo step; and the losses.

    The session before ends; its journal is removed once that of the new one is on disk.
    """
    outcome = merged(merge, choices)
    steps = tuple(steps_between(merge.theirs.value, outcome.value))
    document, patches = after_steps(merge.theirs, steps, merge.listed)
    return session.onto(merge.theirs, tuple(patches), document), outcome.losses


class _CaseList(Struct):
    """The cases of one version, read on demand: most are the same in all versions."""

    pointer: str | None
    raws: tuple[Json, ...]
    read: Callable[[int], Case | None]
    _cases: dict[int, Case | None] = field(default_factory=dict)

    @classmethod
    def of(cls, document: Document, file_format: Format) -> _CaseList:
        """The cases of a document, as its format lists them."""
        if file_format.editing is not None:
            return cls._edited(document.value, file_format.editing)
        suites = collect(file_format.name, file_format.read(Source(document.value, document.path.name))).suites
        by_place = {case.place: case for suite in suites for case in suite.cases}
        owners = {place.rpartition("/")[0] for place in by_place}
        pointer = owners.pop() if len(owners) == 1 else None
        raws = resolve(document.value, pointer) if pointer is not None else None
        if pointer is None or not isinstance(raws, list):
            return cls(None, (), lambda _index: None)
        return cls(pointer, tuple(raws), lambda index: by_place.get(join(pointer, index)))

    @classmethod
    def _edited(cls, value: Json, editing: Editing) -> _CaseList:
        pointer = editing.cases(value)
        raws = resolve(value, pointer) if pointer is not None else None
        if pointer is None or not isinstance(raws, list):
            return cls(None, (), lambda _index: None)

        def read(index: int) -> Case | None:
            raw = raws[index]
            if not isinstance(raw, dict) or not editing.is_golden(raw):
                return None
            return editing.read(raw, join(pointer, index), "")

        return cls(pointer, tuple(raws), read)

    def case(self, index: int) -> Case | None:
        """The case at an index."""
        if index not in self._cases:
            self._cases[index] = self.read(index)
        return self._cases[index]

    def id(self, index: int) -> str:
        """The id of the case at an index; "" where that is no case."""
        case = self.case(index)
        return case.id if case else ""

    def version(self, index: int | None, *, typed: bool) -> Version | None:
        """The case at an index as this version has it."""
        if index is None or self.pointer is None:
            return None
        return Version(join(self.pointer, index), self.raws[index], self.case(index) if typed else None)


def _case_merge(case_numbers: CaseNumbers, lists: list[_CaseList], *, named: bool) -> CaseMerge:
    """`named`: read unchanged cases as well, for their ids."""
    numbers = case_numbers.base, case_numbers.mine, case_numbers.theirs
    base, mine, theirs = (
        ABSENT if index is None else case_list.raws[index] for index, case_list in zip(numbers, lists, strict=True)
    )
    kind, parts = case_kind(base, mine, theirs)
    typed = named or kind is not ChangedBy.SAME
    of_base, of_mine, of_theirs = (
        case_list.version(index, typed=typed) for index, case_list in zip(numbers, lists, strict=True)
    )
    ids = (version.case.id for version in (of_theirs, of_mine, of_base) if version and version.case)
    return CaseMerge(next(ids, ""), kind, of_base, of_mine, of_theirs, parts)
