"""Bundles: which folders are one, how their files make one document, and what an attacker puts in."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents.archives import zipped
from tests.formats.ces_app_files import archived, members, put
from tests.helpers.campaigns import examples
from tests.helpers.json_text import text_at
from tests.helpers.tables import each
from trace_inspector.core.errors import EditError, ReadError
from trace_inspector.core.finding import info
from trace_inspector.core.values.edit import Set
from trace_inspector.core.values.pointer import join
from trace_inspector.documents.base.document import Container
from trace_inspector.documents.bundles import bundle_document, bundles
from trace_inspector.documents.bundles.bundles import is_bundle
from trace_inspector.documents.bundles.folders import files_in, is_folder
from trace_inspector.documents.editing.places import excerpt, with_places
from trace_inspector.documents.editing.splice import plan
from trace_inspector.documents.reading.reading import read, stamp_at

APP = b'{"displayName": "x"}'
AGENT = b'{\n  "displayName": "a"\n}'
SMALL = {"app.json": APP, "agents/a/a.json": AGENT, "agents/a/instruction.txt": b"Do\nit."}
Made = Callable[[Path, dict[str, bytes]], Path]


def as_folder(folder: Path, files: dict[str, bytes]) -> Path:
    return put(folder / "bundle", files)


def as_archive(folder: Path, files: dict[str, bytes]) -> Path:
    return archived(folder / "bundle.zip", files)


def in_archive(folder: Path, files: dict[str, bytes]) -> Path:
    return archived(folder / "bundle.zip", files, "deep/app/") / "deep" / "app"


each_way = pytest.mark.parametrize("make", [as_folder, as_archive, in_archive])


@each_way
def test_an_app_with_agents_is_one_document(make: Made, tmp_path: Path) -> None:
    path = make(tmp_path, SMALL)
    assert is_bundle(path)
    assert not is_folder(path)
    document = read(path)
    assert (document.container, document.path) == (Container.BUNDLE, path)
    assert document.value == {
        "app.json": {"displayName": "x"},
        "agents/a/a.json": {"displayName": "a"},
        "agents/a/instruction.txt": "Do\nit.",
    }
    assert document.findings == ()
    assert document.stamp == stamp_at(path)


@each_way
@pytest.mark.parametrize(
    "files",
    [
        {"app.json": APP},
        {"agents/a/a.json": AGENT},
        {"app.json": APP, "agents/a.json": AGENT},
        {"app.json": APP, "agents/a/deeper/a.json": AGENT},
        {"app.json": APP, "agents/a/a.txt": AGENT},
        {"app.json": APP, "tools/a/a.json": AGENT},
        {"application.json": APP, "agents/a/a.json": AGENT},
    ],
)
def test_other_folders_are_no_bundles(make: Made, files: dict[str, bytes], tmp_path: Path) -> None:
    assert not is_bundle(make(tmp_path, files))


@each("app", ["app.json", "app.yaml", "app.yml"])
@each("part", ["agents/a/b.json", "evaluations/a/a.yaml", "agents/a/a.yml"])
def test_what_makes_a_bundle(app: str, part: str, tmp_path: Path) -> None:
    assert is_bundle(put(tmp_path / "b", {app: b"{}", part: b"{}"}))


def test_other_files_and_what_does_not_exist_are_no_bundles(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(APP)
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04 and no more")
    assert not any(is_bundle(tmp_path / name) for name in ("a.json", "broken.zip", "gone", "a.json/app.json"))


def test_a_folder_around_bundles_lists_each_as_one_and_others_beside_it(tmp_path: Path) -> None:
    first = put(tmp_path / "all" / "first", SMALL)
    second = archived(tmp_path / "all" / "second.zip", SMALL)
    third = archived(tmp_path / "all" / "third.zip", SMALL, "apps/seats/")
    (tmp_path / "all" / "trace.json").write_bytes(APP)
    assert [*files_in(tmp_path / "all")] == [
        first,
        second,
        third / "apps" / "seats",
        tmp_path / "all" / "trace.json",
    ]


def test_an_archive_lists_bundles_and_what_lies_outside_them(tmp_path: Path) -> None:
    files = {f"one/{name}": data for name, data in SMALL.items()} | {"one.json": APP, "two/x.json": APP}
    path = archived(tmp_path / "all.zip", files)
    assert [*files_in(path)] == [path / "one", path / "one.json", path / "two" / "x.json"]


def test_a_folder_within_a_bundle_is_a_folder(tmp_path: Path) -> None:
    path = archived(tmp_path / "bundle.zip", SMALL)
    assert is_folder(path / "agents")
    assert [*files_in(path / "agents")] == [path / "agents" / "a" / "a.json"]


@each_way
def test_every_place_leads_into_its_file(make: Made, tmp_path: Path) -> None:
    document = read(make(tmp_path, SMALL))
    assert text_at(document, "/agents~1a~1a.json/displayName") == '"a"'
    shown = excerpt(document, "/agents~1a~1a.json/displayName", 1)
    assert shown is not None
    assert (shown.first_line, shown.lines) == (1, ("{", '  "displayName": "a"', "}"))
    whole = excerpt(document, "", 0)
    assert whole is not None
    assert whole.lines == (APP.decode(),)
    text = excerpt(document, "/agents~1a~1instruction.txt", 5)
    assert text is not None
    assert text.lines == ("Do", "it.")
    assert excerpt(document, "/gone.json/x", 1) is None


def test_findings_have_the_line_of_their_file(tmp_path: Path) -> None:
    document = read(as_folder(tmp_path, SMALL))
    there, app, text, gone = with_places(
        document,
        [
            info("a", "A.", place)
            for place in ("/agents~1a~1a.json/displayName", "", "/agents~1a~1instruction.txt", "/b")
        ],
    )
    assert (there.member, there.line, there.column) == ("agents/a/a.json", 2, 18)
    assert (app.member, app.line, app.column) == ("app.json", 1, 1)
    assert (text.member, text.line) == ("agents/a/instruction.txt", 0)
    assert (gone.member, gone.line) == ("b", 0)


@each_way
def test_a_broken_file_is_told_and_the_others_are_read(make: Made, tmp_path: Path) -> None:
    files = SMALL | {"agents/b/b.json": b'{"a": 1,}', "agents/c/c.json": b"\x89PNG", "agents/d/d.json": b""}
    document = read(make(tmp_path, files))
    assert isinstance(document.value, dict)
    assert document.value["agents/b/b.json"] == {"a": 1}
    told = {(finding.code, finding.member or finding.pointer) for finding in document.findings}
    assert ("trailing-comma", "agents/b/b.json") in told
    assert {code for code, place in told if "~1c.json" in place} == {"member-unreadable"}
    assert document.value["agents/a/a.json"] == {"displayName": "a"}


def test_what_lies_beside_is_named(tmp_path: Path) -> None:
    files = SMALL | {"readme.md": b"x", "results/r.json": b"{}", ".hidden.json": b"{}", "evals.json": b"{}"}
    document = read(as_folder(tmp_path, files))
    (finding,) = document.findings
    assert (finding.code, "evals.json, readme.md, results/. Open" in finding.message) == ("beside-the-bundle", True)
    assert isinstance(document.value, dict)
    assert document.value.keys() == SMALL.keys()


@examples(40, 1000)
@given(st.sampled_from(sorted(SMALL)), st.binary(max_size=30), st.integers(0, 30))
def test_whatever_is_in_a_file_the_others_are_read(name: str, data: bytes, keep: int) -> None:
    with TemporaryDirectory() as folder:
        document = read(as_folder(Path(folder), SMALL | {name: SMALL[name][:keep] + data}))
    assert isinstance(document.value, dict)
    assert document.value.keys() == SMALL.keys()
    for other in SMALL.keys() - {name}:
        held, text = document.value[other], SMALL[other].decode()
        assert held == (json.loads(text) if other.endswith(".json") else text)
    assert all(finding.pointer.startswith(join("", name)) for finding in document.findings)


def test_links_are_not_followed(tmp_path: Path) -> None:
    path = as_folder(tmp_path, SMALL)
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    (path / "agents" / "a" / "other.txt").symlink_to(secret)
    (path / "agents" / "around").symlink_to(path / "agents", target_is_directory=True)
    assert isinstance(value := read(path).value, dict)
    assert "secret" not in json.dumps(value)
    assert len([name for name in value if name.startswith("agents/")]) == 2


def test_members_that_lead_elsewhere_are_left_out_with_a_sentence(tmp_path: Path) -> None:
    files = SMALL | {"agents/../../../etc/passwd.json": b'{"a": 1}', "/agents/e/e.json": b'{"a": 1}'}
    document = read(as_archive(tmp_path, files))
    told = [finding for finding in document.findings if finding.code == "member-unreadable"]
    assert all("leads elsewhere" in finding.message for finding in told)
    assert told
    assert isinstance(document.value, dict)
    assert {"a": 1} not in document.value.values()


def test_a_bomb_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bundle.zip"
    path.write_bytes(zipped(SMALL | {"tools/b/b.json": b" " * (8 << 20)}))
    with pytest.raises(ReadError, match="bomb"):
        read(path)


def test_too_many_files_and_too_many_bytes_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = as_folder(tmp_path, SMALL | {f"tools/t{at}/t{at}.json": b"{}" for at in range(20)})
    monkeypatch.setattr(bundles, "MOST_MEMBERS", 10)
    cut = read(path)
    assert {finding.code for finding in cut.findings} == {"too-many-members"}
    assert isinstance(cut.value, dict)
    assert (len(cut.value), next(iter(cut.value))) == (10, "app.json")
    monkeypatch.undo()
    monkeypatch.setattr(bundle_document, "MOST_BYTES", sum(map(len, SMALL.values())))
    document = read(path)
    assert "bundle-too-large" in {finding.code for finding in document.findings}
    assert isinstance(document.value, dict)
    assert document.value.keys() == SMALL.keys()


def test_a_bundle_is_no_place_to_edit(tmp_path: Path) -> None:
    document = read(as_folder(tmp_path, SMALL))
    with pytest.raises(EditError, match=r"agents/a/a\.json#/displayName"):
        plan(document, Set("/agents~1a~1a.json/displayName", "1"))


def test_a_changed_file_changes_what_the_bundle_looks_like(tmp_path: Path) -> None:
    path = as_folder(tmp_path, SMALL)
    before, digest = stamp_at(path), read(path).data
    changed = path / "agents" / "a" / "a.json"
    changed.write_bytes(AGENT.replace(b'"a"', b'"b"'))  # as long as before
    os.utime(changed, ns=(0, (before.modified_ns if before else 0) + 1))
    assert (stamp_at(path) == before, read(path).data == digest) == (False, False)


def test_the_whole_export_is_read_the_same_each_way(tmp_path: Path) -> None:
    values = [read(make(tmp_path, members())).value for make in (as_folder, as_archive)]
    assert values[0] == values[1]
    assert isinstance(values[0], dict)
    assert values[0].keys() == members().keys()
