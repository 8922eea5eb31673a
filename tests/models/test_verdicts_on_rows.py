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
    printed,
    put,
    rows_of,
    trace,
    turn,
)
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.trace.trace import Agent
from trace_inspector.models.base.file_verdicts import Counts
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.evaluation.score_cells import Cell, cell_of
from trace_inspector.models.workspace.workspace import Workspace

OBSERVED = [
    trace("passes", turn(0, "one?", call("search", q="x"))),
    trace(
        "fails",
        turn(0, "one?", call("search", q="parking"), call("web", q="y"), answer="Nothing here."),
        turn(1, "two?"),
    ),
    trace("stops early", turn(0, "one?")),
    trace("goes on", turn(0, "one?"), turn(1, "more?")),
    trace("alone", turn(0, "what else?")),
]
EXPECTED = golden(
    ("passes", (turn(0, "one?", call("search", q="x")),)),
    ("fails", (turn(0, "one?", call("search", q="lots"), call("walk")), turn(1, "two?"))),
    ("stops early", (turn(0, "one?"), turn(1, "two?", call("walk")))),
    ("goes on", (turn(0, "one?"),)),
    ("never run", (turn(0, "nobody asked"),)),
)


@pytest.fixture
def traces(workspace: Workspace) -> OpenFile:
    return put(workspace, TRACES, *OBSERVED)


@pytest.fixture
def goldens(workspace: Workspace, traces: OpenFile) -> OpenFile:
    assert traces.has_traces
    file = put(workspace, GOLDENS, EXPECTED)
    judge(workspace, begin(workspace), judged(OBSERVED, [EXPECTED]))
    return file


def marks(workspace: Workspace, file: OpenFile) -> list[str]:
    """Each visible row of a judged kind with its mark."""
    wanted = {Kind.TRACE, Kind.CASE, Kind.TURN, Kind.MISSING_TURN, Kind.CALL, Kind.MISSING_CALL, Kind.ANSWER}
    lines = []

    def walk(parent: int, depth: int) -> None:
        for row in file.table.visible_children(parent):
            if file.table.kind(row) in wanted:
                lines.append(
                    "  " * depth + f"{workspace.verdicts.mark_of(file.number, row)}: {file.table.label(row)}"
                )
            walk(row, depth + 1)

    walk(TOP, 0)
    return lines


@pytest.mark.usefixtures("goldens")
def test_marks_beside_the_rows_of_traces(workspace: Workspace, traces: OpenFile) -> None:
    assert marks(workspace, traces) == [
        "passed: passes",
        "  passed: Turn 1  “one?”",
        '    passed: search(q="x")',
        "    passed: “Done.”",
        "failed: fails",
        "  failed: Turn 1  “one?”",
        '    failed: search(q="parking")',
        "    missing: walk()",
        '    extra: web(q="y")',
        "    failed: “Nothing here.”",
        "  passed: Turn 2  “two?”",
        "    passed: “Done.”",
        "failed: stops early",
        "  passed: Turn 1  “one?”",
        "    passed: “Done.”",
        "  missing: Turn 2  “two?”",
        "failed: goes on",
        "  passed: Turn 1  “one?”",
        "    passed: “Done.”",
        "  failed: Turn 2  “more?”",
        "    : “Done.”",
        "none: alone",
        "  none: Turn 1  “what else?”",
        "    none: “Done.”",
    ]


def test_marks_beside_the_cases_they_were_held_against(workspace: Workspace, goldens: OpenFile) -> None:
    tops = [line for line in marks(workspace, goldens) if ":" in line and not line.startswith("    ")]
    assert tops == [
        "  failed: fails" if name == "fails" else f"  {mark}: {name}"
        for mark, name in [
            ("passed", "passes"),
            ("failed", "fails"),
            ("failed", "stops early"),
            ("failed", "goes on"),
            ("none", "never run"),
        ]
    ]
    assert workspace.verdicts.mark_of(goldens.number, 0) == "failed"


def test_a_suite_is_as_its_cases_are_whoever_its_agents_are(workspace: Workspace) -> None:
    told = trace("passes", turn(0, "one?"))
    suite = replace(golden(("passes", told.turns)), agents=(Agent("cook"),))
    put(workspace, TRACES, told)
    file = put(workspace, GOLDENS, suite)
    judge(workspace, begin(workspace), judged([told], [suite]))
    assert file.table.kind(file.table.children(0)[0]) is Kind.AGENTS
    assert workspace.verdicts.mark_of(file.number, 0) == "passed"


def test_before_a_run_nothing_is_marked(workspace: Workspace, traces: OpenFile) -> None:
    assert all(line.lstrip().startswith(": ") for line in marks(workspace, traces))
    assert workspace.verdicts.counts(traces.number) == Counts()


def test_while_a_run_goes_on_rows_wait(workspace: Workspace, traces: OpenFile) -> None:
    begin(workspace)
    assert workspace.verdicts.mark_of(traces.number, 0) == "pending"
    assert workspace.verdicts.counts(traces.number) == Counts(pending=5)


@pytest.mark.usefixtures("goldens")
def test_counts(workspace: Workspace, traces: OpenFile) -> None:
    assert workspace.verdicts.counts(traces.number) == Counts(failed=3, not_evaluated=1, passed=1)


@pytest.mark.usefixtures("goldens")
def test_ghosts_stand_where_the_golden_wants_them(traces: OpenFile) -> None:
    ghosts = [line for line in printed(traces.table) if "MISSING" in line]
    assert ghosts == ["    MISSING_CALL walk()", "  MISSING_TURN Turn 2  “two?”"]


def test_a_new_run_takes_the_old_ghosts_away(workspace: Workspace, traces: OpenFile, goldens: OpenFile) -> None:
    workspace.evaluation.ask_to_start()
    assert not [line for line in printed(traces.table) if "MISSING" in line]
    workspace.stop()
    assert goldens.number == 2


@pytest.mark.usefixtures("goldens")
def test_cells_of_the_calls_and_answer_columns(workspace: Workspace, traces: OpenFile) -> None:
    run = workspace.run.value
    assert run is not None
    calls, answer = run.scored
    assert [calls.title, answer.title] == ["Calls", "Answer"]
    table, verdicts = traces.table, run.on(traces)

    def cells(row: int) -> list[Cell]:
        return [cell_of(verdicts, row, table.kind(row), line) for line in (calls, answer)]

    top = table.tops[1]
    first = table.visible_children(top)[0]
    assert cells(top) == [Cell("0.50", "failed", failing=True), Cell("0.50", "failed", failing=True)]
    assert cells(first) == [Cell("0.00", "failed", failing=True), Cell("0.00", "failed", failing=True)]
    search, missing, extra, said = table.visible_children(first)
    assert cells(search) == [Cell("1 arg", "", failing=True), Cell()]
    assert cells(missing) == [Cell("missing"), Cell()]
    assert cells(extra) == [Cell("extra"), Cell()]
    assert cells(said) == [Cell(), Cell("0.00", "failed", failing=True)]
    gone = table.missing_turn(table.tops[2], 1)
    assert cells(gone)[0] == Cell("0.00", "failed", failing=True)


@pytest.mark.usefixtures("goldens")
def test_problems_name_every_failure_once(workspace: Workspace, traces: OpenFile) -> None:
    told = [
        (problem.mark, problem.where, problem.criterion, problem.sentence)
        for problem in workspace.problems.every
        if problem.mark != "unsupported"
    ]
    assert ("failed", "fails › Turn 1", "tool_trajectory_avg_score") in [line[:3] for line in told]
    missing = [line for line in told if line[0] == "missing"]
    assert [line[1] for line in missing] == ["stops early › golden turn 2"]
    assert "two?" in missing[0][3]
    assert [line[1] for line in told if line[0] == "extra"] == ["goes on › Turn 2"]
    assert {line[1] for line in told if line[0] == "none"} == {"alone", "never run"}
    assert all(problem.sentence for problem in workspace.problems.every)
    (missing_problem,) = [problem for problem in workspace.problems.every if problem.mark == "missing"]
    ghost = traces.table.missing_turn(traces.table.tops[2], 1)
    assert missing_problem.selection == Selection(traces.number, ghost)


@pytest.mark.usefixtures("goldens")
def test_going_through_what_failed(workspace: Workspace, traces: OpenFile) -> None:
    seen: list[Selection] = []
    while workspace.navigation.next_failing(1) and (not seen or workspace.selection.value != seen[0]):
        assert workspace.selection.value is not None
        seen.append(workspace.selection.value)
        assert workspace.navigation.failing_position() == (len(seen), 3)
    labels = [traces.table.label(place.row) for place in seen]
    assert labels == ["Turn 1  “one?”", "Turn 2  “two?”", "Turn 2  “more?”"]
    workspace.navigation.next_failing(-1)
    assert workspace.selection.value == seen[-1]


@pytest.mark.usefixtures("goldens")
def test_from_anywhere_next_and_previous_failing_are_the_neighbours(workspace: Workspace, traces: OpenFile) -> None:
    third = traces.table.tops[2]
    workspace.selection.select(Selection(traces.number, third))
    workspace.navigation.next_failing(1)
    assert workspace.selection.value == Selection(traces.number, traces.table.missing_turn(third, 1))
    workspace.selection.select(Selection(traces.number, third))
    workspace.navigation.next_failing(-1)
    assert workspace.selection.value == Selection(traces.number, traces.table.turns(traces.table.tops[1])[0])


@pytest.mark.usefixtures("goldens")
def test_a_row_inside_a_failing_turn_counts_as_that_turn(workspace: Workspace, traces: OpenFile) -> None:
    workspace.selection.select(Selection(traces.number, rows_of(traces.table, Kind.MISSING_CALL)[0]))
    assert workspace.navigation.failing_position() == (1, 3)


def test_without_a_run_nothing_fails(workspace: Workspace, traces: OpenFile) -> None:
    assert not workspace.navigation.next_failing(1)
    assert workspace.navigation.failing_position() == (0, 0)
    assert workspace.selection.value is None
    assert traces.has_traces


@pytest.mark.usefixtures("goldens")
def test_turn_by_turn_with_the_missing_one(workspace: Workspace, traces: OpenFile) -> None:
    workspace.selection.select(Selection(traces.number, traces.table.tops[1]))
    labels = []
    while workspace.navigation.next_turn(1):
        assert workspace.selection.value is not None
        labels.append(traces.table.label(workspace.selection.value.row))
    assert labels == ["Turn 1  “one?”", "Turn 2  “two?”"] * 2 + [
        "Turn 1  “one?”",
        "Turn 2  “more?”",
        "Turn 1  “what else?”",
    ]
    while workspace.navigation.next_turn(-1):
        pass
    assert workspace.selection.value == Selection(traces.number, traces.table.turns(traces.table.tops[0])[0])


def test_closing_the_golden_keeps_verdicts_and_drops_its_problems(
    workspace: Workspace, traces: OpenFile, goldens: OpenFile
) -> None:
    workspace.files.close(goldens.number)
    assert workspace.verdicts.mark_of(traces.number, traces.table.tops[1]) == "failed"
    assert {problem.file for problem in workspace.problems.every} <= {"traces.json", ""}


def test_several_runs_of_a_case_show_the_worst(workspace: Workspace) -> None:
    good = trace("again", turn(0, "one?", call("search", q="x")))
    bad = trace("again", turn(0, "one?"))
    expected = golden(("again", (turn(0, "one?", call("search", q="x")),)))
    observed = [good, bad.__class__("again 2", bad.turns, case_id="again", place="/second")]
    put(workspace, TRACES, *observed)
    goldens = put(workspace, GOLDENS, expected)
    judge(workspace, begin(workspace), judged(observed, [expected]))
    assert workspace.verdicts.counts(1) == Counts(failed=1, passed=1)
    assert workspace.verdicts.counts(goldens.number) == Counts(failed=1)


@pytest.mark.usefixtures("goldens")
def test_a_call_is_looked_up_among_many_without_going_through_them(workspace: Workspace, traces: OpenFile) -> None:
    run = workspace.run.value
    assert run is not None
    verdicts = run.on(traces)
    turn = traces.table.turns(traces.table.tops[1])[0]
    first, second = traces.table.calls(turn)
    known = verdicts.compared(turn)
    assert verdicts.call(first) is known[0]
    assert verdicts.call(second) is known[1]
    assert verdicts.compared(turn) is known
    for other in rows_of(traces.table, Kind.TURN):
        assert set(verdicts.compared(other)) == set(range(len(traces.table.calls(other))))
    case = run.cases[1]
    turns = (replace(case.turns[0], metrics=()), *case.turns[1:])
    verdicts.swap(case, replace(case, turns=turns), golden=False)
    assert verdicts.call(first) is None
