"""Where in a turn it may first have gone wrong: its calls, the sentences of its answer. The golden suggests one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from msgspec import Struct

from trace_inspector.core.alignment.turn_alignment import same_call
from trace_inspector.core.golden.matcher import Matcher
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.summary import call_line, one_line
from trace_inspector.core.trace.trace import Turn, answer_text, calls_of
from trace_inspector.core.values.value_edits import is_below
from trace_inspector.models.base.translation import tr

ANSWER = "answer"
_MOST_CALLS, _MOST_SENTENCES = 200, 100  # that one can step through
_WORDS_CHARS = 120


class FaultChoice(Struct, frozen=True):
    """A place as labels name it, such as call/2, and as people are told of it."""

    name: str
    words: str


class FaultChoices(Struct, frozen=True):
    """Those of a turn in their order, and the name of the one that is likely; "" for none."""

    places: tuple[FaultChoice, ...] = ()
    likely: str = ""

    def words(self, name: str) -> str:
        """What people are told of a place, also of one that is not offered."""
        return next((place.words for place in self.places if place.name == name), name)

    def next(self, name: str, step: int) -> str:
        """The name of the place after it, or before it; between the last and the first there is none, ""."""
        names = ["", *(place.name for place in self.places)]
        index = names.index(name) if name in names else 0
        return names[(index + step) % len(names)]


def fault_choices(turn: Turn, golden: Turn | None, matchers: Iterable[Matcher] = ()) -> FaultChoices:
    """The places of a turn. Likely is the first call that leaves the golden, or the answer where no call does.

    Of a call with matchers the tool alone is looked at: a pattern may take half a second.
    """
    likely = _leaves(turn, golden, {matcher.place for matcher in matchers}) if golden is not None else ""
    return FaultChoices((*_calls(turn), *_answer(turn)), likely)


def _calls(turn: Turn) -> Iterator[FaultChoice]:
    for index, call in enumerate(calls_of(turn)[:_MOST_CALLS]):
        words = tr("call {0} · {1}").format(f"{index + 1:,}", one_line(call_line(call), _WORDS_CHARS))
        yield FaultChoice(f"call/{index}", words)


def _answer(turn: Turn) -> Iterator[FaultChoice]:
    from trace_inspector.engine.grounding.text.sentences import split

    answer = answer_text(turn)
    yield FaultChoice(ANSWER, tr("the answer as a whole"))
    for index, span in enumerate(split(answer)[:_MOST_SENTENCES]):
        words = one_line(answer[span.start : span.end], _WORDS_CHARS)
        yield FaultChoice(f"sentence/{index}", tr("sentence {0} · {1}").format(f"{index + 1:,}", words))


def _leaves(turn: Turn, golden: Turn, matched: Collection[str]) -> str:
    expected = calls_of(golden)
    for index, call in enumerate(calls_of(turn)):
        if index >= len(expected) or not _is_expected(expected[index], call, matched):
            return f"call/{index}"
    return ANSWER


def _is_expected(expected: ToolCall, call: ToolCall, matched: Collection[str]) -> bool:
    if any(is_below(place, expected.place) for place in matched):
        return expected.stated_name == call.stated_name
    return same_call(expected, call)
