"""Every pair of formats tells its losses: what a source says is in the new file, or a sentence names the field.

The fields of the canonical model stand in a table of their own here, so that the package forgets none.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from tests.formats.every_sample import Sample, every_sample
from tests.formats.rich_contents import RICH
from tests.helpers.tables import each
from trace_inspector.core.golden.golden import Suite
from trace_inspector.core.rows.contents import Contents, collect
from trace_inspector.core.trace.expectation import Expectation
from trace_inspector.core.trace.trace import Span, Trace, Turn
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import Absent
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.formats import FORMATS
from trace_inspector.formats.common.format import Source
from trace_inspector.formats.writing.conversion_losses import written_with_losses

TARGETS = {known.name: known for known in FORMATS if known.write is not None}

# How writers themselves name what they leave out of agents.
AGENTS = ("(agents:", "agents: ")
# Of every field of the model, words of which a loss that names it has one.
NAMED: dict[str, tuple[str, ...]] = {
    "Text.text": ("words",),
    "Thought.text": ("thoughts",),
    "ToolCall.name": ("calls",),
    "ToolCall.args": ("arguments of calls",),
    "ToolCall.call_id": ("ids of calls",),
    "ToolCall.resource": ("whole names of tools",),
    "ToolCall.agent": ("callers",),
    "ToolCall.parent_id": ("callers",),
    "ToolResult.name": ("calls", "names of results"),
    "ToolResult.value": ("results of calls",),
    "ToolResult.call_id": ("ids of calls", "results of calls"),
    "Media.mime_type": ("media",),
    "Media.uri": ("media",),
    "Media.data": ("media",),
    "Code.text": ("code", "parts:"),
    "Code.language": ("code", "parts:"),
    "Transfer.target": ("transfers", "parts:"),
    "Unknown.raw": ("parts",),
    "Turn.id": ("ids of turns", "turn details"),
    "Turn.start_s": ("times of turns", "turn details"),
    "Turn.duration_s": ("durations of turns", "turn details", "durations"),
    "Turn.model_duration_s": ("durations of turns", "turn details", "durations"),
    "Turn.tool_duration_s": ("durations of turns", "turn details", "durations"),
    "Turn.final_author": ("who answered",),
    "Event.author": ("authors of events",),
    "Event.time_s": ("times of events", "event details"),
    "Event.duration_s": ("durations of events", "event details", "durations"),
    "Event.model": ("models", "event details"),
    "Event.finish_reason": ("finish reasons", "event details"),
    "Event.state_delta": ("changes of state",),
    "Event.grounding": ("grounding",),
    "Event.error": ("errors of events", "event details"),
    "Event.id": ("ids of events",),
    "Event.active_tools": ("active tools",),
    **dict.fromkeys(
        (
            "Usage.prompt",
            "Usage.tool_use_prompt",
            "Usage.candidates",
            "Usage.thoughts",
            "Usage.cached",
            "Usage.cache_written",
        ),
        ("tokens", "event details"),
    ),
    "Agent.name": (" agents (", *AGENTS),
    "Agent.instruction": ("instructions of agents", "agents only the first one's instruction", *AGENTS),
    "Agent.description": ("descriptions of agents", *AGENTS),
    "Agent.tools": ("tools of agents", *AGENTS),
    "Agent.sub_agents": ("agents below others", *AGENTS),
    "Case.id": ("cases",),
    "Case.title": ("titles",),
    "Case.tags": ("tags",),
    "Case.final_state": ("final states",),
    "Case.overrules": ("overrules",),
    "Scenario.starting_prompt": ("first messages of scenarios",),
    "Scenario.plan": ("plans of scenarios",),
    "Scenario.max_turns": ("most turns of scenarios",),
    "Scenario.facts": ("facts of scenarios",),
    "Scenario.goal": ("goals of scenarios",),
    "Scenario.variables": ("variables of scenarios",),
    "Persona.id": ("personas",),
    "Persona.description": ("personas",),
    "Persona.stated": ("personas",),
    **dict.fromkeys(("Session.app", "Session.user", "Session.id"), ("sessions",)),
    "Session.state": ("states of sessions",),
    "Rubric.id": ("rubrics",),
    "Rubric.text": ("rubrics",),
    "Rubric.type": ("types of rubrics", "(rubrics", "rubrics of case"),
    "Rubric.description": ("descriptions of rubrics", "(rubrics", "rubrics of case"),
    "Rubric.group": ("groups of rubrics", "(rubrics", "rubrics of case"),
    "Rubric.importance": ("importance of rubrics", "(rubrics", "rubrics of case"),
    "Expectation": ("expected", "expectations", "prompts"),
    "Criterion.metric": ("criteri",),
    "Criterion.threshold": ("thresholds", "criteri"),
    "Criterion.options": ("options of criteria", "criteri"),
    "Matcher.match": ("matchers",),
    "Matcher.text": ("matchers",),
    "Note.text": ("notes",),
    "Suite.name": ("names of suites", "suites:"),
    "Suite.description": ("names of suites", "suites:"),
    "Trace.title": ("titles",),
    "Trace.candidate": ("candidates",),
    "Trace.persona": ("personas of recordings",),
    "Trace.final_state": ("final states",),
    **dict.fromkeys(("ParentCall.trace_id", "ParentCall.call_id"), ("callers of sub-agents", "conversations (")),
    **dict.fromkeys(("Trace.app", "Trace.user", "Trace.session_id"), ("sessions",)),
    "Span.name": ("span",),
    "Case.extras": ("other fields of cases", "(other fields:"),
    "Suite.extras": ("other fields of suites", "(other fields:"),
    **dict.fromkeys(
        ("Trace.extras", "Turn.extras", "Event.extras"), ("other fields of recordings", "(other fields:")
    ),
    "MetricVerdict.metric": ("verdicts", "scores"),
    "MetricVerdict.score": ("verdicts", "scores"),
    "MetricVerdict.reason": ("verdicts", "reasons of scores"),
}
# What only says where something stands or how it was read, or repeats what stands elsewhere.
ASIDE = frozenset(
    {
        "place", "final_state_place", "golden_place", "trace_place", "golden_path", "trace_path", "guessed", "index",
        "final_event", "steps", "role", "partial", "is_error", "is_result", "size_bytes", "recorded", "case_runs",
        "case_title", "goes_on", "span_count", "span_id", "compared_by", "skipped", "kind", "source", "asked_for",
        "told_only", "absolute", "relative", "suite_id", "format", "holds", "findings", "abandoned",
        "total",
    }
)  # fmt: skip
TIMES = frozenset({"start_s", "duration_s", "model_duration_s", "tool_duration_s"})
# Of these some fields are others' business: ids that a file's name gives, numbers that only join.
ONLY: dict[type, tuple[str, ...]] = {
    Span: ("name",),
    Turn: tuple(name for name in Turn.__struct_fields__ if name != "trace_id"),  # of its spans
    Suite: tuple(name for name in Suite.__struct_fields__ if name != "id"),
    CaseVerdict: ("metrics",),
    MetricVerdict: ("metric", "score", "reason"),
    Trace: tuple(name for name in Trace.__struct_fields__ if name not in ("id", "case_id")),
}
Leaf = str | float


def plain(value: object) -> Iterator[Leaf]:
    """The words and numbers in a value of JSON."""
    match value:
        case bool() | None | Absent():
            return
        case str():
            yield from (value,) if value else ()
        case enum.Enum():
            yield str(value.value)
        case int() | float():
            yield round(float(value), 3)
        case dict():
            for one in value.values():
                yield from plain(one)
        case list() | tuple():
            for one in value:
                yield from plain(one)


def said(value: object, name: str = "", whole: str = "", *, derived: bool = False) -> Iterator[tuple[str, Leaf]]:
    """Every word and number of the model, with the class and field in which it stands."""
    if isinstance(value, list | tuple):
        for one in value:
            yield from said(one, name, whole, derived=derived)
    elif isinstance(value, Struct):
        kind = type(value)
        inner = whole or (kind.__name__ if kind is Expectation else name if kind is Extra else "")
        is_guess = not derived and isinstance(value, Turn) and "times" in value.guessed
        skipped = ASIDE | (TIMES if is_guess else frozenset())
        skipped |= {"name"} if kind is Extra else frozenset()
        for field in value.__struct_fields__:
            if field in ONLY.get(kind, (field,)) and field not in skipped:
                yield from said(getattr(value, field), f"{kind.__name__}.{field}", inner, derived=derived)
    else:
        yield from ((whole or name, leaf) for leaf in plain(value))


def untold(contents: Contents, target: str) -> dict[str, list[Leaf]]:
    """What is neither in the new file nor named by a loss, by field."""
    written = written_with_losses(TARGETS[target], contents)
    value = json.loads(written.text)
    again = collect(target, TARGETS[target].read(Source(value, "x")))
    there = {*plain(value), *(leaf for _, leaf in said(again, derived=True))}
    told = " ".join(loss.message for loss in written.losses).lower()
    missing: dict[str, list[Leaf]] = {}
    for name, leaf in said(contents):
        stands = isinstance(leaf, str) and json.dumps(leaf, ensure_ascii=False)[1:-1] in written.text
        if leaf not in there and not stands and not any(word in told for word in NAMED[name]):
            missing.setdefault(name, []).append(leaf)
    return missing


def untold_by_target(contents: Contents) -> dict[str, dict[str, list[Leaf]]]:
    """The same of every format that can be written."""
    return {target: missing for target in TARGETS if (missing := untold(contents, target))}


@each("kind", RICH)
def test_whatever_the_model_holds_is_written_or_named(kind: str) -> None:
    assert untold_by_target(RICH[kind]) == {}


def test_the_rich_source_says_something_in_every_field() -> None:
    found = {name for contents in RICH.values() for name, _ in said(contents)}
    assert found == NAMED.keys()


SAMPLES = {f"{one.format} {one.kind}".strip(): one for one in every_sample()}


@each("source", SAMPLES)
def test_every_pair_of_formats_tells_its_losses(source: str, tmp_path: Path) -> None:
    sample: Sample = SAMPLES[source]
    path = tmp_path / f"sample{sample.suffix}"
    path.write_bytes(sample.data)
    assert untold_by_target(open_file(path).contents) == {}
