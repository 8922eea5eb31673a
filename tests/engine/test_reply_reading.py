"""What was read of a reply, and where it stands in it."""

from __future__ import annotations

import pytest

from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.engine.judges.questions.reply_reading import ReplyRead, read_reply

RUBRICS = [Rubric("a", "It is polite."), Rubric("b", "It is short.")]
QUALITY = "rubric_based_final_response_quality_v1"


def block(rubric_id: str, verdict: str) -> str:
    return f"ID: {rubric_id}\nProperty: x\nRationale: so\nVerdict: {verdict}\n\n"


def marked(reply: str, read: ReplyRead) -> list[str]:
    return [reply[start:end] for start, end in read.places]


def test_rubrics_are_counted_and_their_verdicts_marked() -> None:
    reply = block("a", "yes") + block("b", "no")
    read = read_reply(QUALITY, reply, RUBRICS)
    assert (read.vote, read.yes, read.why) == ("1 of 2 yes", False, "")
    assert marked(reply, read) == ["yes", "no"]


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (
            "Property: x\nVerdict: yes\n",
            "it has 1 properties, 0 rationales and 1 verdicts; they must be equally many",
        ),
        ("Fine!", "it holds no “Property:”, “Rationale:” and “Verdict:”"),
        (block("c", "yes"), "it answers none of the rubrics"),
    ],
)
def test_a_void_reply_says_which_count_differs(reply: str, why: str) -> None:
    read = read_reply(QUALITY, reply, RUBRICS)
    assert (read.vote, read.why, read.places) == ("", why, ())


def test_a_label_is_marked_where_it_was_read() -> None:
    reply = '{"reasoning": "valid?", "is_the_agent_response_valid": "invalid",\n}'
    read = read_reply("final_response_match_v2", reply, ())
    assert (read.vote, read.yes, marked(reply, read)) == ("not valid", False, ["invalid"])
    assert read_reply("final_response_match_v2", "no", ()).why == "it contains no label"
    odd = '{"is_the_agent_response_valid": "perhaps"\n}'
    assert "not a known one" in read_reply("final_response_match_v2", odd, ()).why
    user = '{"is_valid": "valid"\n}'
    assert marked(user, read_reply("per_turn_user_simulator_quality_v1", user, ())) == ["valid"]


def test_sentences_are_marked_as_split_or_as_labelled() -> None:
    split = "<sentence>One.</sentence> <sentence>Two.</sentence>"
    read = read_reply("hallucinations_v1", split, ())
    assert (read.vote, marked(split, read)) == ("2 sentences", ["One.", "Two."])
    checked = "sentence: One.\nlabel: supported\nrationale: r\nsupporting_excerpt: e\ncontradicting_excerpt: null"
    read = read_reply("hallucinations_v1", checked, ())
    assert (read.yes, [found.strip() for found in marked(checked, read)]) == (True, ["supported"])
    assert read_reply("hallucinations_v1", "nothing", ()).why


def test_of_other_metrics_nothing_is_claimed() -> None:
    assert read_reply("judge_prompt", "5", ()) == ReplyRead(is_readable=False)
