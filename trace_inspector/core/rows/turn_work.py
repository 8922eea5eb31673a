"""Reduces a turn to what took time in it: pieces of work with their places, the critical path, signs on the clock."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from trace_inspector.core.rows.critical_path import critical_path, slack_s
from trace_inspector.core.rows.timing import (
    NO_COUNT,
    NOWHERE,
    UNKNOWN_S,
    Form,
    Mark,
    Piece,
    Prompts,
    Sign,
    Work,
    arrange,
    event_of,
    usable,
)
from trace_inspector.core.trace.parts import Text, ToolCall, ToolResult
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Event, Span, SpanKind, Turn, input_tokens, paired_calls

_LEAST_WAIT_S = 0.02  # shorter gaps are what sending itself takes
_PAUSE_S = 1.0  # shorter ones are never folded
_NAME_CHARS = 80
_AGENT_SPAN = "invoke_agent "
_FORMS = {SpanKind.AGENT: Form.AGENT, SpanKind.MODEL: Form.MODEL, SpanKind.TOOL: Form.TOOL}
# Plain numbers for what is done with every piece: arithmetic with enums costs a microsecond each.
_MODEL, _TOOL, _AGENT = int(Form.MODEL), int(Form.TOOL), int(Form.AGENT)
_WORK = frozenset({_MODEL, _TOOL})
_PLUMBING, _ERROR, _DERIVED, _MOMENT = (int(mark) for mark in Mark)


def work_of_turn(turn: Turn) -> Work:
    """What took time in a turn."""
    collected = _Pieces(turn.spans, turn.events)
    collected.add_events(turn)
    collected.add_spans()
    collected.add_agents(turn)
    collected.add_waits()
    work = Work(usable(turn.start_s), derived="times" in turn.guessed)
    length_s = usable(turn.duration_s)
    work.end_s = work.start_s + (length_s if math.isnan(length_s) else max(0.0, length_s))
    stated = [] if math.isnan(work.end_s) else [(work.start_s, work.end_s)]
    arrange(collected.pieces, work)
    _close_bounds(work)
    if math.isnan(work.start_s) and not math.isnan(length_s):
        work.length_s = max(0.0, length_s)
    _walk_path(work)
    _sign(work, turn)
    _note_busy(work, stated)
    return work


def work_of_spans(spans: Sequence[Span]) -> Work:
    """What spans outside of every turn say."""
    collected = _Pieces(spans, ())
    collected.add_spans()
    collected.add_waits()
    work = Work()
    arrange(collected.pieces, work)
    _close_bounds(work)
    _note_busy(work, [])
    return work


class _Pieces:
    """Collects pieces, and knows which of them stands for which span."""

    def __init__(self, spans: Sequence[Span], events: Sequence[Event]) -> None:
        self.pieces: list[Piece] = []
        self._by_id: dict[str, Span] = {}
        for span in spans:
            self._by_id.setdefault(span.id, span)
        self._spans = spans
        self._covered = {event.span_id for event in events if event.span_id}
        self._piece_of: dict[str, int] = {}  # by span id
        self._parents: list[str | None] = []  # for each piece the span around it

    def add_events(self, turn: Turn) -> None:
        """Model calls and tools; where the file states no length of any, lengths are derived from the moments."""
        called = _calls_by_result(turn)
        derives = all(event.duration_s is None for event in turn.events)
        before_s = usable(turn.start_s)
        for index, event in enumerate(turn.events):
            for piece in _event_pieces(turn, index, called):
                asked_s = usable(turn.events[piece.event].time_s) if piece.event != index else UNKNOWN_S
                _time(piece, event, (before_s if math.isnan(asked_s) else asked_s) if derives else UNKNOWN_S)
                self._keep(piece, event.span_id, self._around(event.span_id))
            moment_s = usable(event.time_s)
            before_s = before_s if math.isnan(moment_s) else moment_s

    def add_spans(self) -> None:
        """Spans that no event refers to."""
        for index, span in enumerate(self._spans):
            if span.id in self._covered:
                continue
            form = _FORMS.get(span.kind, Form.TRANSPORT)
            # An agent is drawn as a bracket around its work; other wrappers say nothing new.
            hidden = span.kind not in (SpanKind.OTHER, SpanKind.AGENT) and not span.error
            mark = (_PLUMBING if hidden else 0) | (_ERROR if span.error else 0)
            label = one_line(span.agent or span.name.removeprefix(_AGENT_SPAN) or "span", _NAME_CHARS)
            length_s = 0.0 if span.duration_s is None else usable(span.duration_s)
            piece = Piece(form, label, usable(span.start_s), length_s, mark, part=index)
            if math.isnan(length_s):
                piece.begin_s = UNKNOWN_S
            self._keep(piece, span.id, span.parent_id)
        for piece, parent in zip(self.pieces, self._parents, strict=True):
            piece.around = self._piece_of.get(parent, NOWHERE) if parent else NOWHERE

    def add_agents(self, turn: Turn) -> None:
        """Brackets around what one author did in a row, where no span of an agent says so."""
        loose = [
            (index, turn.events[piece.event].author)
            for index, piece in enumerate(self.pieces)
            if piece.event != NOWHERE and piece.is_timed and piece.around == NOWHERE
        ]
        for author, group in groupby(loose, key=lambda entry: entry[1]):
            members = [index for index, _author in group]
            if not author:
                continue
            begin_s = min(self.pieces[index].begin_s for index in members)
            end_s = max(self.pieces[index].end_s for index in members)
            bracket = Piece(Form.AGENT, one_line(author, _NAME_CHARS), begin_s, end_s - begin_s, _DERIVED)
            for index in members:
                self.pieces[index].around = len(self.pieces)
            self.pieces.append(bracket)

    def add_waits(self) -> None:
        """The gaps between the requests of one tool: nobody states them, and they are often what took long."""
        requests: dict[int, list[Piece]] = {}
        for piece in self.pieces:
            in_tool = piece.around != NOWHERE and self.pieces[piece.around].form is Form.TOOL
            if in_tool and piece.form is Form.TRANSPORT and piece.is_timed:
                requests.setdefault(piece.around, []).append(piece)
        for tool, sent in requests.items():
            sent.sort(key=lambda piece: piece.begin_s)
            reached_s = sent[0].end_s
            for _before, after in pairwise(sent):
                if after.begin_s - reached_s > _LEAST_WAIT_S:
                    mark = _PLUMBING | _DERIVED
                    wait_s = after.begin_s - reached_s
                    self.pieces.append(Piece(Form.WAIT, "waiting", reached_s, wait_s, mark, around=tool))
                reached_s = max(reached_s, after.end_s)

    def _around(self, span_id: str | None) -> str | None:
        span = self._by_id.get(span_id) if span_id else None
        return span.parent_id if span else None

    def _keep(self, piece: Piece, span_id: str | None, parent: str | None) -> None:
        if span_id:
            self._piece_of.setdefault(span_id, len(self.pieces))
        self.pieces.append(piece)
        self._parents.append(parent)


def _calls_by_result(turn: Turn) -> dict[int, tuple[int, int]]:
    """For each result that belongs to a call, by its identity, the event and the part that call is."""
    calls = {
        id(part): (index, which)
        for index, event in enumerate(turn.events)
        for which, part in enumerate(event.parts)
        if isinstance(part, ToolCall)
    }
    return {id(paired.result): calls[id(paired.call)] for paired in paired_calls(turn) if paired.result is not None}


def _event_pieces(turn: Turn, index: int, called: dict[int, tuple[int, int]]) -> Iterator[Piece]:
    """The pieces of an event: a tool for each result, under the place of its call, else one model call."""
    event = turn.events[index]
    failed = _ERROR if event.error else 0
    results = [(which, part) for which, part in enumerate(event.parts) if isinstance(part, ToolResult)]
    for which, result in results:
        asked, part = called.get(id(result), (index, which))
        mark = _ERROR if result.is_error else failed
        yield Piece(
            Form.TOOL, one_line(result.name or "tool", _NAME_CHARS), UNKNOWN_S, mark=mark, event=asked, part=part
        )
    if not results and (event.parts or event.usage or event.model or event.error or index == turn.final_event):
        label = one_line(event.model or "model call", _NAME_CHARS)
        piece = Piece(Form.MODEL, label, UNKNOWN_S, mark=failed, event=index)
        if event.usage:
            prompt, cached = input_tokens(event.usage), event.usage.cached
            piece.prompt = NO_COUNT if prompt is None else prompt
            piece.cached = NO_COUNT if cached is None else cached
        yield piece


def _time(piece: Piece, event: Event, before_s: float) -> None:
    """As the file states it; else from what was before, which is unknown where nothing may be derived."""
    moment_s = usable(event.time_s)
    if event.duration_s is not None:
        piece.begin_s, piece.duration_s = moment_s, usable(event.duration_s)
        if math.isnan(piece.duration_s):
            piece.begin_s = UNKNOWN_S
    elif before_s <= moment_s:
        piece.begin_s, piece.duration_s = before_s, moment_s - before_s
        piece.mark |= _DERIVED
    else:
        piece.begin_s = moment_s
        piece.mark |= _MOMENT


def _close_bounds(work: Work) -> None:
    """A turn that does not say when it began or ended goes from its first piece to its last."""
    timed = range(work.timed)
    if math.isnan(work.start_s):
        work.start_s = min((work.begin_s[piece] for piece in timed), default=UNKNOWN_S)
        work.derived = True
        work.end_s = UNKNOWN_S
    if math.isnan(work.end_s):
        work.end_s = max((work.stop_s(piece) for piece in timed), default=work.start_s)
        work.end_s = max(work.start_s, work.end_s) if not math.isnan(work.start_s) else UNKNOWN_S
        work.derived = True


def _walk_path(work: Work) -> None:
    """Over model calls and tools, those inside of others left out."""
    if math.isnan(work.start_s):
        return
    chosen = [piece for piece in range(work.timed) if work.form[piece] in _WORK and not _is_detail(work, piece)]
    pieces = [(work.begin_s[piece], work.stop_s(piece)) for piece in chosen]
    path = critical_path(pieces, work.start_s, work.end_s)
    for piece, slack in zip(chosen, slack_s(pieces, path), strict=True):
        work.slack_s[piece] = slack
    for stretch in path:
        piece = chosen[stretch.piece]
        work.slack_s[piece] = UNKNOWN_S
        work.path_at[piece] = len(work.path)
        work.path.append(piece)
        work.path_begin_s.append(stretch.start_s)
        work.path_end_s.append(stretch.end_s)
        if work.form[piece] == _MODEL:
            work.path_model_s += stretch.end_s - stretch.start_s
        else:
            work.path_tool_s += stretch.end_s - stretch.start_s


def _is_detail(work: Work, piece: int) -> bool:
    """Whether it is a wrapper, or stands inside of other work."""
    if work.mark[piece] & _PLUMBING:
        return True
    above = work.around[piece]
    while above != NOWHERE and (work.form[above] not in _WORK or work.mark[above] & _PLUMBING):
        above = work.around[above]
    return above != NOWHERE


def _sign(work: Work, turn: Turn) -> None:
    signs: list[tuple[float, Sign, int]] = []
    if not math.isnan(work.start_s) and turn.user:
        signs.append((work.start_s, Sign.USER, NOWHERE))
    for index in range(work.timed):
        event = event_of(work.address[index])
        if event == NOWHERE or work.form[index] == _AGENT:
            continue
        if work.form[index] == _TOOL:
            signs += [(work.begin_s[index], Sign.CALL, index), (work.stop_s(index), Sign.RESULT, index)]
        elif not turn.events[event].parts or any(isinstance(part, Text) for part in turn.events[event].parts):
            signs.append((work.stop_s(index), Sign.TEXT, index))
    for time_s, sign, piece in sorted(signs):
        work.sign.append(sign)
        work.sign_s.append(time_s)
        work.sign_piece.append(piece)


def _note_busy(work: Work, stated: list[tuple[float, float]]) -> None:
    """When anything went on at all, by what the turn states of itself, too; when models and tools were at work."""
    spans = stated + [(work.begin_s[piece], work.stop_s(piece)) for piece in range(work.timed)]
    if not spans and not math.isnan(work.start_s):
        spans.append((work.start_s, work.start_s))
    _merge(spans, _PAUSE_S, work.busy_s)
    kinds = ((_MODEL, work.model_s, work.model_lengths_s), (_TOOL, work.tool_s, work.tool_lengths_s))
    for form, merged_s, lengths_s in kinds:
        chosen = [
            piece for piece in range(work.timed) if work.form[piece] == form and not work.mark[piece] & _PLUMBING
        ]
        _merge([(work.begin_s[piece], work.stop_s(piece)) for piece in chosen], 0.0, merged_s)
        lengths_s.extend(sorted(work.duration_s[piece] for piece in chosen if not work.mark[piece] & _MOMENT))
    with_prompt = [piece for piece in range(work.timed) if work.prompt[piece] != NO_COUNT]
    work.prompts = Prompts(
        array("d", [work.begin_s[piece] for piece in with_prompt]),
        array("d", [work.stop_s(piece) for piece in with_prompt]),
        array("q", [work.prompt[piece] for piece in with_prompt]),
        array("q", [max(0, work.cached[piece]) for piece in with_prompt]),
    ).ordered()


def _merge(spans: list[tuple[float, float]], pause_s: float, merged_s: array[float]) -> None:
    """Spans of time as few that lie apart; shorter pauses are no pauses."""
    for begin_s, end_s in sorted(spans):
        if merged_s and begin_s - merged_s[-1] <= pause_s:
            merged_s[-1] = max(merged_s[-1], end_s)
        else:
            merged_s.extend((begin_s, end_s))
