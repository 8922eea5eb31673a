"""What a metric is: one pure function over paired turns, with its description."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

from msgspec import Struct, field

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.core.values.values import JsonObject
from trace_inspector.core.verdict.verdict import MetricVerdict
from trace_inspector.engine.scoring.cannot_judge import CannotJudge as CannotJudge  # noqa: PLC0414 — part of what a metric is

if TYPE_CHECKING:
    from pydantic import BaseModel

    from trace_inspector.core.verdict.parting import Parting


class PairedTurn(Struct, frozen=True):
    """One row of a case: a golden turn and the observed turn it is compared with; None where a side has none."""

    golden: Turn | None
    observed: Turn | None


class Subject(Struct, frozen=True):
    """What a metric judges: a case against a trace, turn by turn. `rules` is "" for our own, or a name in RULES.

    `one_by_one` asks a judge strictly in ADK's order instead of as much at once as is known. `criteria` are all that
    the case is judged by, `answers` who of ANSWERING is there to be asked. `earlier` are the results of other
    criteria, for metrics that are judged after them. `in_two`: a second process may share the work.
    """

    turns: tuple[PairedTurn, ...]
    trace: Trace
    case: Case | None = None
    rules: str = ""
    one_by_one: bool = False
    criteria: tuple[Criterion, ...] = ()
    answers: frozenset[str] = frozenset()
    earlier: tuple[Judged, ...] = ()
    in_two: bool = False


class Judged(Struct, frozen=True):
    """The result of a metric: for the whole subject, and for each paired turn in order (None: no verdict)."""

    overall: MetricVerdict
    turns: tuple[MetricVerdict | None, ...]


# Who is asked, and needed: any model as a judge, Vertex AI's evaluation service, or a classifier in a folder.
MODEL = "judge"
SERVICE = "Vertex service"
CLASSIFIER = "grounding model"
NO_CLASSIFIER = "no grounding model: name the folder of one with --grounding-model FOLDER"
ANSWERING = frozenset({MODEL, SERVICE, CLASSIFIER})


class Ask(Struct, frozen=True):
    """One question to a judge. The fields are what stands in the prompt, by name, in our order.

    To the service the prompt is the body of the request, to a classifier the fields as JSON. `endpoint` is the one
    that a criterion asks for; it is used only if the user allowed it.
    """

    metric: str
    case_id: str
    turn: int
    sample: int
    model: str
    prompt: str
    fields: tuple[tuple[str, str], ...] = ()
    parameters: JsonObject = field(default_factory=dict)  # the model's own, as the criterion states them
    of: str = MODEL
    endpoint: str = ""


class Reply(Struct, frozen=True):
    """A judge's reply. `failure` is the reason where there is none; an empty text is a reply without content.

    `kept_s` is the time of a reply that comes from the cache, `digest` its key there.
    """

    text: str = ""
    failure: str = ""
    kept_s: float | None = None
    digest: str = ""


class Judge(Protocol):
    """Answers questions. `name` is for people to read; picklable for another process."""

    @property
    def name(self) -> str: ...

    def ask(self, question: Ask) -> Reply: ...


SPANS = "spans"  # what a metric reads that wants those of turns kept for it

# A judged metric yields rounds of questions, is sent their replies in the same order, and returns its verdicts.
Said = TypeVar("Said")
Rounds: TypeAlias = Generator[tuple[Ask, ...], tuple[Reply, ...], Said]
Inquiry: TypeAlias = Rounds[Judged]


class Method(Struct, frozen=True):
    """What a metric's file does. `judge` receives the subject and the criterion; it never reads files or clocks."""

    judge: Callable[[Subject, Criterion], Judged | Inquiry]
    parameters: type[BaseModel] | None = None  # its options, with their defaults
    check: Callable[[Criterion], object] | None = None  # raises CannotJudge for a criterion it cannot work with
    model: Callable[[], type[BaseModel]] | None = None  # instead of `parameters`, where few runs need them
    partings: Callable[[Subject, Criterion], list[Parting]] | None = None  # where a turn that runs cannot be right


class Metric(Struct, frozen=True):
    """One row of METRICS: all about a metric that is known without importing its code, which `load` does."""

    name: str
    title: str  # a short column title: "Calls"
    family: str  # the system whose metric it is, or "local"
    meaning: str
    load: Callable[[], Method]
    range: tuple[float, float] | None = (0.0, 1.0)
    better: str = "higher"  # "higher", "lower" or "" where neither is
    needs: frozenset[str] = frozenset()  # "golden", "scenario" or of ANSWERING
    uses: frozenset[str] = frozenset()  # of ANSWERING: asked where available
    after_others: bool = False  # it reads what the other criteria came to
    reads: tuple[str, ...] = ()  # in words: "tool calls", "final answer"
    default_threshold: float | None = None
    informational: bool = False
    named_only: bool = False  # no part of a run that does not name it, though it is informational
    has_parts: bool = False  # a run may have several of it, each named behind a colon: "vertex_rubrics:tone"
    version: int = 1  # one more whenever the same answers get other scores: those cannot be compared
    any_option: bool = False  # it makes of the options what it likes: none is unknown
    same_count: bool = True  # ADK refuses this metric when golden and trace have unequally many turns

    @property
    def asks(self) -> frozenset[str]:
        """Whom it may have questions for."""
        return (self.needs | self.uses) & ANSWERING

    @property
    def judge(self) -> Callable[[Subject, Criterion], Judged | Inquiry]:
        """Judge a subject by a criterion."""
        return self.load().judge

    @property
    def partings(self) -> Callable[[Subject, Criterion], list[Parting]] | None:
        """Where turns that still run cannot come right by a criterion any more; None where it cannot tell."""
        return self.load().partings

    @property
    def parameters(self) -> type[BaseModel] | None:
        """The model of its options, where it has any."""
        method = self.load()
        return method.model() if method.model else method.parameters

    @property
    def check(self) -> Callable[[Criterion], object] | None:
        """What refuses a criterion that it cannot work with."""
        return self.load().check

    @property
    def options(self) -> tuple[str, ...]:
        """The names of the options it understands."""
        parameters = self.parameters
        return tuple(parameters.model_fields) if parameters else ()


class MetricTable(tuple[Metric, ...]):
    """Metrics, and where others are looked for: those that a person's command or another distribution adds."""

    __slots__ = ()

    def added(self, _name: str, /) -> Metric | None:
        """The added metric of a name that none of the table has; here there is none."""
        return None


def metric_for(name: str, metrics: Iterable[Metric]) -> Metric | None:
    """The metric for a criterion of this name; what follows a colon is for the metric itself."""
    whole = name.partition(":")[0]
    for metric in metrics:
        if metric.name == name or (metric.has_parts and metric.name == whole):
            return metric
    return metrics.added(name) if isinstance(metrics, MetricTable) else None
