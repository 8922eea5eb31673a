"""What a person can wish of judges: a look ahead, an endpoint that criteria name, a second round for failures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands.test_evaluate_judges import METRIC, decide, eval_set
from tests.helpers.judge_server import VARIABLES, ModelServer, Says, model_server
from trace_inspector.cli import main


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


def files(folder: Path, criteria: dict[str, Any]) -> list[str]:
    """Two cases of two turns, of which the last is wrong."""
    traces = eval_set(folder / "traces.json", {"a": ["one", "two"], "b": ["three", "wrong"]})
    golden = eval_set(folder / "golden.json", {"a": ["1", "2"], "b": ["3", "4"]})
    path = folder / "criteria.json"
    path.write_text(json.dumps({"criteria": criteria}), encoding="utf-8")
    return ["evaluate", str(traces), "--golden", str(golden), "--criteria", str(path)]


def known(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", "made-up")
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.url)


def answers(threshold: float = 0.9, samples: int = 3, **more: Any) -> dict[str, Any]:
    options = {"judge_model": "small", "num_samples": samples, **more.pop("options", {})}
    return {METRIC: {"threshold": threshold, "judge_model_options": options, **more}}


def printed(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    run: dict[str, Any] = json.loads(capsys.readouterr().out)
    return run


def test_a_dry_run_counts_and_sends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    criteria = {**answers(), "hallucinations_v1": 0.5, "response_match_score": 0.1}
    with model_server(decide) as server:
        known(server, monkeypatch)
        assert main([*files(tmp_path, criteria), "--dry-run", "--json"]) == 0
        assert not server.prompts
    forecast = printed(capsys)["dry_run"]
    lines = {line["metric"]: line for line in forecast["by_metric"]}
    assert {name: (line["model"], line["calls"], line["kept"]) for name, line in lines.items()} == {
        METRIC: ("small", 12, 0),
        "hallucinations_v1": ("gemini-2.5-flash", 8, 0),
    }
    assert forecast["calls"] == 20
    assert forecast["prompt_tokens_estimate"] == sum(line["tokens"] for line in lines.values())


def test_a_dry_run_foresees_exactly_what_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    named = files(tmp_path, answers())
    with model_server(decide) as server:
        known(server, monkeypatch)
        main([*named, "--dry-run", "--json"])
        foreseen = printed(capsys)["dry_run"]
        assert main(named) == 1
        capsys.readouterr()
        assert len(server.prompts) == foreseen["calls"] == 12
        assert foreseen["prompt_tokens_estimate"] == sum(-(-len(prompt) // 4) for prompt in server.prompts)
        main([*named, "--dry-run", "--json"])
        assert [
            (line["calls"], line["kept"], line["tokens"]) for line in printed(capsys)["dry_run"]["by_metric"]
        ] == [(0, 12, 0)]
        main([*named, "--dry-run", "--refresh"])
        said = capsys.readouterr().out
        assert f"{METRIC}: 12 calls to small" in said
        assert "estimate" in said
        assert len(server.prompts) == 12


def test_a_dry_run_without_judge_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*files(tmp_path, answers()), "--dry-run"]) == 0
    assert "No judge would be asked" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "key", "words"),
    [
        ([], False, "set GOOGLE_API_KEY"),
        (["--judge", "none"], True, "--judge none"),
    ],
)
def test_why_nobody_answers_is_said(
    more: list[str],
    key: bool,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if key:
        monkeypatch.setenv("GOOGLE_API_KEY", "made-up")
    assert main([*files(tmp_path, answers()), *more, "--json"]) == 3
    reasons = [case["metrics"][0]["reason"] for case in printed(capsys)["cases"]]
    assert all(words in reason for reason in reasons)


@pytest.mark.parametrize("spelling", [("http_options", "base_url"), ("httpOptions", "baseUrl")])
def test_an_endpoint_in_criteria_is_followed_only_when_allowed(
    spelling: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with model_server(decide) as mine, model_server(decide) as theirs:
        known(mine, monkeypatch)
        config = {"judge_model_config": {spelling[0]: {spelling[1]: f"{theirs.url}/"}, "temperature": 0.5}}
        named = files(tmp_path, answers(samples=1, options=config))
        for more in ([], ["--allow-endpoint", "http://127.0.0.1:1"], ["--allow-endpoint", f"{theirs.url}/v1"]):
            assert main([*named, "--no-cache", *more, "--json"]) == 1
            notes = " ".join(printed(capsys)["run"]["notes"])
            assert "is ignored" in notes
            assert f"--allow-endpoint {theirs.url}" in notes
        assert (len(mine.prompts), len(theirs.prompts)) == (12, 0)
        assert main([*named, "--no-cache", "--allow-endpoint", theirs.url, "--json"]) == 1
        assert "is ignored" not in " ".join(printed(capsys)["run"]["notes"])
        assert (len(mine.prompts), len(theirs.prompts)) == (12, 4)
        assert theirs.bodies[0]["generationConfig"]["temperature"] == 0.5
        assert "httpOptions" not in json.dumps(theirs.bodies)


@pytest.mark.parametrize("url", ["http://judge.example", "file:///etc", "https://a:b@judge.example"])
def test_a_key_is_never_allowed_to_go_somewhere_unsafe(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", "made-up")
    config = {"judge_model_config": {"http_options": {"base_url": url}}}
    assert main([*files(tmp_path, answers(options=config)), "--allow-endpoint", url]) == 2
    assert capsys.readouterr().err


def test_an_endpoint_in_criteria_is_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = {"judge_model_config": {"http_options": {"base_url": "https://judge.example"}}}
    criteria = files(tmp_path, answers(options=config))[-1]
    main(["validate", criteria])
    assert "endpoint-in-file" in capsys.readouterr().out


def votes(*labels: str) -> Any:
    def says(_prompt: str, number: int) -> Says:
        return f'{{"reasoning": "r", "is_the_agent_response_valid": "{labels[number]}"}}'

    return says


ONCE = ["valid", "invalid", "invalid"]
AGAIN = ["valid", "valid", "valid"]


def one_turn(folder: Path, criteria: dict[str, Any]) -> list[str]:
    named = files(folder, criteria)
    eval_set(folder / "traces.json", {"a": ["one"]})
    eval_set(folder / "golden.json", {"a": ["1"]})
    return [*named, "--in-flight", "1"]


@pytest.mark.parametrize(
    ("labels", "more", "code", "reason"),
    [
        ([*ONCE, *AGAIN], [], 0, "valid by 4 of 6 votes"),
        ([*ONCE, *ONCE], [], 1, "invalid by 4 of 6 votes"),
        (["valid", "invalid", "valid"], [], 0, "valid by 2 of 3 votes"),
        (ONCE, ["--rules", "adk"], 1, "invalid by 2 of 3 votes"),
    ],
)
def test_a_failing_majority_is_confirmed_on_wish(
    labels: list[str],
    more: list[str],
    code: int,
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with model_server(votes(*labels)) as server:
        known(server, monkeypatch)
        named = one_turn(tmp_path, answers(confirm_on_fail=True))
        assert main([*named, *more, "--json"]) == code
        assert len(server.prompts) == len(labels)
        first = printed(capsys)
        assert main([*named, *more, "--json"]) == code
        assert len(server.prompts) == len(labels)  # the second round is kept, too
    again = printed(capsys)
    assert first["cases"] == again["cases"]
    assert first["cases"][0]["turns"][0]["metrics"][0]["reason"] == reason
    assert not any("kept replies" in note for note in first["run"]["notes"])
    assert any("1 verdict is based on stored replies" in note for note in again["run"]["notes"])
