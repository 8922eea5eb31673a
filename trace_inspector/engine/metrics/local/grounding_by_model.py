"""`grounding_model` and `minicheck`: the sentences of an answer labelled by a model, beside `local_grounding`.

They inform and decide nothing, whatever threshold a criterion states: nobody has measured the model on such answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.trace import Turn, answer_text, user_text
from trace_inspector.core.verdict.verdict import MetricVerdict, Sentence, SentenceSupport, Status
from trace_inspector.engine.grounding.decision.nearest import NearestEvidence
from trace_inspector.engine.grounding.evidence.evidence import Evidence
from trace_inspector.engine.grounding.facts.claim import MAX_SENTENCE_CHARS, read_claim
from trace_inspector.engine.grounding.rules.check import not_checked
from trace_inspector.engine.grounding.text.sentences import Span, split
from trace_inspector.engine.judges.classifier.exchange import Classified, SentenceQuestion, read_answer
from trace_inspector.engine.judges.questions.options import JudgedParameters, options_of
from trace_inspector.engine.judges.questions.questions import MARKED, Question, asks, case_id_of, with_replies
from trace_inspector.engine.metrics.local.sentence_labels import counts, counts_and_first, share_of_good
from trace_inspector.engine.scoring.cannot_judge import judge_call_failed
from trace_inspector.engine.scoring.metric import CLASSIFIER, Ask, Inquiry, Judged, Method, Reply, Rounds, Subject
from trace_inspector.engine.scoring.metric_names import GROUNDING_MODEL, MINICHECK
from trace_inspector.engine.scoring.scoring import plain_mean

INFORMS: Final = "it only informs, as this model was not held against people’s labels"
MAX_SENTENCES: Final = 300  # of one answer: each costs a model some tenths of a second
MAX_EVIDENCE_CHARS: Final = 12_000  # about 3,000 tokens
_BEFORE_CHARS: Final = 600
_QUESTION_CHARS: Final = 2_000

_BARE: Final = "Document: {document}\nClaim: {claim}"
_INSTRUCTED: Final = """Say whether the document bears out the claim. Every part of the claim has to follow from the \
document, and what you know yourself does not count. Answer with one word, Yes or No.

Document: {document}
Claim: {claim}
"""
_MARKERS: Final = re.compile(r"^\s*(?:document|claim):", re.IGNORECASE | re.MULTILINE)
_WORD: Final = re.compile(r"[^\W\d_]+")
_WORDS: Final = {"yes": SentenceSupport.SUPPORTED, "no": SentenceSupport.UNSUPPORTED}


class MiniCheckParameters(JudgedParameters):
    """The options of `minicheck`. `instructed`: tell a general model what to do; one trained for it knows."""

    instructed: bool = False


class _Label(Struct, frozen=True):
    """What a model says of a sentence."""

    support: SentenceSupport
    reason: str


class _Labeller(Struct, frozen=True):
    """One of the two kinds: whom it asks, how, and how a reply is read."""

    source: str
    ask: Callable[[Subject, Criterion, int, int, SentenceQuestion], Ask]
    read: Callable[[str, str], _Label]
    failed: Callable[[str], str]


class _Sentence(Struct, frozen=True):
    """A sentence of the answer: already labelled, or with what is asked about it."""

    span: Span
    known: _Label | None = None
    ask: Ask | None = None
    note: str = ""  # what the model was not shown


def _judge(labeller: _Labeller, subject: Subject, criterion: Criterion) -> Inquiry:
    observed = {row.observed.index for row in subject.turns if row.observed}
    evidence = Evidence()
    nearest = NearestEvidence(evidence, MAX_EVIDENCE_CHARS)
    evidence.add_agents(subject.trace.agents)
    verdicts: dict[int, MetricVerdict] = {}
    for turn in subject.trace.turns:
        evidence.add_turn(turn)
        if turn.index in observed:
            verdicts[turn.index] = yield from _turn(labeller, turn, nearest, subject, criterion)
    turns = tuple(verdicts.get(row.observed.index) if row.observed else None for row in subject.turns)
    told = [verdict for verdict in turns if verdict]
    score = plain_mean(verdict.score for verdict in told if verdict.score is not None)
    labels = [sentence.support for verdict in told for sentence in verdict.sentences]
    failure = next((verdict.reason for verdict in told if verdict.status is Status.NOT_EVALUATED), "")
    status = Status.NOT_EVALUATED if failure and score is None else Status.INFORMATIONAL
    reason = failure or (f"{counts(labels)}; {INFORMS}" if labels else "no turn has an answer")
    return Judged(MetricVerdict(criterion.metric, score, status, None, reason), turns)


def _turn(
    labeller: _Labeller, turn: Turn, nearest: NearestEvidence, subject: Subject, criterion: Criterion
) -> Rounds[MetricVerdict]:
    answer = answer_text(turn)
    spans = split(answer)
    informs = MetricVerdict(criterion.metric, None, Status.INFORMATIONAL, None, "the turn has no answer")
    if not spans:
        return informs
    listed = list(_sentences(labeller, turn, spans[:MAX_SENTENCES], nearest, subject, criterion))
    asked = [sentence.ask for sentence in listed if sentence.ask]
    replies = (yield tuple(asked)) if asked else ()
    failure = next((reply.failure for reply in replies if reply.failure), "")
    if failure:
        return replace(informs, status=Status.NOT_EVALUATED, reason=labeller.failed(failure))
    sentences = tuple(_labelled(labeller, answer, listed, iter(replies)))
    reason = counts_and_first(answer, sentences)
    if len(spans) > len(sentences):
        reason += f"; {len(sentences):,} of {len(spans):,} sentences were judged"
    if nearest.cut.read < nearest.cut.whole:
        reason += f"; {nearest.cut.read:,} of {nearest.cut.whole:,} characters of evidence were read"
    if any(ask.of != CLASSIFIER and any(_MARKERS.search(text) for _name, text in ask.fields) for ask in asked):
        reason += f"; {MARKED}"
    score = share_of_good(sentence.support for sentence in sentences)
    verdict = replace(informs, score=score, reason=f"{reason}; {INFORMS}", sentences=sentences)
    return with_replies(verdict, replies)


def _sentences(
    labeller: _Labeller,
    turn: Turn,
    spans: Sequence[Span],
    nearest: NearestEvidence,
    subject: Subject,
    criterion: Criterion,
) -> Iterator[_Sentence]:
    answer, asked = answer_text(turn), user_text(turn)[:_QUESTION_CHARS]
    for number, span in enumerate(spans):
        text = answer[span.start : span.end][:MAX_SENTENCE_CHARS]
        claim = read_claim(text, span.form)
        if why := not_checked(claim):
            yield _Sentence(span, _Label(SentenceSupport.NOT_APPLICABLE, why))
            continue
        shown = nearest.of(claim)
        if not shown.text:
            yield _Sentence(span, _Label(SentenceSupport.CANNOT_TELL, "There is no evidence to show to the model."))
            continue
        before = answer[max(0, span.start - _BEFORE_CHARS) : span.start]
        question = SentenceQuestion(shown.text, asked, before, text)
        left_out = (
            f" It was shown the {len(shown.text):,} of {shown.whole:,} characters of evidence that are nearest."
        )
        ask = labeller.ask(subject, criterion, turn.index, number, question)
        yield _Sentence(span, ask=ask, note="" if shown.is_all else left_out)


def _labelled(
    labeller: _Labeller, answer: str, listed: Sequence[_Sentence], replies: Iterator[Reply]
) -> Iterator[Sentence]:
    for sentence in listed:
        span = sentence.span
        if sentence.known:
            yield Sentence(span.start, span.end, sentence.known.support, sentence.known.reason)
            continue
        label = labeller.read(next(replies).text, answer[span.start : span.end])
        yield Sentence(span.start, span.end, label.support, label.reason + sentence.note, source=labeller.source)


def _ask_classifier(
    subject: Subject, criterion: Criterion, turn: int, number: int, question: SentenceQuestion
) -> Ask:
    case = case_id_of(subject)
    return Ask(criterion.metric, case, turn, number, "", question.as_text, question.fields, of=CLASSIFIER)


def _read_classifier(text: str, sentence: str) -> _Label:
    answer = read_answer(text)
    if answer is None:
        return _Label(SentenceSupport.CANNOT_TELL, "The answer of the grounding model could not be read.")
    if answer.too_long:
        return _Label(SentenceSupport.CANNOT_TELL, "It leaves no room for evidence in the model’s input.")
    support = SentenceSupport.SUPPORTED if answer.is_supported else SentenceSupport.UNSUPPORTED
    return _Label(support, _by_token(answer, sentence) if answer.by_token else _by_pair(answer))


def _by_pair(answer: Classified) -> str:
    return (
        f"The model gives it a probability of {answer.probability:.2f} to be supported; "
        f"from {answer.threshold:.2f} on it counts as supported."
    )


def _by_token(answer: Classified, sentence: str) -> str:
    above = f"above {answer.threshold:.2f} words count as unsupported."
    words = ", ".join(f"“{' '.join(sentence[start:end].split())}”" for start, end in answer.marked)
    if answer.is_supported or not words:
        return f"The model gives no word more than {answer.probability:.2f} to be unsupported; {above}"
    return f"The model marks {words}, at most with {answer.probability:.2f}; {above}"


def _minicheck_parameters(criterion: Criterion) -> MiniCheckParameters:
    return options_of(MiniCheckParameters, criterion)


def _ask_minicheck(subject: Subject, criterion: Criterion, turn: int, number: int, question: SentenceQuestion) -> Ask:
    options = _minicheck_parameters(criterion)
    fields = (("document", question.evidence), ("claim", question.sentence))
    prompt = _INSTRUCTED if options.instructed else _BARE
    (ask,) = asks(criterion.metric, prompt, subject, (Question(turn, fields, number),), options.one_sample())
    return ask


def _read_minicheck(text: str, _sentence: str) -> _Label:
    word = _WORD.search(text)
    support = _WORDS.get(word[0].lower()) if word else None
    if support is None:
        return _Label(SentenceSupport.CANNOT_TELL, "The model’s reply is neither yes nor no.")
    says = "bears it out" if support is SentenceSupport.SUPPORTED else "does not bear it out"
    return _Label(support, f"The model says that the evidence {says}.")


_CLASSIFIER = _Labeller("the grounding model", _ask_classifier, _read_classifier, str)
_MINICHECK = _Labeller("the judge", _ask_minicheck, _read_minicheck, judge_call_failed)

METHODS: Final = {
    GROUNDING_MODEL: Method(partial(_judge, _CLASSIFIER)),
    MINICHECK: Method(partial(_judge, _MINICHECK), parameters=MiniCheckParameters, check=_minicheck_parameters),
}
