from __future__ import annotations

import pytest

from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.timeline.page import TimelinePage


@pytest.fixture
def page(window: MainWindow) -> TimelinePage:
    """The timeline in front, nothing open yet."""
    assert window.desk.centre is not None
    made = window.desk.centre.show_view("timeline")
    assert isinstance(made, TimelinePage)
    return made
