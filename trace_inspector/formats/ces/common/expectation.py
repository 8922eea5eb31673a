"""CES's evaluation expectations: `ces-expectation`, criteria in a sentence that a judge decides."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.finding import error, warning
from trace_inspector.core.rows.contents import Holds, Item
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import JsonObject
from trace_inspector.formats.ces.common import evaluation_schemas as schemas
from trace_inspector.formats.ces.common.evaluation_entries import entries_in
from trace_inspector.formats.ces.common.recognisers import EXPECTATIONS
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report, kind_of
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.schema import check

METRIC = "ces_llm_criteria"
LISTED = "evaluation_expectations"


def criterion_of(fields: Fields, report: Report) -> Expectation:
    """An EvaluationExpectation as something to expect of a conversation."""
    check(fields, schemas.LLM_EXPECTATION, report)
    stated = fields.object("llm_criteria")
    if stated is not None:
        check(stated, schemas.LLM_CRITERIA, report)
    prompt = (stated.text("prompt") if stated is not None else None) or ""
    if not prompt:
        message = "This criterion has no prompt, so a judge has nothing to decide. Write one under “llmCriteria”."
        report.add(warning("no-prompt", message, fields.place))
    name = fields.text("name") or fields.text("display_name") or ""
    return Expectation(Expects.CRITERION, text=prompt, reference=name, place=fields.place)


def criteria_sentences(owner: Fields, report: Report) -> Iterator[Expectation]:
    """What a golden or a scenario lists: criteria by whole name, by short id, or written out in the same place."""
    listed = owner.get(LISTED)
    for index, value in enumerate(listed if isinstance(listed, list) else []):
        place = join(owner.pointer(LISTED), index)
        if isinstance(value, str):
            yield Expectation(Expects.CRITERION, reference=value, place=place)
        elif isinstance(value, dict):
            yield criterion_of(Fields(value, place), report)
        else:
            message = f"A criterion should be a name, or an object with a prompt, not {kind_of(value)}."
            report.add(error("wrong-type", message, place))


def read(source: Source) -> Iterator[Item]:
    """Each as a criterion of the metric that judges by sentences."""
    report = Report()
    items = []
    for fields in entries_in(source, EXPECTATIONS, "ces-expectation", report):
        source.tick()
        criterion = criterion_of(fields, report)
        options: JsonObject = {"name": criterion.reference, "prompt": criterion.text}
        options |= {extra.name: extra.value for extra in extras_of(fields, "name", "llm_criteria")}
        items.append(Criterion(METRIC, options=options, place=fields.pointer("llm_criteria")))
    yield Criteria(tuple(items), source.name)
    yield Holds("criteria", len(items))
    yield from report.drain()


IMPLEMENTATION = Implementation(read=read)
