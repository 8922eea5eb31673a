"""What evaluation items have no place for, counted and named."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct, field

from trace_inspector.core.finding import Finding, error
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import Media, Part, Transfer, Unknown
from trace_inspector.core.trace.trace import Event, Trace, Turn
from trace_inspector.formats.vertex.item.item_groups import LABEL


class WrittenItem(Struct):
    """A case with its recorded answers, or one of the two alone."""

    case: Case | None = None
    traces: list[Trace] = field(default_factory=list)

    @property
    def name(self) -> str:
        if self.case is not None:
            return self.case.id
        return self.traces[0].case_id or self.traces[0].id

    @property
    def place(self) -> str:
        return self.case.place if self.case is not None else self.traces[0].place


def has_own_names(context: Sequence[Event]) -> bool:
    """Whether each earlier message has an author of its own, and so a name in the extra context."""
    names = [event.author for event in context]
    return all(names) and len(set(names)) == len(names)


def _case(item: WrittenItem) -> Case:
    return item.case or Case("")


def _turns(item: WrittenItem) -> Iterator[Turn]:
    yield from _case(item).turns
    for trace in item.traces:
        yield from trace.turns


def _events(item: WrittenItem) -> Iterator[Event]:
    for turn in _turns(item):
        yield from turn.events


def _sessions(item: WrittenItem) -> int:
    case = _case(item)
    stated = [case.session, case.final_state, *(trace.final_state for trace in item.traces)]
    return sum(value is not None for value in stated)


def _expectations(case: Case) -> int:
    return len(case.expectations) + sum(len(turn.expectations) for turn in case.turns)


def _details(case: Case) -> int:
    scenario = case.scenario
    if scenario is None:
        return 0
    details = (scenario.persona, scenario.max_turns, scenario.facts, scenario.goal, scenario.variables)
    return sum(bool(detail) for detail in details)


def _tags(case: Case) -> int:
    return sum(LABEL not in tag for tag in case.tags)


def _turn_rubrics(case: Case) -> int:
    return sum(len(turn.rubrics) for turn in case.turns)


def _context(case: Case) -> int:
    return 0 if has_own_names(case.context) else len(case.context)


def _parts(item: WrittenItem) -> int:
    parts = [part for turn in _turns(item) for part in (*turn.user, *(turn.final_response or ()))]
    parts += [part for event in _events(item) for part in event.parts]
    return sum(map(_has_no_place, parts))


def _has_no_place(part: Part) -> bool:
    return isinstance(part, Transfer | Unknown) or (
        isinstance(part, Media) and part.uri is None and part.data is None
    )


def _event_details(item: WrittenItem) -> int:
    return sum(bool(event.usage or event.model or event.finish_reason or event.error) for event in _events(item))


_WHY: tuple[tuple[str, str, Callable[[WrittenItem], int]], ...] = (
    ("sessions", "an item has no session, and no state before or after the conversation", _sessions),
    ("titles", "an item goes by its display name, which is the id here", lambda item: int(bool(_case(item).title))),
    ("matchers", "they are not at a call that the item holds", lambda item: len(_case(item).matchers)),
    ("notes", "an item keeps no notes beside single values", lambda item: len(_case(item).notes)),
    ("criteria", "an item has no thresholds or switches", lambda item: len(_case(item).criteria)),
    ("expectations", "of what is expected an item holds calls and answers", lambda item: _expectations(_case(item))),
    ("scenario-details", "a scenario of Vertex AI is a first message and a plan", lambda item: _details(_case(item))),
    ("tags", "only tags of a name and a value are labels", lambda item: _tags(_case(item))),
    ("turn-rubrics", "rubrics belong to the whole request", lambda item: _turn_rubrics(_case(item))),
    ("context", "earlier messages need authors of their own", lambda item: _context(_case(item))),
    ("parts", "an event holds no transfers or parts of other systems, and no bytes that the file has not", _parts),
    ("event-details", "an event has no tokens, model, grounding or error", _event_details),
)


def losses_of(contents: Contents, items: Sequence[WrittenItem]) -> Iterator[Finding]:
    """One finding for each kind of thing that is not carried over."""
    for what, why, count in _WHY:
        counted = [(number, item) for item in items if (number := count(item))]
        if counted:
            total = sum(number for number, _ in counted)
            yield error(
                f"{what}-lost", f"Not carried over ({what.replace('-', ' ')}: {total}): {why}.", counted[0][1].place
            )
    spans = sum(trace.span_count for trace in contents.traces)
    if spans:
        yield error("spans-lost", f"Not carried over (spans: {spans}): an item has no spans.")
    if contents.reported:
        verdict_count = len(contents.reported)
        yield error(
            "verdicts-lost",
            f"Not carried over (verdicts: {verdict_count}): a request says nothing of how good it is.",
        )
    if contents.criteria is not None:
        yield error("criteria-lost", "Not carried over (criteria): a request has none.")
