"""In a child that stays: prompts and replies of judges, from the store or from recorded replies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.trace.judge_call import JudgeCall
from trace_inspector.core.trace.rubric import Rubric

if TYPE_CHECKING:
    from trace_inspector.engine.judges.recorded import RecordedJudge
    from trace_inspector.store.judge_calls import StoredCalls

MOST_SAMPLES = 64  # recorded for one question
TEXT_CHARS = 200_000  # of a prompt or a reply that are shown


class Question(Struct, frozen=True):
    """A question to a judge, and the digests of the replies to it."""

    metric: str
    case_id: str
    turn: int | None
    digests: tuple[str, ...] = ()
    rubrics: tuple[tuple[str, str], ...] = ()  # id and text


class ListCalls(Struct, frozen=True):
    """List calls. `recorded` is the file of recorded replies, where no judge was called."""

    questions: tuple[Question, ...]
    recorded: str = ""


class CallLine(Struct, frozen=True):
    """One call in the list. `started_s` is None where no judge was called."""

    question: int  # the index of its question in the request
    sample: int
    count: int  # of samples of that question
    digest: str = ""
    there: bool = True
    model: str = ""
    endpoint: str = ""
    started_s: float | None = None
    duration_s: float | None = None
    attempts: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    vote: str = ""
    yes: bool | None = None
    why: str = ""


class CallsFound(Struct, frozen=True):
    """The list."""

    lines: tuple[CallLine, ...]


class ReadCallText(Struct, frozen=True):
    """Prompt and reply of one call."""

    question: Question
    sample: int
    digest: str = ""
    recorded: str = ""


class CallText(Struct, frozen=True):
    """Prompt and reply as they were, in characters; `prompt` None where none was kept.

    `places` are the parts of the reply that were read, where known; `why` is why nothing was.
    """

    prompt: str | None
    reply: str | None
    places: tuple[tuple[int, int], ...] = ()
    why: str = ""
    is_known: bool = True
    note: str = ""
    prompt_chars: int = 0
    reply_chars: int = 0


def call_reader() -> Callable[[ListCalls | ReadCallText], CallsFound | CallText]:
    """Answers with a list, or with the texts of one call."""
    from trace_inspector.flows.judges.stored_calls import stored_calls

    def answer(request: ListCalls | ReadCallText) -> CallsFound | CallText:
        recorded = _recorded(request.recorded)
        with stored_calls() as calls:
            if isinstance(request, ReadCallText):
                return _text(request, calls, recorded)
            asked = enumerate(request.questions)
            return CallsFound(
                tuple(line for index, question in asked for line in _lines(index, question, calls, recorded))
            )

    return answer


def _lines(
    index: int, question: Question, calls: StoredCalls | None, recorded: RecordedJudge | None
) -> Iterator[CallLine]:
    if not question.digests and recorded is not None:
        replies = list(_recorded_replies(question, recorded))
        for sample, reply in enumerate(replies):
            yield _line(CallLine(index, sample, len(replies)), question, reply)
    for sample, digest in enumerate(question.digests):
        line = CallLine(index, sample, len(question.digests), digest)
        call = calls.get(digest) if calls is not None else None
        yield _asked(line, question, call) if call is not None else _gone(line)


def _asked(line: CallLine, question: Question, call: JudgeCall) -> CallLine:
    described = replace(
        line,
        model=call.key.model,
        endpoint=call.key.endpoint,
        started_s=call.started_s,
        duration_s=call.duration_s,
        attempts=call.attempts,
        input_tokens=call.input_tokens,
        output_tokens=call.output_tokens,
    )
    return _line(described, question, call.reply)


def _line(line: CallLine, question: Question, reply: str | None) -> CallLine:
    from trace_inspector.engine.judges.questions.reply_reading import read_reply

    if reply is None:
        return replace(line, why="it has no content")
    read = read_reply(question.metric, reply, _rubrics(question))
    return replace(line, vote=read.vote, yes=read.yes, why=read.why)


def _gone(line: CallLine) -> CallLine:
    return replace(line, there=False, why="it is no longer kept")


def _text(request: ReadCallText, calls: StoredCalls | None, recorded: RecordedJudge | None) -> CallText:
    if request.digest:
        call = calls.get(request.digest) if calls is not None else None
        if call is None:
            return CallText(None, None, why="It is no longer kept.")
        return _call_text(request.question, call.key.prompt, call.reply, call.note)
    replies = list(_recorded_replies(request.question, recorded)) if recorded is not None else []
    return _call_text(request.question, None, replies[request.sample] if request.sample < len(replies) else None, "")


def _call_text(question: Question, prompt: str | None, reply: str | None, note: str) -> CallText:
    from trace_inspector.engine.judges.questions.reply_reading import ReplyRead, read_reply

    read = read_reply(question.metric, reply, _rubrics(question)) if reply is not None else ReplyRead()
    shown = _lined(reply or "")[:TEXT_CHARS]
    places = tuple(
        (start, end)
        for start, end in (
            (first - _returns(reply or "", first), last - _returns(reply or "", last)) for first, last in read.places
        )
        if end <= len(shown)
    )
    return CallText(
        None if prompt is None else _lined(prompt)[:TEXT_CHARS],
        None if reply is None else shown,
        places,
        read.why,
        read.is_readable,
        note,
        len(prompt or ""),
        len(reply or ""),
    )


def _lined(text: str) -> str:
    """Lines as a text view has them."""
    return text.replace("\r\n", "\n")


def _returns(text: str, before: int) -> int:
    return text.count("\r\n", 0, before)


def _recorded_replies(question: Question, recorded: RecordedJudge) -> Iterator[str]:
    for sample in range(MOST_SAMPLES):
        reply = recorded.replies.get((question.metric, question.case_id, question.turn or 0, sample))
        if reply is None:
            return
        yield reply


def _rubrics(question: Question) -> list[Rubric]:
    return [Rubric(rubric_id, text) for rubric_id, text in question.rubrics]


def _recorded(path: str) -> RecordedJudge | None:
    from trace_inspector.engine.judges.recorded import RecordedJudge
    from trace_inspector.flows.judges.judge_files import judge_named

    judge = judge_named(f"recorded:{Path(path)}") if path else None
    return judge if isinstance(judge, RecordedJudge) else None
