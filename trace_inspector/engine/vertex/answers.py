"""Vertex AI's metrics of texts: the last answer against the reference, by characters or by words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from msgspec import Struct
from pydantic import BaseModel, ConfigDict

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.engine.judges.questions.options import BOTH_NAMES, options_of
from trace_inspector.engine.scoring.metric import CannotJudge, Judged, Method, Subject
from trace_inspector.engine.scoring.porter import stem
from trace_inspector.engine.vertex.whole_conversation import answers, scored

_BETWEEN_WORDS = re.compile(r"[^a-z0-9]+")
_STEMMED_FROM = 4
MOST_CELLS = 4_000_000  # of the tables of common subsequences; that is about half a second


class RougeParameters(BaseModel):
    """The switch of Vertex AI's ROUGE that changes words."""

    model_config = ConfigDict(alias_generator=BOTH_NAMES, populate_by_name=True)

    use_stemmer: bool = False


def _parameters(criterion: Criterion) -> RougeParameters:
    return options_of(RougeParameters, criterion)


def words(text: str, *, stemmed: bool) -> list[str]:
    """Lower-case runs of Latin letters and digits; all other characters separate words."""
    runs = [word for word in _BETWEEN_WORDS.split(text.lower()) if word]
    return [stem(word) if len(word) >= _STEMMED_FROM else word for word in runs] if stemmed else runs


def f_measure(shared: int, expected: int, observed: int) -> float:
    """Precision and recall of shared words in one figure; nothing shared is 0."""
    if not shared:
        return 0.0
    precision, recall = shared / observed, shared / expected
    return 2 * precision * recall / (precision + recall)


def rouge_1(reference: str, answer: str, *, stemmed: bool = False) -> float:
    """The F measure of the words in both texts, each counted as often as in both."""
    expected, answer_words = words(reference, stemmed=stemmed), words(answer, stemmed=stemmed)
    return f_measure((Counter(expected) & Counter(answer_words)).total(), len(expected), len(answer_words))


def rouge_l_sum(reference: str, answer: str, *, stemmed: bool = False) -> float:
    """The F measure of the words on common subsequences of lines, none counted more often than both texts have it."""
    expected, answer_lines = (
        [words(line, stemmed=stemmed) for line in text.split("\n")] for text in (reference, answer)
    )
    all_expected, all_answered = (
        Counter(word for line in lines for word in line) for lines in (expected, answer_lines)
    )
    if all_expected.total() * all_answered.total() > MOST_CELLS:
        raise CannotJudge(
            f"the texts are too long for this metric: {all_expected.total():,} and {all_answered.total():,} words"
        )
    remaining = all_expected & all_answered
    shared = 0
    for line in expected:
        on_path = sorted({index for other in answer_lines for index in _common(line, other)})
        for word in (line[index] for index in on_path):
            if remaining[word]:
                remaining[word] -= 1
                shared += 1
    return f_measure(shared, all_expected.total(), all_answered.total())


def _common(first: Sequence[str], second: Sequence[str]) -> list[int]:
    """The positions of a longest common subsequence in the first list, from the end."""
    rows = [[0] * (len(second) + 1)]
    for word in first:
        before, row = rows[-1], [0]
        for column, against in enumerate(second):
            row.append(before[column] + 1 if word == against else max(before[column + 1], row[column]))
        rows.append(row)
    positions = []
    down, right = len(first), len(second)
    while down and right:
        if first[down - 1] == second[right - 1]:
            down, right = down - 1, right - 1
            positions.append(down)
        elif rows[down][right - 1] > rows[down - 1][right]:
            right -= 1
        else:
            down -= 1
    return positions


def _judge_exact(subject: Subject, criterion: Criterion) -> Judged:
    reference, answer = answers(subject)
    return scored(subject, criterion, float(reference == answer), "the answer differs from the golden's")


class _Rouge(Struct, frozen=True):
    """One of the two metrics; a value, so that it can be pickled."""

    score: Callable[..., float]

    def judge(self, subject: Subject, criterion: Criterion) -> Judged:
        """Compare the last answers."""
        reference, answer = answers(subject)
        score = self.score(reference, answer, stemmed=_parameters(criterion).use_stemmer)
        return scored(subject, criterion, score, "" if answer else "the answer is empty")


METHODS = {
    "exact_match": Method(_judge_exact),
    "rouge_1": Method(_Rouge(rouge_1).judge, parameters=RougeParameters, check=_parameters),
    "rouge_l_sum": Method(_Rouge(rouge_l_sum).judge, parameters=RougeParameters, check=_parameters),
}
