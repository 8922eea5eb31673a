"""Plugins in the window: children import them, and what they do wrong is told at the file or the verdict."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.commands.test_plugins import READS, metric, toy_format
from tests.helpers.eval_sets import case, turn, write_criteria, write_eval_set
from tests.helpers.plugins import forgotten, install
from tests.views.doing import trigger
from tests.views.test_evaluate_dialog import ended, open_all
from trace_inspector import plugins
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.models.base.open_file import FileState
from trace_inspector.views.criteria.panel import CriteriaPanel
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.shell.welcome import Welcome
from trace_inspector.views.widgets.controls import Elided

WAIT_MS = 60_000


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "site"
    folder.mkdir()
    with forgotten(folder), plugins.left_to_children():
        yield folder


def toys(folder: Path, name: str) -> Path:
    file = folder / name
    file.write_text('{"toys": [1]}', "utf-8")
    return file


def test_a_file_of_a_plugin_is_read_and_judged_by_one(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, site: Path
) -> None:
    install(
        site, "toy-window",
        {"formats": {"toys": "toy_rows:ROW"}, "metrics": {"toy_metric": "toy_metrics:ROW"}},
        {"toy_rows": toy_format("toys"), "toy_metrics": metric("toy_metric")},
    )  # fmt: skip
    write_criteria(tmp_path / "test_config.json", toy_metric=0.5)
    golden = write_eval_set(tmp_path / "toys.evalset.json", case("t1", turn("Hi", "Hello")))
    open_all(window, qtbot, [toys(tmp_path, "a.json"), golden])
    file, _golden = window.desk.workspace.files.in_order
    assert (file.format, len(file.table.tops)) == ("toys", 1)
    dock = window.desk.docks["criteria"]
    panel = dock.widget()
    assert isinstance(panel, CriteriaPanel)
    dock.show()
    dock.raise_()
    panel.draft.check()
    qtbot.waitUntil(lambda: panel.draft.seen is not None, timeout=WAIT_MS)
    assert panel.draft.seen is not None
    assert "toy_metric" in {form.name for form in panel.draft.seen.forms}
    trigger(window, "evaluate")
    run = ended(window, qtbot)
    assert [case.status for case in run.cases] == [Status.PASSED]
    assert {"toy_rows", "toy_metrics"}.isdisjoint(sys.modules)  # this is the process of the window


@pytest.mark.parametrize(
    ("reading", "sentence"),
    [
        (
            f"{READS}    1 / 0",
            "the plugin “toys” of toy-broken 1.0 failed while it read this file: ZeroDivisionError",
        ),
        ("import os\n    os._exit(9)", ""),
    ],
)
def test_a_plugin_that_breaks_is_told_at_the_file(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, site: Path, reading: str, sentence: str
) -> None:
    install(
        site, "toy-broken", {"formats": {"toys": "toy_broken:ROW"}}, {"toy_broken": toy_format("toys", read=reading)}
    )
    files = window.desk.workspace.files
    files.open([toys(tmp_path, "a.json")])
    (file,) = files.in_order
    qtbot.waitUntil(lambda: file.state in (FileState.READY, FileState.FAILED), timeout=WAIT_MS)
    if sentence:
        assert any(sentence in finding.message for finding in file.findings)
    else:
        assert file.state is FileState.FAILED  # the child is gone, the window is not


def test_the_first_page_names_formats_of_plugins_without_importing_them(window: MainWindow, site: Path) -> None:
    install(site, "toy-named", {"formats": {"toy-names": "toy_names:ROW"}}, {"toy_names": "1 / 0"})
    window.show_welcome()
    (welcome,) = window.findChildren(Welcome)
    assert "toy-names" in [label.text() for label in welcome.findChildren(Elided)]
    assert "toy_names" not in sys.modules
