"""CES's own client, where it is installed, as a second opinion: what we make up parses, and its dumps are read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.formats import ces_result_files as made
from tests.formats.span_files import codes, opened
from tests.helpers.tables import each
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.values.values import Json, JsonObject

client = pytest.importorskip("google.cloud.ces_v1beta", reason="google-cloud-ces is not installed")
json_format = pytest.importorskip("google.protobuf.json_format")
LATENCIES: list[Json] = [made.latency("LLM", "01", "02", model="gem"), made.latency("TOOL", "02", "03", resource="x")]
MESSAGES: dict[str, tuple[str, JsonObject]] = {
    "golden": ("EvaluationResult", made.result(made.replay(spanLatencies=LATENCIES), goldenRunMethod="STABLE")),
    "scenario": ("EvaluationResult", {"name": made.RESULT, "scenarioResult": made.simulated()}),
    "run": ("EvaluationRun", made.run()),
    "conversation": ("Conversation", made.conversation()),
}


def told(contents: Contents) -> Iterator[object]:
    """What a file says."""
    yield contents.format, codes(contents)
    for trace in contents.traces:
        for turn in trace.turns:
            yield [event.parts for event in turn.events], turn.final_response, turn.duration_s
            yield [(span.name, span.kind, span.start_s, span.duration_s) for span in turn.spans]
    for verdict in contents.reported:
        yield verdict.status
        for metric in (*verdict.metrics, *(metric for turn in verdict.turns for metric in turn.metrics)):
            yield metric.metric, metric.score, metric.status, metric.reason


def said(value: Json) -> str:
    """All of it as text, in which neither the spelling of places nor that all numbers became doubles shows."""
    return repr([*told(opened(value))]).replace("_", "").replace(".0", "").lower()


@each("kind", list(MESSAGES))
def test_a_dump_of_its_message_says_the_same(kind: str) -> None:
    name, value = MESSAGES[kind]
    message = getattr(client, name)
    parsed = message.pb(message())
    json_format.ParseDict(value, parsed)  # refuses a key that is none
    plain = json_format.MessageToDict(parsed)
    filled = json_format.MessageToDict(
        parsed,
        preserving_proto_field_name=True,
        use_integers_for_enums=True,
        always_print_fields_with_no_presence=True,
    )
    assert said(plain) == said(value)
    assert said(filled) == said(value)
