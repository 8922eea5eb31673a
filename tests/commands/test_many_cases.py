"""A run with more cases than memory holds: verdicts lie on the disk, and what needs all of them at once says no."""

from __future__ import annotations

import errno
import json
from io import FileIO
from pathlib import Path

import pytest

from tests.helpers.eval_sets import call, case, turn, write_eval_set
from trace_inspector.cli import main
from trace_inspector.core.errors import ReadError
from trace_inspector.core.values import spilled
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.flows.runs.store_run import list_runs, load_run
from trace_inspector.settings import data_folder

CASES = 12
WHERE_MANY = (
    "commands.output.evaluate_table",
    "engine.reports.as_json",
    "flows.runs.evaluate_files",
    "flows.runs.save_reports",
    "store.runs",
)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Two files of recordings, of which two cases fail, and a golden of which nothing was recorded."""
    cases: list[Json] = [_case(at) for at in range(CASES + 1)]
    first = write_eval_set(tmp_path / "traces" / "0.json", *(_case(at, wrong=at in (4, 9)) for at in range(CASES)))
    second = write_eval_set(tmp_path / "traces" / "1.json", _case(4), _case(5))
    golden = write_eval_set(tmp_path / "g.json", *reversed(cases))
    return ["evaluate", str(first), str(second), "--golden", str(golden)]


def _case(at: int, *, wrong: bool = False) -> JsonObject:
    return case(f"c{at}", turn(f"q{at}", f"answer {at}", [call("look", n=-1 if wrong else at)]))


@pytest.fixture
def few_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """All but three of anything lie on the disk."""
    monkeypatch.setattr(spilled, "HELD", 3)


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten cases are many."""
    for where in WHERE_MANY:
        monkeypatch.setattr(f"trace_inspector.{where}.MANY_CASES", 10)


def printed(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> JsonObject:
    """What `--json` prints, but for what differs from run to run."""
    assert main([*arguments, "--json"]) == 1
    written = json.loads(capsys.readouterr().out)
    assert written["run"].pop("id")
    assert written["run"].pop("started_s")
    return dict(written)


@pytest.mark.parametrize("engine", ["local:1", "local:2"])
def test_a_run_on_the_disk_is_that_of_one_in_memory(
    files: list[str], engine: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    reports = [f"--report=csv={tmp_path / 'a.csv'}", f"--report=junit={tmp_path / 'a.xml'}"]
    expected = printed([*files, *reports], capsys)
    texts = [(tmp_path / name).read_text(encoding="utf-8") for name in ("a.csv", "a.xml")]
    monkeypatch.setattr(spilled, "HELD", 3)
    assert printed([*files, *reports, "--on", engine], capsys) == expected
    assert [(tmp_path / name).read_text(encoding="utf-8") for name in ("a.csv", "a.xml")] == texts
    first, second = (load_run(line.id) for line in list_runs().lines)
    assert first is not None
    assert second is not None
    assert first.judged.cases == second.judged.cases
    assert len(first.judged.cases) == CASES + 3
    assert not [path for path in data_folder().iterdir() if path.name.startswith("tmp")]


@pytest.mark.usefixtures("few_held")
def test_a_stopped_run_on_the_disk_goes_on(
    files: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = printed([*files, "--resume"], capsys)
    monkeypatch.setattr("trace_inspector.engine.running.runner.compose_case", None)
    assert printed([*files, "--resume"], capsys) == expected


@pytest.mark.usefixtures("few_held", "many")
def test_the_summary_of_many_cases_is_printed_without_their_table(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(files) == 1
    out = capsys.readouterr().out
    assert "FAILED  c9" in out
    assert "\nVerdict" not in out
    assert "--json prints all of it" in out
    assert f"{CASES + 3} cases: 12 passed, 2 FAILED, 1 not evaluated" in out


@pytest.mark.usefixtures("few_held", "many")
def test_what_needs_all_cases_at_once_is_refused_in_a_sentence(
    files: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    refused = f"There are {CASES + 3} cases; of more than 10 no report is made and nothing is taken out."
    for option in (f"--report=html={tmp_path / 'a.html'}", "--redact-secrets"):
        assert main([*files, option]) == 2
        assert refused in capsys.readouterr().err
    assert not (tmp_path / "a.html").exists()
    assert list_runs().lines == ()  # refused before anything was judged
    assert main(files) == 1
    line = list_runs().lines[0]
    assert line.cases == CASES + 3
    with pytest.raises(ReadError, match=f"This run has {CASES + 3} cases; one of more than 10 is not opened"):
        load_run(line.id)


def test_json_of_many_cases_is_all_of_it_but_for_repeats(
    files: list[str], capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest
) -> None:
    expected = printed(files, capsys)
    assert expected.pop("repeats")
    request.getfixturevalue("few_held")
    request.getfixturevalue("many")
    assert printed(files, capsys) == expected


@pytest.mark.usefixtures("few_held")
def test_a_full_disk_is_a_sentence(
    files: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(FileIO):
        def write(self, _body: object) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryFile", lambda **_options: Full("/dev/null", "r+"))
    assert main(files) == 2
    err = capsys.readouterr().err
    assert "There is no room on the disk for what this run holds beside memory" in err
    assert "Traceback" not in err


@pytest.mark.usefixtures("few_held")
def test_without_a_folder_to_write_in_all_of_it_stays_in_memory(
    files: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = printed(files, capsys)

    def forbidden(**_options: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", forbidden)
    assert printed(files, capsys) == expected
