"""From the person's side, by keys: choose, correct, evaluate, and find it remembered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from tests.helpers.eval_sets import case, turn, write_criteria, write_eval_set
from tests.helpers.judge_server import VARIABLES, Fault, ModelServer, model_server
from tests.views.doing import trigger
from tests.views.test_closing import working
from tests.views.test_every_panel import nameless, unreachable
from trace_inspector.core.values.values import JsonObject
from trace_inspector.core.verdict.verdict import CaseVerdict, Status
from trace_inspector.flows.judges.selection import OPENAI, JudgeChoice
from trace_inspector.flows.runs.store_run import list_runs
from trace_inspector.models.base.open_file import FileState
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.evaluation.current_run import CurrentRun
from trace_inspector.views.evaluate.dialog import NAME, EvaluateDialog
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window
WAIT_MS = 60_000
QUESTION, ANSWER = "Where can I park?", "In the garage."


def session(path: Path, name: str, *said: str) -> Path:
    """A recorded conversation: the user and the agent by turns."""
    events: list[JsonObject] = [
        {"author": who, "invocation_id": f"e-{name}-{at // 2}", "id": f"{name}{at}", "timestamp": 1000.0 + at,
         "content": {"role": "user" if who == "user" else "model", "parts": [{"text": text}]}}
        for at, text in enumerate(said)
        for who in ("shop_agent" if at % 2 else "user",)
    ]  # fmt: skip
    path.write_text(json.dumps({"id": name, "app_name": "shop", "user_id": "u", "state": {}, "events": [*events]}))
    return path


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Two goldens, and two conversations of which one is nobody's by what it says."""
    (folder := tmp_path / "work").mkdir()
    write_criteria(folder / "test_config.json", response_match_score=0.9)
    return [
        write_eval_set(
            folder / "shop.evalset.json",
            case("parking", turn(QUESTION, ANSWER), session="s-parking"),
            case("opening", turn("When do you open?", "At nine."), session="s-opening"),
        ),
        session(folder / "one.json", "s-parking", QUESTION, ANSWER),
        session(folder / "two.json", "s-lost", "Hm?", "At nine."),
    ]


def open_all(window: MainWindow, qtbot: QtBot, files: list[Path]) -> None:
    workspace = window.desk.workspace
    workspace.files.open(files)
    qtbot.waitUntil(lambda: all(file.state is FileState.READY for file in workspace.files), timeout=WAIT_MS)


def opened_dialog(window: MainWindow, qtbot: QtBot) -> EvaluateDialog:
    trigger(window, "evaluate-with")
    dialog = window.findChild(EvaluateDialog, NAME)
    assert dialog is not None
    settled(dialog, window, qtbot)
    return dialog


def settled(dialog: EvaluateDialog, window: MainWindow, qtbot: QtBot) -> None:
    """The proposal of what is chosen now is there."""
    proposal = window.desk.workspace.evaluation.proposal
    qtbot.waitUntil(
        lambda: not dialog.waiting and not proposal.working and bool(proposal.result or proposal.sentence),
        timeout=WAIT_MS,
    )


def ended(window: MainWindow, qtbot: QtBot) -> CurrentRun:
    workspace = window.desk.workspace
    qtbot.waitUntil(lambda: workspace.run.value is not None and not workspace.run.value.running, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not window.desk.jobs.busy, timeout=WAIT_MS)
    assert workspace.run.value is not None
    return workspace.run.value


def shown(dialog: EvaluateDialog) -> list[list[str]]:
    table = dialog.pairs.table
    return [[str(table.index(row, at).data()) for at in range(3)] for row in range(table.rowCount())]


def test_a_pairing_is_corrected_by_keys_judged_and_remembered(
    window: MainWindow, qtbot: QtBot, files: list[Path]
) -> None:
    open_all(window, qtbot, files)
    dialog = opened_dialog(window, qtbot)
    assert nameless(dialog) == []
    assert unreachable(dialog) == []
    assert [line[1:] for line in shown(dialog)] == [
        ["shop / parking", "sure: by session id"],
        ["no case", "no case has this trace’s id, or the same messages of the user"],
    ]
    assert dialog.cost.sentence.text() == "3 cases; no judge is asked, nothing is sent."
    QTest.keyClick(dialog.pairs, Qt.Key.Key_N)
    assert dialog.pairs.currentIndex().row() == 1
    QTest.keyClick(dialog.pairs, Qt.Key.Key_Return)
    field = next(field for field in dialog.findChildren(QLineEdit) if field.hasFocus())
    QTest.keyClicks(field, "opening")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert shown(dialog)[1][1:] == ["shop / opening", "by hand"]
    settled(dialog, window, qtbot)
    QTest.keyClick(dialog.pairs, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    run = ended(window, qtbot)
    assert {(case.case_id, case.trace_id): case.paired_by for case in run.cases} == {
        ("parking", "s-parking"): "by session id",
        ("opening", "s-lost"): "by hand",
    }
    assert verdict(run, "opening").status is Status.PASSED
    for file in window.desk.workspace.files:
        window.desk.workspace.files.close(file.number)
    open_all(window, qtbot, files)
    again = opened_dialog(window, qtbot)
    assert shown(again)[1][1:] == ["shop / opening", "by hand"]
    again.pairs.setCurrentIndex(again.pairs.table.index(1, 0))
    QTest.keyClick(again.pairs, Qt.Key.Key_Backspace)
    assert shown(again)[1][1] == "no case"
    again.pairs.setCurrentIndex(again.pairs.table.index(0, 0))
    QTest.keyClick(again.pairs, Qt.Key.Key_Delete)
    assert shown(again)[0][1] == "no case"
    QTest.keyClick(again, Qt.Key.Key_Escape)


def test_some_cases_by_some_metrics_paired_in_one_way(window: MainWindow, qtbot: QtBot, files: list[Path]) -> None:
    open_all(window, qtbot, files)
    dialog = opened_dialog(window, qtbot)
    for field, words in ((dialog.cases, "park* nobody"), (dialog.only, "response_match_score")):
        field.setFocus()
        QTest.keyClicks(field, words)
        QTest.keyClick(field, Qt.Key.Key_Return)
    dialog.pair_by.setFocus()
    QTest.keyClick(dialog.pair_by, Qt.Key.Key_End)
    settled(dialog, window, qtbot)
    wanted = window.desk.workspace.evaluation.options
    assert (wanted.cases, wanted.only, wanted.pair_by) == (("park*", "nobody"), ("response_match_score",), "order")
    QTest.keyClick(dialog.pairs, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    run = ended(window, qtbot)
    assert {case.case_id for case in run.cases} == {"parking"}
    assert {metric.metric for case in run.cases for metric in case.metrics if metric.score is not None} == {
        "response_match_score"
    }
    assert [case.paired_by for case in run.cases] == ["by order, as requested"]


def verdict(run: CurrentRun, name: str) -> CaseVerdict:
    return next(case for case in run.cases if case.case_id == name)


VALID = '{"reasoning": "", "is_the_agent_response_valid": "valid"}'
QUOTA = Fault(429, message="You exceeded your current quota, please check your plan and billing details.")
SLOW = Fault(kind="slow")
SAMPLES = 3


class Model:
    """Finds everything valid; from one call on it does something else, until it is told to answer again."""

    def __init__(self) -> None:
        self.from_call, self.instead = 10**9, SLOW

    def says(self, _prompt: str, number: int) -> str | Fault:
        return self.instead if number >= self.from_call else VALID


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch, model: Model) -> Iterator[ModelServer]:
    """The model behind an endpoint on this machine."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    with model_server(model.says) as server:
        yield server


@pytest.fixture
def judged_files(files: list[Path]) -> list[Path]:
    """Two cases, each with its conversation, and a criterion that asks a judge three times about an answer."""
    write_criteria(
        files[0].parent / "test_config.json",
        final_response_match_v2={"threshold": 0.5, "judge_model_options": {"num_samples": SAMPLES}},
    )
    session(files[2], "s-opening", "When do you open?", "At nine.")
    return files


@pytest.fixture
def long_files(judged_files: list[Path]) -> list[Path]:
    """The first case has a second turn."""
    turns = [turn(QUESTION, ANSWER), turn("And bicycles?", "In the yard.")]
    write_eval_set(judged_files[0], case("parking", *turns, session="s-parking"))
    session(judged_files[1], "s-parking", QUESTION, ANSWER, "And bicycles?", "In the yard.")
    return judged_files[:2]


def use(window: MainWindow, server: ModelServer) -> None:
    window.desk.workspace.evaluation.preferences.set_judge(
        JudgeChoice(OPENAI, "small", f"{server.url}/v1", in_flight=1)
    )


def confirmed(window: MainWindow, qtbot: QtBot, files: list[Path], server: ModelServer) -> None:
    """Everything is open, and the person wants the judge to be asked."""
    use(window, server)
    open_all(window, qtbot, files)
    window.desk.workspace.evaluation.confirm()


def statuses(run: CurrentRun) -> dict[str, Status]:
    return {case.case_id: case.status for case in run.cases}


def test_nothing_is_sent_before_the_person_has_seen_what(
    window: MainWindow, qtbot: QtBot, judged_files: list[Path], judge: ModelServer
) -> None:
    use(window, judge)
    open_all(window, qtbot, judged_files)
    trigger(window, "evaluate")
    qtbot.waitUntil(lambda: window.findChild(EvaluateDialog, NAME) is not None, timeout=WAIT_MS)
    dialog = opened_dialog(window, qtbot)
    assert judge.prompts == []
    assert window.desk.workspace.run.value is None
    host = judge.url.removeprefix("http://")
    assert dialog.cost.sentence.text().startswith(f"2 cases: 6 questions to small @ {host}, about ")
    assert dialog.start.text() == "Ask 6 and evaluate"
    notes: list[str] = []
    window.desk.jobs.changed.connect(lambda: notes.extend(job.note for job in window.desk.jobs.jobs))
    dialog.start.click()
    run = ended(window, qtbot)
    assert len(judge.prompts) == 2 * SAMPLES
    assert "judging 6 of 6" in notes
    assert statuses(run) == {"parking": Status.PASSED, "opening": Status.PASSED}
    trigger(window, "evaluate")
    ended(window, qtbot)
    assert window.findChild(EvaluateDialog, NAME) is None, "what was confirmed is not asked again"
    assert len(judge.prompts) == 2 * SAMPLES, "kept replies are used"


def test_no_dialog_where_no_judge_is_needed(
    window: MainWindow, qtbot: QtBot, files: list[Path], judge: ModelServer
) -> None:
    use(window, judge)
    open_all(window, qtbot, files)
    trigger(window, "evaluate")
    run = ended(window, qtbot)
    assert window.findChild(EvaluateDialog, NAME) is None
    assert run.verdict is not None
    assert judge.prompts == []


def test_offline_nobody_is_asked(
    window: MainWindow, qtbot: QtBot, judged_files: list[Path], judge: ModelServer
) -> None:
    confirmed(window, qtbot, judged_files, judge)
    window.desk.workspace.evaluation.preferences.set_offline(offline=True)
    assert "offline" in [label.text() for label in window.statusBar().findChildren(QLabel)]
    trigger(window, "evaluate")
    run = ended(window, qtbot)
    assert set(statuses(run).values()) == {Status.NOT_EVALUATED}
    assert judge.prompts == []


def test_a_stopped_run_keeps_what_is_done_and_goes_on(
    window: MainWindow, qtbot: QtBot, judged_files: list[Path], judge: ModelServer, model: Model
) -> None:
    model.from_call = SAMPLES
    confirmed(window, qtbot, judged_files, judge)
    workspace = window.desk.workspace
    trigger(window, "evaluate")
    qtbot.waitUntil(lambda: workspace.run.value is not None and len(workspace.run.value.cases) == 1, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: len(judge.prompts) == SAMPLES + 1, timeout=WAIT_MS)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    run = workspace.run.value
    assert run is not None
    assert not run.running, "at once"
    assert statuses(run) == {"parking": Status.PASSED}
    run = ended(window, qtbot)
    assert run.verdict is not None
    assert run.verdict.stopped
    assert [(line.id, line.cases) for line in list_runs().lines] == [(run.verdict.id, 1)]
    judge.delay.set()
    model.from_call = 10**9
    trigger(window, "resume")
    run = ended(window, qtbot)
    assert statuses(run) == {"parking": Status.PASSED, "opening": Status.PASSED}
    assert len(judge.prompts) == 2 * SAMPLES + 1, "nothing but the call that was stopped is asked twice"
    heard: list[str] = []
    workspace.messages.posted.connect(heard.append)
    trigger(window, "only-failed")
    assert heard == ["No case failed."]
    workspace.selection.select(Selection(workspace.files.in_order[1].number, 0))
    trigger(window, "this-again")
    run = ended(window, qtbot)
    assert statuses(run) == {"parking": Status.PASSED, "opening": Status.PASSED}
    assert len(judge.prompts) == 3 * SAMPLES + 1, "one case is asked about anew, the other stands"


def test_closing_while_a_judge_is_asked_leaves_nothing(
    own_window: MainWindow, qtbot: QtBot, judged_files: list[Path], judge: ModelServer, model: Model
) -> None:
    model.from_call = 0
    confirmed(own_window, qtbot, judged_files, judge)
    trigger(own_window, "evaluate")
    qtbot.waitUntil(lambda: len(judge.prompts) == 1, timeout=WAIT_MS)
    own_window.close()
    assert not own_window.desk.jobs.busy
    assert working() == []
    judge.delay.set()


def test_a_quota_that_is_used_up_leaves_the_rest_waiting(
    window: MainWindow, qtbot: QtBot, judged_files: list[Path], judge: ModelServer, model: Model
) -> None:
    model.from_call, model.instead = SAMPLES, QUOTA
    confirmed(window, qtbot, judged_files, judge)
    trigger(window, "evaluate")
    run = ended(window, qtbot)
    assert statuses(run) == {"parking": Status.PASSED, "opening": Status.PENDING}
    told = " ".join(label.text() for label in window.statusBar().findChildren(QLabel))
    assert "1 waiting for a judge" in told
    assert "Run again later to go on from here." in told
    asked = len(judge.prompts)
    model.from_call = 10**9
    trigger(window, "only-stale")
    run = ended(window, qtbot)
    assert statuses(run) == {"parking": Status.PASSED, "opening": Status.PASSED}
    assert len(judge.prompts) == asked + SAMPLES


def test_a_judge_is_tested_and_says_why_it_does_not_answer(
    window: MainWindow, qtbot: QtBot, files: list[Path], judge: ModelServer, model: Model
) -> None:
    use(window, judge)
    open_all(window, qtbot, files)
    fields = opened_dialog(window, qtbot).judge
    fields.test.click()
    qtbot.waitUntil(lambda: not window.desk.jobs.busy, timeout=WAIT_MS)
    assert fields.outcome.text().startswith("small answers after ")
    model.from_call, model.instead = 0, Fault(401, message="no such key: sk-very-secret")
    fields.test.click()
    qtbot.waitUntil(lambda: "HTTP 401" in fields.outcome.text() and not window.desk.jobs.busy, timeout=WAIT_MS)
    model.instead = SLOW
    fields.test.click()
    qtbot.waitUntil(lambda: len(judge.prompts) == 3, timeout=WAIT_MS)
    fields.test.click()
    assert (fields.outcome.text(), window.desk.jobs.busy) == ("The test was cancelled.", False)
    judge.delay.set()
    QTest.keyClick(fields.window(), Qt.Key.Key_Escape)


def test_the_judge_is_asked_anew_about_one_turn_alone(
    window: MainWindow, qtbot: QtBot, long_files: list[Path], judge: ModelServer
) -> None:
    confirmed(window, qtbot, long_files, judge)
    trigger(window, "evaluate")
    ended(window, qtbot)
    assert len(judge.prompts) == 2 * SAMPLES
    file = window.desk.workspace.files.in_order[1]
    window.desk.workspace.selection.select(Selection(file.number, file.table.turns(file.table.tops[0])[1]))
    trigger(window, "turn-again")
    assert statuses(ended(window, qtbot)) == {"parking": Status.PASSED}
    anew = judge.prompts[2 * SAMPLES :]
    assert len(anew) == SAMPLES
    assert all("And bicycles?" in prompt for prompt in anew)


def test_what_was_asked_for_is_what_the_person_confirms(
    window: MainWindow, qtbot: QtBot, judged_files: list[Path], judge: ModelServer
) -> None:
    open_all(window, qtbot, judged_files)
    trigger(window, "evaluate")
    assert set(statuses(ended(window, qtbot)).values()) == {Status.NOT_EVALUATED}
    use(window, judge)
    window.desk.workspace.selection.select(Selection(window.desk.workspace.files.in_order[1].number, 0))
    trigger(window, "this-again")
    qtbot.waitUntil(lambda: window.findChild(EvaluateDialog, NAME) is not None, timeout=WAIT_MS)
    start = opened_dialog(window, qtbot).start
    assert start.text() == "Ask 3 and evaluate"
    start.click()
    assert statuses(ended(window, qtbot)) == {"parking": Status.PASSED, "opening": Status.NOT_EVALUATED}
    assert len(judge.prompts) == SAMPLES
