"""Criteria that a person edits: what is wrong with them, the file they make, and saving it.

In a file that is there already only what changed is spliced; keys that nobody here knows stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from trace_inspector.core.contents import Contents
from trace_inspector.core.criteria import Criteria, Criterion
from trace_inspector.core.criterion_form import Wrong
from trace_inspector.core.edit import Edit, Insert, Remove, Set
from trace_inspector.core.errors import InspectorError, ReadError, UsageError
from trace_inspector.core.pointer import join
from trace_inspector.core.spelled import json_text
from trace_inspector.core.values import Json
from trace_inspector.documents.document import Document
from trace_inspector.documents.reading import parse, read
from trace_inspector.documents.saving import save
from trace_inspector.engine.metric import Metric
from trace_inspector.engine.metrics import metric_named
from trace_inspector.flows.edit_file import edited
from trace_inspector.formats import adk_eval_config_writer

_NO_OBJECT = "The file has no object “criteria” that could be edited. Save under another name."


def wrong_with(criteria: Sequence[Criterion]) -> tuple[Wrong, ...]:
    """Everything that would keep the criteria from working, each once."""
    return tuple(wrong for criterion in criteria for wrong in _wrong(criterion, metric_named(criterion.metric)))


def text_of(criteria: Criteria, path: Path | None) -> str:
    """The file that the criteria make, new or as the one at the path would then be."""
    return _document(criteria, path).data.decode("utf-8", "replace")


def save_criteria(criteria: Criteria, source: Path | None, target: Path) -> None:
    """Save them; `source` is the file they were read from, whose other keys go along."""
    wrong = wrong_with(criteria.items)
    if wrong:
        raise UsageError(f"{wrong[0].metric}: {wrong[0].sentence} Mend it, then save.", path=str(target))
    save(_document(criteria, source), target, force=source is None)


def _wrong(criterion: Criterion, metric: Metric | None) -> Iterator[Wrong]:
    name, threshold = criterion.metric, criterion.threshold
    if threshold is None:
        yield Wrong(name, "threshold", "A criterion needs a threshold, a number.")
    if metric is None:
        yield Wrong(name, "", "No metric has this name; google-adk would refuse the file.")
        return
    if threshold is not None and metric.range is not None and not metric.range[0] <= threshold <= metric.range[1]:
        low, high = metric.range
        yield Wrong(name, "threshold", f"Scores lie between {low:g} and {high:g}; {threshold:g} decides nothing.")
    if metric.parameters is not None:
        yield from _wrong_options(criterion, metric)


def _wrong_options(criterion: Criterion, metric: Metric) -> Iterator[Wrong]:
    from pydantic import ValidationError

    try:
        if metric.parameters is not None:
            metric.parameters.model_validate(criterion.options)
    except ValidationError as problem:
        for error in problem.errors()[:20]:
            yield Wrong(criterion.metric, ".".join(map(str, error["loc"])), f"{error['msg']}.")
        return
    try:
        if metric.check is not None:
            metric.check(criterion)
    except InspectorError as problem:
        yield Wrong(criterion.metric, "", f"{problem.sentence.removeprefix(f'{criterion.metric}: ').rstrip('.')}.")


def _document(criteria: Criteria, path: Path | None) -> Document:
    if path is None:
        written = adk_eval_config_writer.write(Contents("", criteria=criteria))
        return parse(written.text.encode(), Path("test_config.json"))
    document = read(path)
    held = document.value.get("criteria") if isinstance(document.value, dict) else None
    if not isinstance(held, dict):
        raise ReadError(_NO_OBJECT, path=str(path))
    return edited(document, _edits(held, criteria.items))[0]


def _edits(held: Mapping[str, Json], wanted: Sequence[Criterion]) -> Iterator[Edit]:
    names = {criterion.metric for criterion in wanted}
    for name in held:
        if name not in names:
            yield Remove(join("/criteria", name))
    for criterion in wanted:
        place, value = join("/criteria", criterion.metric), _value(criterion)
        if criterion.metric not in held:
            yield Insert(place, _text(value))
        else:
            yield from _changes(place, held[criterion.metric], value)


def _changes(place: str, before: Json, after: Json) -> Iterator[Edit]:
    """From one value to another; an object changes key by key."""
    if isinstance(before, dict) and not isinstance(after, dict):
        after = {"threshold": after}
    if not isinstance(before, dict) or not isinstance(after, dict):
        if before != after or isinstance(before, bool) is not isinstance(after, bool):
            yield Set(place, _text(after))
        return
    for key in before:
        if key not in after:
            yield Remove(join(place, key))
    for key, value in after.items():
        if key not in before:
            yield Insert(join(place, key), _text(value))
        else:
            yield from _changes(join(place, key), before[key], value)


def _value(criterion: Criterion) -> Json:
    if criterion.threshold is None:
        return {**criterion.options}
    return {"threshold": criterion.threshold, **criterion.options} if criterion.options else criterion.threshold


def _text(value: Json) -> str:
    return json_text(value).strip()
