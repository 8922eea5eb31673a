"""A judge that asks a model: many calls in flight, each cached, none made twice."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

from trace_inspector.core.trace.judge_call import CallCache, CallKey, JudgeCall, NotKept, OpenQuestions
from trace_inspector.core.trace.summary import one_line
from trace_inspector.engine.judges.backends.backend import Backend, CallFailed, ModelAnswer, Prompted
from trace_inspector.engine.judges.call_limits import Patience, QuotaUsedUp, Use
from trace_inspector.engine.scoring.metric import CLASSIFIER, MODEL, Ask, Reply

Result = TypeVar("Result")

_NOT_KEPT = (
    "A reply of the judge could not be stored ({}), so nothing more is asked. Make room in the data folder, and give "
    "the same command with --resume to go on from here."
)


async def with_retries(
    attempt: Callable[[], Awaitable[Result]], patience: Patience, waits: Callable[[float], Awaitable[None]]
) -> tuple[Result, int]:
    """The result of an attempt and the number of tries; CallFailed when no further try makes sense.

    `timeout`, not `wait_for`: up to Python 3.11 the latter forgets to be cancelled when its attempt ends in the same
    moment (https://github.com/python/cpython/issues/86296), and a cancelled run waits for the next try.
    """
    tries = 0
    while True:
        tries += 1
        try:
            async with asyncio.timeout(patience.call_s):
                return await attempt(), tries
        except TimeoutError:
            problem = CallFailed(f"no answer within {patience.call_s:.0f} s", again=True)
        except CallFailed as failed:
            problem = failed
        if not problem.again or tries >= patience.tries:
            more = f" (after {tries} tries)" if tries > 1 else ""
            # A rate limit that outlasts all tries will reject every other call as well, like a used-up quota.
            raise CallFailed(f"{problem.sentence}{more}", again=False, quota=problem.quota or problem.limited)
        await waits(patience.wait_s(tries, problem.after_s))


class Quota:
    """The quota of one model. Once it is used up, all calls that wait for another try fail at once."""

    def __init__(self) -> None:
        self._reason = ""
        self._ended = asyncio.Event()

    def end(self, reason: str) -> None:
        """No more calls, and why; the first reason stays."""
        self._reason = self._reason or reason
        self._ended.set()

    def check(self) -> None:
        """Raises QuotaUsedUp once no more calls are taken."""
        if self._reason:
            raise QuotaUsedUp(self._reason)

    async def pause(self, seconds: float) -> None:
        """Wait before another try."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ended.wait()
        self.check()


def backend_for(backends: Mapping[str, Backend], question: Ask) -> Backend:
    """The backend for a question: the endpoint that its criterion names, if the user allowed it, else by its kind."""
    allowed = backends.get(question.endpoint) if question.of == MODEL and question.endpoint else None
    return allowed or backends[question.of]


class LiveJudge:
    """Answers questions by backends: MODEL, SERVICE, CLASSIFIER, or an endpoint that the user allowed.

    Lives on one event loop; questions come from any number of tasks.
    """

    def __init__(
        self,
        backends: Mapping[str, Backend],
        use: Use,
        cache: CallCache | None = None,
        questions: OpenQuestions | None = None,
    ) -> None:
        self._backends = backends
        self._questions = questions
        self._use = use
        self._cache = cache
        self._free = asyncio.Semaphore(use.in_flight)
        self._free_here = asyncio.Semaphore(1)  # a classifier has this machine's processors; its questions wait here
        self._asked: dict[str, asyncio.Task[Reply]] = {}  # in flight
        self._answered: set[str] = set()  # in this run; the replies themselves are in the cache
        self._quotas = {id(backend): Quota() for backend in backends.values()}

    @property
    def in_flight(self) -> int:
        """How many calls may be open at once; one means strictly one after the other."""
        return self._use.in_flight

    async def ask(self, question: Ask, nth: int = 0) -> Reply:
        """The reply to a question: from the cache, from a call in flight, or from a new call."""
        backend = backend_for(self._backends, question)
        key = self._use.key(backend, question, nth)
        free = self._free_here if question.of == CLASSIFIER else self._free
        paid = question.of != CLASSIFIER
        if self._cache is None:
            return await self._called(backend, key, free, paid=paid)
        digest = key.digest
        task_of_call = self._asked.get(digest)
        if task_of_call is None:
            task_of_call = self._asked[digest] = asyncio.create_task(
                self._cached_or_called(backend, key, free, self._cache, self._use.asks_again(question), paid)
            )
            task_of_call.add_done_callback(lambda task: self._done(digest, task))
        return await asyncio.shield(task_of_call)

    async def close(self) -> None:
        """Cancel calls in flight and close the connections."""
        remaining = list(self._asked.values())
        for task in remaining:
            task.cancel()
        await asyncio.gather(*remaining, return_exceptions=True)
        for backend in self._backends.values():
            await backend.close()

    def _done(self, digest: str, task: asyncio.Task[Reply]) -> None:
        self._asked.pop(digest, None)
        if not task.cancelled() and task.exception() is None:
            self._answered.add(digest)

    async def _cached_or_called(
        self, backend: Backend, key: CallKey, free: asyncio.Semaphore, cache: CallCache, again: bool, paid: bool
    ) -> Reply:
        kept = cache.get(key.digest)
        if kept is not None:
            is_of_now = key.digest in self._answered or self._use.is_of_this_run(kept)
            if is_of_now or not again:
                return Reply(kept.reply or "", kept_s=None if is_of_now else kept.started_s, digest=key.digest)
        return await self._called(backend, key, free, paid=paid)

    async def _called(self, backend: Backend, key: CallKey, free: asyncio.Semaphore, *, paid: bool) -> Reply:
        async with free:
            quota = self._quotas[id(backend)]
            quota.check()
            counted = self._questions if paid else None
            if counted:
                counted.opened(key.digest)
            try:
                reply = await self._called_now(backend, key, quota, paid=paid)
            except NotKept as problem:
                # Nobody is asked any more: whatever is paid for would be lost when the run ends.
                for each in self._quotas.values():
                    each.end(_NOT_KEPT.format(problem))
                raise QuotaUsedUp(_NOT_KEPT.format(problem)) from problem
            except QuotaUsedUp:
                if counted:
                    counted.settled(key.digest)
                raise
            if counted:
                counted.settled(key.digest)  # not when cancelled: what was sent is asked again
            return reply

    async def _called_now(self, backend: Backend, key: CallKey, quota: Quota, *, paid: bool) -> Reply:
        prompted = Prompted(key.model, _sendable(key.prompt), key.parameters, key.digest)
        started_s, began_s = time.time(), time.monotonic()
        try:
            answer, attempts = await with_retries(lambda: backend.call(prompted), self._use.patience, quota.pause)
        except QuotaUsedUp:
            raise
        except CallFailed as problem:
            if problem.quota:
                quota.end(f"{backend.name}: {problem.sentence}. Run again later to go on from here.")
                quota.check()
            return Reply(failure=problem.sentence)
        except Exception as problem:  # an odd reply that breaks a client library costs one verdict, not the run
            return Reply(failure=one_line(f"{type(problem).__name__}: {problem}", 160))
        call = _call(key, answer, started_s, time.monotonic() - began_s, attempts)
        if self._cache is not None:
            self._cache.put(call, paid=paid)
        return Reply(answer.text or "", digest=key.digest if self._cache is not None else "")


def _sendable(text: str) -> str:
    """Lone surrogates, which files may contain and no protocol can send, as replacement characters."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _call(key: CallKey, answer: ModelAnswer, started_s: float, duration_s: float, attempts: int) -> JudgeCall:
    return JudgeCall(
        key, answer.text, started_s, duration_s, attempts, answer.input_tokens, answer.output_tokens, answer.note
    )
