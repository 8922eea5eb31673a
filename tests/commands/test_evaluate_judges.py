"""`evaluate` with a judge that is asked over HTTP: verdicts, what is kept, and what starts a judge at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.judge_server import VARIABLES, Fault, Says, model_server
from trace_inspector.cli import main

METRIC = "final_response_match_v2"


def invocation(turn: int, answer: str) -> dict[str, Any]:
    return {
        "invocation_id": f"e{turn}",
        "user_content": {"role": "user", "parts": [{"text": f"question {turn}"}]},
        "final_response": {"role": "model", "parts": [{"text": answer}]},
    }


def eval_set(path: Path, answers: dict[str, list[str]]) -> Path:
    cases = [
        {"eval_id": name, "conversation": [invocation(at, answer) for at, answer in enumerate(said)]}
        for name, said in answers.items()
    ]
    path.write_text(json.dumps({"eval_set_id": "set", "eval_cases": cases}), encoding="utf-8")
    return path


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Two cases of two turns, with criteria that ask once a turn."""
    traces = eval_set(tmp_path / "traces.json", {"a": ["one", "two"], "b": ["three", "wrong"]})
    golden = eval_set(tmp_path / "golden.json", {"a": ["1", "2"], "b": ["3", "4"]})
    criteria = tmp_path / "criteria.json"
    options = {"threshold": 0.9, "judge_model_options": {"judge_model": "small", "num_samples": 1}}
    criteria.write_text(json.dumps({"criteria": {METRIC: options}}), encoding="utf-8")
    return ["evaluate", str(traces), "--golden", str(golden), "--criteria", str(criteria)]


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key of whoever runs the tests."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(params=["gemini", "openai"])
def judge(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[str]]:
    """Makes a kind of judge known at an address, and gives the options that name it."""

    def known(url: str) -> list[str]:
        if request.param == "gemini":
            monkeypatch.setenv("GOOGLE_API_KEY", "made-up")
            monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", url)
            return ["--judge", "gemini"]
        monkeypatch.setenv("OPENAI_BASE_URL", f"{url}/v1")
        return ["--judge", "openai:small"]

    return known


def decide(prompt: str, _number: int) -> Says:
    label = "invalid" if "wrong" in prompt else "valid"
    return f'{{"reasoning": "r", "is_the_agent_response_valid": "{label}"}}'


def run(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    """The exit code and the cases of the printed run, by id."""
    code = main([*arguments, "--json"])
    run = json.loads(capsys.readouterr().out)
    return code, {case["id"]: case for case in run["cases"]}


def test_verdicts_come_from_the_judge(
    files: list[str], judge: Callable[[str], list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    with model_server(decide) as server:
        code, cases = run([*files, *judge(server.url)], capsys)
    assert code == 1
    scores = {name: [m["score"] for m in case["metrics"] if m["name"] == METRIC] for name, case in cases.items()}
    assert scores == {"a": [1.0], "b": [0.5]}
    assert set(server.models) == {"small"}
    assert len(server.prompts) == 4


def test_what_is_kept_is_not_asked_again(
    files: list[str], judge: Callable[[str], list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    with model_server(decide) as server:
        named = judge(server.url)
        first = run([*files, *named], capsys)
        assert run([*files, *named], capsys) == first
        assert len(server.prompts) == 4
        assert run([*files, *named, "--refresh"], capsys) == first
        assert len(server.prompts) == 8
        assert run([*files, *named, "--no-cache"], capsys) == first
        assert len(server.prompts) == 12


def test_one_in_flight_keeps_the_order_of_cases_and_turns(
    files: list[str], judge: Callable[[str], list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    with model_server(decide) as server:
        run([*files, *judge(server.url), "--in-flight", "1"], capsys)
    assert [next(at for at in range(2) if f"question {at}" in prompt) for prompt in server.prompts] == [0, 1, 0, 1]
    assert ["three" in prompt for prompt in server.prompts] == [False, False, True, False]


def test_faults_that_pass_cost_no_verdict(
    files: list[str], tmp_path: Path, judge: Callable[[str], list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    count = 100
    answers = {f"case {at}": [f"answer {at}-{turn}" for turn in range(2)] for at in range(count)}
    traces, golden = eval_set(tmp_path / "t.json", answers), eval_set(tmp_path / "g.json", answers)

    def says(prompt: str, number: int) -> Says:
        return Fault(429, (("Retry-After", "0"),)) if number % 10 == 3 else decide(prompt, number)

    with model_server(says) as server:
        options = ["evaluate", str(traces), "--golden", str(golden), *files[-2:], "--in-flight", "32"]
        code, cases = run([*options, *judge(server.url)], capsys)
        answered = len(server.prompts) - sum(number % 10 == 3 for number in range(len(server.prompts)))
    assert code == 0
    assert len(cases) == count
    decided = {(turn["status"], turn["metrics"][0]["score"]) for case in cases.values() for turn in case["turns"]}
    assert decided == {("PASSED", 1.0)}
    assert answered == count * 2  # none was asked twice


def test_a_used_up_quota_leaves_the_rest_for_later(
    files: list[str], judge: Callable[[str], list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    used_up = Fault(429, message="Quota exceeded: 250 requests per day")
    limit = 3

    def says(prompt: str, number: int) -> Says:
        return used_up if number >= limit else decide(prompt, number)

    with model_server(says) as server:
        named = [*files, *judge(server.url), "--in-flight", "1"]
        code, cases = run(named, capsys)
        assert code == 3
        assert [case["status"] for case in cases.values()] == ["PASSED", "PENDING"]
        assert main(named) == 3  # the refused call is tried once more
        said = capsys.readouterr().out
        assert "2 cases: 1 passed, 1 pending." in said
        assert "b: not judged yet" in said
        assert "Run again later to go on from here." in said
        limit = 100
        code, cases = run(named, capsys)
        assert code == 1
        assert len(server.prompts) == 6  # three answered, one refused twice, one more


def test_asking_for_a_judged_criterion_starts_a_judge_where_a_key_is_set(
    files: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with model_server(decide) as server:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.url)
        code, _cases = run(files, capsys)
        assert code == 3
        assert not server.prompts
        monkeypatch.setenv("GOOGLE_API_KEY", "made-up")
        assert run([*files, "--judge", "none"], capsys)[0] == 3
        assert not server.prompts
        code, _cases = run(files, capsys)
        assert code == 1
        assert len(server.prompts) == 4


def test_files_beside_the_data_never_start_a_judge(
    files: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    criteria = Path(files[-1])
    criteria.rename(criteria.with_name("test_config.json"))
    with model_server(decide) as server:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.url)
        monkeypatch.setenv("GOOGLE_API_KEY", "made-up")
        code, _cases = run(files[:-2], capsys)
        assert code == 3
        assert not server.prompts


@pytest.mark.parametrize("name", ["nobody", "openai:", "recorded:", "claude-5"])
def test_an_unknown_judge_is_a_sentence(name: str, files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*files, "--judge", name]) == 2
    assert "There is no judge" in capsys.readouterr().err


def test_an_unset_key_is_a_sentence(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*files, "--judge", "gemini"]) == 2
    assert "GOOGLE_API_KEY" in capsys.readouterr().err
