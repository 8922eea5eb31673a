from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.models.stories import (
    GOLDENS,
    TRACES,
    begin,
    call,
    golden,
    judge,
    judged,
    put,
    rows_of,
    trace,
    turn,
)
from tests.views.tales import every_kind
from trace_inspector.core.golden.golden import Case, Persona, Scenario, Suite
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.trace.parts import Media, Text, Thought, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Event, Turn
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.conversation.conversation import Fold
from trace_inspector.models.conversation.items import Item, Pair, Shape, describe, item_of
from trace_inspector.models.conversation.section import Key
from trace_inspector.models.workspace.workspace import Workspace


def told(file: OpenFile, kind: Kind, number: int = 0) -> Item:
    """What the item of the how-manieth row of a kind says, without a run."""
    return describe(file, None, Key(rows_of(file.table, kind)[number]))


@pytest.fixture
def kinds(workspace: Workspace) -> OpenFile:
    return put(workspace, "/made/kinds.json", every_kind())


def test_words_are_bubbles_with_their_author_and_times(kinds: OpenFile) -> None:
    said = told(kinds, Kind.TEXT)
    assert said.shape is Shape.BUBBLE
    assert (said.value, said.author, said.own) == ("Between calls.", "Some_agent", False)
    assert said.facts == ("+2.0 s", "7 tokens")
    user = describe(kinds, None, Key(kinds.table.turns(kinds.table.tops[0])[0], 1))
    assert user.own
    assert user.copied() == "Where can I park? 🚗"


def test_thoughts_are_folded(kinds: OpenFile) -> None:
    thought = told(kinds, Kind.THOUGHT)
    assert (thought.title, thought.usual) == ("thought, 5 words", Fold.FOLDED)
    assert thought.value == "Let me think about it."


def test_a_call_shows_its_arguments_as_rows(kinds: OpenFile) -> None:
    made = told(kinds, Kind.CALL)
    assert made.pairs == (Pair("query", '"parking"'), Pair("near", '[1, {"deep": null}]'))
    assert not made.foldable
    result = told(kinds, Kind.RESULT)
    assert (result.shape, result.usual) == (Shape.TUCKED, Fold.FOLDED)
    assert result.title.startswith("result, ")
    assert result.caption == '{"places": [{"name": "Garage"}]}'


def test_long_arguments_are_folded() -> None:
    made = item_of(ToolCall("write", {"text": "x" * 3_000}))
    assert (made.pairs, made.usual, made.caption) == ((), Fold.FOLDED, "arguments, 3.0 kB")
    many = item_of(ToolCall("write", {f"name-{at}": at for at in range(13)}))
    assert many.foldable
    assert len(item_of(ToolCall("write", {f"name-{at}": at for at in range(12)})).pairs) == 12
    assert item_of(ToolCall("odd", [1, 2])).foldable
    assert item_of(ToolCall("none")).value is not None


def test_errors_are_open_and_said(kinds: OpenFile) -> None:
    orphan = told(kinds, Kind.RESULT, 1)
    assert (orphan.shape, orphan.failing, orphan.usual) == (Shape.CARD, True, Fold.HEAD)
    assert orphan.title == "orphan, error, 23 bytes"
    errors = [told(kinds, Kind.UNKNOWN, at) for at in range(len(rows_of(kinds.table, Kind.UNKNOWN)))]
    failed = next(item for item in errors if item.failing)
    assert (failed.title, failed.value) == ("error", "The model stopped answering.")


def test_media_are_placeholders_with_their_properties(kinds: OpenFile) -> None:
    media = told(kinds, Kind.MEDIA)
    assert media.usual is Fold.FOLDED
    assert media.pairs == (
        Pair("type", "image/png"),
        Pair("size", "123 bytes"),
        Pair("address, not fetched", "http://example.invalid/x.png"),
    )
    assert item_of(Media("")).pairs == (Pair("type", "unknown"), Pair("size", "unknown"))


def test_other_kinds_say_what_they_are(kinds: OpenFile) -> None:
    assert told(kinds, Kind.TRANSFER).title == "OtherAgent"
    assert told(kinds, Kind.TRANSFER).shape is Shape.LINE
    assert (told(kinds, Kind.CODE).title, told(kinds, Kind.CODE).value) == ("code python", "print(1)")
    state = told(kinds, Kind.STATE)
    assert (state.title, state.value) == ("state: city", {"city": "Köln"})
    payload = told(kinds, Kind.UNKNOWN)
    assert (payload.title, payload.value, payload.usual) == ("hologram", {"raw": True}, Fold.FOLDED)


def test_a_handing_over_by_a_call_is_a_line() -> None:
    assert item_of(ToolCall("transfer_to_agent", {"agent_name": "Intake"})).shape is Shape.LINE


def test_headers_say_what_was_guessed(kinds: OpenFile) -> None:
    assert describe(kinds, None, Key(kinds.table.turns(kinds.table.tops[0])[0])).note == "times guessed"
    head = describe(kinds, None, Key(kinds.table.tops[0]))
    assert (head.title, head.caption) == ("every kind", "1 turn, 3 calls")


def test_a_scenario_is_told(workspace: Workspace) -> None:
    scenario = Scenario("Hi there", "Ask for coffee.", Persona("novice", "Knows little."), 8)
    context = (Event("user", (Text("before"),)), Event("helper", (Text("yes"),)))
    case = Case("c", "suite", (), scenario, context=context, place="/c")
    file = put(workspace, "/made/s.json", Suite("suite", cases=(case,)))
    top = file.table.tops[0]
    assert describe(file, None, Key(top)).caption == "scenario, at most 8 turns"
    items = [describe(file, None, Key(top, part)) for part in range(1, 6)]
    assert [item.value for item in items] == ["Ask for coffee.", "novice\nKnows little.", "before", "yes", "Hi there"]
    assert [item.own for item in items] == [False, False, True, False, True]
    assert items[2].note == "before the first turn"


def test_what_an_answer_holds_beside_words_is_told(workspace: Workspace) -> None:
    answer = (Text("See."), Media("image/png", 5), Thought("hm"))
    one = Turn(0, user=(Text("show"), Media("audio/wav")), final_response=answer, final_author="painter")
    file = put(workspace, "/made/m.json", trace("one", one))
    row = rows_of(file.table, Kind.ANSWER)[0]
    assert describe(file, None, Key(row)).value == "See."
    assert describe(file, None, Key(row, 1)).title == "image/png"
    assert describe(file, None, Key(row, 2)).author == "painter"
    assert describe(file, None, Key(file.table.turns(0)[0], 2)).own


def test_verdicts_are_on_turns_and_calls(workspace: Workspace) -> None:
    observed = [trace("t", turn(0, "one?", call("search", q="parking", n=1), call("web", q="y")))]
    expected = golden(("t", (turn(0, "one?", call("search", q="lots", n=1), call("walk")), turn(1, "two?"))))
    file = put(workspace, TRACES, *observed)
    put(workspace, GOLDENS, expected)
    run = begin(workspace)
    judge(workspace, run, judged(observed, [expected]))
    first, second = file.table.calls(file.table.turns(0)[0])
    differs = describe(file, run, Key(first))
    assert (differs.mark, differs.tag, differs.failing) == ("failed", "1 arg", True)
    assert [pair.differs for pair in differs.pairs] == [True, False]
    assert describe(file, run, Key(second)).tag == "extra"
    ghost = describe(file, run, Key(rows_of(file.table, Kind.MISSING_CALL)[0]))
    assert (ghost.title, ghost.mark, ghost.tag, ghost.ghost) == ("walk()", "missing", "missing", True)
    header = describe(file, run, Key(file.table.turns(0)[0]))
    assert header.mark == "failed"
    assert ("Calls", "0.00") in [(score.title, score.cell.text) for score in header.scores]
    missing = describe(file, run, Key(rows_of(file.table, Kind.MISSING_TURN)[0]))
    assert (missing.title, missing.caption, missing.mark) == ("Turn 2", "“two?”", "missing")
    answer = describe(file, run, Key(rows_of(file.table, Kind.ANSWER)[0]))
    assert answer.author == "helper_agent"


def test_items_are_copied_and_read_aloud(kinds: OpenFile) -> None:
    assert told(kinds, Kind.CALL).copied() == 'search\nquery: "parking"\nnear: [1, {"deep": null}]'
    assert told(kinds, Kind.RESULT).copied().endswith('"Garage"\n    }\n  ]\n}')
    assert told(kinds, Kind.TEXT).copied() == "Between calls."
    spoken = told(kinds, Kind.CALL).spoken()
    assert "search" in spoken
    assert 'query "parking"' in spoken
    assert "user" in describe(kinds, None, Key(kinds.table.turns(kinds.table.tops[0])[0], 1)).spoken()


def test_a_result_without_a_value_says_so() -> None:
    assert item_of(ToolResult("t")).caption == "nothing recorded"
    assert replace(item_of(ToolResult("t", None)), caption="").title == "result, 6 bytes"
