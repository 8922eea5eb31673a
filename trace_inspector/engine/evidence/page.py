"""The page of an evidence pack: everything in it to read, and the pack itself as data that nothing runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.errors import UsageError
from trace_inspector.core.rows.codec import to_json
from trace_inspector.core.rows.contents import EVIDENCE_KEY
from trace_inspector.core.rows.evidence import VERSION, EvidencePack, EvidenceSide
from trace_inspector.core.trace.parts import Code, Media, Part, Text, Thought, ToolCall, ToolResult, Transfer
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.values.json_numbers import json_text
from trace_inspector.core.values.values import Absent, Json, JsonObject
from trace_inspector.documents.page.document import element_with
from trace_inspector.engine.reports.html_case import case_blocks, verdicts_by_name
from trace_inspector.engine.reports.pages import page
from trace_inspector.engine.reports.report import case_names, tally
from trace_inspector.engine.reports.sources import Sources
from trace_inspector.engine.reports.titles import titles_of
from trace_inspector.engine.reports.visible_text import left_out

_MOST_CHARS = 6_000  # of one text; all of it is in the data
_MOST_ROWS = 2_000  # of a table
_MOST_COLUMNS = 40
_MOST_PAGE_CHARS = 1_500_000  # of all conversations and goldens together, so that a phone shows it too
_MOST_BLOCK_CHARS = 3_000_000  # of all cases together, with their markup
_AROUND = 100  # characters of markup around each line, that empty ones take room too


class ShownLine(Struct, frozen=True):
    """One thing in a turn: who or what, its words, and how it is drawn."""

    label: str
    words: str
    kind: str = "said"


class ShownTurn(Struct, frozen=True):
    """A turn in lines, and how many lines had no room."""

    heading: str
    lines: tuple[ShownLine, ...]
    without_room: int = 0


class ShownTalk(Struct, frozen=True):
    """A conversation or a golden, and how many turns had no room."""

    name: str
    turns: tuple[ShownTurn, ...]
    without_room: int = 0


def data_of(pack: EvidencePack) -> bytes:
    """The pack as it lies in the page. UsageError where a value is nested too deeply to be written."""
    try:
        raw = to_json(pack)
        written = {EVIDENCE_KEY: VERSION, **raw} if isinstance(raw, dict) else raw
        return json.dumps(written, separators=(",", ":")).encode()
    except RecursionError as problem:
        raise UsageError("A value is nested too deeply to be packed, so nothing was written.") from problem


def page_of(pack: EvidencePack, data: bytes) -> str:
    """The whole page with the data in it."""
    room = _Room(_MOST_PAGE_CHARS)
    return page(
        "evidence.html",
        title=pack.title,
        filters=(),
        pack=pack,
        sides=[_side_values(side, room) for side in pack.sides],
        data=Markup(element_with(data)),
        left_out=left_out,
        tally=tally,
        verdicts_by_name=verdicts_by_name,
        MOST_CHARS=_MOST_CHARS,
        MOST_ROWS=_MOST_ROWS,
    )


def _side_values(side: EvidenceSide, room: _Room) -> dict[str, object]:
    """What the page shows of one run."""
    traces = {("", trace.place, trace.id): trace for trace in side.traces}
    cases = {("", case.place, case.id): case for suite in side.suites for case in suite.cases}
    verdicts = [replace(verdict, golden_path="") for verdict in side.verdicts]
    sources = Sources(cases, traces)
    names = case_names(verdicts, sources)
    block: Callable[..., Markup] = case_blocks(sources, names, lambda _case: "case")
    return {
        "name": side.name,
        "traces": [_talk(trace.title or trace.id, trace.turns, trace.final_state, room) for trace in side.traces],
        "goldens": [
            _talk(case.title or case.id, case.turns, case.final_state, room)
            for suite in side.suites
            for case in suite.cases
        ],
        "verdicts": verdicts,
        "names": names,
        "titles": dict(islice(titles_of(verdicts).items(), _MOST_COLUMNS)),
        "blocks": _within(block(verdict, index) for index, verdict in enumerate(verdicts[:_MOST_ROWS])),
    }


def _within(blocks: Iterator[Markup]) -> list[Markup]:
    """The blocks that have room."""
    shown: list[Markup] = []
    room = _MOST_BLOCK_CHARS
    for block in blocks:
        room -= len(block)
        if room < 0:
            break
        shown.append(block)
    return shown


class _Room:
    """How many characters may still be shown."""

    def __init__(self, chars: int) -> None:
        self._chars = chars

    def takes(self, words: str) -> bool:
        """Whether a text has room; then the room is taken."""
        size = min(len(words), _MOST_CHARS) + _AROUND
        if size > self._chars:
            return False
        self._chars -= size
        return True


def _talk(name: str, turns: Iterable[Turn], state: JsonObject | None, room: _Room) -> ShownTalk:
    waiting = list(turns)
    shown = [_turn(turn, room) for turn in waiting if room.takes("")]
    if state:
        line = ShownLine("state at the end", json_text(state).rstrip(), "data")
        fits = room.takes(line.words)
        shown.append(ShownTurn("At the end", (line,) if fits else (), int(not fits)))
    return ShownTalk(name, tuple(shown), len(waiting) + bool(state) - len(shown))


def _turn(turn: Turn, room: _Room) -> ShownTurn:
    lines = list(_lines(turn))
    fitting = tuple(line for line in lines if room.takes(line.words))
    return ShownTurn(f"Turn {turn.index + 1}", fitting, len(lines) - len(fitting))


def _lines(turn: Turn) -> Iterator[ShownLine]:
    for part in turn.user:
        yield _line(part, "user", "user")
    for event in turn.events:
        for part in event.parts:
            yield _line(part, event.author)
        if event.error:
            yield ShownLine("error", event.error, "error")
        if event.state_delta:
            yield ShownLine("state", json_text(event.state_delta).rstrip(), "data")
    for part in turn.final_response or ():
        yield _line(part, turn.final_author or "answer", "answer")
    for expectation in turn.expectations:
        for part in expectation.parts:
            yield _line(part, f"expected {expectation.kind.value}")
        if expectation.text:
            yield ShownLine(f"expected {expectation.kind.value}", expectation.text)
    for extra in turn.extras:
        yield ShownLine(extra.name, _json(extra.value), "data")


def _line(part: Part, author: str, kind: str = "said") -> ShownLine:
    match part:
        case Text(text=words):
            return ShownLine(author, words, kind)
        case Thought(text=words):
            return ShownLine(f"{author}, thinking", words, "thought")
        case ToolCall(name=name, args=args):
            return ShownLine(f"call {name}", _json(args), "call")
        case ToolResult(name=name, value=value, is_error=is_error):
            return ShownLine(
                f"{'error' if is_error else 'result'} of {name}", _json(value), "error" if is_error else "result"
            )
        case Media(mime_type=mime_type, uri=uri):
            return ShownLine(f"{author}, media", f"{mime_type} {uri or ''}".strip(), "data")
        case Code(text=words, is_result=is_result):
            return ShownLine("output of code" if is_result else "code", words, "data")
        case Transfer(target=target):
            return ShownLine("hands over to", target, "call")
    return ShownLine(part.kind, _json(part.raw), "data")


def _json(value: Json | Absent) -> str:
    if isinstance(value, Absent):
        return ""
    return value if isinstance(value, str) else json_text(value).rstrip()
