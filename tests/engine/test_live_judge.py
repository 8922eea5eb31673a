"""Live judges over HTTP, with the real clients and a model on this machine that fails as real ones do."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping

import pytest
from msgspec.structs import replace

from tests.helpers.judge_server import BLOCKED, RESET, TRUNCATED, Fault, ModelServer, Says, model_server
from trace_inspector.core.errors import UsageError
from trace_inspector.core.trace.judge_call import JudgeCall
from trace_inspector.engine.judges.backends.backend import Backend, ModelAnswer, Prompted
from trace_inspector.engine.judges.backends.gemini import GeminiBackend
from trace_inspector.engine.judges.backends.openai import OpenAIBackend
from trace_inspector.engine.judges.call_limits import Patience, QuotaUsedUp, Use
from trace_inspector.engine.judges.live import LiveJudge
from trace_inspector.engine.scoring.metric import CLASSIFIER, MODEL, Ask, Reply

QUICK = Patience(tries=4, first_s=0.01, longest_s=0.05, call_s=60.0)


class Memory:
    """A cache that forgets with the test."""

    def __init__(self) -> None:
        self.calls: dict[str, JudgeCall] = {}

    def get(self, digest: str) -> JudgeCall | None:
        return self.calls.get(digest)

    def put(self, call: JudgeCall, *, paid: bool = True) -> None:  # noqa: ARG002 - a dictionary has no disk
        self.calls[call.key.digest] = call


class OpenNow:
    """A backend that counts the questions that are open at once."""

    name = endpoint = "here"

    def __init__(self) -> None:
        self.open = self.most = 0

    async def call(self, prompted: Prompted) -> ModelAnswer:
        self.open += 1
        self.most = max(self.most, self.open)
        for _others in range(10):
            await asyncio.sleep(0)  # whoever may come, comes
        self.open -= 1
        return ModelAnswer("yes" if prompted.prompt else None)

    async def close(self) -> None:
        """Nothing is open."""


def question(prompt: str, sample: int = 0) -> Ask:
    return Ask("m", "case", 0, sample, "some-model", prompt)


def asked(
    backend: Backend, questions: list[Ask], use: Use | None = None, cache: Memory | None = None
) -> list[Reply | BaseException]:
    """What a judge replies to questions that are asked all at once."""

    async def ask() -> list[Reply | BaseException]:
        judge = LiveJudge({MODEL: backend}, use or Use(patience=QUICK), cache)
        try:
            return await asyncio.gather(*(judge.ask(one) for one in questions), return_exceptions=True)
        finally:
            await judge.close()

    return asyncio.run(ask())


def texts(replies: list[Reply | BaseException]) -> list[str]:
    return [reply.text if isinstance(reply, Reply) else repr(reply) for reply in replies]


def echo(prompt: str, _number: int) -> Says:
    return f"said {prompt}"


def test_many_questions_each_get_their_reply(backend_at: Callable[[str], Backend]) -> None:
    seven = threading.Barrier(7)

    def says(prompt: str, _number: int) -> Says:
        seven.wait(20)  # nobody is answered before seven have asked
        return f"said {prompt}"

    with model_server(says) as server:
        replies = asked(backend_at(server.url), [question(f"q{at}") for at in range(63)], Use(in_flight=7))
    assert texts(replies) == [f"said q{at}" for at in range(63)]
    assert set(server.models) == {"some-model"}
    assert server.open_most == 7


def test_one_in_flight_asks_in_order(backend_at: Callable[[str], Backend]) -> None:
    with model_server(echo) as server:
        asked(backend_at(server.url), [question(f"q{at}") for at in range(20)], Use(in_flight=1))
    assert server.prompts == [f"q{at}" for at in range(20)]
    assert server.open_most == 1


def test_a_classifier_on_this_machine_is_asked_one_question_at_a_time() -> None:
    here = OpenNow()

    async def ask() -> list[Reply]:
        judge = LiveJudge({MODEL: here, CLASSIFIER: here}, Use(in_flight=8), Memory())
        questions = [replace(question(f"q{at}"), of=CLASSIFIER) for at in range(20)]
        replies = [await asyncio.gather(*map(judge.ask, questions))]
        assert here.most == 1
        replies += [await asyncio.gather(*(judge.ask(question(f"m{at}")) for at in range(20)))]
        return [reply for some in replies for reply in some]

    assert [reply.text for reply in asyncio.run(ask())] == ["yes"] * 40
    assert here.most == 8


FAULTS = [
    Fault(429, (("Retry-After", "0"),)),
    Fault(408),
    Fault(500),
    Fault(503, (("Retry-After", "Fri, 31 Dec 1999 23:59:59 GMT"),)),
    RESET,
    TRUNCATED,
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.kind or str(fault.status))
def test_what_passes_is_tried_again(backend_at: Callable[[str], Backend], fault: Fault) -> None:
    with model_server(lambda prompt, number: fault if number < 2 else f"said {prompt}") as server:
        cache = Memory()
        replies = asked(backend_at(server.url), [question("q")], cache=cache)
    assert texts(replies) == ["said q"]
    assert [call.attempts for call in cache.calls.values()] == [3]
    assert [(call.input_tokens, call.output_tokens) for call in cache.calls.values()] == [(7, 3)]


@pytest.mark.parametrize("fault", [Fault(400, message="no such model"), Fault(401), Fault(404)])
def test_what_does_not_pass_is_one_failed_call(backend_at: Callable[[str], Backend], fault: Fault) -> None:
    with model_server(lambda _prompt, _number: fault) as server:
        cache = Memory()
        (reply,) = asked(backend_at(server.url), [question("q")], cache=cache)
    assert isinstance(reply, Reply)
    assert f"HTTP {fault.status}" in reply.failure
    assert len(server.prompts) == 1
    assert not cache.calls


def test_patience_ends(backend_at: Callable[[str], Backend]) -> None:
    with model_server(lambda _prompt, _number: Fault(503)) as server:
        (reply,) = asked(backend_at(server.url), [question("q")])
    assert isinstance(reply, Reply)
    assert "after 4 tries" in reply.failure
    assert len(server.prompts) == QUICK.tries


@pytest.mark.parametrize("said", [None, BLOCKED])
def test_a_reply_without_content_is_a_reply(backend_at: Callable[[str], Backend], said: Says) -> None:
    with model_server(lambda _prompt, _number: said) as server:
        cache = Memory()
        (reply,) = asked(backend_at(server.url), [question("q")], cache=cache)
    assert reply == Reply("", digest=next(iter(cache.calls)))
    assert [call.reply for call in cache.calls.values()] == [None]
    assert all(call.note for call in cache.calls.values())
    assert len(server.prompts) == 1


def test_a_slow_model_is_given_up(backend_at: Callable[[str], Backend]) -> None:
    with model_server(lambda _prompt, _number: Fault(kind="slow")) as server:
        impatient = Use(patience=Patience(tries=2, first_s=0.01, call_s=0.2))
        (reply,) = asked(backend_at(server.url), [question("q")], impatient)
        server.delay.set()
    assert isinstance(reply, Reply)
    assert "no answer within" in reply.failure


def test_used_up_quota_stops_everything(backend_at: Callable[[str], Backend]) -> None:
    used_up = Fault(429, message="Quota exceeded: 250 requests per day")

    with model_server(lambda prompt, number: used_up if number >= 3 else f"said {prompt}") as server:
        cache = Memory()
        replies = asked(
            backend_at(server.url), [question(f"q{at}") for at in range(10)], Use(in_flight=1, patience=QUICK), cache
        )
        assert texts(replies)[:3] == ["said q0", "said q1", "said q2"]
        assert all(isinstance(reply, QuotaUsedUp) for reply in replies[3:])
        assert len(server.prompts) == 4
        assert len(cache.calls) == 3


def test_kept_replies_are_not_asked_for_again(backend_at: Callable[[str], Backend]) -> None:
    cache = Memory()
    questions = [question("q", sample) for sample in range(3)]
    with model_server(lambda _prompt, number: f"reply {number}") as server:
        first = texts(asked(backend_at(server.url), questions, Use(in_flight=1), cache))
        again = asked(backend_at(server.url), questions, Use(in_flight=1), cache)
        assert first == ["reply 0", "reply 1", "reply 2"] == texts(again)
        assert all(isinstance(reply, Reply) and reply.kept_s for reply in again)
        fresh = texts(asked(backend_at(server.url), questions, Use(in_flight=1, fresh=True), cache))
        assert fresh == ["reply 3", "reply 4", "reply 5"]
        other = texts(asked(backend_at(server.url), questions, Use(in_flight=1, model="another"), cache))
        assert other == ["reply 6", "reply 7", "reply 8"]
        assert len(server.prompts) == 9


def test_what_was_answered_in_a_run_is_not_asked_again_even_when_asked_to_be_fresh(
    backend_at: Callable[[str], Backend],
) -> None:
    async def one_after_the_other(url: str, cache: Memory) -> list[Reply]:
        judge = LiveJudge({MODEL: backend_at(url)}, Use(fresh=True, patience=QUICK), cache)
        try:
            return [await judge.ask(question("q")) for _ in range(3)]
        finally:
            await judge.close()

    cache = Memory()
    with model_server(lambda _prompt, number: f"reply {number}") as server:
        asked(backend_at(server.url), [question("q")], cache=cache)
        replies = asyncio.run(one_after_the_other(server.url, cache))
    assert [(reply.text, reply.kept_s) for reply in replies] == [("reply 1", None)] * 3


def test_equal_questions_on_their_way_are_one_call_when_replies_are_kept(
    backend_at: Callable[[str], Backend],
) -> None:
    with model_server(lambda _prompt, number: f"reply {number}") as server:
        shared = texts(asked(backend_at(server.url), [question("q")] * 5, cache=Memory()))
        assert set(shared) == {"reply 0"}
        apart = texts(asked(backend_at(server.url), [question("q")] * 5))
        assert len(set(apart)) == 5


@pytest.mark.parametrize("url", ["http://example.com/v1", "ftp://127.0.0.1", "https://name:word@host", "nowhere"])
def test_a_key_goes_nowhere_unsafe(url: str) -> None:
    with pytest.raises(UsageError):
        OpenAIBackend({"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": url}, timeout_s=1)
    with pytest.raises(UsageError):
        GeminiBackend({"GOOGLE_API_KEY": "k", "GOOGLE_GEMINI_BASE_URL": url}, timeout_s=1)


def test_without_a_key_plain_http_is_allowed() -> None:
    made: Mapping[str, str] = {"OPENAI_BASE_URL": "http://model.example/v1"}
    assert OpenAIBackend(made, timeout_s=1).endpoint == "http://model.example/v1"


def test_parameters_reach_the_model_and_endpoints_in_them_do_not(backend_at: Callable[[str], Backend]) -> None:
    with model_server(echo) as server:
        one = Ask("m", "case", 0, 0, "model", "q", parameters={"temperature": 0.25})
        asked(backend_at(server.url), [one])
        stated: ModelServer = server
    body = stated.bodies[0]
    assert body.get("temperature", body.get("generationConfig", {}).get("temperature")) == 0.25
