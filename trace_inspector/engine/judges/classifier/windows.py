"""Questions as tokens: the evidence in windows that leave room for the sentence, and the places of its tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from trace_inspector.engine.judges.classifier.exchange import SentenceQuestion
from trace_inspector.engine.judges.classifier.folder import ClassifierKind, InputForm, fill

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

_MOST_WINDOWS: Final = 64
_LEAST_ROOM: Final = 16  # tokens of evidence in a window; with fewer a sentence counts as too long
_SHARED: Final = 8  # one part in so many of a window stands in the window before it, too
_MOST_QUESTION_CHARS: Final = 1000


class TokenWindow(Struct, frozen=True):
    """One input of the classifier, and which of its tokens are the sentence's, with their characters in it."""

    ids: Sequence[int]
    type_ids: Sequence[int]
    tokens: tuple[int, ...] = ()
    places: tuple[tuple[int, int], ...] = ()


def windows_of(question: SentenceQuestion, form: InputForm, tokenizer: Tokenizer) -> Iterator[TokenWindow]:
    """The inputs for a question, one a piece of the evidence; none when the sentence leaves no room for evidence."""
    room = form.max_tokens - len(_encoded("", question, form, tokenizer).ids)
    if room < _LEAST_ROOM:
        return
    places = tokenizer.encode(question.evidence, add_special_tokens=False).offsets
    step = room - room // _SHARED
    for number, start in enumerate(range(0, max(1, len(places)), step)):
        end = min(start + room, len(places))
        # A piece by itself may have more tokens than the same characters have inside of the whole.
        encoded = _encoded(_piece(question.evidence, places, start, end), question, form, tokenizer)
        while len(encoded.ids) > form.max_tokens and end > start:
            end -= len(encoded.ids) - form.max_tokens
            encoded = _encoded(_piece(question.evidence, places, start, end), question, form, tokenizer)
        yield _window(encoded, question, form)
        if start + room >= len(places) or number + 1 >= _MOST_WINDOWS:
            return


def _piece(text: str, places: Sequence[tuple[int, int]], start: int, end: int) -> str:
    return text[places[start][0] : places[end - 1][1]] if start < end else ""


def _encoded(piece: str, question: SentenceQuestion, form: InputForm, tokenizer: Tokenizer) -> Encoding:
    by_token = form.kind is ClassifierKind.SPAN
    claim = question.before + question.sentence if by_token else question.sentence
    values = {"document": piece, "claim": claim, "question": question.question[:_MOST_QUESTION_CHARS]}
    return tokenizer.encode(fill(form.first, values), fill(form.second, values) if form.second else None)


def _window(encoded: Encoding, question: SentenceQuestion, form: InputForm) -> TokenWindow:
    if form.kind is ClassifierKind.PAIR:
        return TokenWindow(encoded.ids, encoded.type_ids)
    begin = len(question.before)
    own = [
        (token, (max(0, start - begin), end - begin))
        for token, (sequence, (start, end)) in enumerate(zip(encoded.sequence_ids, encoded.offsets, strict=True))
        if sequence == 1 and end > max(start, begin)
    ]
    return TokenWindow(
        encoded.ids, encoded.type_ids, tuple(token for token, _ in own), tuple(place for _, place in own)
    )
