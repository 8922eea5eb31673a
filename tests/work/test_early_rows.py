"""The first rows of a large file come early; when it is read they are the same, or all of it comes again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.flows.test_first_look import DEEP, MANY, turn
from tests.formats.span_files import Made, jaeger
from tests.work.test_reopening import Heard
from trace_inspector.documents.large import large
from trace_inspector.flows.opening import first_look, index_entries
from trace_inspector.models.base.row_table import RowTable
from trace_inspector.work.processes.child import Progress
from trace_inspector.work.reading import file_messages
from trace_inspector.work.reading.reopening import Opening
from trace_inspector.work.reading.row_sender import read_files

WORTH = "WORTH_BYTES"


@pytest.fixture(autouse=True)
def _small_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, size in (("CUT_BYTES", 900), ("GROUP_BYTES", 2_000)):
        monkeypatch.setattr(large, name, size)
    for name, size in ((WORTH, 1_000), ("LEAST_BYTES", 6_000), ("_SHARE", 2)):
        monkeypatch.setattr(first_look, name, size)
    monkeypatch.setattr(index_entries, WORTH, 1_000)


def put(folder: Path, *spans: Made) -> Path:
    path = folder / "t.json"
    path.write_text(json.dumps(jaeger(*spans)), encoding="utf-8")
    return path


def sent(path: Path) -> list[object]:
    channel = Heard()
    read_files(channel, [(1, str(path))])
    return channel.messages


def shown(messages: list[object]) -> RowTable:
    """The rows as the window has them in the end."""
    table = RowTable()
    for message in messages:
        match message:
            case file_messages.RowsRead():
                table.append(message.batch)
            case file_messages.BodyCompleted():
                table.replace_body(message.number, message.body)
            case file_messages.ReadingRestarted():
                table = RowTable()
    return table


def told(table: RowTable) -> list[object]:
    return [
        (table.parent(row), table.kind(row), table.label(row), table.author(row), table.thing(row))
        for row in range(len(table))
    ]


def kinds(messages: list[object]) -> list[str]:
    return [type(message).__name__ for message in messages if not isinstance(message, file_messages.Found | Progress)]


@pytest.mark.parametrize("spans", [DEEP, MANY], ids=["deep", "many"])
def test_the_rows_are_those_of_a_file_that_was_told_at_its_end(
    spans: list[Made], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(tmp_path, *spans)
    early = sent(path)
    assert kinds(early)[:3] == ["Recognised", "RowsRead", "Recognised"]
    assert "ReadingRestarted" not in kinds(early)
    kept = list(Opening([(1, str(path))], []).messages())
    monkeypatch.setattr(first_look, WORTH, 1 << 30)
    at_end = sent(path)
    assert kinds(at_end)[:2] == ["Recognised", "RowsRead"]
    assert told(shown(early)) == told(shown(at_end))
    assert isinstance(kept[0], file_messages.Reopened)
    reopened = RowTable()
    reopened.use_bodies(kept[0].bodies)
    for message in kept:
        if isinstance(message, file_messages.RowsRead):
            reopened.append(message.batch)
    assert told(reopened) == told(shown(at_end))


def test_a_span_that_comes_late_for_an_early_turn_has_it_told_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = turn(0)
    path = put(tmp_path, *first[:-1], *DEEP[len(first) :], first[-1])
    early = sent(path)
    assert kinds(early)[:5] == ["Recognised", "RowsRead", "Recognised", "ReadingRestarted", "RowsRead"]
    monkeypatch.setattr(first_look, WORTH, 1 << 30)
    assert told(shown(early)) == told(shown(sent(path)))


def test_nothing_stays_of_a_file_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path, *DEEP)

    def refused(*_given: object, **_named: object) -> None:
        raise RecursionError

    monkeypatch.setattr("trace_inspector.work.reading.row_sender.stream_file", refused)
    messages = sent(path)
    assert kinds(messages) == ["Recognised", "RowsRead", "ReadingRestarted", "FileRead"]
