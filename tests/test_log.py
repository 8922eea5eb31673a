from __future__ import annotations

import logging
from types import SimpleNamespace

import pytest

from trace_inspector import log


def test_the_ring_keeps_templates_and_never_what_was_filled_in() -> None:
    with log.recording() as ring:
        log.logger("jobs").info("read %s", "a customer's name")
    assert ring.lines() == ["INFO trace_inspector.jobs: read %s"]


def test_the_ring_keeps_the_last_records_only() -> None:
    ring = log.Ring(size=2)
    for number in range(4):
        ring.handle(logging.LogRecord("x", logging.INFO, "", 0, f"record {number}", (), None))
    assert ring.lines() == ["INFO x: record 2", "INFO x: record 3"]


def test_nothing_is_left_installed() -> None:
    root = logging.getLogger(log.ROOT)
    before = (list(root.handlers), root.level)
    with log.recording():
        pass
    assert (root.handlers, root.level) == before


@pytest.mark.parametrize(("kind", "level"), log.QT_LEVELS.items())
def test_what_qt_says_is_logged(kind: str, level: int, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, log.ROOT):
        log.take_qt_message(SimpleNamespace(name=kind), SimpleNamespace(category="qt.qpa"), "no %s here")
    assert [(one.name, one.levelno, one.getMessage()) for one in caplog.records] == [
        ("trace_inspector.qt", level, "qt.qpa: no %s here")
    ]
