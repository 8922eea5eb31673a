"""Conversations that OpenHands keeps in a folder: one of all events, in archives too, with all that was counted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.documents.archives import zipped
from tests.formats import openhands_files
from tests.formats.openhands_files import event_file, put_folder
from tests.helpers.tables import each
from trace_inspector.cli import main
from trace_inspector.core.values.values import JsonObject
from trace_inspector.documents.bundles import bundle_document
from trace_inspector.documents.bundles.bundles import listed
from trace_inspector.documents.bundles.folders import files_in
from trace_inspector.documents.zip.directory import Directory
from trace_inspector.flows.opening.open_file import open_file

Capture = pytest.CaptureFixture[str]
CALLS = [("terminal", {"command": "ls 1"}, "file 1"), ("terminal", {"command": "ls 2"}, "file 2")]


def inspected(capsys: Capture, path: Path) -> list[dict[str, Any]]:
    """The documents that the command finds at a path."""
    main(["inspect", str(path), "--json"])
    documents: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["documents"]
    return documents


def packed(path: Path, files: JsonObject, above: str = "") -> Path:
    """The files of a conversation in an archive."""
    path.write_bytes(zipped({f"{above}{name}": json.dumps(value).encode() for name, value in files.items()}))
    return path


def downloaded() -> JsonObject:
    """The same as it is downloaded: events beside each other, and what is said of the whole under another name."""
    files = openhands_files.folder()
    state = files.pop("base_state.json")
    renamed = {name.removeprefix("events/").replace("-", "_", 2): value for name, value in files.items()}
    return {**renamed, "meta.json": state}


def whole_of(document: dict[str, Any]) -> tuple[Any, ...]:
    """What a conversation comes to: its id, question, answer, calls, tokens."""
    (trace,) = document["traces"]
    (turn,) = trace["turns"]
    calls = [(call["name"], call["args"], call["result"]) for call in turn["tool_calls"]]
    return trace["id"], turn["user"], turn["final_response"], calls, turn["tokens"]["input"], turn["tokens"]["output"]


WHOLE = ("talk-1", "Fix it.", "All done.", CALLS, 350, 40)


def test_a_folder_is_one_conversation(tmp_path: Path, capsys: Capture) -> None:
    (document,) = inspected(capsys, put_folder(tmp_path / "talk", openhands_files.folder()))
    assert (document["format"], whole_of(document)) == ("openhands", WHOLE)
    assert [finding["message"] for finding in document["findings"]] == ["8 of 8 records are understood."]


def test_an_archive_and_a_download_are_too(tmp_path: Path, capsys: Capture) -> None:
    for path in (
        packed(tmp_path / "a.zip", openhands_files.folder()),
        packed(tmp_path / "b.zip", openhands_files.folder(), "deep/talk/"),
        packed(tmp_path / "c.zip", downloaded()),
        packed(tmp_path / "d.zip", downloaded(), "talk/"),
        put_folder(tmp_path / "e", downloaded()),
    ):
        (document,) = inspected(capsys, path)
        assert whole_of(document) == WHOLE, path


def test_each_conversation_of_a_folder_is_one_and_other_files_are_listed(tmp_path: Path, capsys: Capture) -> None:
    for name in ("one", "two"):
        put_folder(tmp_path / "all" / name, openhands_files.folder())
    (tmp_path / "all" / "events.json").write_text(json.dumps(openhands_files.events()))
    documents = inspected(capsys, tmp_path / "all")
    assert [Path(document["path"]).name for document in documents] == ["events.json", "one", "two"]
    assert [whole_of(document) for document in documents[1:]] == [WHOLE, WHOLE]


@each(
    "name",
    ["event-00000.json", "event-1-00000000-0000.json", "event-00000-00000000-0000.txt", "other.json"],
)
def test_folders_of_other_files_are_none(tmp_path: Path, capsys: Capture, name: str) -> None:
    put_folder(tmp_path, {name: [*openhands_files.events()], "note-1.json": [*openhands_files.events()]})
    assert {Path(document["path"]).name for document in inspected(capsys, tmp_path)} >= {"note-1.json"}


def test_broken_events_are_findings_at_their_place_and_the_rest_is_read(tmp_path: Path, capsys: Capture) -> None:
    path = put_folder(tmp_path / "talk", openhands_files.folder() | {event_file(90): ["no event"]})
    (path / event_file(3)).write_bytes(b"\x89PNG")
    (document,) = inspected(capsys, path)
    assert whole_of(document)[1:3] == WHOLE[1:3]
    assert whole_of(document)[3][0] == CALLS[0]
    found = {(finding["code"], finding["pointer"].lstrip("/")) for finding in document["findings"]}
    assert ("member-unreadable", event_file(3).replace("/", "~1")) in found
    assert ("not-an-object", event_file(90).replace("/", "~1")) in found
    assert any(finding["message"].startswith("7 of 9 records are understood.") for finding in document["findings"])


def test_a_first_event_that_is_broken_hides_no_conversation(tmp_path: Path, capsys: Capture) -> None:
    path = put_folder(tmp_path / "talk", openhands_files.folder())
    (path / event_file(0)).write_bytes(b"")
    (document,) = inspected(capsys, path)
    assert whole_of(document) == WHOLE


def test_events_come_by_their_numbers(tmp_path: Path, capsys: Capture) -> None:
    files = openhands_files.folder()
    state, question = files.pop("base_state.json"), files.pop(event_file(1))
    late = {name.replace("0000", "10000", 1): value for name, value in files.items()}
    told: JsonObject = {"base_state.json": state, event_file(99_999): question, **late}
    (document,) = inspected(capsys, put_folder(tmp_path / "talk", told))
    assert whole_of(document) == WHOLE


def test_tokens_that_events_tell_are_not_counted_again(tmp_path: Path, capsys: Capture) -> None:
    files = openhands_files.folder()
    state = files["base_state.json"]
    assert isinstance(state, dict)
    update: JsonObject = {
        "id": "00000009-0000", "timestamp": "2026-05-01T10:00:09", "source": "environment",
        "kind": "ConversationStateUpdateEvent", "key": "stats", "value": state["stats"],
    }  # fmt: skip
    last = event_file(6)
    moved = {**{name: value for name, value in files.items() if name != last}, event_file(6): update}
    moved[event_file(7)] = files[last]
    (document,) = inspected(capsys, put_folder(tmp_path / "talk", moved))
    assert whole_of(document) == WHOLE


def test_a_large_conversation_is_read_event_by_event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put_folder(tmp_path / "talk", openhands_files.folder())
    (path / event_file(5)).write_bytes(b"\x89PNG")
    expected = open_file(path)
    monkeypatch.setattr(bundle_document, "MOST_BYTES", 2_000)
    found = open_file(path)
    assert found.contents.traces == expected.contents.traces
    assert type(found.document.members) is not type(expected.document.members)
    told = [finding for finding in found.contents.findings if finding.code == "event-unread"]
    assert [finding.pointer for finding in told] == ["/" + event_file(5).replace("/", "~1")]
    before = found.document.data
    (path / event_file(4)).write_text((path / event_file(4)).read_text() + " " * 50)
    assert open_file(path).document.data != before


def test_a_folder_is_evaluated_and_listed(tmp_path: Path, capsys: Capture) -> None:
    path, golden = put_folder(tmp_path / "talk", openhands_files.folder()), str(tmp_path / "golden.json")
    assert main(["convert", str(path), "--to", "adk-eval-set", "-o", golden, "--allow-loss"]) == 0
    assert main(["evaluate", str(tmp_path / "talk"), "--golden", golden]) == 0
    assert "1 case: 1 passed." in capsys.readouterr().out
    assert main(["inspect", "--list", str(tmp_path / "talk")]) == 0
    assert str(path) in capsys.readouterr().out


def test_an_event_by_itself_opens_as_before(tmp_path: Path, capsys: Capture) -> None:
    path = put_folder(tmp_path / "talk", openhands_files.folder())
    (document,) = inspected(capsys, path / event_file(2))
    assert document["format"] == "openhands"
    assert [call["name"] for call in document["traces"][0]["turns"][0]["tool_calls"]] == ["terminal"]


def test_what_a_system_leaves_hidden_beside_events_is_no_file_of_theirs(tmp_path: Path, capsys: Capture) -> None:
    events = downloaded()
    hidden: JsonObject = {"talk/.DS_Store": "", "__MACOSX/talk/._meta.json": "", ".x/event_00001_0123abcd.json": {}}
    told: JsonObject = {f"talk/{name}": value for name, value in events.items()}
    (document,) = inspected(capsys, packed(tmp_path / "a.zip", {**told, **hidden}))
    assert whole_of(document) == WHOLE


def test_a_folder_that_is_named_like_an_event_is_none(tmp_path: Path) -> None:
    inner = tmp_path / "event-00001-0123abcd.json"
    inner.mkdir()
    (inner / "a.json").write_text("{}")
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / inner.name).symlink_to(inner / "a.json")
    assert [*files_in(tmp_path)] == [inner / "a.json", tmp_path / "linked" / inner.name]


def test_an_archive_of_many_conversations_is_gone_through_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        f"{number:03}/{name}": value for number in range(100) for name, value in openhands_files.folder().items()
    }
    path, looked_at = packed(tmp_path / "a.zip", files), list[str]()
    below = Directory.below

    def counted(directory: Directory, folder: str) -> Iterator[str]:
        for name in below(directory, folder):
            looked_at.append(name)
            yield name

    monkeypatch.setattr(Directory, "below", counted)
    for folder in files_in(path):
        listed(folder)
    assert len(looked_at) <= 3 * len(files)
