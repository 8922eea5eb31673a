"""Criteria that a person edits: what is wrong with them, the file they make, and saving it.

In a file that is there already only what changed is spliced; keys that nobody here knows stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from trace_inspector.core.errors import InspectorError, ReadError, UsageError
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.criterion_form import Wrong
from trace_inspector.core.values.value_edits import steps_between
from trace_inspector.documents.base.document import Document
from trace_inspector.documents.bundles.bundles import app_of, is_bundle, listed
from trace_inspector.documents.reading.reading import parse, read
from trace_inspector.documents.saving.saving import save
from trace_inspector.engine.metrics import metric_named
from trace_inspector.engine.scoring.metric import Metric
from trace_inspector.flows.goldens.apply_steps import after_steps
from trace_inspector.formats.adk.eval_set import eval_config_writer as adk_eval_config_writer
from trace_inspector.formats.adk.eval_set.eval_config_change import with_criteria
from trace_inspector.formats.ces.common.recognisers import IS_APP
from trace_inspector.formats.ces.common.thresholds import OF_APP
from trace_inspector.formats.ces.evaluation.thresholds_writer import with_levels
from trace_inspector.formats.common.fields import Fields

_SWITCHED = frozenset({"ces"})  # families whose criteria may be switches alone
_NO_OBJECT = (
    "The file contains no criteria that can be edited, neither ADK's nor those of a CES app. Save under another name."
)


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
        raise UsageError(f"{wrong[0].metric}: {wrong[0].sentence} Correct it, then save.", path=str(target))
    save(_document(criteria, source), file_of(target), force=source is None)


def _wrong(criterion: Criterion, metric: Metric | None) -> Iterator[Wrong]:
    name, threshold = criterion.metric, criterion.threshold
    if threshold is None and (metric is None or metric.family not in _SWITCHED):
        yield Wrong(name, "threshold", "A criterion needs a threshold, which is a number.")
    if metric is None:
        yield Wrong(name, "", "No metric has this name; google-adk would refuse the file.")
        return
    if threshold is not None and metric.range is not None and not metric.range[0] <= threshold <= metric.range[1]:
        low, high = metric.range
        yield Wrong(
            name,
            "threshold",
            f"Scores are between {low:g} and {high:g}, so a threshold of {threshold:g} decides nothing.",
        )
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
    document = read(file_of(path))
    if not isinstance(document.value, dict):
        raise ReadError(_NO_OBJECT, path=str(document.path))
    if isinstance(document.value.get("criteria"), dict):
        changed = with_criteria(document.value, criteria.items)
    elif IS_APP(Fields(document.value, "")):
        changed = with_levels(document.value, OF_APP, criteria.items)
    else:
        raise ReadError(_NO_OBJECT, path=str(document.path))
    return after_steps(document, tuple(steps_between(document.value, changed)))[0]


def file_of(path: Path) -> Path:
    """The file that states the criteria: of an exported app its own, else the one at the path."""
    return path / app_of(name for name, _size in listed(path).members) if is_bundle(path) else path
