"""Terminal-Bench: `terminal-bench`, the results of a run, or of one trial: what was asked, what the tests found.

The keys are those of harness/models.py of laude-institute/terminal-bench, Apache-2.0. What the agent did is not in
them: it stands in files beside, some of which are trajectories of ATIF.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from trace_inspector.core.finding import warning
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.trace.trace import Agent, Event, Trace, Turn, Usage
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT
from trace_inspector.core.verdict.verdict import CaseVerdict, ExpectationVerdict, MetricVerdict, Provenance, Status
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, Report, count_of, or_null
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.times import seconds_of
from trace_inspector.formats.writing.unique_names import UniqueNames

_OF_A_TRIAL = (
    "id", "uuid", "trial_name", "task_id", "instruction", "is_resolved", "failure_mode", "parser_results",
    "total_input_tokens", "total_output_tokens", "agent_started_at", "agent_ended_at",
)  # fmt: skip
_LISTS = ("results", "resolved_ids", "unresolved_ids")
_NO_FAILURE = ("unset", "none")
_RESOLVED = {True: Status.PASSED, False: Status.FAILED}
_TESTS = {"passed": Status.PASSED, "failed": Status.FAILED}


def read(source: Source) -> Iterator[Item]:
    """Each trial as a conversation of one turn with its verdict, each task as a case."""
    report, counts = Report(), RecordCounts()
    whole = Fields(source.value if isinstance(source.value, dict) else {}, "")
    trials = report.bounded(whole, "results") if isinstance(whole.get("results"), list) else [whole]
    suite, names = source.stem or "terminal-bench", UniqueNames([], "trial")
    runs = Counter(trial.text("task_id") for trial in trials)
    repeats: Counter[str] = Counter()
    goldens: dict[str, Case] = {}
    resolved = 0
    for number, trial in enumerate(trials, 1):
        source.tick()
        task = trial.text("task_id")
        if task is None:
            counts.unknown("trial without a task", trial.place)
            continue
        counts.understood()
        identity = names.take(trial.text("trial_name") or f"{task} {number}", trial.place)
        yield Trace(
            identity,
            agents=(Agent("agent"),),
            case_id=task,
            suite_id=suite,
            case_runs=runs[task],
            extras=stated_extras(trial, *_OF_A_TRIAL),
            place=trial.place,
        )
        yield _turn(trial)
        yield _verdict(trial, task, suite, identity, repeats[task])
        repeats[task] += 1
        resolved += trial.value.get("is_resolved") is True
        asked = Turn(0, user=_asked(trial), place=trial.place)
        goldens.setdefault(task, Case(task, suite, turns=(asked,), place=trial.place))
    stated = count_of(whole.get("n_resolved"))
    if stated is not None and stated != resolved:
        message = f"The file states {stated:,} resolved trials; of those in it {resolved:,} are."
        report.add(warning("counts-differ", message, whole.pointer("n_resolved")))
    extras = stated_extras(whole, *_LISTS) if trials != [whole] else ()
    yield Suite(suite, cases=tuple(goldens.values()), extras=extras, place=whole.place)
    yield counts.finding()
    yield from report.drain()


def _asked(trial: Fields) -> tuple[Text, ...]:
    words = trial.text("instruction")
    return (Text(words, trial.pointer("instruction")),) if words else ()


def _turn(trial: Fields) -> Turn:
    """What was asked, and the tokens of all that the agent did."""
    prompt, answer = (count_of(trial.get(name)) for name in ("total_input_tokens", "total_output_tokens"))
    started, ended = (seconds_of(or_null(trial.get(name))) for name in ("agent_started_at", "agent_ended_at"))
    # An agent that reports no tokens has 0 of them there.
    used = Usage(prompt=prompt, candidates=answer) if prompt or answer else None
    return Turn(
        index=0,
        user=_asked(trial),
        events=(Event("agent", role="model", usage=used, place=trial.place),) if used is not None else (),
        start_s=started,
        duration_s=ended - started if started is not None and ended is not None and ended >= started else None,
        place=trial.place,
    )


def _verdict(trial: Fields, task: str, suite: str, identity: str, repeat: int) -> CaseVerdict:
    stated = trial.get("is_resolved")
    status = _RESOLVED[stated] if isinstance(stated, bool) else Status.NOT_EVALUATED
    failure = trial.text("failure_mode") or ""
    tests = trial.object("parser_results") or Fields({}, trial.place)
    found = tuple(
        ExpectationVerdict(
            name, _TESTS.get(str(word), Status.NOT_EVALUATED), native=word, place=join(tests.place, name)
        )
        for name, word in tests.value.items()
    )
    passed = sum(one.status is Status.PASSED for one in found)
    metric = MetricVerdict(
        metric="tests",
        score=passed / len(found) if found else None,
        status=status,
        reason=f"{passed} of {len(found)} tests passed" if found else "no tests are reported",
        provenance=Provenance.REPORTED,
        expectations=found,
        native=stated if isinstance(stated, bool) else ABSENT,
    )
    return CaseVerdict(
        case_id=task,
        suite_id=suite,
        trace_id=identity,
        status=status,
        metrics=(metric,),
        reason="" if failure in ("", *_NO_FAILURE) else failure.replace("_", " "),
        golden_place=trial.place,
        trace_place=trial.place,
        repeat=repeat,
        native=stated if isinstance(stated, bool) else ABSENT,
        provenance=Provenance.REPORTED,
    )


IMPLEMENTATION = Implementation(read=read)
