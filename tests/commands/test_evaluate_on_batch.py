"""`evaluate --on batch`: the verdicts of single calls, each question answered once, whatever becomes of the jobs."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct, field

from tests.helpers.batch_server import BatchServer, Outcome, batch_server
from tests.helpers.judge_server import VARIABLES, model_server
from tests.helpers.resuming import judged_files, outcome, start
from tests.helpers.signals import heeding_ctrl_c
from trace_inspector.cli import main
from trace_inspector.core.trace.judge_call import JudgeCall
from trace_inspector.engine.judges.live import LiveJudge
from trace_inspector.engine.scoring.metric import Ask, Reply
from trace_inspector.flows.judges.batch_judge import in_batches
from trace_inspector.flows.judges.judge_files import LiveChoice, judge_named

CASES, TURNS = 6, 2
ASKED = CASES * TURNS
YES = '{"reasoning": "the same", "is_the_agent_response_valid": "valid"}'
NO = '{"reasoning": "not the same", "is_the_agent_response_valid": "invalid"}'
_OF_TIME = ("id", "started", "started_s", "run")


def says(prompt: str, _job: int) -> str:
    return NO if "question 3-1" in prompt else YES


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    return judged_files(tmp_path, CASES, TURNS)


def run(
    server: BatchServer, arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, Any, str]:
    """The exit code, the printed run without its times, and what was told."""
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
    code = main([*arguments, "--on", "batch"])
    printed = capsys.readouterr()
    printed_run = json.loads(printed.out) if printed.out else {}
    return code, {name: value for name, value in printed_run.items() if name not in _OF_TIME}, printed.err


def live(url: str, files: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> Any:
    """What single calls come to, with a data folder of their own and the batch endpoint's address in its notes."""
    with monkeypatch.context() as context, model_server(says) as server:
        context.setenv("TRACE_INSPECTOR_DATA", str(folder / "live"))
        context.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        main(files)
        printed = capsys.readouterr().out.replace(server.url, url)
    return {name: value for name, value in json.loads(printed).items() if name not in _OF_TIME}


def without_half(prompt: str, job: int) -> Outcome:
    odd = int(prompt.split("question ")[1].split("-", maxsplit=1)[0]) % 2
    return None if job == 0 and odd else says(prompt, job)


def with_errors(prompt: str, job: int) -> Outcome:
    return 500 if job == 0 and "question 2-" in prompt else says(prompt, job)


@pytest.mark.parametrize(
    ("fate", "statuses", "again"),
    [(says, [], 0), (without_half, ["expired"], ASKED // 2), (with_errors, [], TURNS)],
    ids=["all", "expired", "error file"],
)
def test_the_run_is_that_of_single_calls_and_only_what_is_missing_is_sent_again(
    fate: Callable[[str, int], Outcome],
    statuses: list[str],
    again: int,
    files: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-a-secret")
    with batch_server(fate) as server:
        server.statuses, server.twice = statuses, True
        code, judged, told = run(server, files, monkeypatch, capsys)
        assert judged == live(server.url, files, tmp_path, monkeypatch, capsys)
    assert code == 1
    assert f"{ASKED} questions (about" in told
    assert "what it charges for batches is not known here" in told
    assert sum(server.asked.values()) == ASKED + again
    assert len(server.asked) == ASKED
    assert server.keys == {"Bearer sk-a-secret"}
    assert "sk-a-secret" not in told
    assert ("The batch job batch_0 is " in told) == bool(again)


def test_a_question_that_never_gets_a_reply_is_an_error_after_three_jobs(
    files: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with batch_server(lambda prompt, job: None if "question 1-0" in prompt else says(prompt, job)) as server:
        _code, judged, _told = run(server, files, monkeypatch, capsys)
    assert "no reply in the batch job (in 3 batch jobs)" in json.dumps(judged)
    assert sorted(server.asked.values()) == [1] * (ASKED - 1) + [3]


def test_a_job_that_was_created_all_the_same_is_not_created_twice(
    files: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with batch_server(says) as server:
        server.create_faults = [500]
        code, _judged, _told = run(server, files, monkeypatch, capsys)
    assert code == 1
    assert set(server.asked.values()) == {1}


def test_what_a_cancelled_job_left_waits_for_resume(
    files: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with batch_server(without_half) as server:
        server.statuses = ["cancelled"]
        code, judged, told = run(server, files, monkeypatch, capsys)
        assert "was cancelled" in json.dumps(judged)
        assert len(server.jobs) == 1
        resumed = run(server, [*files, "--resume"], monkeypatch, capsys)
    assert (code, resumed[0]) == (3, 1), told
    assert sum(server.asked.values()) == ASKED + ASKED // 2


def test_a_job_that_fails_tells_why(
    files: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with batch_server(says) as server:
        server.statuses = ["failed"]
        _code, judged, _told = run(server, files, monkeypatch, capsys)
    assert "the batch job failed: line 1 is none" in json.dumps(judged)
    assert len(server.jobs) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_run_goes_on_with_the_job_that_is_under_way(
    number: signal.Signals, files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """Killed before the id of the job had come, so that the job is found by our name; or stopped while it waits."""
    with batch_server(says) as server:
        (server.silent if number == signal.SIGKILL else server.held).set()
        with heeding_ctrl_c():
            first = start([*files, "--on", "batch"], server.url)
        assert server.created.wait(60)
        if number == signal.SIGINT:
            while "batch job" not in (line := first.stderr.readline() if first.stderr else ""):
                assert line
        first.send_signal(number)
        told = outcome(first).err
        server.silent.clear()
        server.held.clear()
        code, judged, resumed = run(server, [*files, "--resume"], monkeypatch, capsys)
        assert judged == live(server.url, files, tmp_path, monkeypatch, capsys)
    assert code == 1
    assert set(server.asked.values()) == {1}
    assert len(server.jobs) == 1
    assert "Going on with the batch job batch_0 at 127.0.0.1, which has 12 of the questions." in resumed
    assert "asked again" not in resumed
    assert number == signal.SIGKILL or "the same command with --resume fetches the replies" in told


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (["--judge", "none"], "there is no judge to ask"),
        (["--judge", "gemini"], "Gemini’s batch interface is not supported yet"),
        (["--no-cache"], "leave out --no-cache"),
        (["--on", "batch:3"], "write --on batch;"),
    ],
)
def test_what_cannot_be_asked_in_batches_is_refused(
    changes: list[str],
    sentence: str,
    files: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", "a-key")
    on = [] if "--on" in changes else ["--on", "batch"]
    assert main([*files, *changes, *on]) == 2
    assert sentence in capsys.readouterr().err


def test_an_endpoint_without_batch_files_is_told(
    files: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with batch_server(says) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/nothing")
        main([*files, "--on", "batch"])
    assert "127.0.0.1 has no batch files (HTTP 404); leave out --on batch" in capsys.readouterr().out


class Kept(Struct):
    """Replies in memory: storing each on the disk is what `evaluate` is measured with."""

    calls: dict[str, JudgeCall] = field(default_factory=dict)

    def get(self, digest: str) -> JudgeCall | None:
        return self.calls.get(digest)

    def put(self, call: JudgeCall, *, paid: bool = True) -> None:
        assert paid
        assert call.key.digest not in self.calls
        self.calls[call.key.digest] = call


@pytest.mark.campaign
def test_ten_thousand_questions_are_answered_once_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """A third of the lines are missing in the first job, its creation fails, and every line is there twice."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    kept = Kept()

    async def replies(choice: LiveChoice) -> list[Reply]:
        judge = LiveJudge({who: make() for who, make in choice.backends.items()}, choice.use, kept)
        try:
            asked = [Ask("metric", "case", 0, 0, "small", f"question {number}") for number in range(10_000)]
            return await asyncio.gather(*map(judge.ask, asked))
        finally:
            await judge.close()

    def outcome_of(prompt: str, job: int) -> Outcome:
        return None if job == 0 and int(prompt.split()[1]) % 3 == 0 else prompt

    with batch_server(outcome_of) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        server.statuses, server.create_faults, server.twice = ["expired"], [500], True
        judge = judge_named("openai:small")
        answered = asyncio.run(replies(in_batches(judge, lambda _told: None)))
    assert [reply.text for reply in answered] == [f"question {number}" for number in range(10_000)]
    assert (len(kept.calls), len(server.asked), sum(server.asked.values())) == (10_000, 10_000, 13_334)
    assert len(server.jobs) == 2
