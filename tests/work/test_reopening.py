"""Opening as a job: a large file comes from what is kept of it, with the same messages; others from a child."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.make_big import Big, write
from trace_inspector.core.errors import ReadError
from trace_inspector.core.rows.rows import PLAIN_COLUMNS, RowBatch
from trace_inspector.documents.large import large
from trace_inspector.flows.opening.index_entries import WORTH_BYTES, index_cache
from trace_inspector.resources import folder
from trace_inspector.work.processes.child import Channel, Progress
from trace_inspector.work.reading import file_messages
from trace_inspector.work.reading.contents_from_rows import Bodies, rebuild
from trace_inspector.work.reading.reopening import Opening
from trace_inspector.work.reading.row_sender import read_files

RUN = folder("samples") / "run-0412.json"


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = write(Big(turns=40), "jaeger", tmp_path_factory.mktemp("big") / "big.json")
    assert path.stat().st_size > WORTH_BYTES
    return path


def opened(*paths: Path) -> list[Any]:
    """All messages of an opening."""
    source = Opening([(number, str(path)) for number, path in enumerate(paths, 1)], [])
    return [pickle.loads(said) if isinstance(said, bytes) else said for said in source.messages()]


def of_kind(messages: list[Any], kind: type[Any]) -> list[Any]:
    return [message for message in messages if isinstance(message, kind)]


def joined(messages: list[Any]) -> list[bytes | list[str]]:
    """All rows, column by column."""
    whole = RowBatch()
    for message in of_kind(messages, file_messages.RowsRead):
        whole.label.extend(message.batch.label)
        whole.place.extend(message.batch.place)
        whole.authors.extend(message.batch.authors)
        for name in PLAIN_COLUMNS:
            getattr(whole, name).extend(getattr(message.batch, name))
    plain = [bytes(memoryview(getattr(whole, name))) for name in PLAIN_COLUMNS]
    return [*plain, list(whole.label), list(whole.place), whole.authors]


def found(messages: list[Any]) -> tuple[list[Any], list[Any], dict[str, int]]:
    told = of_kind(messages, file_messages.Found)
    criteria = [message.criteria for message in told if message.criteria]
    held = {held.what: held.count for message in told for held in message.holds}
    return [finding for message in told for finding in message.findings], criteria, held


def test_a_file_opens_again_as_it_was_read(big: Path) -> None:
    first, again = opened(big), opened(big)
    assert not of_kind(first, file_messages.Reopened)
    (reopened,) = of_kind(again, file_messages.Reopened)
    assert of_kind(first, file_messages.FileRead) == of_kind(again, file_messages.FileRead)
    assert of_kind(first, file_messages.Recognised) == of_kind(again, file_messages.Recognised)
    assert (joined(first), found(first)) == (joined(again), found(again))
    bodies = [body for message in of_kind(first, file_messages.RowsRead) for body in message.batch.bodies]
    assert list(reopened.bodies) == bodies
    assert len(bodies) > 10
    assert [message.done for message in of_kind(again, Progress)][-1] == len(joined(first)[-2])


def test_reopened_bodies_give_back_what_was_read(big: Path) -> None:
    first, again = opened(big), opened(big)
    bodies = [body for message in of_kind(first, file_messages.RowsRead) for body in message.batch.bodies]
    (reopened,) = of_kind(again, file_messages.Reopened)
    given = Bodies(big.name, "jaeger", len(bodies))
    assert rebuild(given, iter(reopened.bodies)) == rebuild(given, iter(bodies))
    os.truncate(index_cache().entry_path(big), 100)
    with pytest.raises(ReadError, match="Close the file and open it again"):
        rebuild(given, iter(reopened.bodies))


def test_a_small_file_is_not_kept() -> None:
    opened(RUN)
    assert not index_cache().folder.exists()


def test_a_file_that_cannot_be_kept_opens_and_says_why(big: Path) -> None:
    place = index_cache().folder
    place.parent.mkdir(parents=True)
    place.write_text("in the way")
    messages = opened(big)
    (not_kept,) = of_kind(messages, file_messages.IndexNotStored)
    assert (not_kept.file, not_kept.sentence[-1]) == (1, ".")
    assert [message.sentence for message in of_kind(messages, file_messages.FileRead)] == [""]


def test_kept_files_come_first_and_the_rest_from_a_child(big: Path, tmp_path: Path) -> None:
    opened(big)
    messages = opened(RUN, big, tmp_path / "gone.json")
    ends = of_kind(messages, file_messages.FileRead)
    assert [(end.file, bool(end.sentence)) for end in ends] == [(2, False), (1, False), (3, True)]


class Heard(Channel):
    """A channel to nowhere that keeps what is sent."""

    def __init__(self) -> None:
        self.messages: list[object] = []

    def send(self, message: object) -> None:
        self.messages.append(message)


def test_reading_a_large_file_says_how_many_bytes(big: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large, "LARGE_BYTES", 1 << 20)
    channel, size = Heard(), big.stat().st_size
    read_files(channel, [(1, str(RUN)), (2, str(big))])
    told = [message for message in of_kind(channel.messages, Progress) if message.total]
    before = RUN.stat().st_size
    assert {message.total for message in told} == {before + size}
    assert [message.done for message in told] == sorted(message.done for message in told)
    inside = [message for message in told if before < message.done < before + size]
    assert inside
    assert inside[-1].note.startswith(f"{100 * inside[-1].done // (before + size)} % of 4 MB · ")
    assert inside[-1].note.endswith(" rows")


def stopped(opening: Opening, messages: Iterator[object]) -> list[object]:
    """The rest of the messages after somebody pressed Stop."""
    opening.stop()
    return list(messages)


def test_stopping_ends_it_wherever_it_is(big: Path) -> None:
    opened(big)
    opening = Opening([(1, str(big)), (2, str(RUN))], [])
    messages = opening.messages()
    assert isinstance(next(messages), file_messages.Reopened)
    rest = stopped(opening, messages)
    assert not [message for message in rest if isinstance(message, bytes)]
    assert opening.crash() == ""
    early = Opening([(1, str(big))], [])
    assert stopped(early, early.messages()) == []
    late = Opening([(1, str(RUN))], [])
    messages = late.messages()
    next(messages)
    assert len(stopped(late, messages)) < 3
    assert late.crash() == ""
