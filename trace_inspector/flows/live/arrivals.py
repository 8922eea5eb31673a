"""Turns as they end, each with its verdict; made anew when more of a turn comes."""

from __future__ import annotations

from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.trace import Trace, user_text
from trace_inspector.core.verdict.verdict import CaseVerdict, Status, TurnVerdict
from trace_inspector.engine.reports.report import turn_sentence
from trace_inspector.flows.live.growing import FORMAT, Group, Growing
from trace_inspector.flows.opening.given_files import Given
from trace_inspector.flows.runs.evaluate_files import Request, evaluate

QUIET_S = 30.0
_MOST_AT_ONCE = 200  # groups that are judged together
_WITHOUT_TEXTS = "content-off"
CONTENT_SWITCH = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
_ADK = "gcp.vertex.agent"
_ADK_SWITCH = "ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS"


class Arrival(Struct, frozen=True):
    """A turn that ended, or whose verdict is another one now. `is_open`: nothing came for long, but no root span."""

    trace_id: str
    case_id: str
    index: int
    asked: str
    status: Status
    sentence: str = ""
    is_open: bool = False
    without_texts: str = ""  # the variable that would have them sent
    is_again: bool = False


class Arrivals:
    """Judges the turns of a recording while it grows."""

    def __init__(self, growing: Growing, request: Request, quiet_s: float = QUIET_S) -> None:
        self._growing = growing
        # By order a trace is paired when all are there, and a judge is asked once, at the end.
        goldens = () if request.choices.pair_by == "order" else request.goldens
        self._request = replace(request, goldens=goldens, judge=None)
        self._quiet_s = quiet_s
        self.ended = 0

    def step(self, now_s: float) -> list[Arrival]:
        """What is new."""
        changed = self._growing.changed
        due = [changed.pop(number) for number in list(islice(changed, _MOST_AT_ONCE))]
        numbers = {group.number for group in due}
        due += [group for group in self._quiet(now_s) if group.number not in numbers]
        ended: list[tuple[Group, Trace, frozenset[int], str]] = []
        for group in due:
            ended += self._ended(group, now_s)
        judged = self._judged(ended)
        arrivals: list[Arrival] = []
        for group, trace, still_open, switch in ended:
            case = judged.get((str(group.path), trace.place, trace.id))
            for turn in trace.turns:
                verdict = _of_turn(case, turn.index)
                arrival = Arrival(
                    trace.id,
                    case.case_id if case else "",
                    turn.index,
                    user_text(turn),
                    verdict.status if verdict else Status.NOT_EVALUATED,
                    turn_sentence(verdict) if verdict else "",
                    turn.index in still_open,
                    switch,
                )
                arrivals += self._told(group, arrival)
        return arrivals

    def _quiet(self, now_s: float) -> list[Group]:
        """Those that wait for the end of a turn, and got nothing for long."""
        return [
            group for group in self._growing.groups() if group.is_waiting and now_s - group.came_s >= self._quiet_s
        ]

    def _ended(self, group: Group, now_s: float) -> list[tuple[Group, Trace, frozenset[int], str]]:
        """The traces of a group with the turns that ended, which of them are open, and why they have no texts."""
        contents = group.contents()
        is_quiet = now_s - group.came_s >= self._quiet_s
        switch = _switch(group) if any(note.code == _WITHOUT_TEXTS for note in contents.findings) else ""
        group.is_waiting = False
        listed: list[tuple[Group, Trace, frozenset[int], str]] = []
        for trace in contents.traces:
            still_open = frozenset(turn.index for turn in trace.turns if not group.has_ended(turn))
            if still_open and not is_quiet:
                group.is_waiting = True
                turns = tuple(turn for turn in trace.turns if turn.index not in still_open)
                still_open = frozenset()
            else:
                turns = trace.turns
            if turns:
                listed.append((group, replace(trace, turns=turns), still_open, switch))
        return listed

    def _judged(
        self, ended: list[tuple[Group, Trace, frozenset[int], str]]
    ) -> dict[tuple[str, str, str], CaseVerdict]:
        by_path: dict[str, list[Trace]] = {}
        for group, trace, _still_open, _switch in ended:
            by_path.setdefault(str(group.path), []).append(trace)
        if not by_path:
            return {}
        given = tuple(Given(path, Contents(FORMAT, traces=tuple(traces))) for path, traces in by_path.items())
        run = evaluate(replace(self._request, traces=given))
        return {(case.trace_path, case.trace_place, case.trace_id or ""): case for case in run.cases}

    def _told(self, group: Group, arrival: Arrival) -> list[Arrival]:
        key = arrival.trace_id, arrival.index
        before = group.told.get(key)
        if before == arrival:
            return []
        group.told[key] = arrival
        self.ended += before is None
        return [arrival if before is None else replace(arrival, is_again=True)]


def _of_turn(case: CaseVerdict | None, index: int) -> TurnVerdict | None:
    return next((turn for turn in case.turns if turn.index == index), None) if case else None


def _switch(group: Group) -> str:
    """The variable that has the program send texts: ADK has one of its own for spans."""
    names = (
        attribute.get("key", "")
        for _number, piece in group.pieces
        for record in piece.values
        if isinstance(record, dict) and isinstance(listed := record.get("attributes"), list)
        for attribute in listed
        if isinstance(attribute, dict)
    )
    return _ADK_SWITCH if any(str(name).startswith(_ADK) for name in names) else CONTENT_SWITCH
