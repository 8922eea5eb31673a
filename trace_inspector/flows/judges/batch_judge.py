"""`--on batch`: a judge that is asked by batch jobs instead of single calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from trace_inspector.core.errors import UsageError
from trace_inspector.engine.judges.backends.backend import Backend
from trace_inspector.engine.judges.backends.batch import MOST_REQUESTS, BatchBackend, NotedJob
from trace_inspector.engine.judges.backends.batch_interface import BatchInterface
from trace_inspector.engine.judges.backends.gemini import GeminiBackend
from trace_inspector.engine.judges.backends.openai import OpenAIBackend
from trace_inspector.engine.scoring.metric import CLASSIFIER, SERVICE
from trace_inspector.flows.judges.judge_files import AnyJudge, LiveChoice, Make
from trace_inspector.settings import ready_data_folder
from trace_inspector.store.batch_jobs import StoredJobs

_LONGEST_S = 7 * 86_400.0  # of one question, with the jobs that follow when its first one expires
_NO_JUDGE = "--on batch: there is no judge to ask. Name one with --judge gemini:MODEL or openai:MODEL."
_OTHERS = (
    "--on batch asks only judges of gemini:MODEL and openai:MODEL. Leave out --on batch to ask this judge by "
    "single calls."
)
_UNSTORED = "--on batch finds replies again by what is stored; leave out --no-cache."
_NO_SERVICE = "Vertex AI’s evaluation service has no batch files; leave out --on batch"


class _JobsOnDisk:
    """The stored jobs, as the judge notes them."""

    def __init__(self) -> None:
        jobs = StoredJobs(ready_data_folder())
        self._jobs = jobs
        self.created, self.forget, self.forget_stored = jobs.created, jobs.forget, jobs.forget_stored
        self.taken, self.release, self.close = jobs.taken, jobs.release, jobs.close

    def under_way(self, digests: Sequence[str]) -> list[tuple[NotedJob, list[str]]]:
        return [(NotedJob(*job), found) for job, found in self._jobs.under_way(digests)]

    def intend(self, job: NotedJob, digests: Sequence[str], asked_s: float) -> None:
        self._jobs.intend(job.name, job.begun_s, digests, asked_s)


def in_batches(judge: AnyJudge | None, tell: Callable[[str], None]) -> LiveChoice:
    """The same judge asked by batch jobs; UsageError for one that has none."""
    if not isinstance(judge, LiveChoice):
        raise UsageError(_NO_JUDGE)
    if not judge.keeps:
        raise UsageError(_UNSTORED)
    backends = dict(judge.backends)
    without = dict(judge.without)
    if backends.pop(SERVICE, None):
        without[SERVICE] = _NO_SERVICE
    batched = {who: make if who == CLASSIFIER else _batched(make, tell) for who, make in backends.items()}
    if not batched.keys() - {CLASSIFIER}:
        raise UsageError(_NO_JUDGE)
    patience = replace(judge.use.patience, call_s=_LONGEST_S)
    use = replace(judge.use, in_flight=MOST_REQUESTS, patience=patience)
    return replace(judge, backends=batched, use=use, without=without, batch=True)


def _batched(make: Make, tell: Callable[[str], None]) -> Make:
    _interface(make())  # raises here, before anything begins

    def made() -> BatchBackend:
        backend = make()
        return BatchBackend(backend, _interface(backend), _JobsOnDisk, tell)

    return made


def _interface(backend: Backend) -> BatchInterface:
    """The batch interface beside a judge."""
    if isinstance(backend, GeminiBackend):
        from trace_inspector.engine.judges.backends.gemini_batch import GeminiBatches

        return GeminiBatches(backend)
    if isinstance(backend, OpenAIBackend):
        from trace_inspector.engine.judges.backends.openai_batch import OpenAIBatches

        return OpenAIBatches(backend)
    raise UsageError(_OTHERS)
