"""The command `explain` from the outside: result files, what failing runs have in common, and *cannot tell*."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from tests.helpers.many_runs import Made, usual_run
from tests.helpers.result_files import ANSWER, TRAJECTORY, FileRun, adk_file, ces_file, skipping_runs, vertex_file
from trace_inspector.cli import main
from trace_inspector.core.values.values import JsonObject

SKIPS = "11 of 12 failing runs skip `verify_address`; 0 of 28 passing do"


def explained(*arguments: object, capsys: pytest.CaptureFixture[str]) -> tuple[int, JsonObject]:
    code = main(["explain", *map(str, arguments), "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_a_cause_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(adk_file(tmp_path / "runs.json", skipping_runs()))]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["40 runs of 1 case: 12 failing, 28 passing", f"{SKIPS}."]
    assert f"1. {SKIPS} [named]" in lines
    assert lines[4].startswith("   p < 1e-6, Holm p < 1e-6; failing +97 points (")
    assert "cannot tell" in lines[5]
    assert "10 of " in lines[-1]


def test_one_file_a_run_tells_the_same_in_any_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = skipping_runs()
    files = [adk_file(tmp_path / f"{number:02}.json", [run]) for number, run in enumerate(runs)]
    there = explained(*files, capsys=capsys)
    assert explained(*reversed(files), capsys=capsys) == there
    assert explained(tmp_path, capsys=capsys) == there
    whole = explained(adk_file(tmp_path / "whole.json", runs), capsys=capsys)[1]
    assert _sentences(whole) == _sentences(there[1])


def _sentences(told: JsonObject) -> list[object]:
    findings = told["findings"]
    assert isinstance(findings, list)
    return [finding["sentence"] for finding in findings if isinstance(finding, dict)]


def test_results_of_ces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, told = explained(ces_file(tmp_path / "ces.json", skipping_runs()), capsys=capsys)
    assert code == 0
    assert told["conclusion"] == f"{SKIPS}."


@pytest.mark.parametrize(("low", "high", "code"), [(0.0, 1.0, 0), (0.3, 0.9, 0), (1.0, 4.0, 3)])
def test_scores_of_vertex_without_verdicts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], low: float, high: float, code: int
) -> None:
    found, told = explained(vertex_file(tmp_path / "vertex.json", skipping_runs(), low, high), capsys=capsys)
    assert found == code
    assert told["conclusion"] == (f"{SKIPS}." if code == 0 else "Cannot tell: no run passed or failed.")
    assert "40 " in str(told["notes"])


def test_shuffled_outcomes_name_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = skipping_runs()
    mixed = [FileRun(run.made, number % 3 == 0) for number, run in enumerate(runs)]
    assert main(["explain", str(adk_file(tmp_path / "runs.json", mixed))]) == 3
    out = capsys.readouterr().out
    assert "Cannot tell: chance alone" in out
    assert "1. " in out  # and ranks all the same
    assert "[named]" not in out


@pytest.mark.parametrize(("failed", "word"), [(True, "passes"), (False, "fails")])
def test_nothing_to_compare_with(tmp_path: Path, capsys: pytest.CaptureFixture[str], failed: bool, word: str) -> None:
    runs = [FileRun(run.made, failed) for run in skipping_runs()]
    assert main(["explain", str(adk_file(tmp_path / "runs.json", runs))]) == 3
    assert f"Cannot tell: no run {word}" in capsys.readouterr().out


def test_one_of_several_cases(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    random = Random(4)
    usual = [FileRun(usual_run(random), number % 2 == 0, "cancel") for number in range(20)]
    path = adk_file(tmp_path / "runs.json", [*skipping_runs(), *usual])
    code, told = explained(path, capsys=capsys)
    assert code == 0
    assert told["conclusion"] == "11 of 22 failing runs skip `verify_address`; 0 of 38 passing do."
    assert explained(path, "--case", "ref*", capsys=capsys)[1]["conclusion"] == f"{SKIPS}."
    assert explained(path, "--case", "orders/cancel", capsys=capsys)[0] == 3
    assert main(["explain", str(path), "--case", "none"]) == 2
    assert "No case is named like “none”" in capsys.readouterr().err


def test_what_only_a_hard_case_needs_is_no_cause(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In a case that fails in nine of ten runs, a step of its own goes with failing, though not within the case."""
    hard = [FileRun([("look_up", {}), ("ask_bank", {})], number != 0, "hard") for number in range(10)]
    easy = [FileRun([("look_up", {})], number == 0, "easy") for number in range(10)]
    code, told = explained(adk_file(tmp_path / "runs.json", [*hard, *easy]), capsys=capsys)
    assert code == 3
    assert _sentences(told)[0] == "9 of 10 failing runs call `ask_bank`; 1 of 10 passing do"


@pytest.mark.parametrize(
    ("criteria", "expected", "circular"),
    [
        ((TRAJECTORY,), [("verify_address", {})], True),
        ((TRAJECTORY,), [("find_customer", {})], False),  # nobody expects it
        ((ANSWER,), [("verify_address", {})], False),
        ((TRAJECTORY, ANSWER), [("verify_address", {})], False),  # the answer fails as well
    ],
)
def test_what_the_criterion_compares_is_circular(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    criteria: tuple[str, ...],
    expected: Made,
    circular: bool,
) -> None:
    path = adk_file(tmp_path / "runs.json", skipping_runs(criteria=criteria, expected=expected))
    findings = explained(path, capsys=capsys)[1]["findings"]
    assert isinstance(findings, list)
    first = findings[0]
    assert isinstance(first, dict)
    assert first["circular"] is circular


def test_what_follows_stands_beneath(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who is handed over to the wrong agent calls another tool after that: the hand-off is where it began."""
    right: Made = [("hand-off", {"agent": "booking"}), ("book", {})]
    wrong: Made = [("hand-off", {"agent": "support"}), ("open_ticket", {})]
    runs = [FileRun(wrong if number < 10 else right, number < 10) for number in range(20)]
    code, told = explained(adk_file(tmp_path / "runs.json", runs), capsys=capsys)
    assert code == 0
    (finding,) = told["findings"] if isinstance(told["findings"], list) else []
    assert isinstance(finding, dict)
    assert finding["sentence"] == "10 of 10 failing runs hand over to `support`; 0 of 10 passing do"
    same, follows = json.dumps(finding["same_runs"]), json.dumps(finding["follows"])
    assert "never hand over to `booking`" in same
    assert "call `open_ticket`" in follows
    assert "skip `book`" in follows


@pytest.mark.parametrize("given", [[], ["--case"], ["missing.json"]])
def test_what_cannot_run(given: Sequence[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", *given]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_file_without_verdicts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "set.json"
    path.write_text('{"eval_set_id": "s", "eval_cases": [{"eval_id": "c", "conversation": []}]}')
    assert main(["explain", str(path)]) == 2
    assert "There is no verdict" in capsys.readouterr().err


def test_a_copy_of_a_file_is_no_further_evidence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few = [*skipping_runs()[:3], *skipping_runs()[-3:]]
    adk_file(tmp_path / "runs.json", few)
    for number in range(4):
        (tmp_path / f"copy{number}.json").write_bytes((tmp_path / "runs.json").read_bytes())
    code, told = explained(tmp_path, capsys=capsys)
    assert code == 3
    assert len(told["runs"]) == 6  # type: ignore[arg-type]
    assert told["notes"] == ["24 runs stand in copies of a file, or in several runs on it: counted once"]


def test_too_few_runs_is_told_as_such(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few = [FileRun([(name, {})], failed=name != "c") for name in "abc"]
    assert explained(adk_file(tmp_path / "few.json", few), capsys=capsys)[1]["conclusion"] == (
        "Cannot tell: of 2 failing and 1 passing run no difference that is there could be beyond chance."
    )


def test_runs_that_do_all_the_same_are_told_as_such(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    same = [FileRun([("a", {})], number % 2 == 0) for number in range(20)]
    assert explained(adk_file(tmp_path / "same.json", same), capsys=capsys)[1]["conclusion"] == (
        "Cannot tell: failing runs do nothing that passing ones do not, of all that is looked at."
    )
