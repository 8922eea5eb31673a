"""Our own results beside ADK's keys, read again: as reported verdicts, since anybody may have written the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeGuard

from msgspec.structs import replace

from trace_inspector.core.alignment.sequence_alignment import Order
from trace_inspector.core.alignment.turn_alignment import CallMatch, CallPair
from trace_inspector.core.finding import error, info, warning
from trace_inspector.core.golden.golden_digest import is_whole
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.core.verdict.verdict import (
    CaseVerdict,
    MetricVerdict,
    Overruled,
    Provenance,
    RubricVerdict,
    Sentence,
    SentenceSupport,
    Status,
    TurnVerdict,
)
from trace_inspector.formats.adk.result.eval_result_schemas import number_of_status
from trace_inspector.formats.common.fields import Fields, Report, kind_of, number_of, objects_in
from trace_inspector.formats.common.schema import (
    ANYTHING,
    BOOLEAN,
    LIST,
    NUMBER,
    OBJECT,
    TEXT,
    ExtraKeys,
    Schema,
    check,
)
from trace_inspector.formats.extension.key import KEY, VERSION

_JUDGED = TEXT("status reason") | OBJECT("overruled")
CASE = Schema(
    "what Trace Inspector says of a case",
    _JUDGED,
    ANYTHING("version"),
    TEXT("paired_by candidate persona"),
    OBJECT("golden"),
    LIST("hides metrics missing_turns extra_turns turns"),
    extra=ExtraKeys.KEPT,
)
GOLDEN = Schema("the golden of a case", TEXT("path pointer digest"), extra=ExtraKeys.KEPT)
TURN = Schema(
    "what Trace Inspector says of a turn",
    _JUDGED,
    LIST("metrics"),
    NUMBER("index golden_index"),
    extra=ExtraKeys.KEPT,
)
METRIC = Schema(
    "what Trace Inspector says of a metric",
    _JUDGED,
    TEXT("name"),
    NUMBER("score threshold version"),
    BOOLEAN("crashed"),
    LIST("votes rubrics sentences calls"),
    extra=ExtraKeys.KEPT,
)
RUBRIC = Schema("the votes on a rubric", TEXT("rubric_id text"), LIST("votes"), extra=ExtraKeys.KEPT)
SENTENCE = Schema(
    "a sentence that was judged",
    NUMBER("start end"),
    TEXT("label reason excerpt source pointer"),
    extra=ExtraKeys.KEPT,
)
CALL = Schema(
    "a call that was compared",
    TEXT("match order"),
    NUMBER("expected observed"),
    LIST("differing"),
    extra=ExtraKeys.KEPT,
)
OVERRULED = Schema(
    "a verdict that a person overruled",
    TEXT("status note"),
    NUMBER("at_s"),
    BOOLEAN("follows"),
    extra=ExtraKeys.KEPT,
)

_STATUSES = {status.value: status for status in Status}
_MATCHES = {match.value: match for match in CallMatch}
_ORDERS = {order.value: order for order in Order}
_MOST = 1 << 31  # far above any real count; Qt's integers have this many bits
_SUPPORTS = {support.value: support for support in SentenceSupport}


def beside(case: Fields, report: Report) -> Fields:
    """Our own object on a case result; an empty one where there is none that is understood."""
    ours = case.object(KEY)
    if ours is None:
        return Fields({}, case.place)
    if ours.get("version") not in (ABSENT, VERSION):
        message = f"“{KEY}” has an unknown version; the known one is {VERSION}; only ADK’s own keys are read."
        report.add(warning("other-version", message, ours.pointer("version")))
        return Fields({}, ours.place)
    check(ours, CASE, report)
    return ours


def golden_path(ours: Fields) -> str:
    """The file that the golden of a case came from; "" where that is not stated."""
    golden = ours.object("golden")
    return (golden.text("path") if golden else None) or ""


def with_own_results(verdict: CaseVerdict, ours: Fields, report: Report) -> CaseVerdict:
    """The verdict as ADK's keys have it, with what they have no place for."""
    if not ours.value:
        return verdict
    golden = _checked(ours, "golden", GOLDEN, report)
    path, digest = golden.text("path") or "", golden.text("digest") or ""
    missing = tuple(_indices(ours, "missing_turns", report))
    return replace(
        verdict,
        status=_status(ours, verdict.status, report),
        metrics=_metrics(verdict.metrics, ours, report),
        turns=_turns(verdict.turns, ours, report),
        missing_turns=missing,
        extra_turns=tuple(_indices(ours, "extra_turns", report)),
        hides=tuple(_texts(ours, "hides", report)),
        reason=ours.text("reason") or "",
        paired_by=ours.text("paired_by") or "",
        candidate=ours.text("candidate") or "",
        persona=ours.text("persona") or "",
        golden_path=path,
        golden_place=(golden.text("pointer") or "") if path else verdict.golden_place,
        # The rows do not hold what the trace has no turn for: by them alone the golden would seem to be another.
        golden_digest=digest if is_whole(digest) else "" if missing else verdict.golden_digest,
        overruled=_overruled(ours, report),
    )


def _turns(rows: Sequence[TurnVerdict], ours: Fields, report: Report) -> tuple[TurnVerdict, ...]:
    """In our order, with the turns that have no row: those that the trace does not have."""
    listed = _objects(ours, "turns", report)
    observed = sorted({index for item in listed if (index := _index(item, "index")) is not None})
    row_of = dict(zip(observed, rows, strict=False))
    turns: list[TurnVerdict] = []
    for fields in listed:
        check(fields, TURN, report)
        index = _index(fields, "index")
        row = row_of.pop(index, None) if index is not None else None
        if row is None and fields.get("index") is not None:
            report.add(info("no-such-turn", "There is no row for this turn; it is left out.", fields.place))
        else:
            turns.append(_turn(row or TurnVerdict(None, None, Status.NOT_EVALUATED), fields, report))
    stated = {turn.index for turn in turns}
    return (*turns, *(row for row in rows if row.index not in stated))


def _turn(row: TurnVerdict, fields: Fields, report: Report) -> TurnVerdict:
    golden = _index(fields, "golden_index")
    return TurnVerdict(
        row.index,
        row.golden_index if golden is None and fields.get("golden_index") is not None else golden,
        _word(fields, report) or row.status,
        tuple(metric for metric in _metrics(row.metrics, fields, report) if not _is_blank(metric, fields)),
        fields.text("reason") or "",
        Provenance.REPORTED,
        overruled=_overruled(fields, report),
    )


def _is_blank(metric: MetricVerdict, turn: Fields) -> bool:
    """Whether a row has this metric only because ADK requires a result of each metric there."""
    if metric.score is not None or metric.status not in (Status.NOT_EVALUATED, Status.INFORMATIONAL):
        return False
    return turn.get("metrics") is not ABSENT and metric.metric not in {
        stated.text("name") for stated in turn.objects("metrics")
    }


def _metrics(plain: Sequence[MetricVerdict], ours: Fields, report: Report) -> tuple[MetricVerdict, ...]:
    """In our order, then those that only ADK's keys have."""
    remaining = {metric.metric: metric for metric in plain}
    metrics = []
    for fields in _objects(ours, "metrics", report):
        check(fields, METRIC, report)
        name = fields.text("name") or ""
        matching = remaining.pop(name, None)
        metrics.append(_metric(matching or _without_row(name, fields), fields, report))
    return (*metrics, *remaining.values())


def _without_row(name: str, fields: Fields) -> MetricVerdict:
    """A metric on a turn that the trace does not have; only here ADK's keys do not hold its score."""
    status = _STATUSES.get(fields.text("status") or "", Status.NOT_EVALUATED)
    return MetricVerdict(
        name, fields.number("score"), status, fields.number("threshold"), provenance=Provenance.REPORTED
    )


def _metric(plain: MetricVerdict, fields: Fields, report: Report) -> MetricVerdict:
    return replace(
        plain,
        status=_status(fields, plain.status, report),
        reason=fields.text("reason") or plain.reason,
        crashed=fields.get("crashed") is True,
        rubrics=_rubrics(plain.rubrics, fields, report),
        votes=_votes(fields, report),
        sentences=tuple(_sentences(fields, report)),
        calls=tuple(_calls(fields, report)),
        overruled=_overruled(fields, report),
        stated_version=_index(fields, "version") or 0,
    )


def _rubrics(plain: Sequence[RubricVerdict], fields: Fields, report: Report) -> tuple[RubricVerdict, ...]:
    """Text and votes of each, by its id; of several with one id in their order."""
    stated: dict[str, list[Fields]] = {}
    for own_fields in _objects(fields, "rubrics", report):
        check(own_fields, RUBRIC, report)
        stated.setdefault(own_fields.text("rubric_id") or "", []).append(own_fields)
    verdicts = []
    for rubric in plain:
        own = stated.get(rubric.rubric_id)
        own_fields = own.pop(0) if own else Fields({}, fields.place)
        verdicts.append(replace(rubric, text=own_fields.text("text") or "", votes=_votes(own_fields, report)))
    return tuple(verdicts)


def _sentences(fields: Fields, report: Report) -> Iterator[Sentence]:
    for sentence in _objects(fields, "sentences", report):
        check(sentence, SENTENCE, report)
        start, end, support = (
            _index(sentence, "start"),
            _index(sentence, "end"),
            _SUPPORTS.get(sentence.text("label") or ""),
        )
        if start is None or end is None or end < start or support is None:
            report.add(error("odd-sentence", "This sentence has no place or no known label.", sentence.place))
            continue
        yield Sentence(
            start,
            end,
            support,
            sentence.text("reason") or "",
            sentence.text("excerpt") or "",
            sentence.text("source") or "",
            sentence.text("pointer") or "",
        )


def _calls(fields: Fields, report: Report) -> Iterator[CallPair]:
    for call in _objects(fields, "calls", report):
        check(call, CALL, report)
        match = _MATCHES.get(call.text("match") or "")
        if match is None:
            report.add(error("odd-call", "How this call fared is said in no known word.", call.place))
            continue
        differing = tuple(_texts(call, "differing", report))
        order = _ORDERS.get(call.text("order") or "", Order.KEPT)
        yield CallPair(match, _index(call, "expected"), _index(call, "observed"), differing, order)


def _overruled(fields: Fields, report: Report) -> Overruled | None:
    if fields.object("overruled") is None:
        return None
    stated = _checked(fields, "overruled", OVERRULED, report)
    was = _word(stated, report)
    if was is None:
        return None
    return Overruled(was, stated.text("note") or "", stated.number("at_s"), follows=stated.get("follows") is True)


def _status(fields: Fields, plain: Status, report: Report) -> Status:
    """Our status where it refines ADK's number; where they contradict each other, ADK's."""
    word = _word(fields, report)
    if word is None or number_of_status(word) == number_of_status(plain):
        return word or plain
    message = f"“{KEY}” says {word.value} here, and ADK’s own key {plain.value}; that one is shown."
    report.add(warning("statuses-differ", message, fields.pointer("status")))
    return plain


def _word(fields: Fields, report: Report) -> Status | None:
    word = fields.text("status")
    if word is not None and word not in _STATUSES:
        message = "This status is unknown; it is ignored."
        report.add(warning("unknown-status", message, fields.pointer("status")))
    return _STATUSES.get(word or "")


def _checked(fields: Fields, name: str, schema: Schema, report: Report) -> Fields:
    member = fields.object(name)
    if member is None:
        return Fields({}, fields.place)
    check(member, schema, report)
    return member


def _index(fields: Fields, name: str) -> int | None:
    value = fields.get(name)
    return value if _is_index(value) else None


def _is_index(value: Json | Absent) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST


def _indices(fields: Fields, name: str, report: Report) -> Iterator[int]:
    return (value for value in _fitting(fields, name, "the number of a turn", _is_index, report) if _is_index(value))


def _texts(fields: Fields, name: str, report: Report) -> Iterator[str]:
    texts = _fitting(fields, name, "a text", lambda value: isinstance(value, str), report)
    return (value for value in texts if isinstance(value, str))


def _votes(fields: Fields, report: Report) -> tuple[float | None, ...]:
    votes = _fitting(
        fields, "votes", "a number or null", lambda vote: vote is None or number_of(vote) is not None, report
    )
    return tuple(number_of(vote) for vote in votes)


def _objects(fields: Fields, name: str, report: Report) -> list[Fields]:
    items = _fitting(fields, name, "an object", lambda value: isinstance(value, dict), report)
    return objects_in(items, fields.pointer(name))


def _fitting(fields: Fields, name: str, words: str, fits: Callable[[Json], bool], report: Report) -> list[Json]:
    """A list with null in the place of what is of another kind, so that the others keep their places."""
    listed = fields.get(name)
    items: list[Json] = [*listed] if isinstance(listed, list) else []
    for index, value in enumerate(items):
        if not fits(value):
            place = join(fields.pointer(name), index)
            report.add(error("wrong-type", f"This should be {words}, not {kind_of(value)}.", place))
            items[index] = None
    return items
