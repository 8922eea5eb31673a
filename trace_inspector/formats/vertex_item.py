"""Vertex AI's evaluation items: `vertex-item`, as the service lists them and as its SDK stores what they hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from trace_inspector.core.contents import Item
from trace_inspector.core.extra import Extra
from trace_inspector.core.finding import error, info, warning
from trace_inspector.core.golden import Case, Suite
from trace_inspector.core.trace import Trace, answer_text
from trace_inspector.core.values import Json
from trace_inspector.core.verdict import CaseVerdict, MetricVerdict
from trace_inspector.formats.format import Format, Source
from trace_inspector.formats.lenient import Fields, Report, camel, objects_in
from trace_inspector.formats.reserved_key import KEY
from trace_inspector.formats.reserved_key_reader import Beside, beside
from trace_inspector.formats.vertex_content import (
    PROMPT_DATA,
    beyond,
    check_required,
    check_word,
    given,
    report_stored,
    status_text,
)
from trace_inspector.formats.vertex_item_writer import write
from trace_inspector.formats.vertex_renewal import renewed
from trace_inspector.formats.vertex_request import OF_A_REQUEST, Candidate, Request, request_of
from trace_inspector.formats.vertex_verdicts import beside_metric, metric_of, overall, ranges

_PAYLOADS = ("evaluation_request", "evaluation_response", "gcs_uri", "harbor_task")
_TYPE_OF = {"evaluation_request": "REQUEST", "evaluation_response": "RESULT", "harbor_task": "HARBOR_TASK"}
_OF_A_RESULT = ("candidate_results", "request")
_TYPES = frozenset({"EVALUATION_ITEM_TYPE_UNSPECIFIED", *_TYPE_OF.values()})
_REQUEST_KEYS = frozenset(spelling for name in OF_A_REQUEST for spelling in (name, camel(name)))
_LIST_KEYS = {"evaluation_items", "evaluationItems", "next_page_token", "nextPageToken", KEY}
_PREFIXES = ("request_", "evaluation_result_")
_LOOKED_AT = 20


def recognise(value: Json) -> int:
    """An item, a bare request or result, a list of any of them, or the service's reply with such a list."""
    if isinstance(value, list):
        scores = [_object_score(one) for one in objects_in(value[:_LOOKED_AT], "")]
        return min(scores, default=0)
    return _object_score(Fields(value, "")) if isinstance(value, dict) else 0


def _object_score(fields: Fields) -> int:
    listed = fields.get("evaluation_items")
    if isinstance(listed, list):
        items = objects_in(listed[:_LOOKED_AT], "")
        if items:
            return min(_object_score(one) for one in items)
        return 60 if not listed and fields.value.keys() <= _LIST_KEYS else 0
    kind = _kind(fields)
    return 0 if kind == "" else 92 if kind == "item" else 88


def _kind(fields: Fields) -> str:
    """Which of the three an object is, or ""."""
    if fields.text("evaluation_item_type") is not None or _is_payload(fields):
        return "item"
    if any(fields.key(name) for name in ("candidate_results", "evaluation_run")) and (
        fields.text("metric") is not None and fields.key("evaluation_request")
    ):
        return "result"
    results = fields.objects("candidate_results")
    if results and (results[0].key("candidate") or results[0].key("metric")):
        return "result"
    if not fields.value or not fields.value.keys() <= _REQUEST_KEYS:
        return ""
    if any(fields.key(name) for name in ("candidate_responses", "golden_response")):
        return "request"
    prompt = fields.object("prompt")
    return "request" if prompt is not None and any(prompt.key(name) for name in PROMPT_DATA) else ""


def _is_payload(fields: Fields) -> bool:
    if fields.object("evaluation_request") is not None or fields.object("evaluation_response") is not None:
        return True
    return "/evaluationItems/" in (fields.text("name") or "")


@dataclass(slots=True)
class _Group:
    """What a file holds of one request, by one evaluation run."""

    case_id: str
    run: str = ""
    request: Fields | None = None
    results: list[Fields] = field(default_factory=list)
    item: Fields | None = None
    tags: tuple[str, ...] = ()
    extras: tuple[Extra, ...] = ()  # what the item of the request says of itself
    judged: list[Extra] = field(default_factory=list)  # what the items of the results say


def read(source: Source) -> Iterator[Item]:
    """A case for each request, a trace for each candidate, and what results say of it."""
    report = Report()
    stem = _stem(source.name)
    cases: dict[str, Case] = {}
    requests: dict[str, Request] = {}
    metrics: list[MetricVerdict] = []
    made = []
    for group in _groups(source, stem, report):
        source.tick()
        request = _request(group, stem, requests, report)
        if group.request is not None:
            ours = beside(group.item, report) if group.item is not None else Beside()
            case = replace(
                request.case,
                matchers=ours.matchers,
                notes=ours.notes,
                overrules=ours.overrules,
                tags=group.tags,
                extras=(*group.extras, *request.case.extras),
            )
            cases.setdefault(group.case_id, case)
        verdicts = _judged(group, request, stem, report)
        made += verdicts
        metrics += [metric for _, verdict in verdicts if verdict for metric in verdict.metrics]
    runs = Counter(trace.case_id for trace, _ in made)
    seen: Counter[str | None] = Counter()
    for trace, verdict in made:
        yield replace(trace, case_runs=runs[trace.case_id])
        if verdict is not None:
            yield replace(verdict, repeat=seen[trace.case_id])
        seen[trace.case_id] += 1
    if cases:
        yield Suite(stem, cases=tuple(cases.values()), place=source.place)
    report.take(ranges(metrics, source.place))
    yield from report.drain()


def _entries(source: Source, report: Report) -> Iterator[Fields]:
    listed = source.value if isinstance(source.value, list) else None
    whole = source.value if isinstance(source.value, dict) else {}
    for fields in [Fields(whole, source.place)] if listed is None else report.bounded_list(listed, source.place):
        if fields.key("evaluation_items") is None:
            yield fields
            continue
        yield from report.bounded(fields, "evaluation_items")
        if fields.text("next_page_token"):
            message = "The service has more items than these: this is one page of a list, and a token for the next."
            report.add(info("more-pages", message, fields.at("next_page_token")))


def _groups(source: Source, stem: str, report: Report) -> Iterator[_Group]:
    """Requests and results, put together by the request's name and the evaluation run."""
    requests: dict[str, _Group] = {}
    judged: dict[tuple[str, str], _Group] = {}
    again: list[_Group] = []
    entries = list(_entries(source, report))
    for index, entry in enumerate(entries):
        source.tick()
        alone = stem if len(entries) == 1 else f"{stem} {index + 1}"
        name, kind, payload = _payload(entry, report)
        if payload is None:
            continue
        tags = tuple(f"{key}: {value}" for key, value in (entry.mapping("labels") or {}).items())
        if kind == "request":
            case_id = _short(name) or entry.text("display_name") or alone
            extras = _item_extras(entry, payload)
            group = _Group(case_id, request=payload, tags=tags, extras=extras, item=_with_ours(entry))
            if requests.setdefault(group.case_id, group) is not group:
                message = f"“{group.case_id}” is in this file already; the first one is used as the case."
                report.add(warning("duplicate-id", message, payload.place))
                again.append(group)
            continue
        case_id = _short(payload.text("evaluation_request") or "") or alone
        run = payload.text("evaluation_run") or ""
        group = judged.setdefault((case_id, run), _Group(case_id, run, tags=tags))
        group.results.append(payload)
        group.judged += (*_item_extras(entry, payload), *beyond(payload, *_OF_A_RESULT))
    told = {case_id for case_id, _ in judged}
    yield from (group for case_id, group in requests.items() if case_id not in told)
    yield from again
    for (case_id, _), group in judged.items():
        known = requests.get(case_id) or _Group(case_id, request=_request_in(group.results), tags=group.tags)
        yield replace(group, request=known.request, item=known.item, tags=known.tags, extras=known.extras)


def _with_ours(entry: Fields) -> Fields:
    """The item with our own key, which stands in its metadata; what is said there is said of the item."""
    metadata = entry.mapping("metadata") or {}
    return Fields({**entry.value, KEY: metadata[KEY]}, entry.place) if KEY in metadata else entry


def _item_extras(entry: Fields, payload: Fields) -> tuple[Extra, ...]:
    """What an item says beside what it holds; our own key is not the file's."""
    if entry is payload:
        return ()
    found = beyond(entry, "error", KEY, *_PAYLOADS)
    return tuple(one for one in map(_without_ours, found) if one is not None)


def _without_ours(extra: Extra) -> Extra | None:
    if extra.name != "metadata" or not isinstance(extra.value, dict):
        return extra
    said = {key: value for key, value in extra.value.items() if key != KEY}
    return replace(extra, value=said) if said else None


def _payload(entry: Fields, report: Report) -> tuple[str, str, Fields | None]:
    """The name of an item, "request" or "result", and what it holds; of bare ones they themselves."""
    kind = _kind(entry)
    if kind in ("request", "result"):
        return "", kind, entry
    said = [name for name in _PAYLOADS if given(entry.get(name))]
    if len(said) > 1:
        named = " and ".join(f"“{entry.key(name)}”" for name in said)
        message = f"An item may hold only one of {named}; Vertex AI rejects it."
        report.add(error("several-of-a-union", message, entry.at(said[1])))
    failed = status_text(entry)
    if failed:
        report.add(warning("item-failed", f"Vertex AI reports of this item: {failed}", entry.at("error")))
    check_required(entry, "This item", ("display_name", "evaluation_item_type"), report)
    check_word(entry, "evaluation_item_type", _TYPES, report)
    stated = entry.text("evaluation_item_type")
    payload = next((name for name in said if name in _TYPE_OF), None)
    if payload and stated in _TYPE_OF.values() and stated != _TYPE_OF[payload]:
        message = f"The type is {stated}, and the item holds “{entry.key(payload)}”; what it holds is shown."
        report.add(warning("type-differs", message, entry.at("evaluation_item_type")))
    report_stored(entry, report)
    name = entry.text("name") or ""
    for one, what in (("evaluation_request", "request"), ("evaluation_response", "result")):
        held = entry.object(one)
        if held is not None:
            return name, what, held
    if not entry.text("gcs_uri"):
        what = "a task for a harness" if payload == "harbor_task" else "neither request nor result"
        report.add(warning("nothing-to-show", f"This item holds {what}; only Raw shows it.", entry.place))
    return name, "", None


def _request_in(results: list[Fields]) -> Fields | None:
    return next((held for result in results if (held := result.object("request")) is not None), None)


def _request(group: _Group, stem: str, known: dict[str, Request], report: Report) -> Request:
    """The request of a group, read once for all of its runs; without one, a case that nothing is known of."""
    fields = group.request
    if fields is None:
        return Request(Case(group.case_id, stem))
    if fields.place not in known:
        known[fields.place] = request_of(fields, group.case_id, stem, report)
    return known[fields.place]


def _judged(group: _Group, request: Request, stem: str, report: Report) -> list[tuple[Trace, CaseVerdict | None]]:
    """Each candidate's trace with what the results say of it."""
    candidates = list(request.candidates)
    others: dict[str, list[Extra]] = {}
    scored = _scored(group, candidates, stem, others, report)
    run = f", {_short(group.run)}" if group.run else ""
    traces: list[tuple[Trace, CaseVerdict | None]] = []
    for candidate in candidates:
        trace = replace(candidate.trace, id=f"{group.case_id} ({candidate.name}{run})")
        # Of two answers under one name nobody says which was judged; the first one is shown so.
        metrics = tuple(scored.pop(candidate.name, ()))
        verdict = _verdict(trace, metrics, request.case.place) if metrics else None
        extras = (*group.judged, *others.get(candidate.name, ()))
        traces.append((trace, replace(verdict, extras=extras) if verdict else None))
    return traces


def _scored(
    group: _Group, candidates: list[Candidate], stem: str, others: dict[str, list[Extra]], report: Report
) -> dict[str, list[MetricVerdict]]:
    """The metrics by candidate; a candidate that only a result names is added with an empty trace."""
    scored: dict[str, list[MetricVerdict]] = {}
    known = {candidate.name: candidate for candidate in reversed(candidates)}
    for result in group.results:
        for index, fields in enumerate(report.bounded(result, "candidate_results")):
            name = fields.text("candidate") or (candidates[0].name if len(candidates) == 1 else f"{index + 1}")
            if name not in known:
                if group.request is not None:
                    message = f"“{name}” is judged here, and the request has no such candidate."
                    report.add(warning("unknown-candidate", message, fields.place))
                head = Trace("", case_id=group.case_id, suite_id=stem, candidate=name, place=fields.place)
                known[name] = Candidate(name, head)
                candidates.append(known[name])
            turns = known[name].trace.turns
            metric = fields.text("metric") or result.text("metric") or ""
            judged = metric_of(fields, metric, answer_text(turns[-1]) if turns else "", report)
            scored.setdefault(name, []).append(judged)
            others.setdefault(name, []).extend(beside_metric(fields, metric))
    return scored


def _verdict(trace: Trace, metrics: tuple[MetricVerdict, ...], golden: str) -> CaseVerdict:
    return CaseVerdict(
        case_id=trace.case_id or "",
        suite_id=trace.suite_id or "",
        trace_id=trace.id,
        candidate=trace.candidate,
        status=overall(metrics),
        metrics=metrics,
        golden_place=golden,
        trace_place=trace.place,
    )


def _short(name: str) -> str:
    """The last part of a resource name."""
    return name.rpartition("/")[2]


def _stem(name: str) -> str:
    stem = name.split(".", maxsplit=1)[0] or "item"
    return next((stem.removeprefix(prefix) for prefix in _PREFIXES if stem.startswith(prefix)), stem) or stem


FORMAT = Format(
    name="vertex-item",
    title="Vertex AI evaluation item",
    system="Vertex AI",
    short="evaluation items",
    holds="requests with the answers of several candidates, expected answers, rubrics, and reported scores",
    recognise=recognise,
    read=read,
    write=write,
    edits=True,
    renewed=renewed,
)
