"""What the program says about itself: loggers by subject, the last records for crash reports, Qt's messages."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

ROOT = "trace_inspector"
KEPT_RECORDS = 200

QT_LEVELS = {
    "QtDebugMsg": logging.DEBUG,
    "QtInfoMsg": logging.INFO,
    "QtWarningMsg": logging.WARNING,
    "QtCriticalMsg": logging.ERROR,
    "QtFatalMsg": logging.CRITICAL,
}


class QtKind(Protocol):
    """Qt's own enumeration of message kinds, by name alone: this file does not import Qt."""

    @property
    def name(self) -> str: ...


def logger(subject: str) -> logging.Logger:
    """The logger of one subject: "jobs", "settings", "qt"."""
    return logging.getLogger(f"{ROOT}.{subject}")


class Ring(logging.Handler):
    """Keeps the last records. Only their templates: the arguments may come from somebody's trace."""

    def __init__(self, size: int = KEPT_RECORDS) -> None:
        super().__init__()
        self._lines: deque[str] = deque(maxlen=size)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one record."""
        self._lines.append(f"{record.levelname} {record.name}: {record.msg}")

    def lines(self) -> list[str]:
        """What was kept, oldest first."""
        return list(self._lines)


@contextmanager
def recording(level: int = logging.WARNING) -> Iterator[Ring]:
    """Records of this program go to standard error from `level` up, and all into the ring."""
    root, ring, stream = logging.getLogger(ROOT), Ring(), logging.StreamHandler()
    stream.setLevel(level)
    stream.setFormatter(logging.Formatter("%(name)s: %(message)s"))
    before = root.level
    root.setLevel(logging.DEBUG)
    root.addHandler(ring)
    root.addHandler(stream)
    try:
        yield ring
    finally:
        root.removeHandler(stream)
        root.removeHandler(ring)
        root.setLevel(before)


def take_qt_message(kind: QtKind, context: object, message: str) -> None:
    """For qInstallMessageHandler: what Qt complains about goes where everything else does."""
    category = getattr(context, "category", None) or "default"
    logger("qt").log(QT_LEVELS.get(kind.name, logging.WARNING), "%s: %s", category, message)
