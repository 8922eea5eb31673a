"""Small conversations and goldens, put into a workspace the way a child tells of them, without a child."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import collect
from trace_inspector.core.rows.row_writer import RowWriter
from trace_inspector.core.rows.rows import Kind, RowBatch
from trace_inspector.core.trace.parts import Text, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Event, Span, SpanKind, Steps, Trace, Turn, Usage
from trace_inspector.core.verdict.verdict import CaseVerdict, RunVerdict
from trace_inspector.engine.metrics import METRICS
from trace_inspector.flows.runs.evaluate_files import Given, Request, evaluate
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.row_table import TOP, RowTable
from trace_inspector.models.evaluation.current_run import CurrentRun
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.work.reading import file_messages
from trace_inspector.work.runs.evaluating import CasesJudged, MetricLine, RunEnded, RunPlanned

TRACES, GOLDENS = "/made/traces.json", "/made/goldens.json"

Item = Suite | Trace | Turn


def call(name: str, **args: str | int) -> ToolCall:
    """A call with arguments."""
    return ToolCall(name, dict(args), f"{name}-{sorted(args.items())}")


def turn(index: int, asked: str, *calls: ToolCall, answer: str = "Done.", spans: int = 0) -> Turn:
    """A turn of ten seconds in which each call takes one."""
    start_s = 1000.0 + 10 * index
    events = []
    for at, made in enumerate(calls):
        events.append(Event("helper_agent", (made,), usage=Usage(100, candidates=10), time_s=start_s + at))
        result = ToolResult(made.name, {"ok": True}, made.call_id)
        events.append(Event("helper_agent", (result,), time_s=start_s + at, duration_s=1.0))
    plumbing = tuple(Span(f"{index}-{at}", "POST", SpanKind.PLUMBING) for at in range(spans))
    return Turn(
        index,
        user=(Text(asked),),
        events=tuple(events),
        final_response=(Text(answer),),
        final_author="helper_agent",
        steps=Steps.EVENTS,
        start_s=start_s,
        duration_s=10.0,
        spans=plumbing,
    )


def trace(name: str, *turns: Turn) -> Trace:
    """A recorded conversation that knows its case."""
    return Trace(name, turns, case_id=name, place=f"/{name}")


def golden(*cases: tuple[str, tuple[Turn, ...]]) -> Suite:
    """A suite of scripted cases."""
    return Suite("suite", cases=tuple(Case(name, "suite", turns, place=f"/{name}") for name, turns in cases))


def batches(*items: Item, size: int = 10_000) -> Iterator[RowBatch]:
    """The rows of these items."""
    writer = RowWriter()
    for item in items:
        for _step in writer.steps(item):
            pass
    for _step in writer.finish():
        pass
    yield from writer.take().split(size)


def table(*items: Item, size: int = 10_000) -> RowTable:
    """A table of these items."""
    made = RowTable()
    for batch in batches(*items, size=size):
        made.append(batch)
    return made


def put(workspace: Workspace, path: str, *items: Item) -> OpenFile:
    """Open a file that holds these items."""
    file = workspace.files.add(Path(path), "")
    assert file is not None
    workspace.files.take(file_messages.Recognised(file.number, "made"))
    for batch in batches(*items):
        workspace.files.take(file_messages.RowsRead(file.number, batch))
    workspace.files.take(file_messages.FileRead(file.number))
    return file


def judged(traces: list[Trace], goldens: list[Suite]) -> RunVerdict:
    """What the engine says."""
    given = Given(TRACES, collect("made", traces))
    return evaluate(Request((given,), (Given(GOLDENS, collect("made", goldens)),) if goldens else ()))


SHOWN = ("tool_trajectory_avg_score", "response_match_score")


def begin(workspace: Workspace, metrics: Sequence[str] = SHOWN) -> CurrentRun:
    """A run as it is before the first verdict."""
    files = workspace.files.in_order
    run = CurrentRun(workspace.files.by_number, [file for file in files if file.has_traces])
    workspace.run.put(run)
    lines = [
        MetricLine(
            metric.name, metric.title, metric.meaning, metric.range is not None, "final answer" in metric.reads
        )
        for metric in METRICS
        if metric.name in metrics
    ]
    workspace.evaluation.take(run, RunPlanned(tuple(lines)))
    return run


def judge(workspace: Workspace, run: CurrentRun, verdict: RunVerdict) -> None:
    """Let all verdicts arrive, and the end."""
    workspace.evaluation.take(run, CasesJudged(tuple(verdict.cases)))
    workspace.evaluation.take(run, RunEnded(verdict))


def printed(shown: RowTable, parent: int = TOP, depth: int = 0) -> list[str]:
    """The visible rows as an indented text."""
    lines = []
    for row in shown.visible_children(parent):
        lines.append("  " * depth + f"{shown.kind(row).name} {shown.label(row)}")
        lines += printed(shown, row, depth + 1)
    return lines


def rows_of(shown: RowTable, kind: Kind) -> list[int]:
    """All visible rows of a kind, from top to bottom."""

    def below(parent: int) -> Iterator[int]:
        for row in shown.visible_children(parent):
            if shown.kind(row) is kind:
                yield row
            yield from below(row)

    return list(below(TOP))


def case(verdict: RunVerdict, name: str) -> CaseVerdict:
    """The verdict on a case."""
    return next(case for case in verdict.cases if case.case_id == name)
