"""pydantic-evals: `pydantic-evals`, data sets of cases, and reports of what a task gave with what was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.trace.trace import Agent, Event, Steps, Trace, Turn, Usage
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import ABSENT
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Provenance, Status
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, Report, count_of, or_null
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.eval_tools.pydantic_evals.evaluators import (
    as_words,
    computed_of,
    evaluators_in,
    expected_of,
)
from trace_inspector.formats.writing.unique_names import UniqueNames

_AUTHOR = "task"
_OF_A_CASE = ("name", "inputs", "expected_output", "evaluators")
_OF_A_RESULT = (
    "name", "inputs", "expected_output", "output", "scores", "labels", "assertions", "task_duration",
    "evaluator_failures", "source_case_name", "error_message",
)  # fmt: skip
_RESULTS = ("output", "scores", "assertions", "labels", "error_message")


def read(source: Source) -> Iterator[Item]:
    """The cases of a data set, or each case of a report as a conversation of one turn."""
    report, counts = Report(), RecordCounts()
    root = Fields(source.value if isinstance(source.value, dict) else {}, "")
    name = root.text("dataset_name") or root.text("name") or source.stem or "pydantic-evals"
    cases = report.bounded(root, "cases")
    failures = report.bounded(root, "failures")
    if failures or any(key in case.value for case in cases for key in _RESULTS):
        yield from _results(root, [*cases, *failures], name, counts, source)
    else:
        yield _suite(root, cases, name, counts)
    yield counts.finding()
    yield from report.drain()


def _suite(root: Fields, cases: list[Fields], name: str, counts: RecordCounts) -> Suite:
    names = UniqueNames([], "case")
    of_all = list(evaluators_in(root))
    goldens = []
    for number, case in enumerate(cases, 1):
        evaluators = [*evaluators_in(case), *of_all]
        expected = expected_of(evaluators, case)
        turn = Turn(
            0,
            user=_words(case, "inputs"),
            final_response=_words(case, "expected_output") or None,
            expectations=expected.of_the_turn,
            place=case.place,
        )
        goldens.append(
            Case(
                names.take(case.text("name") or f"case {number}", case.place),
                name,
                turns=(turn,),
                expectations=expected.of_the_case,
                extras=(*stated_extras(case, *_OF_A_CASE), *expected.shown),
                place=case.place,
            )
        )
        counts.understood(1 + len(evaluators))
    return Suite(name, cases=tuple(goldens), extras=stated_extras(root, "name", "cases", "evaluators"))


def _results(root: Fields, cases: list[Fields], suite: str, counts: RecordCounts, source: Source) -> Iterator[Item]:
    candidate = root.text("name") or ""
    names = UniqueNames([], "case")
    runs = Counter(_case_id(case, number) for number, case in enumerate(cases, 1))
    repeats: Counter[str] = Counter()
    goldens: dict[str, Case] = {}
    for number, case in enumerate(cases, 1):
        source.tick()
        case_id = _case_id(case, number)
        trace_id = names.take(case.text("name") or case_id, case.place)
        metrics = tuple(_metrics(case))
        yield Trace(
            trace_id,
            agents=(Agent(_AUTHOR),),
            case_id=case_id,
            suite_id=suite,
            candidate=candidate,
            case_runs=runs[case_id],
            extras=stated_extras(case, *_OF_A_RESULT),
            criteria=computed_of(_named(case, "assertions"), case),
            place=case.place,
        )
        yield _turn(case)
        yield CaseVerdict(
            case_id,
            suite,
            trace_id,
            _status(case, metrics),
            metrics,
            reason=case.text("error_message") or "",
            golden_place=case.place,
            trace_place=case.place,
            candidate=candidate,
            repeat=repeats[case_id],
            provenance=Provenance.REPORTED,
        )
        repeats[case_id] += 1
        if case_id not in goldens:
            expected = _words(case, "expected_output")
            turn = Turn(0, user=_words(case, "inputs"), final_response=expected or None, place=case.place)
            goldens[case_id] = Case(case_id, suite, turns=(turn,), place=case.place)
        counts.understood(1 + len(metrics))
    yield Suite(suite, cases=tuple(goldens.values()))


def _case_id(case: Fields, number: int) -> str:
    """The case, which of several runs only the first name states."""
    return case.text("source_case_name") or case.text("name") or f"case {number}"


def _turn(case: Fields) -> Turn:
    answer = _words(case, "output")
    error = case.text("error_message")
    metrics = case.object("metrics") or Fields({}, "")
    usage = Usage(prompt=count_of(metrics.get("input_tokens")), candidates=count_of(metrics.get("output_tokens")))
    event = Event(
        _AUTHOR, (), "model", usage=usage if usage != Usage() else None, error=error,
        extras=tuple(Extra(name, value, metrics.pointer(name)) for name, value in metrics.value.items()),
        place=case.place,
    )  # fmt: skip
    return Turn(
        index=0,
        user=_words(case, "inputs"),
        events=(event,) if event.usage is not None or error or event.extras else (),
        final_response=answer or None,
        final_author=_AUTHOR if answer else "",
        steps=Steps.ABSENT,
        duration_s=case.number("task_duration"),
        place=case.place,
    )


def _words(owner: Fields, name: str) -> tuple[Text, ...]:
    value = or_null(owner.get(name))
    return () if value in (None, "") else (Text(as_words(value), owner.pointer(name)),)


def _named(case: Fields, name: str) -> list[Fields]:
    held = case.object(name) or Fields({}, "")
    return [inner for key in held.value if (inner := held.object(key)) is not None]


def _metrics(case: Fields) -> Iterator[MetricVerdict]:
    """Assertions pass or fail, scores inform, labels are words; an evaluator that broke is an error."""
    for stated in _named(case, "assertions"):
        held = stated.get("value")
        status = Status.PASSED if held is True else Status.FAILED if held is False else Status.NOT_EVALUATED
        yield _metric(stated, status, float(held) if isinstance(held, bool) else None)
    for stated in _named(case, "scores"):
        yield _metric(stated, Status.INFORMATIONAL, stated.number("value"))
    for stated in _named(case, "labels"):
        yield _metric(stated, Status.NOT_EVALUATED, None, stated.text("value") or "")
    for failure in case.objects("evaluator_failures"):
        reason = failure.text("error_message") or ""
        name = failure.text("name") or "evaluator"
        yield MetricVerdict(name, None, Status.ERROR, reason=reason, provenance=Provenance.REPORTED)


def _metric(stated: Fields, status: Status, score: float | None, label: str = "") -> MetricVerdict:
    reason = "; ".join(words for words in (label, stated.text("reason")) if words)
    native = stated.get("value")
    return MetricVerdict(
        stated.text("name") or "evaluator",
        score,
        status,
        reason=reason,
        provenance=Provenance.REPORTED,
        native=native if isinstance(native, bool | str) else ABSENT,
    )


def _status(case: Fields, metrics: tuple[MetricVerdict, ...]) -> Status:
    """A case without assertions is not decided; one whose task or evaluator broke has an error."""
    told = [metric.status for metric in metrics]
    if case.text("error_message") is not None:
        return Status.ERROR
    order = (Status.FAILED, Status.ERROR, Status.PASSED, Status.INFORMATIONAL)
    return next((status for status in order if status in told), Status.NOT_EVALUATED)


IMPLEMENTATION = Implementation(read=read)
