"""An agent that sends with the SDK of OpenTelemetry, told where by its environment alone: `python -m … WORDS`.

Words: `old` and `new` conventions, `gzip`, `logs` (contents in log events), `silent` (no contents), `wrong` (another
answer), `fail` (exit code 7), `hang` (never ends), `many` (hundreds of spans more, in small batches). What sends:
`grpc`, `json` (that exporter, constructed without arguments), `environment` (what the SDK makes by itself).
"""

from __future__ import annotations

import json
import os
import sys
import time

from opentelemetry import _logs, trace
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor, LogRecordExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter

MANY, BATCH = 700, 64
ASKED, SAID = "Which shoes are there?", "There are blue shoes and red ones."


def main(words: list[str]) -> int:
    """Two turns of two conversations."""
    provider, log_provider = _providers(words)
    tracer, logger = provider.get_tracer("shop"), log_provider.get_logger("shop")
    said = "No." if "wrong" in words else SAID
    for conversation in ("one", "two"):
        with tracer.start_as_current_span("invoke_agent shop") as agent:
            agent.set_attributes({"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "shop"})
            agent.set_attribute("gen_ai.conversation.id", conversation)
            with tracer.start_as_current_span("chat m") as model:
                model.set_attributes({"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"})
                if "old" in words:
                    model.set_attributes({"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": ASKED})
                    model.set_attributes(
                        {"gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": said}
                    )
                elif "logs" in words:
                    logger.emit(event_name="gen_ai.user.message", body={"content": ASKED})
                    logger.emit(event_name="gen_ai.choice", body={"index": 0, "message": {"content": said}})
                elif "silent" not in words:
                    asked = [{"role": "user", "parts": [{"type": "text", "content": ASKED}]}]
                    answer = [{"role": "assistant", "parts": [{"type": "text", "content": said}]}]
                    model.set_attribute("gen_ai.input.messages", json.dumps(asked))
                    model.set_attribute("gen_ai.output.messages", json.dumps(answer))
    for number in range(MANY if "many" in words else 0):
        tracer.start_span(f"GET /{number}").end()
    provider.shutdown()
    log_provider.shutdown()
    while "hang" in words:
        time.sleep(60)
    return 7 if "fail" in words else 0


def _providers(words: list[str]) -> tuple[TracerProvider, LoggerProvider]:
    if "environment" in words:
        from opentelemetry.sdk._configuration import _OTelSDKConfigurator

        _OTelSDKConfigurator().configure()  # type: ignore[no-untyped-call]
        made, logs_made = trace.get_tracer_provider(), _logs.get_logger_provider()
        assert isinstance(made, TracerProvider)
        assert isinstance(logs_made, LoggerProvider)
        return made, logs_made
    spans_to, logs_to = _exporters(words)
    provider, log_provider = TracerProvider(), LoggerProvider()
    batch = BATCH if "many" in words else None
    provider.add_span_processor(BatchSpanProcessor(spans_to, max_export_batch_size=batch))
    log_provider.add_log_record_processor(BatchLogRecordProcessor(logs_to))
    return provider, log_provider


def _exporters(words: list[str]) -> tuple[SpanExporter, LogRecordExporter]:
    if "grpc" in words or os.environ.get("OTEL_EXPORTER_OTLP_PROTOCOL") == "grpc":
        from grpc import Compression as GrpcCompression
        from opentelemetry.exporter.otlp.proto.grpc._log_exporter import OTLPLogExporter as GrpcLogs
        from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter as GrpcSpans

        packed = GrpcCompression.Gzip if "gzip" in words else None
        return GrpcSpans(compression=packed), GrpcLogs(compression=packed)
    compression = Compression.Gzip if "gzip" in words else Compression.NoCompression
    if "json" in words:
        from opentelemetry.exporter.otlp.common.http import Compression as JsonCompression
        from opentelemetry.exporter.otlp.json.http._log_exporter import OTLPLogExporter as JsonLogs
        from opentelemetry.exporter.otlp.json.http.trace_exporter import OTLPSpanExporter as JsonSpans

        as_json = JsonCompression("gzip" if "gzip" in words else "none")
        return JsonSpans(compression=as_json), JsonLogs(compression=as_json)
    from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    return OTLPSpanExporter(compression=compression), OTLPLogExporter(compression=compression)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
