"""Writes cases and recorded conversations as Vertex AI's evaluation items, with what these cannot hold named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from trace_inspector.core.finding import Finding
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import Part, Text, Unknown
from trace_inspector.core.trace.trace import Agent, Steps, Trace, Turn
from trace_inspector.core.values.json_numbers import json_text
from trace_inspector.core.values.values import JsonObject
from trace_inspector.formats.common.format import Written
from trace_inspector.formats.vertex.common.writer import SERVICE_WRITER, all_agents
from trace_inspector.formats.vertex.item.item_groups import LABEL
from trace_inspector.formats.vertex.item.item_losses import WrittenItem, has_own_names, losses_of
from trace_inspector.formats.vertex.item.item_matchers import with_matchers
from trace_inspector.formats.writing.unique_names import UniqueNames


def write(contents: Contents) -> Written:
    """One item, or a list of them as the service gives it."""
    renamed: list[Finding] = []
    names = UniqueNames(renamed, "item", "The name ")
    written: list[JsonObject] = []
    items = []
    for item in _items(contents):
        raw, unplaced = with_matchers(item, item_json(item, names.take(item.name, item.place)))
        written.append(raw)
        items.append(unplaced)
    whole: JsonObject = written[0] if len(written) == 1 else {"evaluationItems": [*written]}
    return Written(json_text(whole), (*losses_of(contents, items), *renamed))


def _items(contents: Contents) -> list[WrittenItem]:
    """Each case with its traces, then the traces without one; several of a case that is not here stay together."""
    items: list[WrittenItem] = []
    by_case: dict[tuple[str, str], WrittenItem] = {}
    for suite in contents.suites:
        for case in suite.cases:
            items.append(WrittenItem(case))
            by_case.setdefault((case.suite_id, case.id), items[-1])
    for trace in contents.traces:
        key = (trace.suite_id or "", trace.case_id or "")
        item = by_case.get(key) if trace.case_id else None
        if item is None:
            item = WrittenItem()
            items.append(item)
            if trace.case_id:
                by_case[key] = item
        item.traces.append(trace)
    return items


def item_json(item: WrittenItem, name: str) -> JsonObject:
    """One item."""
    written: JsonObject = {"displayName": name}
    labels = dict(tag.split(LABEL, 1) for tag in (item.case.tags if item.case else ()) if LABEL in tag)
    if labels:
        written["labels"] = {**labels}
    return {**written, "evaluationItemType": "REQUEST", "evaluationRequest": _request(item)}


def _request(item: WrittenItem) -> JsonObject:
    written: JsonObject = {}
    case = item.case
    prompt = _prompt(case) if case is not None else {}
    if prompt:
        written["prompt"] = prompt
    if case is not None and any(_states(turn) for turn in case.turns):
        written["goldenResponse"] = _answers(case.turns, _agents_of(case.turns))
    if case is not None and case.rubrics:
        written["rubrics"] = SERVICE_WRITER.rubric_groups(case.rubrics)
    if item.traces:
        written["candidateResponses"] = [
            {"candidate": name, **_answers(trace.turns, all_agents(trace), is_whole=not prompt)}
            for name, trace in zip(_candidates(item.traces), item.traces, strict=True)
        ]
    if case is not None and case.context and has_own_names(case.context):
        written["extraContext"] = {
            event.author: SERVICE_WRITER.content(event.parts, event.role or "user") for event in case.context
        }
    return written


def _prompt(case: Case) -> JsonObject:
    """A scenario, one message, or the conversation up to the last message."""
    if case.scenario is not None:
        return {"userScenario": SERVICE_WRITER.scenario(case.scenario)}
    if not case.turns:
        return {}
    last = case.turns[-1]
    asked = Turn(last.index, last.id, last.user, start_s=last.start_s)
    if len(case.turns) == 1 and (plain := _plain(last.user)):
        return plain
    earlier = case.turns[:-1]
    return {"agentData": SERVICE_WRITER.agent_data(_agents_of(case.turns), (*earlier, asked))}


def _answers(turns: Sequence[Turn], agents: Sequence[Agent], *, is_whole: bool = False) -> JsonObject:
    """An answer alone where there is nothing but one, else the whole conversation."""
    last = turns[-1] if turns else Turn(0)
    if not is_whole and len(turns) <= 1 and last.steps is Steps.ABSENT and not agents:
        plain = _plain(last.final_response or ())
        if plain:
            return plain
    return {"agentData": SERVICE_WRITER.agent_data(agents, turns)}


def _plain(parts: Sequence[Part]) -> JsonObject:
    """One text or one value, else nothing."""
    match parts:
        case (Text(text=text),):
            return {"text": text}
        case (Unknown(kind="value", raw=raw),):
            return {"value": raw}
    return {}


def _states(turn: Turn) -> bool:
    return turn.final_response is not None or turn.steps is not Steps.ABSENT


def _agents_of(turns: Iterable[Turn]) -> tuple[Agent, ...]:
    return tuple({agent.name: agent for turn in turns for agent in turn.agents}.values())


def _candidates(traces: Sequence[Trace]) -> Iterator[str]:
    """A different name for each answer."""
    taken: Counter[str] = Counter()
    for number, trace in enumerate(traces, 1):
        name = trace.candidate or (f"candidate {number}" if len(traces) > 1 else "candidate")
        taken[name] += 1
        yield name if taken[name] == 1 else f"{name} ({taken[name]})"
