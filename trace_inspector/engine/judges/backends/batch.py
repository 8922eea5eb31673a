"""A judge whose questions are gathered and sent as jobs; each job is noted before it is begun, and found again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from typing import Protocol, TypeVar
from urllib.parse import urlsplit

from msgspec import Struct

from trace_inspector.engine.judges.backends.backend import Backend, CallFailed, ModelAnswer, Prompted
from trace_inspector.engine.judges.backends.batch_interface import ENDED, BatchInterface, BatchJob, JobGone

Result = TypeVar("Result")

MOST_REQUESTS = 10_000  # of one job: OpenAI allows 50,000, others less
_MOST_BYTES = 100_000_000  # of its file: half of what OpenAI allows
_MOST_JOBS = 3  # in which a question is asked during one run
_QUIET_S = 0.2  # when no question has come for so long, all of a round are there
_FIRST_S, _FACTOR, _LONGEST_S = 0.5, 2.0, 60.0  # between two looks at a job
_PATIENCE_H = 2  # beyond the hours that a job has
_LOOKS = 3  # at the list of jobs, before a job counts as not created
_TRIES = 5  # of a request that fails
_LOCK_AGAIN_S = 0.1
_HALF = {
    "api.openai.com": "OpenAI states half the price of single calls",
    "generativelanguage.googleapis.com": "Google states half the price of single calls",
}
_BYTES_A_TOKEN = 4


class NotedJob(Struct, frozen=True):
    """A job as it was noted: our name for it, and the endpoint's id, "" before it is known."""

    name: str
    id: str
    begun_s: float


class JobNotes(Protocol):
    """Where jobs are noted, so that whoever goes on finds them. Each method has reached the disk when it ends."""

    def under_way(self, digests: Sequence[str]) -> list[tuple[NotedJob, list[str]]]:
        """The jobs in which these questions are, each with those of them."""

    def intend(self, job: NotedJob, digests: Sequence[str], asked_s: float) -> None:
        """Note that a job is about to be created."""

    def created(self, name: str, job_id: str) -> None:
        """Note the id of a job."""

    def forget(self, name: str, digests: Sequence[str] | None = None) -> None:
        """Forget questions of a job that have no reply there, or all of the job."""

    def forget_stored(self) -> None:
        """Forget questions whose reply is stored."""

    def taken(self) -> bool:
        """Take the right to begin jobs, if no other process has it."""

    def release(self) -> None:
        """Give it back."""

    def close(self) -> None:
        """Close the notes."""


class _Batched(Struct, eq=False):
    prompted: Prompted
    answer: asyncio.Future[ModelAnswer]
    jobs: int = 0


class BatchBackend:
    """Has the name and the endpoint of the judge that it asks, so stored replies are the same for both."""

    def __init__(
        self,
        backend: Backend,
        service: BatchInterface,
        notes: Callable[[], JobNotes],
        tell: Callable[[str], None],
    ) -> None:
        self._backend = backend
        self._open_notes = notes
        self._tell = tell
        self._service = service
        self._made_s = time.time()
        self._notes: JobNotes | None = None
        self._gathered: list[_Batched] = []
        self._gathering: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._following: dict[str, int] = {}  # the jobs under way, with the number of their questions
        self._sending = asyncio.Lock()

    @property
    def name(self) -> str:
        """Who answers, in words."""
        return self._backend.name

    @property
    def endpoint(self) -> str:
        """Where questions go."""
        return self._backend.endpoint

    async def call(self, prompted: Prompted) -> ModelAnswer:
        """The answer to one question, after the job that it becomes part of."""
        question = _Batched(prompted, asyncio.get_running_loop().create_future())
        self._add([question])
        return await question.answer

    async def close(self) -> None:
        """Leave jobs to themselves, tell how to go on with them, and close the connections."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._following:
            count = sum(self._following.values())
            named = ", ".join(self._following)
            self._tell(
                f"{count} questions are still in the batch job {named} at {self._host()}, which goes on there: the "
                "same command with --resume fetches the replies."
            )
        if self._notes:
            with contextlib.suppress(Exception):  # they are forgotten next time
                self._notes.forget_stored()
            self._notes.close()
        await self._service.close()
        await self._backend.close()

    def _add(self, questions: Sequence[_Batched]) -> None:
        self._gathered += questions
        if self._gathering is None or self._gathering.done():
            self._gathering = self._begin(self._gather())

    def _begin(self, work: Awaitable[None]) -> asyncio.Task[None]:
        async def done() -> None:
            await work

        task = asyncio.create_task(done())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _gather(self) -> None:
        """Wait until no more questions come, and send them."""
        count = 0
        while count != len(self._gathered):
            count = len(self._gathered)
            await asyncio.sleep(_QUIET_S)
        questions, self._gathered = self._gathered, []
        self._gathering = None
        try:
            async with self._sending:
                await self._send(questions)
        except CallFailed as problem:
            _fail(questions, _final(problem))
        except Exception as problem:  # a note that cannot be written ends the questions, and never the program
            _fail(questions, CallFailed(f"the batch job cannot be noted ({problem})", again=False, quota=True))

    async def _send(self, questions: Sequence[_Batched]) -> None:
        notes = self._notes
        if notes is None:
            notes = self._notes = self._open_notes()
            notes.forget_stored()
        while not notes.taken():
            await asyncio.sleep(_LOCK_AGAIN_S)
        try:
            left = await self._found(notes, {question.prompted.digest: question for question in questions})
            lines = await self._lines(left)
            parts = list(_parts(lines))
            if parts:
                self._tell(self._cost([question for question, _line in lines], len(parts)))
            for part in parts:
                asked = [question for question, _line in part]
                try:
                    job = await self._new(notes, asked, [line for _question, line in part])
                except CallFailed as problem:
                    _fail(asked, problem)
                else:
                    self._follow(notes, job, asked)
        finally:
            notes.release()

    async def _lines(self, questions: Sequence[_Batched]) -> list[tuple[_Batched, bytes]]:
        """Each question with its line; one that cannot be asked has failed."""
        lines: list[tuple[_Batched, bytes]] = []
        for question in questions:
            try:
                lines.append((question, await self._service.line(question.prompted)))
            except CallFailed as problem:
                _fail([question], problem)
            await asyncio.sleep(0)  # thousands take a while
        return lines

    async def _found(self, notes: JobNotes, questions: dict[str, _Batched]) -> list[_Batched]:
        """Go on with jobs that are under way; returns the questions that are in none."""
        for job, digests in notes.under_way(list(questions)):
            job_id = job.id
            if not job_id:
                found = await self._patiently(partial(self._service.find, job.name, job.begun_s))
                if found is None:  # whoever noted it came no further
                    notes.forget(job.name)
                    continue
                notes.created(job.name, job_id := found.id)
            asked = [questions.pop(digest) for digest in digests if digest in questions]
            count = len(asked)
            self._tell(f"Going on with the batch job {job_id} at {self._host()}, which has {count} of the questions.")
            self._follow(notes, NotedJob(job.name, job_id, job.begun_s), asked)
        return list(questions.values())

    async def _new(self, notes: JobNotes, asked: Sequence[_Batched], lines: Sequence[bytes]) -> NotedJob:
        job = NotedJob(f"trace-inspector-{os.urandom(12).hex()}", "", time.time())
        notes.intend(job, [question.prompted.digest for question in asked], self._made_s)
        try:
            content = b"\n".join(lines) + b"\n"
            file_id = await self._patiently(lambda: self._service.upload(job.name, content))
            created = await self._created(job, file_id, asked[0].prompted.model)
        except CallFailed as problem:
            if not problem.again:  # refused: nothing was begun. Else it may have been, and is looked for next time.
                notes.forget(job.name)
            raise _final(problem) from problem
        notes.created(job.name, created.id)
        return NotedJob(job.name, created.id, job.begun_s)

    async def _created(self, job: NotedJob, file_id: str, model: str) -> BatchJob:
        """Create a job; after a failure it is looked for first, as it may be there all the same."""
        tries = 0
        while True:
            tries += 1
            try:
                return await self._service.create(job.name, file_id, model)
            except CallFailed as problem:
                if not problem.again:
                    raise
                for look in range(_LOOKS):
                    await asyncio.sleep(_wait_s(look + 1))
                    if found := await self._patiently(lambda: self._service.find(job.name, job.begun_s)):
                        return found
                if tries >= _LOOKS:
                    raise

    def _follow(self, notes: JobNotes, job: NotedJob, asked: Sequence[_Batched]) -> None:
        self._following[job.id] = len(asked)
        self._begin(self._followed(notes, job, asked))

    async def _followed(self, notes: JobNotes, job: NotedJob, asked: Sequence[_Batched]) -> None:
        digests = {question.prompted.digest for question in asked}
        try:
            ended = await self._ended(job)
            outcomes = await self._patiently(lambda: self._service.replies(ended, digests))
            without = [digest for digest in digests if not isinstance(outcomes.get(digest), ModelAnswer)]
            notes.forget(job.name, without)
        except JobGone as problem:
            notes.forget(job.name, list(digests))  # or nobody could ever ask them again
            self._following.pop(job.id)
            _fail(asked, CallFailed(f"batch job {job.id}: {problem.sentence}; --resume asks again", again=False))
            return
        except CallFailed as problem:
            final = _final(problem)
            _fail(asked, CallFailed(f"batch job {job.id}: {final.sentence}", again=False, quota=final.quota))
            return
        except Exception as problem:
            told = f"the replies of the batch job {job.id} cannot be taken ({type(problem).__name__}: {problem})"
            _fail(asked, CallFailed(told, again=False, quota=True))
            return
        self._following.pop(job.id)
        if ended.status != "completed" or without:
            came = f"{len(asked) - len(without)} of {len(asked)} questions have their replies"
            self._tell(f"The batch job {job.id} is {ended.status}: {came}.")
        stopped = ended.problem
        if ended.status == "cancelled":
            stopped = CallFailed(f"the batch job {job.id} was cancelled", again=False, quota=True)
        again = [q for q in asked if _is_asked_again(q, outcomes.get(q.prompted.digest) or _NOT_THERE, stopped)]
        if again:
            self._add(again)

    async def _ended(self, job: NotedJob) -> BatchJob:
        """The job when it has ended."""
        looks = 0
        while True:
            state = await self._patiently(lambda: self._service.state(job.id))
            if state.status in ENDED:
                return state
            hours = self._service.hours + _PATIENCE_H
            if time.time() - job.begun_s > hours * 3600.0:
                raise CallFailed(f"has not ended within {hours} hours", again=False, quota=True)
            looks += 1
            await asyncio.sleep(_wait_s(looks))

    async def _patiently(self, ask: Callable[[], Awaitable[Result]]) -> Result:
        """A request that may be repeated, until it succeeds or no further try makes sense."""
        tries = 0
        while True:
            tries += 1
            try:
                return await ask()
            except CallFailed as problem:
                if not problem.again or tries >= _TRIES:
                    raise
                await asyncio.sleep(min(max(_wait_s(tries), problem.after_s or 0.0), _LONGEST_S))

    def _cost(self, questions: Sequence[_Batched], jobs: int) -> str:
        size = sum(len(question.prompted.prompt.encode("utf-8", "surrogatepass")) for question in questions)
        price = _HALF.get(self._host(), "what it charges for batches is not known here")
        count = "1 question" if len(questions) == 1 else f"{len(questions):,} questions"
        sent = "1 batch job" if jobs == 1 else f"{jobs} batch jobs"
        tokens = -(-size // _BYTES_A_TOKEN)
        hours = self._service.hours
        return f"{count} (about {tokens:,} tokens) go to {self._host()} as {sent}, for up to {hours} hours; {price}."

    def _host(self) -> str:
        return urlsplit(self._backend.endpoint).hostname or ""


def _parts(questions: Sequence[tuple[_Batched, bytes]]) -> Iterator[list[tuple[_Batched, bytes]]]:
    """Questions divided into jobs: of one model each, as the protocol asks, and of a bounded size."""
    by_model: dict[str, list[tuple[_Batched, bytes]]] = defaultdict(list)
    for question, line in questions:
        by_model[question.prompted.model].append((question, line))
    for of_model in by_model.values():
        part: list[tuple[_Batched, bytes]] = []
        size = 0
        for question, line in of_model:
            if part and (len(part) >= MOST_REQUESTS or size + len(line) > _MOST_BYTES):
                yield part
                part, size = [], 0
            part.append((question, line))
            size += len(line) + 1
        yield part


_NOT_THERE = CallFailed("no reply in the batch job", again=True)


def _is_asked_again(question: _Batched, outcome: ModelAnswer | CallFailed, stopped: CallFailed | None) -> bool:
    """Whether a question belongs into a further job; else it has its answer, or its failure."""
    question.jobs += 1
    if question.answer.done():
        return False
    if isinstance(outcome, ModelAnswer):
        question.answer.set_result(outcome)
        return False
    if stopped is None and outcome.again and question.jobs < _MOST_JOBS:
        return True
    jobs = f" (in {question.jobs} batch jobs)" if question.jobs > 1 else ""
    failed = stopped or CallFailed(f"{outcome.sentence}{jobs}", again=False, quota=outcome.quota)
    question.answer.set_exception(failed)
    return False


def _final(problem: CallFailed) -> CallFailed:
    """The failure after all tries: where another run may have more luck, the questions wait for that."""
    return CallFailed(problem.sentence, again=False, quota=problem.quota or problem.again)


def _fail(questions: Sequence[_Batched], problem: CallFailed) -> None:
    for question in questions:
        if not question.answer.done():
            question.answer.set_exception(problem)


def _wait_s(times: int) -> float:
    return min(_FIRST_S * _FACTOR ** min(times - 1, 30), _LONGEST_S)
