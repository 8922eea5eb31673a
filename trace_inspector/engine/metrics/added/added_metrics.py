"""The metrics of commands and of plugins: what one does wrong is no more than a verdict that names it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from trace_inspector import plugins
from trace_inspector.core.errors import PluginError, UsageError
from trace_inspector.core.rows.codec import from_json, to_json
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.verdict.verdict import MetricVerdict
from trace_inspector.engine.metrics.added.command_metric import command_row
from trace_inspector.engine.scoring.metric import Ask, CannotJudge, Inquiry, Judged, Method, Metric, Reply, Subject
from trace_inspector.plugins import Guard, Plugin

if TYPE_CHECKING:
    from pydantic import BaseModel

_FIELDS: tuple[tuple[tuple[type, ...], tuple[str, ...]], ...] = (
    ((str,), ("title", "family", "meaning", "better")),
    ((frozenset,), ("needs", "uses")),
    ((tuple,), ("reads", "range")),
    ((int, float), ("default_threshold", "version")),
)


def added_metric(name: str) -> Metric | None:
    """The metric of a name: a command's, else a plugin's. The part behind a colon is for the metric itself."""
    for named in dict.fromkeys((name, name.partition(":")[0])):
        command = plugins.switches().commands.get(named)
        if command is not None and named == name:
            return command_row(named, command)
        plugin = plugins.active_named(plugins.METRICS, named) if plugins.may_import() else None
        row = _row(plugin) if plugin is not None else None
        if row is not None and (named == name or row.has_parts):
            return row
    return None


def added_metrics() -> tuple[Metric, ...]:
    """All of them. A plugin that cannot be imported stands there too, and says so."""
    commands = plugins.switches().commands
    rows = [command_row(name, command) for name, command in commands.items()]
    if plugins.may_import():
        rows += [_row(plugin) for plugin in plugins.active(plugins.METRICS) if plugin.name not in commands]
    return tuple(rows)


@lru_cache(maxsize=64)
def _row(plugin: Plugin) -> Metric:
    """The row as the plugin has it, but guarded."""
    try:
        row = _loaded(plugin)
    except PluginError as problem:
        return _broken(plugin, str(problem))
    return replace(row, load=partial(_method, plugin, row.load))


def try_metric(plugin: Plugin) -> None:
    """Import a metric with what it loads; PluginError when that fails."""
    _made(plugin, _loaded(plugin).load)


def _loaded(plugin: Plugin) -> Metric:
    row = plugins.load_row(plugin, Metric)
    for kinds, fields in _FIELDS:
        for field in fields:
            value = getattr(row, field)
            if not isinstance(value, kinds) and value is not None:
                raise plugins.failed(plugin, f"“{field}” of its row is a {type(value).__name__}")
    return row


def _broken(plugin: Plugin, sentence: str) -> Metric:
    """A metric whose every verdict is the reason why it cannot be used."""

    def fail(_subject: Subject, _criterion: Criterion) -> Judged:
        raise PluginError(sentence)

    return Metric(
        plugin.name,
        plugin.name,
        plugin.distribution,
        sentence,
        lambda: Method(fail),
        named_only=True,
        any_option=True,
    )


def _method(plugin: Plugin, load: Callable[[], Method]) -> Method:
    """What a plugin's row loads, guarded. Where that fails, its verdicts say so."""
    try:
        return _made(plugin, load)
    except PluginError as problem:
        return _broken(plugin, str(problem)).load()


def _made(plugin: Plugin, load: Callable[[], Method]) -> Method:
    with Guard(plugin, "while its metric was imported"):
        made = load()
        if not isinstance(made, Method):
            raise TypeError(f"a {type(made).__name__} is no Method")
        parameters = _parameters(made)
    check = partial(_check, plugin, made.check) if made.check is not None else None
    return Method(partial(_judge, plugin, made.judge), parameters, check)


def _parameters(made: Method) -> type[BaseModel] | None:
    model = made.model() if made.model is not None else made.parameters
    if model is not None:
        model.model_json_schema()  # the forms of the window are made of it: it has to be possible
    return model


def _check(plugin: Plugin, check: Callable[[Criterion], object], criterion: Criterion) -> None:
    try:
        with Guard(plugin, "while it looked at a criterion", CannotJudge):
            check(criterion)
    except PluginError as problem:
        raise UsageError(f"{problem}.") from problem


def _judge(
    plugin: Plugin, judge: Callable[[Subject, Criterion], Judged | Inquiry], subject: Subject, criterion: Criterion
) -> Judged | Inquiry:
    with Guard(plugin, f"while it judged by {criterion.metric}", CannotJudge):
        outcome = judge(subject, criterion)
        if isinstance(outcome, Judged):
            return _checked(outcome, subject, criterion)
        rounds = iter(outcome)
    return _rounds(plugin, rounds, subject, criterion)


def _rounds(plugin: Plugin, rounds: Inquiry, subject: Subject, criterion: Criterion) -> Inquiry:
    """The questions of a judged metric, each looked at, and its verdicts."""
    replies: tuple[Reply, ...] | None = None
    while True:
        with Guard(plugin, f"while it judged by {criterion.metric}", CannotJudge):
            try:
                questions = next(rounds) if replies is None else rounds.send(replies)
            except StopIteration as end:
                return _checked(end.value, subject, criterion)
            if not isinstance(questions, tuple) or not all(isinstance(question, Ask) for question in questions):
                raise TypeError("it asks by tuples of Ask")
            if absent := {question.of for question in questions} - subject.answers:
                raise ValueError(f"it asks the {', '.join(sorted(absent))}, which its row has to name in `needs`")
        replies = (yield questions) if questions else ()


def _checked(judged: object, subject: Subject, criterion: Criterion) -> Judged:
    """The verdicts, under the name that the criterion has; TypeError or ValueError for what is none."""
    if not isinstance(judged, Judged):
        raise TypeError(f"a {type(judged).__name__} is no Judged")
    if not isinstance(judged.turns, tuple) or len(judged.turns) != len(subject.turns):
        raise ValueError(f"{len(judged.turns)} verdicts for {len(subject.turns)} turns")
    for verdict in _verdicts(judged):
        if verdict.score is not None and not math.isfinite(verdict.score):
            raise ValueError(f"{verdict.score} is no score")
    turns = tuple(verdict and replace(verdict, metric=criterion.metric) for verdict in judged.turns)
    return Judged(replace(judged.overall, metric=criterion.metric), turns)


def _verdicts(judged: Judged) -> Iterator[MetricVerdict]:
    for verdict in (judged.overall, *(turn for turn in judged.turns if turn is not None)):
        if not isinstance(verdict, MetricVerdict):
            raise TypeError(f"a {type(verdict).__name__} is no MetricVerdict")
        from_json(MetricVerdict, to_json(verdict), checked=True)
        yield verdict
