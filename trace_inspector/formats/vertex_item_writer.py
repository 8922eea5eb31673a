"""Writes cases and recorded conversations as Vertex AI's evaluation items, with what these cannot hold named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from trace_inspector.core.contents import Contents
from trace_inspector.core.finding import Finding, error, info
from trace_inspector.core.golden import Case
from trace_inspector.core.parts import Media, Part, Text, Transfer, Unknown
from trace_inspector.core.spelled import json_text
from trace_inspector.core.trace import Agent, Event, Steps, Trace, Turn
from trace_inspector.core.values import JsonObject
from trace_inspector.formats.format import Written
from trace_inspector.formats.vertex_writer import SERVICE_WRITER, all_agents

LABEL = ": "  # between the name and the value of a label, where it is a tag


@dataclass(slots=True)
class _Item:
    """A case with its recorded answers, or one of the two alone."""

    case: Case | None = None
    traces: list[Trace] = field(default_factory=list)

    @property
    def name(self) -> str:
        if self.case is not None:
            return self.case.id
        return self.traces[0].case_id or self.traces[0].id


def write(contents: Contents) -> Written:
    """One item, or a list of them as the service gives it."""
    items = _items(contents)
    losses = [*_losses(contents, items)]
    names = _Names(losses)
    written = [_item(item, names.take(item)) for item in items]
    whole: JsonObject = written[0] if len(written) == 1 else {"evaluationItems": [*written]}
    return Written(json_text(whole), tuple(losses))


def _items(contents: Contents) -> list[_Item]:
    """Each case with its traces, then the traces without one; several of a case that is not here stay together."""
    found: list[_Item] = []
    known: dict[tuple[str, str], _Item] = {}
    for suite in contents.suites:
        for case in suite.cases:
            found.append(_Item(case))
            known.setdefault((case.suite_id, case.id), found[-1])
    for trace in contents.traces:
        key = (trace.suite_id or "", trace.case_id or "")
        item = known.get(key) if trace.case_id else None
        if item is None:
            item = _Item()
            found.append(item)
            if trace.case_id:
                known[key] = item
        item.traces.append(trace)
    return found


@dataclass(slots=True)
class _Names:
    """Keeps names apart when several files are put into one list."""

    losses: list[Finding]
    taken: Counter[str] = field(default_factory=Counter)

    def take(self, item: _Item) -> str:
        self.taken[item.name] += 1
        if self.taken[item.name] == 1:
            return item.name
        given = f"{item.name} ({self.taken[item.name]})"
        message = f"The name “{item.name}” is there already; this item is written as “{given}”."
        self.losses.append(info("renamed-case", message, item.case.place if item.case else item.traces[0].place))
        return given


def _item(item: _Item, name: str) -> JsonObject:
    written: JsonObject = {"displayName": name}
    labels = dict(tag.split(LABEL, 1) for tag in (item.case.tags if item.case else ()) if LABEL in tag)
    if labels:
        written["labels"] = {**labels}
    return {**written, "evaluationItemType": "REQUEST", "evaluationRequest": _request(item)}


def _request(item: _Item) -> JsonObject:
    written: JsonObject = {}
    case = item.case
    prompt = _prompt(case) if case is not None else {}
    if prompt:
        written["prompt"] = prompt
    if case is not None and any(_states(turn) for turn in case.turns):
        written["goldenResponse"] = _said(case.turns, _agents_of(case.turns))
    if case is not None and case.rubrics:
        written["rubrics"] = SERVICE_WRITER.rubric_groups(case.rubrics)
    if item.traces:
        written["candidateResponses"] = [
            {"candidate": name, **_said(trace.turns, all_agents(trace), is_whole=not prompt)}
            for name, trace in zip(_candidates(item.traces), item.traces, strict=True)
        ]
    if case is not None and case.context and _has_own_names(case.context):
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


def _said(turns: Sequence[Turn], agents: Sequence[Agent], *, is_whole: bool = False) -> JsonObject:
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
    """Names that tell the answers apart."""
    taken: Counter[str] = Counter()
    for at, trace in enumerate(traces, 1):
        name = trace.candidate or (f"candidate {at}" if len(traces) > 1 else "candidate")
        taken[name] += 1
        yield name if taken[name] == 1 else f"{name} ({taken[name]})"


def _has_own_names(context: Sequence[Event]) -> bool:
    names = [event.author for event in context]
    return all(names) and len(set(names)) == len(names)


def _case(item: _Item) -> Case:
    return item.case or Case("")


def _turns(item: _Item) -> Iterator[Turn]:
    yield from _case(item).turns
    for trace in item.traces:
        yield from trace.turns


def _events(item: _Item) -> Iterator[Event]:
    for turn in _turns(item):
        yield from turn.events


def _sessions(item: _Item) -> int:
    case = _case(item)
    stated = [case.session, case.final_state, *(trace.final_state for trace in item.traces)]
    return sum(one is not None for one in stated)


def _expectations(case: Case) -> int:
    return len(case.expectations) + sum(len(turn.expectations) for turn in case.turns)


def _details(case: Case) -> int:
    scenario = case.scenario
    if scenario is None:
        return 0
    told = (scenario.persona, scenario.max_turns, scenario.facts, scenario.goal, scenario.variables)
    return sum(bool(one) for one in told)


def _tags(case: Case) -> int:
    return sum(LABEL not in tag for tag in case.tags)


def _turn_rubrics(case: Case) -> int:
    return sum(len(turn.rubrics) for turn in case.turns)


def _context(case: Case) -> int:
    return 0 if _has_own_names(case.context) else len(case.context)


def _parts(item: _Item) -> int:
    parts = [part for turn in _turns(item) for part in (*turn.user, *(turn.final_response or ()))]
    parts += [part for event in _events(item) for part in event.parts]
    return sum(map(_has_no_place, parts))


def _has_no_place(part: Part) -> bool:
    return isinstance(part, Transfer | Unknown) or (isinstance(part, Media) and part.uri is None)


def _event_details(item: _Item) -> int:
    return sum(bool(event.usage or event.model or event.finish_reason or event.error) for event in _events(item))


_WHY: tuple[tuple[str, str, Callable[[_Item], int]], ...] = (
    ("sessions", "an item has no session, and no state before or after the conversation", _sessions),
    ("matchers", "Vertex AI compares arguments only by value", lambda item: len(_case(item).matchers)),
    ("notes", "an item keeps no notes beside single values", lambda item: len(_case(item).notes)),
    ("criteria", "an item has no thresholds or switches", lambda item: len(_case(item).criteria)),
    ("expectations", "of what is expected an item holds calls and answers", lambda item: _expectations(_case(item))),
    ("scenario-details", "a scenario of Vertex AI is a first message and a plan", lambda item: _details(_case(item))),
    ("tags", "only tags of a name and a value are labels", lambda item: _tags(_case(item))),
    ("turn-rubrics", "rubrics belong to the whole request", lambda item: _turn_rubrics(_case(item))),
    ("context", "earlier messages need authors of their own", lambda item: _context(_case(item))),
    ("parts", "an event holds no bytes, transfers or parts of other systems", _parts),
    ("event-details", "an event has no tokens, model, grounding or error", _event_details),
)


def _losses(contents: Contents, items: Sequence[_Item]) -> Iterator[Finding]:
    for what, why, count in _WHY:
        found = [(number, item) for item in items if (number := count(item))]
        if found:
            place = found[0][1].case.place if found[0][1].case else found[0][1].traces[0].place
            total = sum(number for number, _ in found)
            yield error(f"{what}-lost", f"Not carried over ({what.replace('-', ' ')}: {total}): {why}.", place)
    spans = sum(trace.span_count for trace in contents.traces)
    if spans:
        yield error("spans-lost", f"Not carried over (spans: {spans}): an item has no spans.")
    if contents.reported:
        told = len(contents.reported)
        yield error(
            "verdicts-lost", f"Not carried over (verdicts: {told}): a request says nothing of how good it is."
        )
    if contents.criteria is not None:
        yield error("criteria-lost", "Not carried over (criteria): a request has none.")
