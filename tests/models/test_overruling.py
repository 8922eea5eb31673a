"""What people say of verdicts: shown at once everywhere, in steps that can be undone."""

from __future__ import annotations

import os

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from tests.models.stories import GOLDENS, TRACES, begin, call, golden, judge, judged, put, trace, turn
from trace_inspector.core.verdict.case_key import key_of
from trace_inspector.core.verdict.overrule import Overrule
from trace_inspector.core.verdict.verdict import Provenance, RunVerdict, Status
from trace_inspector.flows.runs.evaluate_files import Request
from trace_inspector.flows.runs.store_run import load_run, save_run
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.evaluation.current_run import CurrentRun
from trace_inspector.models.runs.overruling import Target
from trace_inspector.models.runs.run_writer import RunWriter
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.settings import data_folder
from trace_inspector.work.processes.jobs import Jobs
from trace_inspector.work.runs.evaluating import CasesJudged, EarlierOverrule, RunEnded
from trace_inspector.work.runs.run_request import RunOrder

OBSERVED = [
    trace("passes", turn(0, "one?", call("search", q="x"))),
    trace("fails", turn(0, "one?", call("search", q="parking")), turn(1, "two?")),
    trace("ends early", turn(0, "one?")),
]
EXPECTED = golden(
    ("passes", (turn(0, "one?", call("search", q="x")),)),
    ("fails", (turn(0, "one?", call("search", q="lots")), turn(1, "two?"))),
    ("ends early", (turn(0, "one?"), turn(1, "two?"))),
)
CALLS = "tool_trajectory_avg_score"


@pytest.fixture
def file(workspace: Workspace) -> OpenFile:
    made = put(workspace, TRACES, *OBSERVED)
    put(workspace, GOLDENS, EXPECTED)
    judge(workspace, begin(workspace), verdict())
    return made


def verdict() -> RunVerdict:
    return judged(OBSERVED, [EXPECTED])


def failing_turn(file: OpenFile) -> int:
    top = next(top for top in file.table.tops if file.table.label(top) == "fails")
    return file.table.turns(top)[0]


def target(
    workspace: Workspace, file: OpenFile, row: int, metric: str | None = None, *, of_case: bool = False
) -> Target:
    found = workspace.runs.overruling.targets(file, row, of_case=of_case)
    return next(one for one in found if one.metric == metric)


def run_of(workspace: Workspace) -> CurrentRun:
    assert workspace.run.value is not None
    return workspace.run.value


def test_targets_are_the_whole_and_each_criterion_that_decides(workspace: Workspace, file: OpenFile) -> None:
    found = workspace.runs.overruling.targets(file, failing_turn(file), of_case=False)
    assert [one.title for one in found[:2]] == ["Turn 1", CALLS]
    assert all(one.status is not Status.INFORMATIONAL for one in found)
    assert workspace.runs.overruling.targets(file, failing_turn(file), of_case=True)[0].title == "fails"


def test_nothing_can_be_overruled_before_a_run_has_ended(workspace: Workspace) -> None:
    file = put(workspace, TRACES, *OBSERVED)
    assert not workspace.runs.overruling.possible
    begin(workspace)
    assert workspace.runs.overruling.targets(file, file.table.tops[0], of_case=True) == []


def test_marks_counts_problems_and_failing_turns_follow_at_once(workspace: Workspace, file: OpenFile) -> None:
    row, goldens = failing_turn(file), workspace.files.in_order[1]
    golden_case = next(top for top in goldens.table.tops if goldens.table.label(top) == "fails")
    before = [workspace.verdicts.counts(number) for number in (file.number, goldens.number)]
    failing = workspace.navigation.failing_position()[1]
    problems = list(workspace.problems.every)
    assert workspace.verdicts.mark_of(file.number, row) == "failed"
    workspace.runs.overruling.overrule(target(workspace, file, row), Status.PASSED, "the lots were meant")
    assert workspace.verdicts.mark_of(file.number, row) == "passed"
    assert workspace.verdicts.mark_of(file.number, file.table.top_of(row)) == "passed"
    assert workspace.verdicts.mark_of(goldens.number, golden_case) == "passed"
    now = [workspace.verdicts.counts(number) for number in (file.number, goldens.number)]
    assert [one.failed for one in now] == [one.failed - 1 for one in before]
    assert workspace.navigation.failing_position()[1] == failing - 1
    assert not [one for one in workspace.problems.every if one.mark == "failed" and one.where.startswith("fails")]
    workspace.steps.undo()
    assert [workspace.verdicts.counts(number) for number in (file.number, goldens.number)] == before
    assert list(workspace.problems.every) == problems
    assert workspace.verdicts.mark_of(file.number, row) == "failed"
    workspace.steps.redo()
    assert workspace.verdicts.mark_of(file.number, row) == "passed"
    assert run_of(workspace).summary().count("failed") == 1


def test_a_criterion_is_overruled_by_hand_with_its_original_beside_it(workspace: Workspace, file: OpenFile) -> None:
    row = failing_turn(file)
    workspace.runs.overruling.overrule(target(workspace, file, row, CALLS), Status.PASSED, "as good")
    found = workspace.verdicts.turn(file.number, row)
    assert found is not None
    metric = next(one for one in found.metrics if one.metric == CALLS)
    assert (metric.provenance, metric.status, metric.score) == (Provenance.HUMAN, Status.PASSED, 0.0)
    assert metric.overruled is not None
    assert (metric.overruled.status, metric.overruled.note) == (Status.FAILED, "as good")


def test_a_pass_that_a_person_fails_is_a_problem_with_the_note(workspace: Workspace, file: OpenFile) -> None:
    row = file.table.turns(file.table.tops[0])[0]
    workspace.runs.overruling.overrule(target(workspace, file, row), Status.FAILED, "it was rude")
    assert any("it was rude" in problem.sentence for problem in workspace.problems.every)
    workspace.navigation.next_failing(1)
    seen = set()
    for _ in range(workspace.navigation.failing_position()[1]):
        seen.add(workspace.selection.value)
        workspace.navigation.next_failing(1)
    assert Selection(file.number, row) in seen


def test_a_missing_turn_can_be_forgiven(workspace: Workspace, file: OpenFile) -> None:
    top = next(top for top in file.table.tops if file.table.label(top) == "ends early")
    ghost = file.table.missing_turn(top, 1)
    workspace.runs.overruling.overrule(target(workspace, file, ghost), Status.PASSED, "enough was said")
    assert workspace.verdicts.mark_of(file.number, top) == "passed"


def test_withdrawing_is_a_step_too(workspace: Workspace, file: OpenFile) -> None:
    row = failing_turn(file)
    workspace.runs.overruling.overrule(target(workspace, file, row), Status.PASSED, "first")
    workspace.runs.overruling.withdraw(target(workspace, file, row))
    assert workspace.verdicts.mark_of(file.number, row) == "failed"
    workspace.steps.undo()
    assert workspace.verdicts.mark_of(file.number, row) == "passed"
    assert "Withdraw" in workspace.steps.redoText()


def test_of_a_run_that_is_not_kept_it_is_said(workspace: Workspace, file: OpenFile, qtbot: QtBot) -> None:
    with qtbot.waitSignal(workspace.messages.posted, timeout=60_000) as heard:
        workspace.runs.overruling.overrule(target(workspace, file, failing_turn(file)), Status.PASSED, "so")
    assert heard.args is not None
    assert "in this window only" in heard.args[0]
    assert workspace.verdicts.mark_of(file.number, failing_turn(file)) == "passed"


def test_what_was_said_stands_where_the_verdict_stands(workspace: Workspace, file: OpenFile) -> None:
    row, early = failing_turn(file), file.table.tops[2]
    workspace.runs.overruling.overrule(target(workspace, file, row), Status.PASSED, "stands")
    workspace.runs.overruling.overrule(target(workspace, file, early, of_case=True), Status.PASSED, "judged again")
    run = begin(workspace)
    run.order = RunOrder((), earlier=1)
    whole = verdict()
    anew = replace(whole.cases[2], reason="another verdict")
    judge(workspace, run, replace(whole, cases=(*whole.cases[:2], anew)))
    assert [one.note for one in run_of(workspace).overrules] == ["stands"]
    assert workspace.verdicts.mark_of(file.number, row) == "passed"
    assert workspace.verdicts.mark_of(file.number, early) == "failed"


def test_closing_keeps_what_was_not_written_yet(workspace: Workspace, file: OpenFile) -> None:
    head = run_of(workspace).verdict
    assert head is not None
    run = RunVerdict(head.id, head.status, head.started_s, head.rules, "", tuple(run_of(workspace).cases))
    assert save_run(run, Request(())) == ""
    row = failing_turn(file)
    workspace.runs.overruling.overrule(target(workspace, file, row), Status.PASSED, "kept")
    workspace.steps.undo()
    workspace.steps.redo()
    workspace.runs.writer.finish()
    kept = load_run(head.id)
    assert kept is not None
    assert [(one.note, one.withdrawn_s is None) for one in kept.overrules] == [("kept", False), ("kept", True)]
    assert kept.shown.cases[1].turns[0].status is Status.PASSED


def test_what_was_said_of_the_same_outputs_shows_in_the_next_run_and_can_be_withdrawn(
    workspace: Workspace, file: OpenFile
) -> None:
    again, ended = begin(workspace), verdict()
    failing = next(number for number, case in enumerate(ended.cases) if case.case_id == "fails")
    said = Overrule("earlier", failing, Status.PASSED, 1.0, 0, None, "the lots were meant")
    arrived = (*reversed(ended.cases),)  # another order than in the store
    workspace.evaluation.take(again, CasesJudged(arrived))
    earlier = EarlierOverrule(key_of(ended.cases[failing]), 0, said)
    gone = EarlierOverrule(("another",), 0, said)
    workspace.evaluation.take(again, RunEnded(ended, earlier=(earlier, gone)))
    row = failing_turn(file)
    assert workspace.verdicts.mark_of(file.number, row) == "passed"
    found = target(workspace, file, row)
    assert found.overruled is not None
    workspace.runs.overruling.withdraw(found)
    assert workspace.verdicts.mark_of(file.number, row) == "failed"
    workspace.steps.undo()
    assert workspace.verdicts.mark_of(file.number, row) == "passed"


def test_a_run_that_is_gone_does_not_come_back_by_redoing(workspace: Workspace, file: OpenFile) -> None:
    workspace.runs.overruling.overrule(target(workspace, file, failing_turn(file)), Status.PASSED, "so")
    workspace.steps.undo()
    judge(workspace, begin(workspace), verdict())
    workspace.steps.redo()
    assert workspace.verdicts.mark_of(file.number, failing_turn(file)) == "failed"


def test_what_was_said_outlives_an_end_without_warning(
    workspace: Workspace, file: OpenFile, jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = run_of(workspace).verdict
    assert head is not None
    run = RunVerdict(head.id, head.status, head.started_s, head.rules, "", tuple(run_of(workspace).cases))
    assert save_run(run, Request(())) == ""
    with monkeypatch.context() as frozen:  # no child gets as far as writing
        frozen.setattr(RunWriter, "_go_on", lambda _self: None)
        frozen.setattr(os, "fsync", lambda _handle: pytest.fail("the window waited for the disk"))
        workspace.runs.overruling.overrule(target(workspace, file, failing_turn(file)), Status.PASSED, "taken back")
        workspace.steps.undo()
        workspace.runs.overruling.overrule(target(workspace, file, failing_turn(file)), Status.PASSED, "at once")
    before = load_run(head.id)
    assert before is not None
    assert before.overrules == ()
    (data_folder() / "said" / "torn.json").write_text('{"run_id": ', "utf-8")
    again = Workspace(jobs, jobs)
    again.runs.writer.finish()
    kept = load_run(head.id)
    assert kept is not None
    assert [(one.note, one.withdrawn_s is None) for one in kept.overrules] == [
        ("taken back", False),
        ("at once", True),
    ]
    (aside,) = (data_folder() / "said").iterdir()
    assert (aside.name[:21], aside.read_text("utf-8")) == ("torn.json.unreadable-", '{"run_id": ')
    assert [str(aside) in sentence for sentence in again.runs.writer.unreadable] == [True]
