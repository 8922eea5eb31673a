"""The content of an item of a conversation: made from a row, its body and verdicts when the item is first shown."""

from __future__ import annotations

import enum
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.rows.safe_unpickle import Unreadable
from trace_inspector.core.trace.parts import (
    Code,
    Media,
    Part,
    Text,
    Thought,
    ToolCall,
    ToolResult,
    Transfer,
    Unknown,
    spoken_text,
)
from trace_inspector.core.trace.summary import compact, label_of, one_line, result_line, transfer_target
from trace_inspector.core.trace.trace import Agent, Event, Trace, Turn
from trace_inspector.core.values.values import ABSENT, Json
from trace_inspector.core.verdict.verdict import MetricVerdict
from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.figures import count_text, seconds_text
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.conversation.conversation import Fold
from trace_inspector.models.conversation.section import Key
from trace_inspector.models.conversation.text import Value, copied, size_text, value_size_text
from trace_inspector.models.conversation.unplaced_items import ScenarioText, before_first_turn, non_text_parts
from trace_inspector.models.evaluation import marks
from trace_inspector.models.evaluation.current_run import CurrentRun
from trace_inspector.models.evaluation.score_cells import Cell, cell_of
from trace_inspector.models.evaluation.sentence_verdicts import shown_sentences

MOST_PAIRS = 12
VALUE_CHARS = 160


class Shape(enum.Enum):
    """How an item is drawn."""

    HEAD = "head"
    TURN = "turn"
    BUBBLE = "bubble"
    CARD = "card"
    TUCKED = "tucked"  # under the card before it
    NOTE = "note"
    LINE = "line"


class Pair(Struct, frozen=True):
    """A name and its value, on one line; `differs` from what the golden wants."""

    name: str
    value: str
    differs: bool = False


class Score(Struct, frozen=True):
    """A criterion's figure."""

    title: str
    cell: Cell


class Item(Struct, frozen=True):
    """Everything about one item that is drawn, copied or read aloud."""

    shape: Shape
    title: str = ""
    caption: str = ""  # after the title, dimmed
    mark: str = ""
    author: str = ""
    icon: str = ""
    facts: tuple[str, ...] = ()
    tag: str = ""
    failing: bool = False
    ghost: bool = False
    own: bool = False  # the user's
    data: bool = False  # the value is data, not prose
    note: str = ""  # what was derived, not stated
    pairs: tuple[Pair, ...] = ()
    value: Value = ABSENT
    usual: Fold | None = None  # how much is shown at first; None for an item that cannot be folded
    scores: tuple[Score, ...] = ()
    judged: MetricVerdict | None = None  # the verdict on the sentences of an answer

    @property
    def foldable(self) -> bool:
        """Whether it can be folded."""
        return self.usual is not None

    def copied(self) -> str:
        """The item as text for the clipboard."""
        words = copied(self.value)
        if self.shape is Shape.BUBBLE or not self.title:
            return words
        pairs = "\n".join(f"{pair.name}: {pair.value}" for pair in self.pairs)
        return "\n".join(line for line in (self.title, pairs, words) if line)

    def spoken(self) -> str:
        """The item for a screen reader."""
        words = compact(self.value, 400) if not isinstance(self.value, str) else one_line(self.value, 400)
        who = "user" if self.own else self.author
        pairs = ", ".join(f"{pair.name} {pair.value}" for pair in self.pairs)
        parts = (self.mark, who, self.title, self.caption, self.tag, pairs, words, *self.facts)
        return ", ".join(word for word in parts if word)


def describe(file: OpenFile, run: CurrentRun | None, key: Key) -> Item:
    """The item of that key."""
    table, row = file.table, key.row
    body = table.body(row) if table.ghost(row) is None else None
    if isinstance(body, Unreadable):
        return Item(Shape.NOTE, body.sentence, icon="problems", failing=True)
    if key.part:
        return _further(body, table.kind(row), key.part)
    return _ITEMS[table.kind(row)](file, run, row)


def item_of(part: Part, line: str | None = None) -> Item:
    """The item of a part alone, without times and verdicts of its row. `line` is the row's text, if known."""
    match part:
        case Text():
            return Item(Shape.BUBBLE, icon="text", value=part.text)
        case Thought():
            return Item(Shape.NOTE, label_of(part), icon="thought", value=part.text, usual=Fold.FOLDED)
        case ToolCall():
            return _call_item(part)
        case ToolResult():
            return _result_item(part, result_line(part) if line is None else line)
        case Transfer():
            return Item(Shape.LINE, one_line(part.target), icon="transfer")
        case Media():
            return _media_item(part)
        case Code():
            title = "printed" if part.is_result else one_line(" ".join(("code", part.language)).strip())
            return Item(Shape.CARD, title, icon="code", value=part.text, data=True, usual=Fold.HEAD)
        case Unknown():
            return Item(
                Shape.CARD, one_line(part.kind), value_size_text(part.raw), icon="more", value=part.raw, data=True,
                usual=Fold.FOLDED,
            )  # fmt: skip


def _call_item(call: ToolCall) -> Item:
    target = transfer_target(call)
    if target:
        return Item(Shape.LINE, one_line(target), icon="transfer")
    made = Item(Shape.CARD, one_line(call.name), icon="tool", data=True)
    if isinstance(call.args, dict):
        pairs = [Pair(one_line(name, 60), compact(value, VALUE_CHARS)) for name, value in _some(call.args)]
        cut = len(call.args) > MOST_PAIRS or any(len(pair.value) >= VALUE_CHARS for pair in pairs)
        if not cut:
            return replace(made, pairs=tuple(pairs))
    if call.args is ABSENT:
        return made
    return replace(made, caption=f"arguments, {value_size_text(call.args)}", value=call.args, usual=Fold.FOLDED)


def _some(args: dict[str, Json]) -> list[tuple[str, Json]]:
    return [(name, args[name]) for name, _index in zip(args, range(MOST_PAIRS), strict=False)]


def _result_item(result: ToolResult, line: str) -> Item:
    words = "error" if result.is_error else "result"
    if result.value is ABSENT:
        return Item(Shape.CARD, words, "nothing recorded", icon="result_arrow", failing=result.is_error)
    usual = Fold.HEAD if result.is_error else Fold.FOLDED
    return Item(
        Shape.CARD, f"{words}, {value_size_text(result.value)}", line, icon="result_arrow", data=True,
        failing=result.is_error, value=result.value, usual=usual,
    )  # fmt: skip


def _media_item(media: Media) -> Item:
    size = f"{media.size_bytes:,} bytes" if media.size_bytes is not None else "unknown"
    pairs = [Pair("type", one_line(media.mime_type) or "unknown"), Pair("size", size)]
    if media.uri:
        pairs.append(Pair("address, not fetched", one_line(media.uri)))
    short = size_text(media.size_bytes) if media.size_bytes is not None else ""
    return Item(
        Shape.CARD, one_line(media.mime_type) or "media", short, icon="media", pairs=tuple(pairs), usual=Fold.FOLDED
    )


def _further(body: object, kind: Kind, number: int) -> Item:
    """The item of a text before the first turn, of a user's part, or of a part of an answer that is not text."""
    if isinstance(body, Case):
        return _before(before_first_turn(body)[number - 1])
    if isinstance(body, Turn) and kind is Kind.TURN:
        return replace(item_of(body.user[number - 1]), own=True)
    if isinstance(body, Turn):
        return replace(item_of(non_text_parts(body)[number - 1]), author=body.final_author)
    raise LookupError("There is no such item.")


def _before(thing: ScenarioText | tuple[Event, Part]) -> Item:
    if isinstance(thing, ScenarioText):
        if thing.spoken:
            return Item(Shape.BUBBLE, icon="user", value=thing.text, own=True, note=thing.what)
        return Item(Shape.CARD, thing.what, icon="user", value=thing.text, usual=Fold.HEAD)
    event, part = thing
    return replace(item_of(part), author=event.author, own=event.author == "user", note="before the first turn")


# By kind of row


def _head(file: OpenFile, run: CurrentRun | None, row: int) -> Item:
    table = file.table
    turns, calls = len(table.turns(row)), table.call_count(row)
    counts = f"{turns:,} {'turn' if turns == 1 else 'turns'}, {calls:,} {'call' if calls == 1 else 'calls'}"
    thing = table.body(row)
    guessed = thing.guessed if isinstance(thing, Trace) else frozenset()
    if isinstance(thing, Case) and thing.scenario:
        most = thing.scenario.max_turns
        limit = "" if most is None else f", at most {most:,} {'turn' if most == 1 else 'turns'}"
        counts = f"scenario{limit}, {counts}" if turns else f"scenario{limit}"
    return Item(
        Shape.HEAD, table.label(row), counts, mark=marks.shown_mark(file, row, run), facts=_figures(file, row),
        note=_guessed(guessed), scores=_scores(file, run, row),
    )  # fmt: skip


def _turn(file: OpenFile, run: CurrentRun | None, row: int) -> Item:
    table = file.table
    body = table.body(row)
    guessed = body.guessed if isinstance(body, Turn) else frozenset()
    number = table.label(row).partition("  ")[0]
    return Item(
        Shape.TURN, number, mark=marks.shown_mark(file, row, run), facts=_figures(file, row), note=_guessed(guessed),
        scores=_scores(file, run, row),
    )  # fmt: skip


def _missing_turn(file: OpenFile, run: CurrentRun | None, row: int) -> Item:
    title, _gap, words = file.table.label(row).partition("  ")
    return Item(
        Shape.TURN, title, words, mark="missing", ghost=True, facts=("golden",), scores=_scores(file, run, row)
    )


def _missing_call(file: OpenFile, run: CurrentRun | None, row: int) -> Item:
    tag = next((cell.text for cell in _cells(file, run, row) if cell.text), "missing")
    return Item(Shape.CARD, file.table.label(row), mark="missing", icon="tool", tag=tag, ghost=True, data=True)


def _part(file: OpenFile, run: CurrentRun | None, row: int) -> Item:
    """A part of an event."""
    thing = file.table.thing(row)
    if isinstance(thing, Event):
        return _dressed(_event_item(thing), file, run, row)
    parts = (Text, Thought, ToolCall, ToolResult, Media, Code, Transfer, Unknown)
    line = file.table.label(row)
    return _dressed(item_of(thing, line) if isinstance(thing, parts) else Item(Shape.NOTE, line), file, run, row)


def _event_item(event: Event) -> Item:
    if event.error:
        return Item(Shape.CARD, "error", icon="problems", value=event.error, failing=True, usual=Fold.HEAD)
    if event.state_delta:
        names = one_line(", ".join(event.state_delta))
        return Item(
            Shape.CARD, f"state: {names}", value_size_text(event.state_delta), icon="state", value=event.state_delta,
            data=True, usual=Fold.FOLDED,
        )  # fmt: skip
    extras: dict[str, Json] = {extra.name: extra.value for extra in event.extras}
    return Item(
        Shape.CARD, one_line(", ".join(extras)), value_size_text(extras), icon="more", value=extras, data=True,
        usual=Fold.FOLDED,
    )  # fmt: skip


def _agent(file: OpenFile, _run: CurrentRun | None, row: int) -> Item:
    """The system prompt of an agent."""
    thing = file.table.thing(row)
    instruction = thing.instruction if isinstance(thing, Agent) else ""
    title = f"system prompt of {file.table.label(row)}, {counted(len(instruction.split()), 'word')}"
    return Item(Shape.NOTE, title, icon="agent", value=instruction, usual=Fold.FOLDED)


def _state(file: OpenFile, run: CurrentRun | None, row: int) -> Item:
    thing = file.table.thing(row)
    delta = thing.state_delta if isinstance(thing, Event) else None
    return _dressed(_event_item(Event("", state_delta=delta)), file, run, row)


def _call(file: OpenFile, run: CurrentRun | None, row: int) -> Item:
    made = _part(file, run, row)
    pair_and_metric = run.on(file).call(row) if run is not None else None
    if pair_and_metric is None:
        return made
    cells = [cell for cell in _cells(file, run, row) if cell.text]
    differing = {one_line(name, 60) for name in pair_and_metric[0].differing}
    pairs = tuple(replace(pair, differs=pair.name in differing) for pair in made.pairs)
    tag, failing = (cells[0].text, cells[0].failing) if cells else ("", False)
    return replace(made, tag=tag, failing=failing, pairs=pairs)


def _result(file: OpenFile, run: CurrentRun | None, row: int) -> Item:
    thing = file.table.thing(row)
    if file.table.kind(file.table.parent(row)) is not Kind.CALL and isinstance(thing, ToolResult):
        made = item_of(thing)
        return _dressed(replace(made, title=f"{one_line(thing.name)}, {made.title}"), file, run, row)
    return replace(_part(file, run, row), shape=Shape.TUCKED, mark="", facts=(), author="")


def _answer(file: OpenFile, run: CurrentRun | None, row: int) -> Item:
    thing = file.table.thing(row)
    words = spoken_text(thing) if isinstance(thing, tuple) else ""
    metrics = run.on(file).metrics(file.table.turn_of(row)) if run is not None else ()
    judged = shown_sentences(metrics)
    made = Item(Shape.BUBBLE, icon="text", value=words or file.table.label(row), judged=judged if words else None)
    return _dressed(made, file, run, row)


def _dressed(made: Item, file: OpenFile, run: CurrentRun | None, row: int) -> Item:
    """The item with its author, times and mark."""
    mark = marks.shown_mark(file, row, run)
    return replace(made, author=file.table.author(row), mark=mark, facts=_times(file, row))


def _times(file: OpenFile, row: int) -> tuple[str, ...]:
    table = file.table
    turn = table.turn_of(row)
    begin_s, start_s = table.start_s(turn) if turn != TOP else None, table.start_s(row)
    since = "" if begin_s is None or start_s is None else seconds_text(start_s - begin_s)
    since = f"+{since}" if since and not since.startswith("\N{MINUS SIGN}") else since
    return tuple(fact for fact in (since, *_figures(file, row)) if fact)


def _figures(file: OpenFile, row: int) -> tuple[str, ...]:
    tokens = file.table.tokens(row)
    facts = (seconds_text(file.table.duration_s(row)), f"{count_text(tokens)} tokens" if tokens is not None else "")
    return tuple(fact for fact in facts if fact)


def _guessed(what: frozenset[str]) -> str:
    return f"{', '.join(sorted(what))} guessed" if what else ""


def _scores(file: OpenFile, run: CurrentRun | None, row: int) -> tuple[Score, ...]:
    if run is None:
        return ()
    made = zip(run.scored, _cells(file, run, row), strict=True)
    return tuple(Score(metric.title, cell) for metric, cell in made if cell.mark or cell.text)


def _cells(file: OpenFile, run: CurrentRun | None, row: int) -> list[Cell]:
    if run is None:
        return []
    verdicts, kind = run.on(file), file.table.kind(row)
    return [cell_of(verdicts, row, kind, metric) for metric in run.scored]


Describe = Callable[[OpenFile, CurrentRun | None, int], Item]
_ITEMS: dict[Kind, Describe] = {
    **dict.fromkeys((Kind.CASE, Kind.TRACE, Kind.SUITE), _head),
    **dict.fromkeys(
        (Kind.USER, Kind.TEXT, Kind.THOUGHT, Kind.TRANSFER, Kind.MEDIA, Kind.CODE, Kind.UNKNOWN, Kind.SPAN), _part
    ),
    Kind.TURN: _turn,
    Kind.MISSING_TURN: _missing_turn,
    Kind.MISSING_CALL: _missing_call,
    Kind.STATE: _state,
    Kind.AGENT: _agent,
    Kind.CALL: _call,
    Kind.RESULT: _result,
    Kind.ANSWER: _answer,
}
