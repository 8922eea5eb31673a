"""Verdicts: of metrics, turns, cases and runs, and how they compose."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field

from trace_inspector.core.alignment.turn_alignment import CallPair
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject

# Of a run with more, nothing is made that needs all of them at once: tables, reports, repeats.
MANY_CASES = 100_000


class Status(enum.Enum):
    """What was decided. Only PASSED is green."""

    PASSED = "PASSED"
    FAILED = "FAILED"
    NOT_EVALUATED = "NOT_EVALUATED"
    INFORMATIONAL = "INFORMATIONAL"
    SKIPPED = "SKIPPED"
    ERROR = "ERROR"
    PENDING = "PENDING"


class Provenance(enum.Enum):
    """Who says so."""

    REPORTED = "reported"
    RECOMPUTED = "recomputed"
    DERIVED = "derived"
    HUMAN = "human"


class SentenceSupport(enum.Enum):
    """How far one sentence of an answer is supported by what was known when it was given."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    CONTRADICTORY = "contradictory"
    DISPUTED = "disputed"
    NOT_APPLICABLE = "not_applicable"
    CANNOT_TELL = "cannot_tell"  # whoever judged cannot know: it counts neither for nor against the answer


class Sentence(Struct, frozen=True):
    """A sentence of the answer (character offsets into it), its support, and the excerpt that this rests on."""

    start: int
    end: int
    support: SentenceSupport
    reason: str
    excerpt: str = ""
    source: str = ""  # in words: "search_places result", "the user's words"
    place: str = ""  # the pointer of the source


class Overruled(Struct, frozen=True):
    """The status before a person overruled it, of this verdict or of one that it `follows`."""

    status: Status
    note: str = ""
    at_s: float | None = None
    follows: bool = False


class RubricVerdict(Struct, frozen=True):
    """One rubric: score 1.0 yes, 0.0 no, None undecided; votes in sampling order."""

    rubric_id: str
    score: float | None
    rationale: str = ""
    text: str = ""
    votes: tuple[float | None, ...] = ()


class ExpectationVerdict(Struct, frozen=True):
    """One expectation and how it came out. What nobody expected has no golden place and is `extra`."""

    what: str  # in words: "call find_table", "answer"
    status: Status
    score: float | None = None
    reason: str = ""
    extra: bool = False
    figures: tuple[tuple[str, float | None], ...] = ()
    native: Json | Absent = ABSENT  # the status in the file's own word or number, when it is reported
    place: str = ""  # of what was observed, or of the outcome that is reported
    golden_place: str = ""


class MetricVerdict(Struct, frozen=True):
    """One metric on one turn or one case."""

    metric: str
    score: float | None
    status: Status
    threshold: float | None = None
    reason: str = ""
    provenance: Provenance = Provenance.RECOMPUTED
    sentences: tuple[Sentence, ...] = ()
    calls: tuple[CallPair, ...] = ()
    rubrics: tuple[RubricVerdict, ...] = ()
    has_rubrics: bool = False  # for google-adk they are part of it, though there may be none
    expectations: tuple[ExpectationVerdict, ...] = ()
    votes: tuple[float | None, ...] = ()  # of a judge, in sampling order; None could not be read
    replies: tuple[str, ...] = ()  # the digests of the judge's replies, where they are kept
    kept_s: float | None = None  # when the oldest reply was given that an earlier run kept
    figures: tuple[tuple[str, float | None], ...] = ()  # named parts of the score, e.g. token kinds
    crashed: bool = False  # the metric itself broke; under ADK's rules that hides behind NOT_EVALUATED
    native: Json | Absent = ABSENT  # the status in the file's own word or number, when it is reported
    overruled: Overruled | None = None
    stated_version: int = 0  # of the metric, where it is not the first
    by: str = ""  # who said it, where a file tells which person did

    @property
    def version(self) -> int:
        """The version of the metric that gave the score; scores of different versions are not comparable."""
        return self.stated_version or 1

    @property
    def full_name(self) -> str:
        """The name of the metric, with its version from the second on."""
        return self.metric if self.version == 1 else f"{self.metric} (version {self.version})"


class TurnVerdict(Struct, frozen=True):
    """One observed turn against its golden turn. A missing turn has no index, an extra one no golden index."""

    index: int | None
    golden_index: int | None
    status: Status
    metrics: tuple[MetricVerdict, ...] = ()
    reason: str = ""
    provenance: Provenance = Provenance.RECOMPUTED
    extras: tuple[Extra, ...] = ()
    overruled: Overruled | None = None


class CaseVerdict(Struct, frozen=True):
    """One case against one trace. `trace_id` None: the golden found no trace; `paired_by` says why they belong."""

    case_id: str
    suite_id: str
    trace_id: str | None
    status: Status
    metrics: tuple[MetricVerdict, ...] = ()
    turns: tuple[TurnVerdict, ...] = ()
    missing_turns: tuple[int, ...] = ()
    extra_turns: tuple[int, ...] = ()
    unjudged_turns: int = 0  # how many more a file tells of, of which it reports nothing
    hides: tuple[str, ...] = ()
    paired_by: str = ""
    reason: str = ""
    # Where both sides stand, so that reports and the window find them again.
    golden_path: str = ""
    golden_place: str = ""
    golden_digest: str = ""  # of what it demands, where a file tells it
    trace_path: str = ""
    trace_place: str = ""
    session_id: str | None = None
    repeat: int = 0  # of several runs of the case in one file, which one, counted from 0
    native: Json | Absent = ABSENT  # the status in the file's own word or number, when it is reported
    provenance: Provenance = Provenance.RECOMPUTED  # of the status; DERIVED where a file states the parts alone
    candidate: str = ""
    persona: str = ""
    extras: tuple[Extra, ...] = ()
    overruled: Overruled | None = None
    # Metric, threshold, options: by what it was judged, where that is not the same for all cases of the run.
    criteria: tuple[tuple[str, float | None, JsonObject], ...] = ()


class RunVerdict(Struct, frozen=True):
    """One evaluation of traces against goldens."""

    id: str
    status: Status
    started_s: float
    rules: str
    criteria_source: str
    cases: Sequence[CaseVerdict] = ()  # of a large run they may lie on the disk: read each once
    criteria: tuple[tuple[str, float | None, JsonObject], ...] = ()  # metric, threshold, options
    unpaired_traces: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    stopped: bool = False
    asked_for: frozenset[str] = field(default_factory=frozenset)
    files_apart: bool = False  # traces of a case in several files are not its repeats


def compose(statuses: Iterable[Status]) -> Status:
    """Any FAILED fails; else any ERROR; what is PENDING may fail yet; else any PASSED passes; else nothing was."""
    seen = set(statuses)
    decisive = (Status.FAILED, Status.ERROR, Status.PENDING, Status.PASSED)
    return next((status for status in decisive if status in seen), Status.NOT_EVALUATED)


def against(score: float | None, threshold: float | None) -> Status:
    """The status of a score: none at all is not evaluated, never passed."""
    if score is None or threshold is None:
        return Status.NOT_EVALUATED
    return Status.PASSED if score >= threshold else Status.FAILED


def unpaired(turn: TurnVerdict) -> str:
    """What a turn failed by that only one side has: it is missing or extra; "" for all others."""
    if turn.status is not Status.FAILED or (turn.index is None) is (turn.golden_index is None):
        return ""
    return "missing" if turn.index is None else "extra"


def unpaired_turns(case: CaseVerdict) -> str:
    """How many turns a case failed by because only one side has them: “1 turn missing, 2 turns extra”."""
    found = [unpaired(turn) for turn in case.turns] if case.status is Status.FAILED else []
    counts = ((found.count(word), word) for word in ("missing", "extra"))
    return ", ".join(f"{count} {'turn' if count == 1 else 'turns'} {word}" for count, word in counts if count)


def hidden_by(metrics: Iterable[MetricVerdict]) -> tuple[str, ...]:
    """What a composed verdict does not show, in sentences: criteria that could not run, and parts left undecided."""
    judged = list(metrics)
    silent = [verdict for verdict in judged if verdict.status in (Status.NOT_EVALUATED, Status.ERROR)]
    parts = tuple(_undecided_parts(judged))
    if not silent:
        return parts
    passed = sum(verdict.status is Status.PASSED for verdict in judged)
    head = (
        f"passed on {passed} {_metrics(passed)}; {len(silent)} could not run"
        if passed
        else f"{len(silent)} could not run"
    )
    return (head, *(f"{verdict.metric}: {verdict.reason or 'no score'}" for verdict in silent), *parts)


def _undecided_parts(metrics: Iterable[MetricVerdict]) -> Iterator[str]:
    for verdict in metrics:
        undecided = [part for part in verdict.expectations if part.status is Status.NOT_EVALUATED]
        if verdict.status is Status.PASSED and undecided:
            yield (
                f"{verdict.metric}: {len(undecided)} of {len(verdict.expectations)} expectations undecided; "
                f"{undecided[0].what}: {undecided[0].reason or 'no verdict'}"
            )


def _metrics(count: int) -> str:
    return "metric" if count == 1 else "metrics"
