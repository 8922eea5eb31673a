"""Shows how a judge's reply was read, with the positions in it, for looking at replies one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.engine.judges.questions import rubric_reply, sentence_reply, valid_reply

Places = tuple[tuple[int, int], ...]


class ReplyRead(Struct, frozen=True):
    """One reply. `vote` in words, `yes` whether it is in favour of the answer; `why` nothing was read.

    `known` is false for metrics whose replies cannot be read without more than the reply.
    """

    is_readable: bool = True
    vote: str = ""
    yes: bool | None = None
    why: str = ""
    places: Places = ()


def read_reply(metric: str, reply: str, rubrics: Sequence[Rubric]) -> ReplyRead:
    """Read a reply once more, as the metric did."""
    read = _READERS.get(metric)
    return read(reply, rubrics) if read else ReplyRead(is_readable=False)


def _of_rubrics(reply: str, rubrics: Sequence[Rubric]) -> ReplyRead:
    why = rubric_reply.unread_because(reply)
    if why:
        return ReplyRead(why=why)
    answers = rubric_reply.answers(reply, rubrics)
    yes = sum(answer.score == 1.0 for answer in answers)
    if not answers:
        return ReplyRead(why="it answers none of the rubrics")
    places = tuple(rubric_reply.read_places(reply))
    return ReplyRead(vote=f"{yes} of {len(answers)} yes", yes=yes == len(answers), places=places)


def _of_answer(reply: str, _rubrics: Sequence[Rubric]) -> ReplyRead:
    return _labelled(valid_reply.answer_vote(reply), valid_reply.answer_place(reply))


def _of_user(reply: str, _rubrics: Sequence[Rubric]) -> ReplyRead:
    return _labelled(valid_reply.user_vote(reply), valid_reply.user_place(reply))


def _labelled(vote: float | None, place: tuple[int, int] | None) -> ReplyRead:
    places = (place,) if place else ()
    if vote is None:
        why = "its label is not a known one" if place else "it contains no label"
        return ReplyRead(why=why, places=places)
    return ReplyRead(vote="valid" if vote else "not valid", yes=bool(vote), places=places)


def _of_sentences(reply: str, _rubrics: Sequence[Rubric]) -> ReplyRead:
    places = tuple(sentence_reply.read_places(reply))
    split = sentence_reply.tagged(reply)
    if split:
        return ReplyRead(vote=f"{len(split)} sentences", places=places)
    verdicts = sentence_reply.checked(reply)
    if not verdicts:
        return ReplyRead(why="it holds neither marked sentences nor whole blocks about them")
    share = sentence_reply.share(verdicts)
    vote = f"{len(verdicts)} labels" if share is None else f"{share:.2f} of {len(verdicts)} labels"
    return ReplyRead(vote=vote, yes=None if share is None else share == 1.0, places=places)


_READERS: Mapping[str, Callable[[str, Sequence[Rubric]], ReplyRead]] = {
    "rubric_based_final_response_quality_v1": _of_rubrics,
    "rubric_based_tool_use_quality_v1": _of_rubrics,
    "rubric_based_multi_turn_trajectory_quality_v1": _of_rubrics,
    "final_response_match_v2": _of_answer,
    "per_turn_user_simulator_quality_v1": _of_user,
    "hallucinations_v1": _of_sentences,
}
