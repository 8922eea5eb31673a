"""Who hands the conversation to whom, on each side: edges between agents, as expected and as observed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.promoted_turn import target_of_transfer
from trace_inspector.core.trace.expectation import Expects
from trace_inspector.core.trace.parts import ToolCall, Transfer
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Steps, Turn
from trace_inspector.engine.ces.calls import first_of
from trace_inspector.engine.ces.identity import same_name
from trace_inspector.engine.trace_grid.row import Relation

MOST_AGENTS = 40  # what is drawn is for a person to read; the others are counted
MOST_EDGES = 60
_NAME_CHARS = 80
_ANYBODY = frozenset({"", "agent", "model", "assistant"})  # what files write where they do not name the agent


class HandOff(Struct, frozen=True):
    """An edge: `times` and `first_turns` (-1 for none) are by side. `source` is "" where no side names it."""

    source: str
    target: str
    times: tuple[int, ...]
    first_turns: tuple[int, ...]

    @property
    def relation(self) -> Relation:
        """How the last side relates to the first; ARGUMENTS is the same edge, gone another number of times."""
        expected, observed = self.times[0], self.times[-1]
        if expected == observed:
            return Relation.SAME if expected else Relation.NEITHER
        return Relation.EXTRA if not expected else Relation.MISSING if not observed else Relation.ARGUMENTS


class HandOffs(Struct, frozen=True):
    """The edges in the order in which they are first gone, side after side. `left_out` are edges beyond the most."""

    edges: tuple[HandOff, ...] = ()
    is_stated: bool = True  # whether the first side says what is done in its turns
    left_out: int = 0


class _Gone(Struct):
    """One handing over."""

    source: str
    target: str
    turn: int


def hand_offs(cases: Sequence[Case]) -> HandOffs:
    """The edges of two or three conversations, the first one as what is expected."""
    names = _Names()
    sides = [
        [_Gone(names.of(hand_over.source), names.of(hand_over.target), hand_over.turn) for hand_over in _gone(case)]
        for case in cases
    ]
    _name_sources(sides)
    times: dict[tuple[str, str], list[int]] = {}
    firsts: dict[tuple[str, str], list[int]] = {}
    for side, gone in enumerate(sides):
        for hand_over in gone:
            edge = hand_over.source, hand_over.target
            times.setdefault(edge, [0] * len(cases))[side] += 1
            turns = firsts.setdefault(edge, [-1] * len(cases))
            turns[side] = hand_over.turn if turns[side] < 0 else turns[side]
    kept: list[HandOff] = []
    agents: set[str] = set()
    for (source, target), counts in times.items():
        if len(kept) == MOST_EDGES or len(agents | {source, target}) > MOST_AGENTS:
            continue
        agents |= {source, target}
        first = tuple(firsts[source, target])
        kept.append(HandOff(one_line(source, _NAME_CHARS), one_line(target, _NAME_CHARS), tuple(counts), first))
    return HandOffs(tuple(kept), _states(cases[0]), len(times) - len(kept))


def _gone(case: Case) -> Iterator[_Gone]:
    for index, turn in enumerate(case.turns):
        yield from _expected(turn, index) or _made(turn, index)


def _expected(turn: Turn, turn_index: int) -> list[_Gone]:
    """What expectations say; who hands over stands at most in the turn's own events."""
    stated = [expectation for expectation in turn.expectations if expectation.kind is Expects.TRANSFER]
    sources = {hand_over.target: hand_over.source for hand_over in _made(turn, turn_index)} if stated else {}
    targets = [
        part.target
        for expectation in stated
        if not expectation.skipped and (part := first_of(expectation.parts, Transfer))
    ]
    return [_Gone(sources.get(target, ""), target, turn_index) for target in targets]


def _made(turn: Turn, turn_index: int) -> list[_Gone]:
    made = []
    authored = [
        *((event.author, event.parts) for event in turn.events),
        (turn.final_author, turn.final_response or ()),
    ]
    for author, parts in authored:
        for part in parts:
            target = target_of_transfer(part)
            if target:
                source = part.agent if isinstance(part, ToolCall) and part.agent else author
                made.append(_Gone(source, target, turn_index))
    return made


def _states(case: Case) -> bool:
    return any(turn.steps is not Steps.ABSENT or turn.expectations for turn in case.turns)


class _Names(Struct):
    """One spelling for each agent: a whole resource name and the end of one mean the same."""

    first_spellings: dict[str, str] = field(default_factory=dict)
    spelled: list[str] = field(default_factory=list)

    def of(self, name: str) -> str:
        if name not in self.first_spellings:
            same = next((spelling for spelling in self.spelled if same_name(spelling, name)), None)
            if same is None and name and len(self.spelled) < MOST_AGENTS * 2:
                self.spelled.append(name)
            self.first_spellings[name] = same or name
        return self.first_spellings[name]


def _name_sources(sides: Sequence[list[_Gone]]) -> None:
    """Where a side does not name who hands over: as a side has it that does, else whom it was handed to last."""
    named_sources = [
        [(hand_over.target, hand_over.source, _specificity(hand_over.source)) for hand_over in gone] for gone in sides
    ]
    for side, gone in enumerate(sides):
        better: dict[tuple[str, int], deque[str]] = {}
        for other, named in enumerate(named_sources):
            for target, source, certainty in named if other != side else ():
                for less in range(certainty):
                    better.setdefault((target, less), deque()).append(source)
        last = ""
        for hand_over in gone:
            queue = better.get((hand_over.target, _specificity(hand_over.source)))
            # The last one is kept: who hands over once more is likely the same agent.
            borrowed = (queue.popleft() if len(queue) > 1 else queue[0]) if queue else ""
            hand_over.source = borrowed or hand_over.source or last
            last = hand_over.target


def _specificity(source: str) -> int:
    """How much a name says: nothing, that it is an agent, or which."""
    return 2 if source not in _ANYBODY else int(bool(source))
