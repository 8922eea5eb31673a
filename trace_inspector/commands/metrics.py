"""List the metrics: what each one means, reads and needs."""

from __future__ import annotations

import argparse
import enum

from pydantic_core import to_jsonable_python

from trace_inspector.commands.output.terminal import Terminal
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.engine.metrics import all_metrics
from trace_inspector.engine.scoring.metric import Metric


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "--json", action="store_true", help="print the list as one JSON object, for other programs to read"
    )


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Print the list."""
    if options.json:
        terminal.say_json({"metrics": [_line(metric) for metric in all_metrics()]})
        return 0
    for metric in all_metrics():
        needs = f"; needs a {' and a '.join(sorted(metric.needs))}" if metric.needs else ""
        threshold = "" if metric.default_threshold is None else f"; default threshold {metric.default_threshold:g}"
        kind = "informational" if metric.informational else "decides"
        version = "" if metric.version == 1 else f"; version {metric.version}"
        terminal.say(metric.name)
        terminal.say(f"  {metric.meaning}")
        terminal.say(f"  {metric.family}, {kind}, reads {', '.join(metric.reads)}{needs}{threshold}{version}")
        if metric.options:
            terminal.say(f"  options: {', '.join(metric.options)}")
    return 0


def _line(metric: Metric) -> JsonObject:
    return {
        "name": metric.name,
        "title": metric.title,
        "family": metric.family,
        "range": [*metric.range] if metric.range else None,
        "better": metric.better,
        "version": metric.version,
        "needs": [*sorted(metric.needs)],
        "reads": [*metric.reads],
        "default_threshold": metric.default_threshold,
        "informational": metric.informational,
        "options": [*metric.options],
        "defaults": _defaults(metric),
        "meaning": metric.meaning,
    }


def _defaults(metric: Metric) -> JsonObject:
    """The default of each option, as a criteria file would write it."""
    fields = metric.parameters.model_fields if metric.parameters else {}
    return {name: _plain(field.get_default(call_default_factory=True)) for name, field in fields.items()}


def _plain(value: object) -> Json:
    if isinstance(value, enum.Enum):
        return value.value if isinstance(value.value, str) else value.name
    plain: Json = to_jsonable_python(value)
    return plain
