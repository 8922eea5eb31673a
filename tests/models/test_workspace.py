"""The workspace with real children: files on disk, the samples, an evaluation, reports, excerpts."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from benchmarks.make_big import Big, write
from tests.documents.archives import zipped
from tests.models.stories import TRACES, batches, begin, judge, judged, printed, put, trace, turn
from trace_inspector.core.rows.contents import Holds
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.values.values import Json
from trace_inspector.documents.editing.places import Excerpt
from trace_inspector.models.base.open_file import FileState, Group, OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.evaluation.problems import LINT_TITLES
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.store.index_file import StoredBodies
from trace_inspector.work.processes.jobs import Job, Jobs, JobState
from trace_inspector.work.processes.request_child import Answer
from trace_inspector.work.reading import file_messages, loading

WAIT_MS = 60_000
EVAL_SET: Json = {
    "eval_set_id": "small",
    "eval_cases": [
        {
            "eval_id": name,
            "conversation": [
                {
                    "user_content": {"parts": [{"text": "Where can I park?"}], "role": "user"},
                    "final_response": {"parts": [{"text": "In the garage."}], "role": "model"},
                }
            ],
        }
        for name in ("one", "two")
    ],
}


@pytest.fixture
def messages(workspace: Workspace) -> list[str]:
    heard: list[str] = []
    workspace.messages.posted.connect(heard.append)
    return heard


@pytest.fixture
def finish(qtbot: QtBot, jobs: Jobs) -> Callable[[], None]:
    return lambda: qtbot.waitUntil(lambda: not jobs.busy, timeout=WAIT_MS)


@pytest.fixture
def eval_set(tmp_path: Path) -> Path:
    path = tmp_path / "small.evalset.json"
    path.write_text(json.dumps(EVAL_SET, indent=2), "utf-8")
    return path


def read_raw(qtbot: QtBot, workspace: Workspace, selection: Selection) -> Excerpt:
    answers: list[Answer] = []
    workspace.raw_text.read(selection, answers.append)
    qtbot.waitUntil(lambda: bool(answers), timeout=WAIT_MS)
    found = answers[0].value
    assert isinstance(found, Excerpt)
    return found


def test_a_file_is_read(workspace: Workspace, finish: Callable[[], None], eval_set: Path) -> None:
    told: list[int] = []
    workspace.files.added.connect(told.append)
    workspace.files.open([eval_set])
    (file,) = workspace.files
    assert (told, file.state) == ([file.number], FileState.LOADING)
    finish()
    assert (file.state, file.format, file.group, file.sentence) == (
        FileState.READY,
        "adk-eval-set",
        Group.SUITES,
        "",
    )
    assert [file.table.label(top) for top in file.table.tops] == ["one", "two"]
    assert len(file.digest) == 64


def test_what_cannot_be_read_says_why(
    workspace: Workspace, finish: Callable[[], None], tmp_path: Path, eval_set: Path
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_bytes(b"\x00\x01\x02 no text at all")
    workspace.files.open([tmp_path / "gone.json", broken, eval_set])
    finish()
    gone, odd, good = workspace.files
    assert gone.state is FileState.FAILED
    assert "gone.json" in gone.sentence
    assert odd.state in (FileState.FAILED, FileState.READY)
    assert odd.sentence or odd.findings
    assert good.state is FileState.READY
    told = {problem.file for problem in workspace.problems.every if problem.code not in LINT_TITLES}
    assert told == {"gone.json", "broken.json"}


def test_a_folder_opens_what_lies_in_it(
    workspace: Workspace, finish: Callable[[], None], tmp_path: Path, eval_set: Path, messages: list[str]
) -> None:
    (tmp_path / "empty").mkdir()
    workspace.files.open([tmp_path])
    finish()
    assert [file.path for file in workspace.files] == [eval_set]
    workspace.files.open([tmp_path / "empty"])
    finish()
    assert len(messages) == 1
    assert messages[0].startswith(f"{tmp_path / 'empty'}: This is a folder without any file that can be read.")


def test_a_large_folder_arrives_in_helpings_and_is_read_to_its_end(
    workspace: Workspace, finish: Callable[[], None], tmp_path: Path, eval_set: Path
) -> None:
    many = 2 * loading.FILES_A_MESSAGE + 1
    names = sorted(str(eval_set.with_name(f"{number:04d}.json")) for number in range(many))
    eval_set.rename(names[0])
    for name in names[1:]:
        Path(name).hardlink_to(names[0])
    gone = tmp_path / "gone.json"
    workspace.files.open([gone, tmp_path])
    finish()
    assert [str(file.path) for file in workspace.files] == [str(gone), *names]
    assert [file.state for file in workspace.files] == [FileState.FAILED, *[FileState.READY] * many]


def test_listed_files_that_nobody_reads_yet_are_stopped_with_the_listing(
    workspace: Workspace, tmp_path: Path
) -> None:
    listed: list[int] = []
    workspace.files.take_listed(
        listed, file_messages.ListedFiles((tmp_path / "a.json", tmp_path / "b.json"), begin=False)
    )
    assert {file.state for file in workspace.files} == {FileState.LOADING}
    workspace.files.close(workspace.files.in_order[0].number)
    workspace.files.end_loading([], listed, Job(1, "loading", "Opening", JobState.STOPPED))
    assert [(file.name, file.state) for file in workspace.files] == [("b.json", FileState.STOPPED)]


def test_an_archive_opens_what_lies_in_it(
    workspace: Workspace, qtbot: QtBot, finish: Callable[[], None], tmp_path: Path
) -> None:
    archive = tmp_path / "x.zip"
    data = json.dumps(EVAL_SET).encode()
    archive.write_bytes(zipped({"a.json": data, "b/c.json.gz": gzip.compress(data)}))
    workspace.files.open([archive])
    finish()
    assert [file.path for file in workspace.files] == [archive / "a.json", archive / "b" / "c.json.gz"]
    assert [file.state for file in workspace.files] == [FileState.READY] * 2
    first, second = workspace.files
    workspace.files.open([f"{archive}/b/c.json.gz#/eval_cases/1"])
    assert workspace.selection.value == Selection(second.number, second.table.tops[1])
    assert "eval_set_id" in read_raw(qtbot, workspace, Selection(first.number, -1)).lines[0]


def test_a_place_behind_the_path_is_selected(
    workspace: Workspace, finish: Callable[[], None], eval_set: Path
) -> None:
    workspace.files.open([f"{eval_set}#/eval_cases/1"])
    finish()
    (file,) = workspace.files
    assert workspace.selection.value == Selection(file.number, file.table.tops[1])


def test_an_open_file_is_not_opened_twice(
    workspace: Workspace, finish: Callable[[], None], eval_set: Path, messages: list[str]
) -> None:
    workspace.files.open([eval_set])
    finish()
    workspace.files.open([eval_set])
    assert len(workspace.files) == 1
    assert messages == ["small.evalset.json is already open."]
    assert workspace.selection.value == Selection(1)


def test_a_file_that_is_closed_while_it_is_read_stays_closed(
    workspace: Workspace, finish: Callable[[], None], eval_set: Path
) -> None:
    workspace.files.open([eval_set])
    workspace.files.close(1)
    finish()
    assert workspace.files.in_order == ()


def test_a_stopped_reading_says_so(workspace: Workspace, eval_set: Path, messages: list[str]) -> None:
    workspace.files.open([eval_set])
    workspace.stop()
    (file,) = workspace.files
    assert file.state is FileState.STOPPED
    assert messages == [file.sentence]
    assert file.sentence == "Reading small.evalset.json was stopped. Open it again to read all of it."


def test_what_was_read_before_stop_stays_and_opening_again_reads_all(
    workspace: Workspace, messages: list[str], finish: Callable[[], None], tmp_path: Path
) -> None:
    path = tmp_path / "big.json"
    write(Big(turns=1), "jaeger", path)
    file = put_part(workspace, str(path), trace("t", turn(0, "one?"), turn(1, "two?")))
    workspace.files.end_loading([file.number], [], Job(1, "loading", "Opening", JobState.STOPPED))
    assert messages[-1].startswith("Reading big.json was stopped after 5 rows, which are shown.")
    assert printed(file.table)[-1] == "    ANSWER “Done.”"
    assert file.table.body(1) == turn(0, "one?")
    workspace.evaluation.ask_to_start()
    assert messages[-1] == "The traces were not read to their end. Open the file again to evaluate it."
    workspace.files.open([path])
    finish()
    (again,) = workspace.files
    assert (again.state, again.has_traces, len(again.table) > 5) == (FileState.READY, True, True)


@pytest.mark.parametrize("text", ["[1, 2]", '{"a": 1}', "[]", "7"])
def test_what_nobody_recognises_failed(
    workspace: Workspace, finish: Callable[[], None], tmp_path: Path, text: str
) -> None:
    path = tmp_path / "odd.json"
    path.write_text(text, "utf-8")
    workspace.files.open([path])
    finish()
    (file,) = workspace.files
    assert (file.state, file.format, file.group) == (FileState.FAILED, "", Group.OTHER)
    assert file.unrecognised
    assert "in none of the formats" in file.sentence
    told = [problem.sentence for problem in workspace.problems.every]
    assert len(told) == len(set(told))
    assert file.sentence in told


def test_a_group_is_what_a_file_holds_whatever_its_format_is_called(workspace: Workspace) -> None:
    file = put_part(workspace, "/made/a.json", trace("t", turn(0, "one?")), name="no-result-at-all")
    groups = [file.group]
    workspace.files.take(file_messages.Found(file.number, holds=(Holds(file_messages.REPORTED, 1),)))
    assert [*groups, file.group] == [Group.TRACES, Group.RESULTS]


def put_part(workspace: Workspace, path: str, *items: Trace, name: str = "made") -> OpenFile:
    """Open a file whose rest is still to come."""
    file = workspace.files.add(Path(path), "")
    assert file is not None
    workspace.files.take(file_messages.Recognised(file.number, name))
    for batch in batches(*items):
        workspace.files.take(file_messages.RowsRead(file.number, batch))
    return file


def test_an_unchanged_file_opens_again_with_the_same_tree_and_the_same_verdicts(
    workspace: Workspace, finish: Callable[[], None], tmp_path: Path, messages: list[str]
) -> None:
    path = tmp_path / "big.json"
    write(Big(turns=40), "jaeger", path)
    workspace.files.open([path])
    finish()
    (first,) = workspace.files
    workspace.evaluation.ask_to_start()
    finish()
    said = messages[-1]
    verdicts = [case.status for case in workspace.run.value.cases] if workspace.run.value else []
    workspace.files.close(first.number)
    workspace.files.open([path])
    finish()
    (again,) = workspace.files
    assert isinstance(again.table.bodies(), StoredBodies)
    assert (again.state, again.digest, again.group) == (FileState.READY, first.digest, Group.TRACES)
    assert again.findings == first.findings
    assert printed(again.table) == printed(first.table)
    for row in range(0, len(first.table), 7):
        assert again.table.thing(row) == first.table.thing(row)
    workspace.evaluation.ask_to_start()
    finish()
    assert messages[-1] == said
    assert workspace.run.value is not None
    assert [case.status for case in workspace.run.value.cases] == verdicts


def test_selecting_is_told_once(workspace: Workspace) -> None:
    told: list[Selection | None] = []
    workspace.selection.changed.connect(told.append)
    put(workspace, TRACES, trace("t", turn(0, "one?")))
    for selection in (Selection(1, 0), Selection(1, 0), Selection(1, 1)):
        workspace.selection.select(selection)
    workspace.files.close(1)
    assert told == [Selection(1, 0), Selection(1, 1), None]


def test_without_traces_there_is_nothing_to_evaluate(
    workspace: Workspace, finish: Callable[[], None], eval_set: Path, messages: list[str], qtbot: QtBot
) -> None:
    workspace.files.open([eval_set])
    with qtbot.waitSignal(workspace.files.all_read):
        workspace.evaluation.ask_to_start()
        finish()
    workspace.evaluation.ask_to_start()
    assert workspace.run.value is None
    first, *others = [message.split(".")[0] for message in messages]
    assert (first, others) == ("The open files are still being read", ["There are no traces to evaluate yet"] * 2)


def test_the_samples_are_judged_reported_and_shown(
    workspace: Workspace, finish: Callable[[], None], messages: list[str], tmp_path: Path, qtbot: QtBot
) -> None:
    workspace.open_samples()
    finish()
    assert {file.state for file in workspace.files} == {FileState.READY}
    workspace.evaluation.ask_to_start()
    run = workspace.run.value
    assert run is not None
    assert run.running
    finish()
    assert (run.sentence, run.running) == ("", False)
    assert [line.title for line in run.scored] == ["Calls", "Answer", "Rubrics", "Support", "Matched calls"]
    assert any("recorded" in problem.sentence for problem in workspace.problems.every if problem.criterion == "run")
    judged = [file for file in workspace.files if file.name.startswith("run-")]
    counts = [workspace.verdicts.counts(file.number) for file in judged]
    assert [(count.failed > 0, count.passed > 0, count.pending) for count in counts] == [(True, True, 0)] * 2
    assert {file.path.parent.name for file in workspace.files if file not in judged} == {
        "other-systems",
        "samples",
    }
    assert workspace.navigation.next_failing(1)

    for kind in ("adk", "html", "junit"):
        workspace.evaluation.export(kind, tmp_path / f"report.{kind}")
    finish()
    assert sorted(messages[-3:]) == ["Saved report.adk.", "Saved report.html.", "Saved report.junit."]
    written = json.loads((tmp_path / "report.adk").read_text("utf-8"))
    assert "eval_case_results" in json.dumps(written)

    assert workspace.selection.value is not None
    assert read_raw(qtbot, workspace, workspace.selection.value).lines


def test_a_stopped_evaluation_keeps_what_came_before(workspace: Workspace, messages: list[str]) -> None:
    observed = [trace("t", turn(0, "one?")), trace("u", turn(0, "two?"))]
    put(workspace, TRACES, *observed)
    workspace.evaluation.ask_to_start()
    run = workspace.run.value
    assert run is not None
    assert workspace.verdicts.counts(1).pending == 2
    workspace.stop()
    assert (run.running, workspace.verdicts.counts(1).not_evaluated) == (False, 2)
    assert messages == [run.sentence]
    judge(workspace, begin(workspace), judged(observed, []))
    assert workspace.verdicts.counts(1).not_evaluated == 2


def test_there_is_no_report_without_a_run(workspace: Workspace, messages: list[str], tmp_path: Path) -> None:
    workspace.evaluation.export("html", tmp_path / "report.html")
    assert messages == ["There is no finished evaluation to report yet. Press F5 first."]
    assert not list(tmp_path.iterdir())


def test_a_report_that_cannot_be_written_says_why(
    workspace: Workspace, finish: Callable[[], None], messages: list[str], tmp_path: Path
) -> None:
    observed = [trace("t", turn(0, "one?"))]
    put(workspace, TRACES, *observed)
    judge(workspace, begin(workspace), judged(observed, []))
    workspace.evaluation.export("html", tmp_path / "no such folder" / "report.html")
    finish()
    assert "no such folder" in messages[-1]


def test_the_raw_text_of_a_changed_file_is_the_new_one(
    workspace: Workspace, finish: Callable[[], None], eval_set: Path, qtbot: QtBot
) -> None:
    workspace.files.open([eval_set])
    finish()
    texts: list[str] = []
    for words in ("Where can I park?", "Where can I stop?"):
        eval_set.write_text(json.dumps(EVAL_SET, indent=1).replace("Where can I park?", words), "utf-8")
        found = read_raw(qtbot, workspace, Selection(1, workspace.files.in_order[0].table.tops[0]))
        texts.append("\n".join(found.lines))
    assert "park?" in texts[0]
    assert "stop?" in texts[1]


def test_a_ghost_has_no_raw_text(workspace: Workspace) -> None:
    answers: list[Answer] = []
    workspace.raw_text.read(Selection(7, 0), answers.append)
    assert answers == [Answer(sentence="The golden expects this; it is not in this file.")]
