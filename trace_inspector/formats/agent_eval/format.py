"""agent-eval's own files: `agent-eval`, rows of conversations, golden questions and metric files."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.rows.contents import Item
from trace_inspector.core.values.values import Json
from trace_inspector.formats.agent_eval.golden import read_questions, recognise_questions
from trace_inspector.formats.agent_eval.layouts import LAYOUTS
from trace_inspector.formats.agent_eval.metrics import read_metrics, recognise_metrics
from trace_inspector.formats.agent_eval.rows import read_rows, recognise_rows
from trace_inspector.formats.agent_eval.writer import write
from trace_inspector.formats.common.fields import Fields
from trace_inspector.formats.common.format import Format, Source


def recognise(value: Json) -> int:
    """Rows, golden questions, or metrics."""
    return max(recognise_rows(value), recognise_questions(value), recognise_metrics(value))


def read(source: Source) -> Iterator[Item]:
    """Whichever of the three it is."""
    fields = Fields(source.value if isinstance(source.value, dict) else {}, source.place)
    if recognise_questions(source.value):
        yield from read_questions(fields, source)
    elif recognise_metrics(source.value):
        yield from read_metrics(fields, source)
    else:
        yield from read_rows(source)


FORMAT = Format(
    name="agent-eval",
    title="agent-eval data",
    system="agent-eval",
    short="processed interactions, golden questions, metric files",
    holds="recorded conversations with what was expected and reported of them; goldens; criteria",
    recognise=recognise,
    read=read,
    write=write,
    layouts=LAYOUTS,
)
