"""tau2-bench: `tau2`, its tasks as cases, its simulations as conversations with their rewards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from trace_inspector.core.finding import info
from trace_inspector.core.golden.golden import Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.eval_tools.tau_bench.simulation import simulation_items, trace_id
from trace_inspector.formats.eval_tools.tau_bench.task import case_of, identity_of
from trace_inspector.formats.writing.unique_names import UniqueNames

_LISTS = ("tasks", "simulations")


def read(source: Source) -> Iterator[Item]:
    """Each simulation as a conversation, each task as a case; a file may have both, or one of them."""
    report, counts = Report(), RecordCounts()
    value = source.value
    fields = Fields(value if isinstance(value, dict) else {}, source.place)
    if any(isinstance(fields.get(name), list) for name in _LISTS):
        tasks, runs = (report.bounded(fields, name) if fields.get(name) else [] for name in _LISTS)
    else:
        listed = report.bounded_list(value, source.place) if isinstance(value, list) else [fields]
        tasks = [one for one in listed if one.key("evaluation_criteria") or one.key("user_scenario")]
        runs = [one for one in listed if not (one.key("evaluation_criteria") or one.key("user_scenario"))]
    environment = (fields.object("info") or fields).object("environment_info") or Fields({}, fields.place)
    suite = environment.text("domain_name") or source.stem or "tasks"
    trials = Counter(identity_of(run, "task_id") for run in runs)
    names = UniqueNames([], "simulation")
    for run in runs:
        source.tick()
        count = trials[identity_of(run, "task_id")]
        name = names.take(trace_id(run, count), run.place)
        yield from simulation_items(run, name, suite, count, environment, counts)
    cases = tuple(case_of(task, suite) for task in tasks)
    counts.understood(len(cases))
    extras = stated_extras(fields, *_LISTS) if any(fields.key(name) for name in _LISTS) else ()
    yield Suite(suite, cases=cases, extras=extras, place=source.place)
    if fields.object("info") is not None and fields.key("simulations") is None:
        message = "The simulations of this run are not in it; where they are kept as files of their own, open those."
        yield info("no-simulations", message, fields.place)
    yield counts.finding()
    yield from report.drain()


IMPLEMENTATION = Implementation(read=read)
