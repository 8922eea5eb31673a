"""Failure modes counted from labels: which outputs count, in which order they were read, where they went wrong."""

from __future__ import annotations

from trace_inspector.core.review.codebook import Codebook, Mode
from trace_inspector.core.review.failure_modes import Reading, matrix, reading
from trace_inspector.core.review.fault_places import AXES, FaultPlace, fault_place
from trace_inspector.core.review.label import Answer, Label, Level
from trace_inspector.core.trace.parts import Text, ToolCall, ToolResult, Transfer
from trace_inspector.core.trace.trace import Event, Turn


def said(number: int, *tags: str, value: Answer | float | None = Answer.FAIL, **more: object) -> Label:
    fields = {"rater": "Ana", "at": f"2026-11-29T08:{number:02d}:00Z", **more}
    return Label(f"{number:064x}", Level.TURN, "overall", value, tags=tags, **fields)  # type: ignore[arg-type]


def counts(read: Reading) -> dict[str, int]:
    return {counted.mode.name: counted.count for counted in read.modes}


def test_each_output_counts_once_whoever_says_it() -> None:
    own = [said(1, "a"), said(2, "A"), said(3, value=Answer.PASS)]
    labels = [*own, said(1, "A", rater="Ben", at="2026-11-29T08:59:00Z"), said(1, "b", rater="Cem")]
    read = reading(labels, Codebook((Mode("never"),)))
    assert counts(read) == {"a": 2, "b": 1, "never": 0}
    assert (len(read.outputs), len(read.failures), len(read.untagged)) == (3, 2, 0)


def test_only_the_latest_of_a_rater_counts_and_queues_and_other_levels_do_not() -> None:
    later = said(1, "b", at="2026-11-29T09:00:00Z")
    withdrawn = said(2, value=Answer.WITHDRAWN, at="2026-11-29T09:00:00Z")
    labels = [said(1, "a"), later, said(2, "a"), withdrawn, said(3, value=None), said(4, "a", value=0.5)]
    call = Label("5" * 64, Level.CALL, "overall", Answer.FAIL, tags=("c",))
    read = reading([*labels, call], Codebook())
    assert counts(read) == {"a": 1, "b": 1}
    assert counts(reading([call], Codebook(), Level.CALL)) == {"c": 1}
    assert counts(reading(labels, Codebook(), question="other")) == {}


def test_reading_is_in_the_order_in_which_outputs_were_first_answered() -> None:
    labels = [
        said(3, "c"),
        said(2, "a"),
        said(1, "a"),
        said(1, "b", at="2026-11-29T10:00:00Z"),
        said(4),
        said(5, "a"),
    ]
    read = reading(labels, Codebook())
    assert [output.modes for output in read.outputs] == [("b",), ("a",), ("c",), (), ("a",)]
    assert read.saturation == (1, 2, 3, 3)
    assert read.since_new == 1
    assert reading([said(1)], Codebook()).since_new == 0


def test_failures_without_a_mode_are_untagged_until_the_codebook_places_them() -> None:
    label = said(1, note="Wrong day.")
    assert [output.notes for output in reading([label], Codebook()).untagged] == [("Wrong day.",)]
    placed = Codebook().placed("wrong date", [label.subject])
    assert counts(reading([label], placed)) == {"wrong date": 1}
    assert counts(reading([said(1, value=Answer.PASS)], placed)) == {"wrong date": 0}


def test_a_tagged_pass_is_no_failure_and_who_is_unsure_counts_nowhere() -> None:
    unsure = said(3, "a", value=Answer.UNSURE)
    labels = [said(1, "a", value=Answer.PASS), said(2, "a"), unsure, said(2, "b", value=Answer.UNSURE, rater="Ben")]
    read = reading(labels, Codebook())
    assert counts(read) == {"a": 1}
    assert (len(read.outputs), len(read.failures), read.unsure) == (2, 1, 1)


def test_outputs_of_which_nothing_is_told_are_cases_of_their_own() -> None:
    read = reading(
        [said(1), said(2), said(3, case="c"), said(4, case="c"), said(5, file="f"), said(6, file="f")], Codebook()
    )
    assert len({output.cluster for output in read.outputs}) == 4


TURN = Turn(
    0,
    events=(
        Event("root", (ToolCall("transfer_to_agent", {"agent_name": "market"}), Text("…"))),
        Event("market", (ToolCall("search", {}), ToolCall("price", {}))),
        Event("market", (ToolResult("search", 1), Transfer("clerk"))),
        Event("clerk", (ToolCall("book", {}),)),
    ),
    final_response=(Text("Done."),),
    final_author="clerk",
)


def test_a_place_is_told_by_the_turn() -> None:
    assert fault_place("call/0", 2, (TURN,)) == FaultPlace(2, "hand-off", "root", hand_off="root → market")
    assert fault_place("call/2", 2, (TURN,)) == FaultPlace(2, "call", "market", "price", "root → market")
    assert fault_place("call/3", 2, (TURN,)) == FaultPlace(2, "call", "clerk", "book", "market → clerk")
    assert fault_place("answer", 2, (TURN,)) == FaultPlace(2, "answer", "clerk", hand_off="market → clerk")
    assert fault_place("call/9", 2, (TURN,)) == FaultPlace(2, "call")
    assert fault_place("", 2, (TURN,)) == FaultPlace(2)
    assert fault_place("", 2, (Turn(0, final_author="only"),)) == FaultPlace(2, "", "only")
    in_case = fault_place("turn/1/call/1", None, (Turn(0), TURN))
    assert in_case == FaultPlace(1, "call", "market", "search", "root → market")
    assert fault_place("turn/7", None, (TURN,)) == FaultPlace(7)
    assert fault_place("call/1", 0) == FaultPlace(0, "call")


def test_the_matrix_has_the_places_of_tagged_failures() -> None:
    labels = [
        said(1, "a", turn=9), said(2, "a", "b", turn=1), said(3, "b", turn=1), said(4, turn=7), said(5, "a"),
    ]  # fmt: skip
    read = reading(labels, Codebook((Mode("never"),)))
    places = {output.subject: fault_place("", output.label.turn) for output in read.failures}
    found = matrix(read, places, AXES["turn"])
    assert found.columns == ("turn 2", "turn 10", "")
    rows = {name: [len(cell) for cell in cells] for name, cells in found.rows}
    assert rows == {"a": [1, 1, 1], "b": [2, 0, 0]}
    assert matrix(read, {}, AXES["tool"]).columns == ("",)
