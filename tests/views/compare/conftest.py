from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from tests.helpers.shared_window import SharedWindow
from trace_inspector.models.golden import rows as golden_rows
from trace_inspector.views.golden import foot


@pytest.fixture(scope="module", autouse=True)
def shared_window(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedWindow]:
    """A window for each module here: its tests compare in it, and none of them closes it."""
    gc.disable()  # as in each test of the window
    with pytest.MonkeyPatch.context() as patch:
        for where in (foot, golden_rows):
            patch.setattr(where, "REST_MS", 30)
        made = SharedWindow(qapp, tmp_path_factory.mktemp("shared") / "window.ini")
    yield made
    made.end()
