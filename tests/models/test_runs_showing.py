"""A kept run is shown again on the files that are as it read them; what does not fit is said."""

from __future__ import annotations

from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from tests.models.stories import GOLDENS, TRACES, begin, call, golden, judge, judged, put, trace, turn
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.verdict.overrule import Overrule
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.flows.runs.evaluate_files import Given, Request
from trace_inspector.flows.runs.store_run import list_runs, overrule, save_run
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.runs.showing import match_files
from trace_inspector.models.workspace.workspace import Workspace

OBSERVED = [trace("one", turn(0, "a?", call("search", q="x"))), trace("two", turn(0, "b?"))]
EXPECTED = golden(("one", (turn(0, "a?", call("search", q="y")),)), ("two", (turn(0, "b?"),)))
INPUTS = {TRACES: "digest of traces", GOLDENS: "digest of goldens"}
WAIT_MS = 60_000


def opened(workspace: Workspace) -> tuple[OpenFile, OpenFile]:
    traces, goldens = put(workspace, TRACES, *OBSERVED), put(workspace, GOLDENS, EXPECTED)
    traces.digest, goldens.digest = INPUTS[TRACES], INPUTS[GOLDENS]
    return traces, goldens


def kept(*, said: bool = False) -> str:
    run = judged(OBSERVED, [EXPECTED])
    given = [Given(path, Contents("made"), digest) for path, digest in INPUTS.items()]
    assert save_run(run, Request((given[0],), (given[1],))) == ""
    if said:
        overrule(run.id, Overrule("o", 0, Status.PASSED, 1.0, 0, None, "as good"))
    return run.id


def test_files_fit_by_path_and_digest(workspace: Workspace) -> None:
    files = {file.number: file for file in opened(workspace)}
    assert match_files(INPUTS, files).sentence() == ""
    fit = match_files({TRACES: "another", GOLDENS: "", "/made/gone.json": "x"}, files)
    assert [str(file.path) for file in fit.same] == [GOLDENS]
    assert fit.sentence() == (
        "gone.json not open: open it to see its verdicts; "
        "traces.json has changed since, so its verdicts are not shown."
    )
    many = match_files({f"/made/{number}.json": "" for number in range(9)}, files).sentence()
    assert "0.json, 1.json, 2.json and 6 more not open" in many


def test_verdicts_come_back_with_what_people_said(workspace: Workspace, qtbot: QtBot) -> None:
    traces, goldens = opened(workspace)
    run_id = kept(said=True)
    workspace.runs.showing.show(run_id, "it")
    qtbot.waitUntil(
        lambda: workspace.run.value is not None and workspace.run.value.verdict is not None, timeout=WAIT_MS
    )
    assert workspace.runs.is_shown(run_id)
    assert [workspace.verdicts.mark_of(traces.number, top) for top in traces.table.tops] == ["passed", "passed"]
    assert workspace.verdicts.counts(goldens.number).passed == 2
    assert workspace.run.value is not None
    assert workspace.run.value.scored[0].name == "tool_trajectory_avg_score"
    whole = workspace.runs.overruling.targets(traces, traces.table.turns(traces.table.tops[0])[0], of_case=False)[0]
    assert (whole.status, whole.overruled and whole.overruled.note) == (Status.PASSED, "as good")
    workspace.runs.overruling.withdraw(whole)
    assert workspace.verdicts.mark_of(traces.number, traces.table.tops[0]) == "failed"


def test_a_file_that_changed_shows_no_verdicts_of_another_one(workspace: Workspace, qtbot: QtBot) -> None:
    traces, goldens = opened(workspace)
    traces.digest = "another"
    with qtbot.waitSignal(workspace.messages.posted, timeout=WAIT_MS) as heard:
        workspace.runs.showing.show(kept(), "it")
    assert heard.args is not None
    assert "traces.json has changed since" in heard.args[0]
    qtbot.waitUntil(
        lambda: workspace.run.value is not None and workspace.run.value.verdict is not None, timeout=WAIT_MS
    )
    assert workspace.verdicts.counts(traces.number).failed == 0
    assert workspace.verdicts.counts(goldens.number).failed == 1


def test_without_any_of_its_files_the_run_before_stays(workspace: Workspace, qtbot: QtBot) -> None:
    put(workspace, "/made/other.json", *OBSERVED)
    before = begin(workspace)
    judge(workspace, before, replace(judged(OBSERVED, []), notes=()))
    with qtbot.waitSignal(workspace.messages.posted, timeout=WAIT_MS) as heard:
        workspace.runs.showing.show(kept(), "it")
    assert heard.args is not None
    assert "None of the run’s files can be shown" in heard.args[0]
    assert workspace.run.value is before


def test_while_an_evaluation_runs_nothing_takes_its_place(workspace: Workspace, qtbot: QtBot) -> None:
    opened(workspace)
    run = begin(workspace)
    with qtbot.waitSignal(workspace.messages.posted) as heard:
        workspace.runs.showing.show("any", "it")
    assert heard.args is not None
    assert "Stop it first" in heard.args[0]
    assert workspace.run.value is run


def test_a_run_that_is_gone_is_a_sentence(workspace: Workspace, qtbot: QtBot) -> None:
    opened(workspace)
    with qtbot.waitSignal(workspace.messages.posted, timeout=WAIT_MS) as heard:
        workspace.runs.showing.show("gone", "it")
    assert heard.args == ["This run is no longer kept."]


def test_the_list_names_what_a_run_read() -> None:
    kept()
    assert [line.inputs for line in list_runs().lines] == [INPUTS]
