"""Judge replies written beforehand, so that rubrics can be shown without a key and without a network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from samples.goldens import EVERYWHERE, METRIC, SAMPLES
from samples.story import Conversation, Json, JsonObject, Rubric, Turn

# What the judge says for a yes, in the words of each sample.
_REASONS = {
    "no_unsourced_numbers": (
        "Each number of the answer can be found in the evidence.",
        "I compared the numbers one by one and found all of them.",
        "No number stands in the answer that the tools did not give.",
    ),
    "answers_the_question": (
        "The answer is about what was asked.",
        "The first sentence already responds to the question.",
        "The user gets what the question asks for.",
    ),
    "offers_next_step": (
        "The user can go on from here.",
        "The end of the answer is of use to the user.",
        "It ends with something to do or to use.",
    ),
    "names_walking_time": (
        "A walking time for the garages is given.",
        "The answer says how long the walk to the garages is.",
        "The garages come with their walking time.",
    ),
    "repeats_budget": (
        "The budget is named again with the same amount.",
        "The amount in the answer is the user's budget.",
        "The answer repeats the budget.",
    ),
    "answers_in_users_language": (
        "User and answer use the same language.",
        "The language of the last message is kept.",
        "The answer is written in the user's language.",
    ),
}

_PLANTED = "40 covered spots"
_PLANTED_REASON = "The answer gives 40 covered spots, and no tool result contains that number."
_OVERLOOKED_BY = 1  # the sample that does not notice the planted claim
_MALFORMED = ("seattle_coffee_002", 1, 2)  # case, turn and sample of a reply that leaves out a rationale


def replies(runs: Iterable[Sequence[Conversation]]) -> JsonObject:
    """Every reply, in the order of the calls. A reply fits its turn in each run that reached it."""
    recorded: dict[tuple[str, int, int], Json] = {}
    for conversations in runs:
        for conversation in conversations:
            reached = [turn for turn in conversation.turns if turn.steps]
            for index, turn in enumerate(reached):
                for sample in range(SAMPLES):
                    recorded.setdefault((conversation.id, index, sample), _reply(conversation, index, turn, sample))
    return {"version": 1, "replies": list(recorded.values())}


def _reply(conversation: Conversation, index: int, turn: Turn, sample: int) -> Json:
    own = turn.golden.rubrics if turn.golden else ()
    blocks = [_block(rubric, turn, sample) for rubric in (*EVERYWHERE, *conversation.rubrics, *own)]
    if (conversation.id, index, sample) == _MALFORMED:
        blocks[-1] = "\n".join(row for row in blocks[-1].splitlines() if not row.startswith("Rationale"))
    return {
        "metric": METRIC,
        "case": conversation.id,
        "turn": index,
        "sample": sample,
        "reply": "\n\n".join(blocks),
    }


def _block(rubric: Rubric, turn: Turn, sample: int) -> str:
    noticed = rubric.id == "no_unsourced_numbers" and _PLANTED in turn.steps[-1].says and sample != _OVERLOOKED_BY
    return "\n".join(
        (
            f"ID: {rubric.id}",
            f"Property: {rubric.text}",
            f"Evidence: {turn.evidence}",
            f"Rationale: {_PLANTED_REASON if noticed else _REASONS[rubric.id][sample]}",
            f"Verdict: {'no' if noticed else 'yes'}",
        )
    )
