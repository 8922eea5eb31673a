"""Log records joined to spans, and the envelopes that carry them."""

from __future__ import annotations

import base64
import json

from tests.formats.span_conventions import genai, genai_in_details, genai_in_events
from tests.formats.span_files import Made, agent, any_value, codes, key_values, model, opened, otlp, says, user
from tests.helpers.tables import each
from trace_inspector.core.trace.trace import answer_text, calls_of, user_text
from trace_inspector.core.values.values import Json, JsonObject


def records(*spans: Made, named: str = "eventName") -> list[Json]:
    """The notes of spans as log records instead."""
    made: list[Json] = []
    for span in spans:
        for name, told in span.notes:
            own: JsonObject = {"traceId": span.trace, "spanId": span.id, "attributes": key_values(told)}
            if named == "eventName":
                own["eventName"] = name
            else:
                own["attributes"] = key_values({**told, "event.name": name})
            made.append(own)
        span.notes = []
    return made


def logs(listed: list[Json]) -> JsonObject:
    """The envelope of log records."""
    return {"resourceLogs": [{"scopeLogs": [{"logRecords": listed}]}]}


@each("named", ["eventName", "event.name"])
@each("lines", [False, True])
def test_content_of_the_inference_details_stands_on_log_records(named: str, lines: bool) -> None:
    spans = genai_in_details()
    told = logs(records(*spans, named=named))
    value = otlp(*spans)
    assert isinstance(value, dict)
    contents = opened([told, value] if lines else {**told, **value})
    (turn,) = contents.traces[0].turns
    assert (user_text(turn), answer_text(turn), turn.agents[0].instruction) == ("Is it dry?", "Yes.", "Be terse.")
    assert [(call.name, call.args) for call in calls_of(turn)] == [("look", {"at": "sky"})]
    assert contents.findings == ()


def _body(span: str, name: str, body: Json) -> Json:
    return {"traceId": "t1", "spanId": span, "body": any_value(body), "attributes": key_values({"event.name": name})}


def adks_records(content: Json, answer: Json) -> list[Json]:
    """ADK's older log records, with the whole content in the body."""
    return [
        _body("m", "gen_ai.system.message", {"content": "Be terse."}),
        _body("m", "gen_ai.user.message", {"content": content}),
        _body("m", "gen_ai.choice", {"content": answer, "index": 0, "finish_reason": "STOP"}),
    ]


def test_adks_older_log_records() -> None:
    spans = [agent("a", None, "guide"), Made("m", "generate_content m", "a", 1)]
    value = otlp(*spans)
    assert isinstance(value, dict)
    told = adks_records({"role": "user", "parts": [{"text": "q"}]}, {"role": "model", "parts": [{"text": "ok"}]})
    (turn,) = opened({**value, **logs(told)}).traces[0].turns
    assert (user_text(turn), answer_text(turn), turn.agents[0].instruction) == ("q", "ok", "Be terse.")
    assert [event.finish_reason for event in turn.events] == ["STOP"]


def test_what_adk_was_told_not_to_record_is_no_content() -> None:
    spans = [agent("a", None, "guide"), Made("m", "generate_content m", "a", 1)]
    value = otlp(*spans)
    assert isinstance(value, dict)
    contents = opened({**value, **logs(adks_records("<elided>", "<elided>"))})
    (turn,) = contents.traces[0].turns
    assert (turn.user, turn.final_response, codes(contents)) == ((), None, ["content-off"])


def test_records_of_no_span_are_told() -> None:
    value = otlp(*genai())
    assert isinstance(value, dict)
    contents = opened({**value, **logs([_body("nowhere", "x", "y"), _body("m1", "x", "y")])})
    (finding,) = contents.findings
    assert (finding.code, finding.pointer) == ("log-without-span", "/resourceLogs/0/scopeLogs/0/logRecords/0")


def test_records_alone_are_named() -> None:
    contents = opened(logs([_body("m", "x", "y")]))
    assert (contents.format, contents.traces, contents.holds) == ("otlp", (), {"log records": 1})


@each("value", [{"resourceSpans": []}, {"batches": []}, [{"resourceSpans": []}], {"trace": {"batches": []}}])
def test_an_empty_envelope(value: Json) -> None:
    contents = opened(value)
    assert (contents.format, contents.traces, contents.findings) == ("otlp", (), ())


def test_tempos_answers_line_by_line() -> None:
    value = otlp(agent("a", None, "g"), model("m", "a", 1, asked=[user("q")], said=says("ok")))
    contents = opened([{"trace": value}, {"trace": {"resourceSpans": []}}])
    assert contents.traces[0].turns[0].place == "/0/trace/resourceSpans/0/scopeSpans/0/spans/0"
    assert contents.findings == ()


def test_base64_ids_and_names_of_enums() -> None:
    spans = genai_in_details()
    ids = {name: base64.b64encode(name.encode() * 8).decode() for name in ("a", "m1", "x", "m2", "t1")}
    for made in spans:
        made.id, made.trace, made.parent = ids[made.id], ids[made.trace], made.parent and ids[made.parent]
    told = logs(records(*spans))
    value = json.loads(json.dumps(otlp(*spans)).replace('"kind": 1', '"kind": "SPAN_KIND_INTERNAL"'))
    contents = opened({**value, **told})
    (turn,) = contents.traces[0].turns
    assert (contents.traces[0].id, user_text(turn), answer_text(turn)) == (b"t1".hex() * 8, "Is it dry?", "Yes.")
    assert [span.parent_id for span in turn.spans] == [None, *[b"a".hex() * 8] * 3]


def test_why_a_span_failed_stands_in_its_exception() -> None:
    failed = Made("s", "GET /", failed="-", notes=[("exception", {"exception.message": "no route"})])
    value = json.loads(json.dumps(otlp(failed)).replace('"message": "-"', '"message": ""'))
    assert opened(value).traces[0].spans[0].error == "no route"


def test_older_events_are_read_in_their_order() -> None:
    spans = genai_in_events()
    told = logs(records(*spans))
    value = otlp(*spans)
    assert isinstance(value, dict)
    (turn,) = opened({**value, **told}).traces[0].turns
    assert (user_text(turn), answer_text(turn)) == ("Is it dry?", "Yes.")
