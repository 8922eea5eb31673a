"""The loading child on packed files: archives are listed, members read, pieces of them shown."""

from __future__ import annotations

import gzip
import pickle
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.documents.archives import zipped
from trace_inspector.core.errors import ReadError
from trace_inspector.resources import folder
from trace_inspector.work.processes.child import Child
from trace_inspector.work.reading import file_messages, loading
from trace_inspector.work.reading.excerpts import ExcerptReader, ExcerptRequest

SAMPLES = folder("samples")
NAMES = ("retail.evalset.json", "run-0405.json")


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "x.zip"
    first, second = ((SAMPLES / name).read_bytes() for name in NAMES)
    path.write_bytes(zipped({NAMES[0]: first, f"runs/{NAMES[1]}.gz": gzip.compress(second), "notes.txt": b"words"}))
    return path


def messages(files: list[Path], folders: list[Path]) -> list[Any]:
    given = [(number, str(path)) for number, path in enumerate(files, 1)]
    return [pickle.loads(each) for each in Child(loading.load, (given, [str(path) for path in folders])).messages()]


def test_an_archive_is_listed_like_a_folder(archive: Path, tmp_path: Path) -> None:
    asked = (archive, tmp_path, archive / "runs", archive / NAMES[0])
    assert [loading.may_be_folder(path) for path in asked] == [True, True, True, False]
    (tmp_path / "empty").mkdir()
    first, second = messages([], [archive, tmp_path / "empty"])
    assert first == file_messages.ListedFiles((archive / NAMES[0], archive / "runs" / f"{NAMES[1]}.gz"))
    assert second.paths == ()
    assert "without any file that can be read" in second.sentence


def test_a_file_that_is_named_like_an_archive_is_read_as_a_file(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes((SAMPLES / NAMES[0]).read_bytes())
    assert list(loading.listed_in(path)) == [file_messages.ListedFiles((path,))]
    assert list(loading.listed_in(tmp_path / "gone.zip")) == [file_messages.ListedFiles((tmp_path / "gone.zip",))]


def test_a_large_folder_is_listed_in_helpings_of_which_the_first_is_read_at_once(tmp_path: Path) -> None:
    names = [tmp_path / f"{number:04d}.json" for number in range(2 * loading.FILES_A_MESSAGE + 1)]
    for name in names:
        name.write_text("{}")
    listed = messages([], [tmp_path])
    assert [path for message in listed for path in message.paths] == names
    assert max(len(message.paths) for message in listed) == loading.FILES_A_MESSAGE
    assert [message.begin for message in listed] == [True, False, True]


def test_members_are_read_like_files(archive: Path) -> None:
    plain = messages([SAMPLES / name for name in NAMES], [])
    packed = messages([archive / NAMES[0], archive / "runs" / f"{NAMES[1]}.gz"], [])
    found, expected = ([one for one in told if isinstance(one, file_messages.Recognised)] for told in (packed, plain))
    assert found == expected
    read, of_files = ([one for one in told if isinstance(one, file_messages.FileRead)] for told in (packed, plain))
    # How much of a file was read is told of what may grow, and no member does.
    assert read == [replace(one, size_bytes=0) for one in of_files]


def test_pieces_of_a_member_are_shown_and_read_anew_when_it_changed(archive: Path) -> None:
    reader = ExcerptReader()
    wanted = ExcerptRequest(str(archive / NAMES[0]), "/eval_cases/0/eval_id", 1)
    plain = ExcerptReader()(ExcerptRequest(str(SAMPLES / NAMES[0]), "/eval_cases/0/eval_id", 1))
    assert reader(wanted) == plain
    archive.write_bytes(zipped({NAMES[0]: b'{"eval_cases": []}'}))
    with pytest.raises(ReadError, match="not in the file any more"):
        reader(wanted)
