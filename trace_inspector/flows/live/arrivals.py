"""Turns as they end, each with its verdict; made anew when more of a turn comes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.errors import InspectorError
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.trace import Trace, Turn, user_text
from trace_inspector.core.verdict.parting import Parting
from trace_inspector.core.verdict.verdict import CaseVerdict, Status
from trace_inspector.documents.large.pieces import Piece
from trace_inspector.documents.text.garbage_collection import gc_paused, gc_settle
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.reports.report import turn_sentence
from trace_inspector.flows.live.growing import FORMAT, Growing, RecordGroup, contents_of, group_of
from trace_inspector.flows.live.running_turns import Running, note_partings
from trace_inspector.flows.opening.given_files import Given
from trace_inspector.flows.runs.evaluate_files import Request, deciding, evaluate, with_ready_goldens
from trace_inspector.formats.spans.spans import Recorded

QUIET_S = 30.0
_MOST_AT_ONCE = 64  # groups that are judged together: the first need not wait for the last
_REST_S = 2.0  # without news there is time for what was left in circles
_CONVENTIONS = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
CONTENT_SWITCH = f"{_CONVENTIONS}=true"
NEWER_SWITCH = f"{_CONVENTIONS}=SPAN_AND_EVENT and OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_latest_experimental"
# What has a program send texts, by how the names of attributes begin that it sends; the first row that is met counts.
SWITCHES: Mapping[str, str] = {
    "gcp.vertex.agent.llm_": "ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS=true",  # ADK's spans of version 1
    "gcp.vertex.agent.": f"{_CONVENTIONS}=SPAN_AND_EVENT",
    "openinference.": "OPENINFERENCE_HIDE_INPUTS=false and OPENINFERENCE_HIDE_OUTPUTS=false",
    "traceloop.": "TRACELOOP_TRACE_CONTENT=true",
    "llm.request.type": "TRACELOOP_TRACE_CONTENT=true",  # OpenLLMetry without its SDK
    "gen_ai.provider.name": NEWER_SWITCH,  # which takes `true` for no value
    "": CONTENT_SWITCH,  # as conventions before 1.37 have it, where SPAN_AND_EVENT is no value
}


_Ended: TypeAlias = tuple[
    RecordGroup, Trace, frozenset[int]
]  # with the turns that ended, and those of them that are open


class Arrival(Struct, frozen=True):
    """A turn that ended, or whose verdict is another one now. `is_open`: nothing came for long, but no root span."""

    trace_id: str
    case_id: str
    index: int
    asked: str
    status: Status
    sentence: str = ""
    is_open: bool = False
    without_texts: str = ""  # the variables that would have them sent, with their values
    is_again: bool = False


class Arrivals:
    """Judges the turns of a recording while it grows."""

    def __init__(self, growing: Growing, request: Request, quiet_s: float = QUIET_S) -> None:
        self._growing = growing
        self._quiet_s = quiet_s
        self._judged_s: float | None = None  # when it judged last, until it rested after that
        self.ended = 0
        self.use(request)

    def use(self, request: Request) -> None:
        """Judge by this from now on. What was judged stays so, until more comes of its conversation.

        Those with turns that run are looked at again: where these part from their goldens is not what it was.
        """
        # By order a trace is paired when all are there, and a judge is asked once, at the end.
        goldens = () if request.choices.pair_by == "order" else request.goldens
        self._request = with_ready_goldens(replace(request, goldens=goldens, judge=None))
        self._has_judged = False
        for group in self._growing.groups():
            group.partings = {}
            if group.is_waiting:
                self._growing.changed[group.number] = group

    def step(self, now_s: float) -> list[Arrival]:
        """What is new."""
        due = self._due(now_s)
        try:
            with gc_paused():
                arrivals = self._step(due, now_s)
        except InspectorError:  # they are judged when something else is asked
            self._growing.changed.update((group.number, group) for group in due)
            raise
        if due:
            self._judged_s = now_s
            gc_settle()
        elif self._judged_s is not None and now_s - self._judged_s > _REST_S:
            self._judged_s = None
            gc_settle(anew=True)
        return arrivals

    def _due(self, now_s: float) -> list[RecordGroup]:
        """The groups to look at."""
        changed = self._growing.changed
        due = [changed.pop(number) for number in list(islice(changed, _MOST_AT_ONCE))]
        numbers = {group.number for group in due}
        return due + [group for group in self._quiet(now_s) if group.number not in numbers]

    def _step(self, due: Sequence[RecordGroup], now_s: float) -> list[Arrival]:
        """What is new in these groups."""
        by_path: dict[Path, list[RecordGroup]] = {}
        for group in due:
            by_path.setdefault(group.path, []).append(group)
        running: list[Running] = []
        ended = [found for groups in by_path.values() for found in self._ended(groups, now_s, running)]
        note_partings(running, self._request)
        judged = self._judged(ended)
        arrivals: list[Arrival] = []
        for group, trace, still_open in ended:
            case = judged.get((str(group.path), trace.place, trace.id))
            verdicts = {verdict.index: verdict for verdict in case.turns} if case else {}
            for turn in trace.turns:
                verdict = verdicts.get(turn.index)
                arrival = Arrival(
                    trace.id,
                    case.case_id if case else "",
                    turn.index,
                    user_text(turn),
                    verdict.status if verdict else Status.NOT_EVALUATED,
                    turn_sentence(verdict) if verdict else "",
                    turn.index in still_open,
                    "" if has_texts(turn) else _switch(group),
                )
                arrivals += self._new_arrivals(group, arrival)
        return arrivals

    @property
    def open_turns(self) -> dict[str, frozenset[int]]:
        """The turns, by their conversation, whose end is waited for."""
        groups = (group for group in self._growing.groups() if group.is_waiting)
        return {name: turns for group in groups for name, turns in group.open_turns.items()}

    @property
    def partings(self) -> dict[str, tuple[Parting, ...]]:
        """Where turns that have not ended part from their goldens, by their conversation; no verdicts."""
        groups = (group for group in self._growing.groups() if group.is_waiting)
        return {name: partings for group in groups for name, partings in group.partings.items()}

    def _quiet(self, now_s: float) -> list[RecordGroup]:
        """Those that wait for the end of a turn, and got nothing for long."""
        return [
            group for group in self._growing.groups() if group.is_waiting and now_s - group.came_s >= self._quiet_s
        ]

    def _ended(self, groups: Sequence[RecordGroup], now_s: float, running: list[Running]) -> Iterator[_Ended]:
        """The traces of groups with the turns that ended, and which of these are open; `running` gets the others."""
        by_key = {key: group for group in groups for key in group.keys}
        for group in groups:
            group.is_waiting, group.open_turns, group.partings = False, {}, {}
        for trace in contents_of(groups).traces:
            group = group_of(trace, by_key)
            turns = trace.turns
            still_open = frozenset(turn.index for turn in turns if not group.has_ended(turn))
            if still_open and now_s - group.came_s < self._quiet_s:
                group.is_waiting = True
                group.open_turns[trace.id] = still_open
                running.append((group, trace, still_open))
                turns = tuple(turn for turn in turns if turn.index not in still_open)
                still_open = frozenset()
            if turns:
                yield group, replace(trace, turns=turns, spans=()), still_open

    def _judged(self, ended: Sequence[_Ended]) -> dict[tuple[str, str, str], CaseVerdict]:
        by_path: dict[str, list[Trace]] = {}
        for group, trace, _still_open in ended:
            by_path.setdefault(str(group.path), []).append(trace)
        if not by_path:
            return {}
        given = tuple(Given(path, Contents(FORMAT, traces=tuple(traces))) for path, traces in by_path.items())
        run = evaluate(replace(self._request, traces=given))
        if not self._has_judged:
            self._leave_out_what_informs()
        return {(case.trace_path, case.trace_place, case.trace_id or ""): case for case in run.cases}

    def _leave_out_what_informs(self) -> None:
        """What decides nothing takes most of the time, and is in the run at the end."""
        self._has_judged = True
        names = deciding(self._request)  # also by goldens that nothing has come for so far
        kept = tuple(metric for metric in METRICS if not metric.informational or metric.name in names)
        self._request = replace(self._request, metrics=kept)

    def _new_arrivals(self, group: RecordGroup, arrival: Arrival) -> list[Arrival]:
        key = arrival.trace_id, arrival.index
        before = group.told.get(key)
        if before == arrival:
            return []
        group.told[key] = arrival
        self.ended += before is None
        return [arrival if before is None else replace(arrival, is_again=True)]


def has_texts(turn: Turn) -> bool:
    """Whether anything was sent of what was said in a turn."""
    return bool(turn.user or turn.final_response or any(event.parts for event in turn.events))


def _switch(group: RecordGroup) -> str:
    """The variables that have the program send texts."""
    names = {"", *(name for _number, record in group.records for name in _names(record))}
    return next(switch for begins, switch in SWITCHES.items() if any(name.startswith(begins) for name in names))


def _names(record: Recorded | Piece) -> Iterator[str]:
    """The attributes of a record."""
    if isinstance(record, Recorded):
        yield from record.attributes.names()
        return
    for raw in record.values:
        listed = raw.get("attributes") if isinstance(raw, dict) else None
        for attribute in listed if isinstance(listed, list) else ():
            if isinstance(attribute, dict):
                yield str(attribute.get("key", ""))
