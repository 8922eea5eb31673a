"""A question in one message and a bare word as the answer in another: the word goes, everywhere in the pack."""

from __future__ import annotations

import pytest

from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.evidence import EvidencePack, EvidenceSide
from trace_inspector.core.trace.parts import Part, Text, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Event, Trace, Turn
from trace_inspector.core.values.values import Json
from trace_inspector.documents.page.document import data_in
from trace_inspector.engine.evidence.evidence_file import EvidenceFile, evidence_file
from trace_inspector.engine.redaction.options import Redaction

ANSWERED = (
    ("What is your password?", "hunter2-Blue", "hunter2-Blue"),
    ("What is your password?", "greenotter", "greenotter"),
    ("Please enter your PIN.", "4821", "4821"),
    ("Could you tell me the verification code we sent you?", "730164", "730164"),
    ("To verify you, I need the 6-digit code.", "Sure, it is 730 164", "730 164"),
    ("First, please confirm your account PIN?", "my pin? sure, 4821", "4821"),
    ("Password:", "greenotter", "greenotter"),
    ("Please share the token.", "here you go: greenotter", "greenotter"),
    ("Wie lautet Ihr Passwort?", "Amber_Kiln", "Amber_Kiln"),
    ("Quel est votre mot de passe ?", "citronhibou", "citronhibou"),
    ("¿Cuál es tu contraseña?", "olivoroble", "olivoroble"),
    ("Qual é a sua senha?", "limaoverde", "limaoverde"),
    ("パスワードを教えてください。", "sakuraneko", "sakuraneko"),
    ("请输入验证码", "730164", "730164"),
)
NOT_ANSWERED = (
    ("What is your name?", "greenotter"),
    ("What is your zip code?", "90210"),
    ("What is the error code?", "E4821"),
    ("Did you forget your password?", "certainly"),
    ("Is your password at least 12 characters?", "Absolutely"),
    ("Which token limit applies?", "48213"),
    ("What is your password?", "nope"),
    ("What is your password?", "I forgot it, can you reset it for me"),
)


def test_the_answer_to_a_question_for_a_secret_goes_everywhere() -> None:
    for question, answer, secret in ANSWERED:
        made = pack_of(spoken("hello", question, answer, f"thanks, {answer}"))
        assert made.left == 0
        assert secret not in shown(made), question
        assert [each.rule for each in made.redacted] == ["answer-to-question"], question


def test_other_questions_and_other_answers_stay() -> None:
    for question, answer in NOT_ANSWERED:
        assert answer in shown(pack_of(spoken("hello", question, answer, "all right"))), question


def test_a_tool_may_ask_and_give_the_answer() -> None:
    call = ToolCall("ask_user", {"question": "What is your password?"}, "1", place="/0")
    result = ToolResult("ask_user", {"status": "success", "answer": "greenotter"}, "1", place="/0")
    events = tuple(Event(author="a", parts=(part,), place="/0") for part in (call, result))
    made = pack_of((Turn(index=0, user=text("hello"), events=events, place="/0"),))
    assert made.left == 0
    assert "greenotter" not in shown(made)
    assert "success" in shown(made)


def test_messages_inside_a_value_are_a_conversation_too() -> None:
    messages: list[Json] = [
        {"role": "assistant", "content": "What is your PIN?"},
        {"role": "user", "content": [{"type": "text", "text": "4821"}]},
    ]
    call = ToolCall("summarise", {"messages": messages}, place="/0")
    turn = Turn(index=0, user=text("hello"), events=(Event(author="a", parts=(call,), place="/0"),), place="/0")
    assert "4821" not in shown(pack_of((turn,)))


def test_a_golden_is_a_conversation_too() -> None:
    case = Case(id="c", turns=spoken("hello", "What is your password?", "greenotter", "right"), place="/0")
    suite = Suite(id="s", cases=(case,), place="/0")
    made = evidence_file(EvidencePack("run", (EvidenceSide("run", suites=(suite,)),)), Redaction())
    assert "greenotter" not in shown(made)


@pytest.mark.parametrize("later", [1, 3])
def test_a_question_is_open_for_a_few_messages_only(later: int) -> None:
    between = ["one moment please", "let me look that up"] * later
    turns = spoken("hello", "What is your password?", *between, "greenotter", "right")
    assert ("greenotter" in shown(pack_of(turns))) is (later == 3)


def spoken(*texts: str) -> tuple[Turn, ...]:
    pairs = zip(texts[::2], texts[1::2], strict=True)
    return tuple(
        Turn(index=index, user=text(user), final_response=text(answer), place="/0")
        for index, (user, answer) in enumerate(pairs)
    )


def text(words: str) -> tuple[Part, ...]:
    return (Text(words, place="/0"),)


def pack_of(turns: tuple[Turn, ...]) -> EvidenceFile:
    trace = Trace(id="t", turns=turns, place="/0")
    return evidence_file(EvidencePack("run", (EvidenceSide("run", traces=(trace,)),)), Redaction())


def shown(made: EvidenceFile) -> str:
    """All that is in a pack, the data decoded."""
    return made.data.decode() + data_in(made.data).decode()
