"""Calls of judges: which are looked at, what is told of each, where a reply comes from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.models.conftest import HoldToRules
from tests.models.stories import GOLDENS, TRACES, begin, golden, judge, judged, put, trace, turn
from trace_inspector.core.errors import ReadError
from trace_inspector.core.trace.judge_call import CallKey, JudgeCall
from trace_inspector.core.verdict.verdict import MetricVerdict, RunVerdict, Status
from trace_inspector.flows.judges.stored_calls import stored_calls
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.evaluation.judge_calls_model import COLUMNS, JudgeCallsModel, calls_of, text_wanted
from trace_inspector.models.evaluation.judge_calls_wanted import MOST_QUESTIONS, CallScope, FirstCalls, looked_at
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.work.runs.judge_calls import CallsFound, CallText, ListCalls, Question, ReadCallText, call_reader

MATCH = "final_response_match_v2"
VALID = '{\r\n"is_the_agent_response_valid": "valid"\r\n}'
OBSERVED = [trace("one", turn(0, "a?"), turn(1, "b?")), trace("two", turn(0, "c?"))]
EXPECTED = golden(("one", (turn(0, "a?"), turn(1, "b?"))), ("two", (turn(0, "c?"),)))


def kept(number: int, reply: str | None, started_s: float = 100.0) -> str:
    call = JudgeCall(
        CallKey("https://host", "model", {}, f"Prompt\r\n{number}", 0), reply, started_s, 1.5, 2, 300, 20
    )
    with stored_calls() as calls:
        assert calls is not None
        calls.put(call)
    return call.key.digest


def asked(run: RunVerdict, digests: list[str]) -> RunVerdict:
    """The same, with a judged metric on each turn of the first case."""
    case = run.cases[0]
    turns = tuple(
        replace(one, metrics=(*one.metrics, MetricVerdict(MATCH, 1.0, Status.PASSED, 0.5, replies=(digest,))))
        for one, digest in zip(case.turns, digests, strict=True)
    )
    return replace(run, cases=(replace(case, turns=turns), *run.cases[1:]))


def found(wanted: ListCalls) -> CallsFound:
    told = call_reader()(wanted)
    assert isinstance(told, CallsFound)
    return told


def text(wanted: ReadCallText) -> CallText:
    told = call_reader()(wanted)
    assert isinstance(told, CallText)
    return told


def shown(model: JudgeCallsModel, title: str) -> list[str]:
    column = next(at for at, held in enumerate(COLUMNS) if held.title == title)
    return [model.index(row, column).data() for row in range(model.rowCount())]


def questions(workspace: Workspace, share: CallScope) -> FirstCalls:
    chosen = workspace.selection.value
    return looked_at(workspace.files, workspace.run.value, workspace.evaluation.recorded, chosen, share)


def test_the_calls_of_turn_case_and_run(workspace: Workspace) -> None:
    file = put(workspace, TRACES, *OBSERVED)
    put(workspace, GOLDENS, EXPECTED)
    judge(workspace, begin(workspace), asked(judged(OBSERVED, [EXPECTED]), ["x", "y"]))
    first, second = file.table.tops
    workspace.selection.select(Selection(file.number, file.table.turns(first)[1]))
    digests = {share: [one.digests for one in questions(workspace, share).request.questions] for share in CallScope}
    assert digests == {CallScope.TURN: [("y",)], CallScope.CASE: [("x",), ("y",)], CallScope.RUN: [("x",), ("y",)]}
    workspace.selection.select(Selection(file.number, file.table.turns(second)[0]))
    assert questions(workspace, CallScope.CASE).request.questions == ()
    assert questions(workspace, CallScope.RUN).total == 2


def test_a_long_run_is_listed_in_part_and_counted_whole(workspace: Workspace) -> None:
    put(workspace, TRACES, *OBSERVED)
    run = judged(OBSERVED, [EXPECTED])
    many = asked(run, ["x", "y"])
    judge(workspace, begin(workspace), replace(many, cases=(many.cases[0],) * MOST_QUESTIONS))
    looked = questions(workspace, CallScope.RUN)
    assert (len(looked.request.questions), looked.total) == (MOST_QUESTIONS, 2 * MOST_QUESTIONS)


def test_replies_kept_from_before_the_run_are_told_from_those_asked_for(hold_to_rules: HoldToRules) -> None:
    digests = (kept(1, VALID, 100.0), kept(2, "unreadable", 7_500.0), "gone", kept(3, None, 8_000.0))
    wanted = ListCalls((Question(MATCH, "one", 0, digests),))
    model = JudgeCallsModel()
    hold_to_rules(model)
    model.reset(calls_of(wanted.questions, found(wanted).lines, 7_400.0))
    assert shown(model, "Source") == ["kept, 2 hours old", "asked", "gone", "asked"]
    assert shown(model, "Result") == ["valid", "it contains no label", "it is no longer kept", "it has no content"]
    assert shown(model, "Tokens in / out")[0] == "300 / 20"
    assert [shown(model, title)[0] for title in ("Vote", "Time", "Tries", "Model")] == [
        "1 of 4",
        "1.5 s",
        "2",
        "model",
    ]


def test_texts_come_with_what_was_read_of_the_reply() -> None:
    digest = kept(1, VALID)
    told = text(ReadCallText(Question(MATCH, "one", 0, (digest,)), 0, digest))
    assert told.prompt == "Prompt\n1"
    assert told.reply is not None
    assert [told.reply[start:end] for start, end in told.places] == ["valid"]
    assert text(ReadCallText(Question("judge_prompt", "one", 0), 0, digest)).is_known is False
    assert text(ReadCallText(Question(MATCH, "one", 0), 0, "gone")).why == "It is no longer kept."


def test_recorded_replies_have_no_prompt_and_no_time(tmp_path: Path, hold_to_rules: HoldToRules) -> None:
    reply = {"metric": MATCH, "case": "one", "turn": 1, "sample": 0, "reply": VALID}
    file = tmp_path / "replies.json"
    file.write_text(json.dumps({"version": 1, "replies": [reply]}))
    question = Question(MATCH, "one", 1)
    wanted = ListCalls((question, Question(MATCH, "one", 0)), str(file))
    model = JudgeCallsModel()
    hold_to_rules(model)
    model.reset(calls_of(wanted.questions, found(wanted).lines, 0.0))
    assert [shown(model, title) for title in ("Source", "Result", "Asked at")] == [["recorded"], ["valid"], [""]]
    told = text(text_wanted(model.records[0], str(file)))
    assert (told.prompt, told.why, bool(told.places)) == (None, "", True)


def test_a_file_of_replies_that_is_gone_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ReadError):
        call_reader()(ListCalls((), str(tmp_path / "gone.json")))
