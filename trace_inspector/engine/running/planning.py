"""The plan of a run: which case meets which trace, under which criteria."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import pairwise
from typing import overload

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.alignment.manual_pair import HandPair
from trace_inspector.core.errors import UsageError
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.values import spilled
from trace_inspector.core.values.spilled import Picked
from trace_inspector.engine.criteria.case_verdict import Frame
from trace_inspector.engine.criteria.criteria import for_case
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.pairing.pairing import (
    CaseIndex,
    Golden,
    Pairing,
    Pairings,
    PlacedTraces,
    Recorded,
    TraceFile,
    pair,
)
from trace_inspector.engine.running.runner import WorkItem
from trace_inspector.engine.scoring.metric import SPANS, metric_for

_NONE = -1
_OF_A_GOLDEN = frozenset({"golden", "scenario"})
_OURS = {metric.name: SPANS in metric.reads for metric in METRICS}


class Choices(Struct, frozen=True):
    """How to pair, and which cases to run, as the user asked."""

    rules: str = ""
    pair_by: str = "auto"
    pairs: tuple[str, ...] = ()  # CASE=TRACE
    by_hand: tuple[HandPair, ...] = ()  # those of files that are gone are ignored
    cases: tuple[str, ...] = ()  # globs
    tags: tuple[str, ...] = ()  # a case needs one of them
    extra_turns_fail: bool = True
    files_are_repeats: bool = True  # whether traces of a case in several files are its repeats


class Plan(Sequence[WorkItem]):
    """Work items, of which only the last thousands are held: they are made when they are asked for."""

    def __init__(
        self, traces: Sequence[Recorded], goldens: Sequence[Golden], pairings: Pairings, choices: Choices
    ) -> None:
        self._traces = traces
        self._goldens = goldens
        self._pairings = pairings
        self._choices = choices
        self._of_golden = array("q")
        self._of_trace = array("q")
        self._criteria = array("I")  # of each item those that it has, as most have the same
        self._distinct: list[Criteria] = []
        self._numbers: dict[int, int] = {}  # by the identity of criteria
        self._recent: OrderedDict[int, WorkItem] = OrderedDict()  # the first of a dict is looked for behind gaps

    def add(self, golden: int, trace: int, criteria: Criteria) -> None:
        """A golden and a trace, by their indexes; one of them may be missing."""
        self._of_golden.append(golden)
        self._of_trace.append(trace)
        number = self._numbers.setdefault(id(criteria), len(self._distinct))
        if number == len(self._distinct):
            self._distinct.append(criteria)
        self._criteria.append(number)

    def file_of(self, index: int) -> TraceFile | None:
        """The file that the trace of an item is read from; None where it is in memory."""
        trace = self._of_trace[index]
        if trace == _NONE:
            return None
        traces = self._traces
        location = traces.location(trace) if isinstance(traces, PlacedTraces) else traces[trace].elsewhere
        return location.file if location else None

    def reading_order(self) -> Sequence[int]:
        """The indexes of the items, ordered so that those from one file are adjacent and it is read once."""
        first: dict[TraceFile, int] = {}
        order = array("q")
        for index in range(len(self)):
            file = self.file_of(index)
            order.append(index if file is None else first.setdefault(file, index))
        if all(before <= after for before, after in pairwise(order)):
            return range(len(self))
        return array("q", sorted(range(len(self)), key=order.__getitem__))

    def unpaired(self) -> Iterator[str]:
        """The ids of the traces without a golden."""
        for golden, trace in zip(self._of_golden, self._of_trace, strict=True):
            if golden == _NONE:
                yield self._traces[trace].trace.id

    def __len__(self) -> int:
        return len(self._criteria)

    @overload
    def __getitem__(self, index: int) -> WorkItem: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[WorkItem]: ...
    def __getitem__(self, index: int | slice) -> WorkItem | Sequence[WorkItem]:
        if isinstance(index, slice):
            return Picked(self, range(len(self))[index])
        number = range(len(self))[index]  # IndexError, as of any sequence
        made = self._recent.get(number)
        if made is None:
            made = self._recent[number] = self._made(number)
            if len(self._recent) > 2 * spilled.HELD:  # more than engines of two workers have in hand
                self._recent.popitem(last=False)
        return made

    def _made(self, number: int) -> WorkItem:
        golden, trace = self._of_golden[number], self._of_trace[number]
        return _item(
            None if golden == _NONE else self._goldens[golden],
            None if trace == _NONE else self._traces[trace],
            Pairing(golden, "") if trace == _NONE else self._pairings[trace],
            self._distinct[self._criteria[number]],
            self._choices,
        )


def plan(
    traces: Sequence[Recorded],
    goldens: Sequence[Golden],
    criteria_of: Callable[[Golden | None, Recorded | None], Criteria],
    choices: Choices,
    index: CaseIndex | None = None,
) -> Plan:
    """Work items: each case with each of its traces in the order of the goldens, then the traces without a golden.

    With an `index` of the goldens, which many plans share, those without a trace are no items.
    """
    pairings = pair(traces, goldens, choices.pair_by, index)
    for asked in choices.pairs:
        trace_index, case_index = _named_pair(asked, traces, goldens)
        pairings.put(trace_index, Pairing(case_index, "by --pair"))
    pairings = by_hand(pairings, traces, goldens, choices.by_hand)
    belonging = _Belonging(pairings, len(goldens))
    items = Plan(traces, goldens, pairings, choices)
    for golden_index in range(len(goldens)) if index is None else belonging.met():
        golden = goldens[golden_index]
        if not _is_chosen(golden.case.id, golden.case.suite_id, golden.case.tags, choices):
            continue
        has_own = False
        for trace_index in belonging.traces_of(golden_index):
            items.add(golden_index, trace_index, criteria_of(golden, traces[trace_index]))
            has_own = True
        if not has_own:
            items.add(golden_index, _NONE, criteria_of(golden, None))
    for trace_index in belonging.traces_of(_NONE):
        recorded = traces[trace_index]
        if _is_chosen(recorded.trace.case_id or recorded.trace.id, recorded.trace.suite_id or "", (), choices):
            items.add(_NONE, trace_index, criteria_of(None, recorded))
    if (choices.cases or choices.tags) and not items and index is None:  # else another plan may have some
        raise UsageError(_nobody(choices))
    return items


class _Belonging:
    """The traces of each golden in their order, in a few bytes each."""

    def __init__(self, pairings: Pairings, goldens: int) -> None:
        self._first = array("q", [_NONE]) * (goldens + 1)  # at the end that of the traces without a golden
        self._next = array("q", [_NONE]) * len(pairings)
        self._pairings = pairings
        for index in reversed(range(len(pairings))):
            golden = pairings.golden(index)
            golden = _NONE if golden is None else golden
            self._next[index], self._first[golden] = self._first[golden], index

    def met(self) -> list[int]:
        """The indexes of the goldens that have traces, in order."""
        return sorted(
            {golden for index in range(len(self._pairings)) if (golden := self._pairings.golden(index)) is not None}
        )

    def traces_of(self, golden: int) -> Iterator[int]:
        """The indexes of its traces."""
        index = self._first[golden]
        while index != _NONE:
            yield index
            index = self._next[index]


def by_hand(
    pairings: Pairings, traces: Sequence[Recorded], goldens: Sequence[Golden], asked: Sequence[HandPair]
) -> Pairings:
    """The pairings with the user's own in place of proposed ones."""
    if not asked:
        return pairings
    by_trace = {pair.trace: pair for pair in asked}
    golden_indexes = {(golden.path, golden.case.place, golden.case.id): index for index, golden in enumerate(goldens)}
    changed = Pairings(pairings)
    for index, recorded in enumerate(traces):
        pair = by_trace.get((recorded.path, recorded.trace.place, recorded.trace.id))
        if pair is not None and not pair.case_id:
            changed.put(index, Pairing(None, "by hand: no case"))
        elif pair is not None and pair.golden in golden_indexes:
            changed.put(index, Pairing(golden_indexes[pair.golden], "by hand"))
    return changed


def _item(
    golden: Golden | None, recorded: Recorded | None, pairing: Pairing, criteria: Criteria, choices: Choices
) -> WorkItem:
    of_case = for_case(criteria.items, golden.case if golden else None, choices.rules)
    return WorkItem(
        golden.case if golden else None,
        _as_read(recorded.trace, of_case) if recorded else None,
        of_case,
        Frame(
            rules=choices.rules,
            extra_turns_fail=choices.extra_turns_fail,
            paired_by=pairing.how if golden and recorded else "",
            reason="" if golden else _without_golden(pairing, of_case),
            golden_path=golden.path if golden else "",
            trace_path=recorded.path if recorded else "",
        ),
        recorded.elsewhere if recorded else None,
    )


def _without_golden(pairing: Pairing, criteria: Sequence[Criterion]) -> str:
    """Why a trace that has no golden may be left undecided: only what needs a golden misses it."""
    if not criteria or any(map(_needs_golden, criteria)):
        return f"no golden: {pairing.how}"
    if any(criterion.threshold is not None for criterion in criteria):
        return ""
    return "nothing that was asked for has a threshold to pass or fail by"


def _needs_golden(criterion: Criterion) -> bool:
    metric = metric_for(criterion.metric, METRICS)
    return metric is None or not metric.needs.isdisjoint(_OF_A_GOLDEN)


def _as_read(trace: Trace, criteria: Sequence[Criterion]) -> Trace:
    """The trace without spans where no metric reads them: they are most of what would be sent to another process."""
    if any(map(_reads_spans, criteria)):
        return replace(trace, spans=())
    turns = tuple(replace(turn, spans=()) if turn.spans else turn for turn in trace.turns)
    return replace(trace, spans=(), turns=turns)


def _reads_spans(criterion: Criterion) -> bool:
    ours = _OURS.get(criterion.metric)
    if ours is not None:
        return ours
    metric = metric_for(criterion.metric, METRICS)
    return metric is not None and SPANS in metric.reads


def _is_chosen(case_id: str, suite_id: str, tags: Sequence[str], choices: Choices) -> bool:
    named = not choices.cases or any(
        fnmatchcase(case_id, glob) or fnmatchcase(f"{suite_id}/{case_id}", glob) for glob in choices.cases
    )
    return named and (not choices.tags or not set(choices.tags).isdisjoint(tags))


def _nobody(choices: Choices) -> str:
    """Why no case is selected: none has the name, none the tag, or none both."""
    named = f"is named like {_listed(choices.cases)}" if choices.cases else ""
    tagged = f"carries the tag {_listed(choices.tags)}" if choices.tags else ""
    return f"No case {' and '.join(filter(None, (named, tagged)))}."


def _listed(words: Sequence[str]) -> str:
    return " or ".join(one_line(word, 60) for word in words)


def _named_pair(asked: str, traces: Sequence[Recorded], goldens: Sequence[Golden]) -> tuple[int, int]:
    """The indexes of trace and case; ids may contain “=” themselves."""
    cuts = [index for index, char in enumerate(asked) if char == "="]
    if not cuts:
        raise UsageError(f"--pair {one_line(asked, 60)}: write CASE=TRACE.")
    for cut in cuts:
        cases = [index for index, golden in enumerate(goldens) if asked[:cut] in _case_names(golden)]
        matching_traces = [
            index for index, recorded in enumerate(traces) if asked[cut + 1 :] in _trace_names(recorded)
        ]
        if len(cases) == 1 and len(matching_traces) == 1:
            return matching_traces[0], cases[0]
        if len(cases) > 1 or len(matching_traces) > 1:
            raise UsageError(f"--pair {one_line(asked, 60)} matches several; write SUITE/CASE or the trace’s own id.")
    case_name, trace_name = asked[: cuts[0]], asked[cuts[0] + 1 :]
    case_ids = [name for golden in goldens for name in _case_names(golden)]
    has_case = case_name in case_ids
    wrong, names = (
        (trace_name, [name for recorded in traces for name in _trace_names(recorded)])
        if has_case
        else (case_name, case_ids)
    )
    import difflib

    near = difflib.get_close_matches(wrong, names, 1)
    hint = f" Did you mean “{one_line(near[0], 60)}”?" if near else ""
    raise UsageError(f"--pair {one_line(asked, 60)}: there is no {'trace' if has_case else 'case'} “{wrong}”.{hint}")


def _case_names(golden: Golden) -> tuple[str, ...]:
    return golden.case.id, f"{golden.case.suite_id}/{golden.case.id}"


def _trace_names(recorded: Recorded) -> tuple[str, ...]:
    session = (recorded.trace.session_id,) if recorded.trace.session_id else ()
    return recorded.trace.id, *session, recorded.path
