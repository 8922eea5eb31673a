"""The files of a run: each is read and judged once, by whatever names it is given."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.eval_sets import call, case, turn, write_eval_set
from trace_inspector.core.errors import ReadError, UsageError
from trace_inspector.documents.large import large
from trace_inspector.flows.opening import given_files
from trace_inspector.flows.opening.given_files import open_given, recorded_in
from trace_inspector.flows.runs.evaluate_files import Request, evaluate


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two recordings in a folder."""
    folder = tmp_path / "traces"
    for name in ("a", "b"):
        write_eval_set(folder / f"{name}.json", case(name, turn(f"ask {name}", "so", [call("look")])))
    return folder


def paths(*named: Path, besides: tuple[Path, ...] = ()) -> list[str]:
    return [given.path for given in open_given(named, besides)]


def test_a_file_named_twice_is_judged_once_and_says_so(folder: Path) -> None:
    file = folder / "a.json"
    run = evaluate(Request(open_given([file, file, file]), open_given([file, file])))
    assert [(one.case_id, one.trace_path) for one in run.cases] == [("a", str(file))]
    sentence = "The file is given {} times, and was read and judged once."
    assert [note for note in run.notes if "times" in note] == [
        f"{file}: {sentence.format(3)}",
        f"{file}: {sentence.format(2)}",
    ]


def test_a_file_given_once_says_nothing(folder: Path) -> None:
    run = evaluate(Request(open_given([folder]), open_given([folder / "a.json"])))
    assert not [note for note in run.notes if "times" in note]


@pytest.mark.parametrize("first", ["folder", "file"])
def test_a_folder_and_a_file_in_it(folder: Path, first: str) -> None:
    file = folder / "b.json"
    named = [folder, file] if first == "folder" else [file, folder]
    assert sorted(paths(*named)) == [str(folder / "a.json"), str(file)]


def test_links_lead_to_the_same_file(folder: Path, tmp_path: Path) -> None:
    link, other = tmp_path / "link.json", tmp_path / "other"
    link.symlink_to(folder / "a.json")
    other.symlink_to(folder, target_is_directory=True)
    assert paths(link, folder / "a.json") == [str(link)]
    assert paths(folder / "a.json", other / "a.json") == [str(folder / "a.json")]
    assert len(paths(folder, other)) == 2
    assert paths(folder / ".." / "traces" / "a.json", folder / "a.json") == [str(folder / ".." / "traces" / "a.json")]


def test_a_copy_is_another_file(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.json"
    copy.write_bytes((folder / "a.json").read_bytes())
    assert paths(folder / "a.json", copy) == [str(folder / "a.json"), str(copy)]


def test_a_file_named_itself_counts_as_that_though_it_came_out_of_a_folder_before(folder: Path) -> None:
    unknown = folder / "notes.json"
    unknown.write_text('{"neither": "nor"}', encoding="utf-8")
    assert len(paths(folder)) == 2
    for named in ([folder, unknown], [unknown, folder], [folder, unknown, folder]):
        with pytest.raises(UsageError, match="in none of the formats"):
            open_given(named)
    golden = folder / "a.json"
    assert paths(folder, besides=(golden,)) == [str(folder / "b.json")]
    unknown.unlink()
    assert sorted(paths(folder, golden, besides=(golden,))) == [str(golden), str(folder / "b.json")]


def test_paths_that_lead_nowhere_are_one_sentence(tmp_path: Path) -> None:
    ring = tmp_path / "ring.json"
    ring.symlink_to(ring)
    for path in (ring, tmp_path / "no\0name.json", tmp_path / "missing.json"):
        with pytest.raises(ReadError):
            open_given([path, path])


@pytest.mark.parametrize(("held_bytes", "outlined"), [(None, 0), (0, 2), (1, 1), (1 << 20, 0)])
def test_what_comes_when_enough_is_held_is_only_outlined(folder: Path, held_bytes: int | None, outlined: int) -> None:
    given = open_given([folder, folder], held_bytes=held_bytes)
    assert [one.outlined for one in given] == [False] * (2 - outlined) + [True] * outlined
    for one in given:
        assert [len(each.trace.turns) for each in recorded_in(one)] == [1]
        assert any(finding.code == "given-twice" for finding in one.contents.findings)


def test_a_document_in_a_folder_that_is_too_large_is_named_with_a_way_out(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(large, "MAX_LARGE_BYTES", 100)
    monkeypatch.setattr(given_files, "HELD_BYTES", 100)
    with pytest.raises(ReadError, match=f"the limit.* It lies in {folder}: move it away"):
        open_given([folder], held_bytes=1 << 20)
    with pytest.raises(ReadError, match=r"Or split it and open the parts\.$"):
        open_given([folder / "a.json"], held_bytes=1 << 20)
