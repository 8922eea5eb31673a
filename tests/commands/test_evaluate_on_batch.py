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
from tests.helpers.campaigns import is_long
from tests.helpers.judge_server import VARIABLES, model_server
from tests.helpers.resuming import GEMINI, judged_files, outcome, start
from tests.helpers.signals import heeding_ctrl_c
from trace_inspector.cli import main
from trace_inspector.core.trace.judge_call import JudgeCall
from trace_inspector.engine.judges.backends.backend import CallFailed, Prompted
from trace_inspector.engine.judges.backends.gemini import GeminiBackend
from trace_inspector.engine.judges.backends.gemini_batch import GeminiBatches
from trace_inspector.engine.judges.live import LiveJudge
from trace_inspector.engine.scoring.metric import Ask, Reply
from trace_inspector.flows.judges.batch_judge import in_batches
from trace_inspector.flows.judges.judge_files import LiveChoice, judge_named

CASES, TURNS = 6, 2
ASKED = CASES * TURNS
MANY = 10_000 if is_long() else 200
YES = '{"reasoning": "the same", "is_the_agent_response_valid": "valid"}'
NO = '{"reasoning": "not the same", "is_the_agent_response_valid": "invalid"}'
JOB = {"openai": "batch_0", "gemini": "batches/batch_0"}
_OF_TIME = ("id", "started", "started_s", "run")


def says(prompt: str, _job: int) -> str:
    return NO if "question 3-1" in prompt else YES


@pytest.fixture(params=["openai", "gemini"])
def judge(request: pytest.FixtureRequest) -> str:
    kind: str = request.param
    return kind


@pytest.fixture
def files(judge: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in GEMINI.items():
        monkeypatch.setenv(name, value)
    return [argument.replace("openai:", f"{judge}:") for argument in judged_files(tmp_path, CASES, TURNS)]


def ask_at(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", f"{url}/v1")
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", url)


def run(
    server: BatchServer, arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, Any, str]:
    """The exit code, the printed run without its times, and what was told."""
    ask_at(server.url, monkeypatch)
    code = main([*arguments, "--on", "batch"])
    printed = capsys.readouterr()
    printed_run = json.loads(printed.out) if printed.out else {}
    return code, {name: value for name, value in printed_run.items() if name not in _OF_TIME}, printed.err


def live(url: str, files: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> Any:
    """What single calls come to, with a data folder of their own and the batch endpoint's address in its notes."""
    with monkeypatch.context() as context, model_server(says) as server:
        context.setenv("TRACE_INSPECTOR_DATA", str(folder / "live"))
        ask_at(server.url, context)
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
    [
        (says, [], {"openai": 0, "gemini": 0}),
        (without_half, ["expired"], {"openai": ASKED // 2, "gemini": ASKED}),  # Gemini has then no replies at all
        (with_errors, [], {"openai": TURNS, "gemini": TURNS}),
    ],
    ids=["all", "expired", "errors"],
)
def test_the_run_is_that_of_single_calls_and_only_what_is_missing_is_sent_again(
    fate: Callable[[str, int], Outcome],
    statuses: list[str],
    again: dict[str, int],
    judge: str,
    files: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-a-secret")
    with batch_server(fate) as server:
        server.statuses, server.twice, server.late = statuses, True, 1
        code, judged, told = run(server, files, monkeypatch, capsys)
        assert judged == live(server.url, files, tmp_path, monkeypatch, capsys)
    assert code == 1
    assert f"{ASKED} questions (about" in told
    assert "what it charges for batches is not known here" in told
    assert sum(server.asked.values()) == ASKED + again[judge]
    assert len(server.asked) == ASKED
    assert server.keys == {"Bearer sk-a-secret" if judge == "openai" else "a-secret"}
    assert "a-secret" not in told
    assert (f"The batch job {JOB[judge]} is " in told) == bool(again[judge])


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


@pytest.mark.parametrize(("exhausted", "status"), [(False, "PASSED"), (True, "PENDING")])
def test_a_job_that_fails_tells_why_and_a_limit_of_what_may_be_queued_lets_cases_wait(
    exhausted: bool,
    status: str,
    files: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with batch_server(says) as server:
        server.statuses, server.exhausted = ["failed"], exhausted
        code, judged, _told = run(server, files, monkeypatch, capsys)
    assert "the batch job failed: line 1 is none" in json.dumps(judged)
    assert (code, judged["cases"][0]["status"]) == (3, status)
    assert len(server.jobs) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_run_goes_on_with_the_job_that_is_under_way(
    number: signal.Signals,
    judge: str,
    files: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Any,
) -> None:
    """Killed before the id of the job had come, so that the job is found by our name; or stopped while it waits."""
    with batch_server(says) as server:
        (server.silent if number == signal.SIGKILL else server.held).set()
        with heeding_ctrl_c():
            first = start([*files, "--on", "batch"], server.url)
        assert server.created.wait(200)
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
    assert f"Going on with the batch job {JOB[judge]} at 127.0.0.1, which has 12 of the questions." in resumed
    assert "asked again" not in resumed
    assert number == signal.SIGKILL or "the same command with --resume fetches the replies" in told


@pytest.mark.parametrize("judge", ["gemini"], indirect=True)
@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (["--judge", "none"], "there is no judge to ask"),
        ([], "Gemini of Vertex AI takes batches from a bucket"),
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
    monkeypatch.setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
    on = [] if "--on" in changes else ["--on", "batch"]
    assert main([*files, *changes, *on]) == 2
    assert sentence in capsys.readouterr().err


def test_an_endpoint_without_batch_files_is_told(
    files: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with batch_server(says) as server:
        ask_at(f"{server.url}/nothing", monkeypatch)
        main([*files, "--on", "batch"])
    assert "127.0.0.1 has no batch files (HTTP 404); leave out --on batch" in capsys.readouterr().out


@pytest.mark.parametrize("parameters", [{}, {"temperature": 0.5, "thinking_config": {"thinking_budget": 5}}])
def test_a_line_of_gemini_has_what_a_single_call_sends(
    parameters: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    asked = [Prompted("small", f"question {number} ✓", parameters, f"digest {number}") for number in range(2)]

    async def lines(url: str) -> list[dict[str, Any]]:
        backend = GeminiBackend({**GEMINI, "GOOGLE_GEMINI_BASE_URL": url}, 10.0)
        interface = GeminiBatches(backend)
        for prompted in asked:
            await backend.call(prompted)
        found = [json.loads(await interface.line(prompted)) for prompted in asked]
        await interface.close()
        await backend.close()
        return found

    monkeypatch.setenv("GOOGLE_API_KEY", "a-secret")
    with model_server(lambda _prompt, _number: YES) as server:
        found = asyncio.run(lines(server.url))
    assert found == [
        {"key": prompted.digest, "request": body} for prompted, body in zip(asked, server.bodies, strict=True)
    ]


def test_an_address_to_upload_to_leads_to_no_other_host(monkeypatch: pytest.MonkeyPatch) -> None:
    async def upload(url: str) -> str:
        interface = GeminiBatches(GeminiBackend({**GEMINI, "GOOGLE_GEMINI_BASE_URL": url}, 10.0))
        try:
            return await interface.upload("questions", b"{}\n")
        finally:
            await interface.close()

    monkeypatch.setenv("GOOGLE_API_KEY", "a-secret")
    with batch_server(says) as server:
        assert asyncio.run(upload(server.url)) == "files/0"
        server.upload_host = "@127.0.0.1:9"
        with pytest.raises(CallFailed, match="no address to upload to"):
            asyncio.run(upload(server.url))


class Kept(Struct):
    """Replies in memory: storing each on the disk is what `evaluate` is measured with."""

    calls: dict[str, JudgeCall] = field(default_factory=dict)

    def get(self, digest: str) -> JudgeCall | None:
        return self.calls.get(digest)

    def put(self, call: JudgeCall, *, paid: bool = True) -> None:
        assert paid
        assert call.key.digest not in self.calls
        self.calls[call.key.digest] = call


def test_many_questions_are_answered_once_each(judge: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A third of the lines are missing in the first job, its creation fails, and every line is there twice."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GOOGLE_API_KEY", "a-secret")
    kept = Kept()

    async def replies(choice: LiveChoice) -> list[Reply]:
        judge = LiveJudge({who: make() for who, make in choice.backends.items()}, choice.use, kept)
        try:
            asked = [Ask("metric", "case", 0, 0, "small", f"question {number}") for number in range(MANY)]
            return await asyncio.gather(*map(judge.ask, asked))
        finally:
            await judge.close()

    def outcome_of(prompt: str, job: int) -> Outcome:
        return None if job == 0 and int(prompt.split()[1]) % 3 == 0 else prompt

    with batch_server(outcome_of) as server:
        ask_at(server.url, monkeypatch)
        server.create_faults, server.twice = [500], True
        choice = in_batches(judge_named(f"{judge}:small"), lambda _told: None)
        answered = asyncio.run(replies(choice))
    assert [reply.text for reply in answered] == [f"question {number}" for number in range(MANY)]
    assert (len(kept.calls), len(server.asked), sum(server.asked.values())) == (MANY, MANY, MANY + -(-MANY // 3))
    assert len(server.jobs) == 2
