"""`rebase` with several runs of a case: what all of them do counts, and what they do not agree in is never taken."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.rebase_suite import Raw, Suite, answer, call, calls, suite
from trace_inspector.cli import main

CASES = 6


@pytest.fixture
def made(tmp_path: Path) -> Suite:
    return suite(tmp_path, CASES)


def runs(made: Suite, folder: Path, *changes: Callable[[Raw], object]) -> Path:
    """One file a run: the new run with a change of its first case."""
    folder.mkdir()
    for number, change in enumerate(changes):
        value = json.loads(made.new.read_text("utf-8"))
        change(value["eval_cases"][0])
        (folder / f"run{number}.evalset.json").write_text(json.dumps(value), "utf-8")
    return folder


def proposed(made: Suite, new: Path, path: Path) -> dict[str, Any]:
    base = ["--base", str(made.base), "--new", str(new)]
    assert main(["rebase", str(made.golden), *base, "--propose", str(path), "--json"]) == 1
    value: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return value


def after(made: Suite, new: Path, path: Path, value: dict[str, Any]) -> tuple[int, Raw]:
    path.write_text(json.dumps(value), "utf-8")
    out = path.parent / "out"
    base = ["--base", str(made.base), "--new", str(new)]
    code = main(["rebase", str(made.golden), *base, "--decisions", str(path), "-o", str(out)])
    case: Raw = json.loads((out / made.golden.name).read_text("utf-8"))["eval_cases"][0]
    return code, case


def same(_case: Raw) -> None:
    """A run like the others."""


def without_currency(case: Raw) -> None:
    call(case, "book")["args"].pop("currency", None)


def test_what_only_some_runs_do_is_not_accepted_silently(
    made: Suite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new, path = runs(made, tmp_path / "new", same, same, without_currency), tmp_path / "decisions.json"
    value = proposed(made, new, path)
    assert json.loads(capsys.readouterr().out)["disagreeing"] == ["trip_0000"]
    for row in value["rows"]:
        row["decision"] = "accept"
    (currency,) = (row for row in value["rows"] if row.get("argument") == "/currency")
    assert currency["conflicts"] == [{"case": "trip_0000", "why": "its runs disagree: 2 of 3 show it"}]
    code, case = after(made, new, path, value)
    assert code == 1
    assert "currency" not in call(case, "book")["args"]
    assert "1 case whose runs disagree: trip_0000" in capsys.readouterr().out
    currency["exceptions"] = {"trip_0000": "accept"}
    code, case = after(made, new, path, value)
    assert code == 0
    assert call(case, "book")["args"]["currency"] == "USD"


def test_the_most_usual_run_stands_for_its_case(made: Suite, tmp_path: Path) -> None:
    def odd(case: Raw) -> None:
        calls(case).append({"name": "odd", "args": {}})

    new, path = runs(made, tmp_path / "new", odd, same, same), tmp_path / "decisions.json"
    value = proposed(made, new, path)
    assert [row for row in value["rows"] if "odd" in row.get("tools", [])] == []
    assert all(row["conflicts"] == [] for row in value["rows"])


def test_what_varies_from_run_to_run_can_be_loosened_for_all(made: Suite, tmp_path: Path) -> None:
    def price(by: int) -> Callable[[Raw], None]:
        return lambda case: call(case, "book")["args"].update(price=call(case, "book")["args"]["price"] + by)

    new, path = runs(made, tmp_path / "new", price(1), price(2), price(9)), tmp_path / "decisions.json"
    value = proposed(made, new, path)
    (row,) = (row for row in value["rows"] if row.get("argument") == "/price")
    assert [conflict["why"] for conflict in row["conflicts"]] == ["its runs disagree: 1 of 3 show it"]
    for each in value["rows"]:
        each["decision"] = "accept"
    row["decision"] = "loosen"
    code, case = after(made, new, path, value)
    assert code == 0
    (rule,) = case["traceInspector"]["matchers"].values()
    assert rule == {"match": "tolerance", "absolute": 9}


def test_words_that_not_all_runs_change(made: Suite, tmp_path: Path) -> None:
    def greeting(words: str) -> Callable[[Raw], None]:
        return lambda case: answer(case).update(text=answer(case)["text"].replace("Have fun!", words))

    new, path = runs(made, tmp_path / "new", greeting("Bye!"), greeting("Ciao!")), tmp_path / "decisions.json"
    value = proposed(made, new, path)
    varying = [row for row in value["rows"] if row["conflicts"]]
    assert [row["conflicts"][0]["why"] for row in varying] == ["its runs disagree: 1 of 2 show it"]
    for row in value["rows"]:
        row["decision"] = "accept"
    code, case = after(made, new, path, value)
    assert code == 1
    assert "You pay" in answer(case)["text"]
    assert answer(case)["text"].endswith("Have fun!")


def test_several_runs_from_before_the_change(made: Suite, tmp_path: Path) -> None:
    """What an earlier run did already is no change of the agent."""
    folder = tmp_path / "base"
    folder.mkdir()
    for number in range(2):
        value = json.loads(made.base.read_text("utf-8"))
        if number:
            call(value["eval_cases"][0], "book")["args"]["currency"] = "USD"
        (folder / f"{number}.evalset.json").write_text(json.dumps(value), "utf-8")
    path = tmp_path / "decisions.json"
    both = ["--base", str(folder), "--new", str(made.new)]
    assert main(["rebase", str(made.golden), *both, "--propose", str(path)]) == 1
    value = json.loads(path.read_text("utf-8"))
    (currency,) = (row for row in value["rows"] if row.get("argument") == "/currency")
    assert currency["conflicts"] == [{"case": "trip_0000", "why": "its runs disagree: 1 of 2 show it"}]
