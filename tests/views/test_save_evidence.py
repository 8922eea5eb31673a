"""“Save evidence” in the File menu: what is selected, all of a run, or two runs, opened again where it was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from tests.formats import adk_files, ces_result_files, evidence_files, vertex_files
from tests.views.doing import trigger, wait_for
from tests.views.tales import opened
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.trace.trace import user_text
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.documents.page.document import data_in, element_with
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.compare.comparison import Compare
from trace_inspector.models.compare.sides import ref_of
from trace_inspector.models.runs.run_pair_places import sides_of
from trace_inspector.models.runs.run_pair_words import side_at
from trace_inspector.views.compare.page import ComparePage
from trace_inspector.views.saving.evidence_dialog import EvidenceDialog
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.shell.status import StatusBar

pytestmark = pytest.mark.shared_window


def saved(window: MainWindow, action: str, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trigger the action, and wait for the file that is named."""
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_given: (str(target), ""))
    trigger(window, action)
    answer(window)
    assert wait_for(lambda: not window.desk.jobs.busy)
    assert target.exists(), window.statusBar().currentMessage()


def answer(window: MainWindow, *keys: Qt.Key) -> None:
    """Press these keys in the dialog, and Enter."""
    dialog = asked(window)
    for key in (*keys, Qt.Key.Key_Return):
        QTest.keyClick(dialog.focusWidget() or dialog, key)


def asked(window: MainWindow) -> EvidenceDialog:
    """The dialog, when it is there."""
    assert wait_for(lambda: any(each.isVisible() for each in window.findChildren(EvidenceDialog)))
    return next(each for each in window.findChildren(EvidenceDialog) if each.isVisible())


def test_a_case_of_the_run_opens_again_at_the_selected_turn(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = window.desk.workspace
    file = opened(workspace)
    top = next(top for top in file.table.tops if file.table.name(top) == "fails")
    turn = file.table.turns(top)[0]
    workspace.selection.select(Selection(file.number, turn))
    target = tmp_path / "evidence.html"
    saved(window, "evidence-cases", target, monkeypatch)
    contents = open_file(target).contents
    assert [trace.case_id or trace.id for trace in contents.traces] == ["fails"]
    assert [verdict.status.value for verdict in contents.reported] == ["FAILED"]


@pytest.mark.parametrize("kind", [Kind.TRACE, Kind.CASE])
def test_a_file_without_a_run_opens_again_at_the_selected_turn_and_is_not_evaluated(
    kind: Kind, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, path, target = window.desk.workspace, tmp_path / "result.json", tmp_path / "evidence.html"
    path.write_text(adk_files.RESULT)
    file = read(window, str(path))
    turn = file.table.turns(next(top for top in file.table.tops if file.table.kind(top) is kind))[0]
    workspace.selection.select(Selection(file.number, turn))
    words = file.table.label(turn)
    saved(window, "evidence-run", target, monkeypatch)
    workspace.files.close(file.number)
    workspace.first_look.open_given([str(target)])
    pack = read(window)
    place = workspace.selection.value
    assert place is not None
    assert pack.table.kind(place.row) is Kind.TURN
    assert pack.table.label(place.row) == words
    assert pack.table.kind(pack.table.top_of(place.row)) is kind
    statuses = [pack.reported.status(top) for top in pack.table.tops if pack.table.kind(top) is Kind.TRACE]
    assert statuses == [Status.FAILED, Status.PASSED]
    assert workspace.run.value is None or not workspace.run.value.has_files, "nothing is computed over placeholders"


def read(window: MainWindow, path: str = "") -> OpenFile:
    """The file that was opened last, when it is read."""
    files = window.desk.workspace.files
    if path:
        files.open([path])
    file = files.by_number[max(files.by_number)]
    assert wait_for(lambda: file.state is FileState.READY)
    return file


def test_the_selected_turns_alone(window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = window.desk.workspace
    file = opened(workspace)
    top = max(file.table.tops, key=lambda top: len(file.table.turns(top)))
    turn = file.table.turns(top)[-1]
    workspace.selection.select(Selection(file.number, turn))
    saved(window, "evidence-turns", tmp_path / "evidence.html", monkeypatch)
    (trace,) = open_file(tmp_path / "evidence.html").contents.traces
    assert [turn.index for turn in trace.turns] == [0]


def test_all_of_the_run(window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = window.desk.workspace
    opened(workspace)
    saved(window, "evidence-run", tmp_path / "evidence.html", monkeypatch)
    contents = open_file(tmp_path / "evidence.html").contents
    run = workspace.run.value
    assert run is not None
    assert len(contents.reported) == sum(verdict.trace_id is not None for verdict in run.cases)


OF_SYSTEMS = {
    "adk": adk_files.RESULT,
    "ces": json.dumps(ces_result_files.RESULTS["golden"]),
    "vertex": json.dumps(vertex_files.full_list()),
}


@pytest.mark.parametrize("system", OF_SYSTEMS)
def test_a_comparison_opens_again_in_compare(
    system: str, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, target = tmp_path / f"{system}.json", tmp_path / "evidence.html"
    path.write_text(OF_SYSTEMS[system])
    file = read(window, str(path))
    tops = [top for top in file.table.tops if file.table.kind(top) in (Kind.TRACE, Kind.CASE)]
    golden = next((top for top in tops if file.table.kind(top) is Kind.CASE), tops[0])
    observed = next(top for top in reversed(tops) if file.table.kind(top) is Kind.TRACE and top != golden)
    compare = compared_in(window)
    compare.choose_sides((ref_of(file, golden), ref_of(file, observed)))
    assert wait_for(lambda: compare.rows is not None)
    roles, names = compare.roles, [side.name for side in compare.sides]
    labels = row_labels(compare)
    saved(window, "evidence-compared", target, monkeypatch)
    window.views.show_view("tree")
    window.desk.workspace.files.close(file.number)
    pack = read(window, str(target))
    assert wait_for(lambda: window.views.shown == "compare")
    assert wait_for(lambda: compare.rows is not None and {side.file for side in compare.sides} == {pack.number})
    assert compare.roles == roles
    assert [side.name for side in compare.sides] == names
    assert row_labels(compare) == labels
    assert len(pack.table.tops) == len({golden, observed}), "nothing but what was compared is in it"


def test_an_edited_golden_is_to_be_saved_before_it_is_shown_to_others(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "result.json"
    path.write_text(adk_files.RESULT)
    file = read(window, str(path))
    compare = compared_in(window)
    compare.choose_sides(tuple(ref_of(file, top) for top in file.table.tops[:2]))
    assert wait_for(lambda: compare.rows is not None)
    monkeypatch.setattr(window.desk.workspace.saving, "is_unsaved", lambda _file: True)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_given: (str(tmp_path / "x.html"), ""))
    sentences: list[str] = []
    monkeypatch.setattr(window.desk, "say", sentences.append)
    trigger(window, "evidence-compared")
    answer(window)
    assert sentences == ["Save result.json first (Ctrl+S): evidence shows what is on disk."]
    assert not (tmp_path / "x.html").exists()


def test_two_runs_open_again_as_two_runs(window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, after, target = tmp_path / "before.json", tmp_path / "after.json", tmp_path / "evidence.html"
    before.write_text(adk_files.RESULT)
    after.write_text(adk_files.RESULT.replace("Done", "Done now"))
    pair = window.desk.workspace.runs.pair
    pair.compare(side_at(before), side_at(after))
    assert wait_for(lambda: pair.head is not None and not pair.busy)
    assert pair.head is not None
    tallies = [pair.head.base, pair.head.new]
    cases = [(line.name, line.base.status, line.new.status) for line in pair.compared.lines]
    saved(window, "evidence-two-runs", target, monkeypatch)
    pair.compare(side_at(after), side_at(after))
    assert wait_for(lambda: not pair.busy)
    window.views.show_view("tree")
    pack = read(window, str(target))
    assert wait_for(lambda: window.views.shown == "two-runs" and not pair.busy)
    assert pair.base is not None
    assert pair.base.name == f"{target}/sides/0"
    assert [pair.head.base, pair.head.new] == tallies
    assert [(line.name, line.base.status, line.new.status) for line in pair.compared.lines] == cases
    refs = sides_of(window.desk.workspace.files, pair.compared.lines[0])
    assert not isinstance(refs, str)
    assert {ref.file for ref in refs} == {pack.number}, "a case opens in the pack"


def test_a_golden_without_a_conversation_keeps_its_verdict_in_its_row(window: MainWindow, tmp_path: Path) -> None:
    target = tmp_path / "evidence.html"
    value = json.loads(data_in(evidence_files.page()))
    value["sides"][0]["traces"].pop(0)
    target.write_text(f"<!DOCTYPE html><html><body>{element_with(json.dumps(value).encode())}</body></html>")
    pack = read(window, str(target))
    statuses = {pack.table.name(top): pack.reported.status(top) for top in pack.table.tops}
    golden = next(top for top in pack.table.tops if pack.table.kind(top) is Kind.CASE)
    assert pack.reported.status(golden) is Status.FAILED, statuses
    assert sum(status is not None for status in map(pack.reported.status, pack.table.tops)) == 2


def test_by_keys_alone_a_case_is_saved_and_opened_again(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, path, target = window.desk.workspace, tmp_path / "result.json", tmp_path / "evidence.html"
    path.write_text(adk_files.RESULT)
    file = read(window, str(path))
    top = max(file.table.tops, key=lambda top: len(file.table.turns(top)))
    workspace.selection.select(Selection(file.number, file.table.turns(top)[-1]))
    words = file.table.label(file.table.turns(top)[-1])
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_given: (str(target), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_given: ([str(target)], ""))
    assert wait_for(window.commands.actions["evidence-cases"].isEnabled)
    control = Qt.KeyboardModifier.ControlModifier
    QTest.keyClick(window.desk.page.tree, Qt.Key.Key_P, control | Qt.KeyboardModifier.ShiftModifier)
    field = window.desk.palette.field
    assert wait_for(field.isVisible)
    QTest.keyClicks(field, "evidence selected cases")
    QTest.keyClick(field, Qt.Key.Key_Return)
    answer(window)
    assert wait_for(lambda: target.exists() and not window.desk.jobs.busy)
    window.activateWindow()
    assert wait_for(window.isActiveWindow)
    QTest.keyClick(window.desk.page.tree, Qt.Key.Key_O, control)
    assert wait_for(lambda: any(str(each.path) == str(target) for each in workspace.files))
    pack = read(window)

    def is_there() -> bool:
        place = workspace.selection.value
        return place is not None and place.file == pack.number and pack.table.label(place.row) == words

    assert wait_for(is_there)


def test_a_selection_of_several_opens_with_just_these(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, target = tmp_path / "result.json", tmp_path / "evidence.html"
    path.write_text(adk_files.RESULT)
    file = read(window, str(path))
    traces = [top for top in file.table.tops if file.table.kind(top) is Kind.TRACE]
    names = {file.table.name(top) for top in traces}
    model = window.desk.page.tree.selectionModel()
    window.desk.workspace.selection.select(Selection(file.number, traces[0]))
    for top in traces:
        flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
        model.select(window.desk.page.index_of(top), flags)
    saved(window, "evidence-cases", target, monkeypatch)
    pack = read(window, str(target))
    shown = {pack.table.name(top) for top in pack.table.tops if pack.table.kind(top) is Kind.TRACE}
    assert shown == names
    assert len(names) == 2


def compared_in(window: MainWindow) -> Compare:
    """Compare, brought to the front."""
    page = window.views.show_view("compare")
    assert isinstance(page, ComparePage)
    return page.compare


def row_labels(compare: Compare) -> list[object]:
    assert compare.rows is not None
    packed = compare.rows.packed
    return [*zip(packed.kinds, packed.turns, packed.differs, strict=True)]


def test_by_keys_a_page_without_texts_is_chosen_anew_each_time(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, target = tmp_path / "result.json", tmp_path / "evidence.html"
    path.write_text(adk_files.RESULT)
    file = read(window, str(path))
    window.desk.workspace.selection.select(Selection(file.number, file.table.tops[0]))
    proposed: list[str] = []

    def choose(_parent: object, _title: str, name: str, _kinds: str) -> tuple[str, str]:
        proposed.append(Path(name).name)
        return str(target), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    trigger(window, "evidence-run")
    by_rules = asked(window).words.text()
    QTest.keyClick(asked(window).focusWidget(), Qt.Key.Key_Space)
    assert asked(window).words.text() != by_rules
    answer(window)
    assert wait_for(lambda: not window.desk.jobs.busy)
    bar = window.findChild(StatusBar)
    assert isinstance(bar, StatusBar)
    assert "No text and no value is in it" in bar.message()
    before, after = open_file(path).contents, open_file(target).contents
    assert len(after.traces) == len(before.traces)
    words = [user_text(turn) for trace in before.traces for turn in trace.turns]
    assert words
    shown = data_in(target.read_bytes()).decode()
    assert not any(text in shown for text in (*words, "result.json"))
    trigger(window, "evidence-run")
    assert not asked(window).without.isChecked()
    answer(window)
    assert wait_for(lambda: not window.desk.jobs.busy)
    assert all(text in data_in(target.read_bytes()).decode() for text in words)
    assert proposed == ["evidence.html", "result.evidence.html"]


def test_escape_writes_nothing(window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, target = tmp_path / "result.json", tmp_path / "evidence.html"
    path.write_text(adk_files.RESULT)
    file = read(window, str(path))
    window.desk.workspace.selection.select(Selection(file.number, file.table.tops[0]))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_given: (str(target), ""))
    trigger(window, "evidence-run")
    QTest.keyClick(asked(window), Qt.Key.Key_Escape)
    assert wait_for(lambda: not window.findChildren(EvidenceDialog))
    assert not target.exists()


def test_a_comparison_without_texts_opens_again_in_compare(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, target = tmp_path / "run.json", tmp_path / "evidence.html"
    path.write_text(OF_SYSTEMS["ces"])
    file = read(window, str(path))
    tops = [top for top in file.table.tops if file.table.kind(top) in (Kind.TRACE, Kind.CASE)]
    compare = compared_in(window)
    compare.choose_sides(tuple(ref_of(file, top) for top in tops[:2]))
    assert wait_for(lambda: compare.rows is not None)
    labels = row_labels(compare)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_given: (str(target), ""))
    trigger(window, "evidence-compared")
    answer(window, Qt.Key.Key_Space)
    assert wait_for(lambda: target.exists() and not window.desk.jobs.busy)
    window.views.show_view("tree")
    window.desk.workspace.files.close(file.number)
    pack = read(window, str(target))
    assert wait_for(lambda: window.views.shown == "compare")
    assert wait_for(lambda: compare.rows is not None and {side.file for side in compare.sides} == {pack.number})
    assert row_labels(compare) == labels
