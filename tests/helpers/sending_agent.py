"""An agent that sends with the SDK of OpenTelemetry, set up by its environment alone: `python -m … WORDS`.

Words: `old` and `new` conventions, `gzip`, `logs` (contents in log events), `silent` (no contents), `wrong` (another
answer), `fail` (exit code 7), `hang` (never ends).
"""

from __future__ import annotations

import json
import os
import sys
import time

from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter

ASKED, SAID = "Which shoes are there?", "There are blue shoes and red ones."


def main(words: list[str]) -> int:
    """Two turns of two conversations."""
    if os.environ.get("OTEL_EXPORTER_OTLP_PROTOCOL") == "grpc":
        from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter as GrpcExporter

        spans_to: SpanExporter = GrpcExporter(insecure=True)
        logs_to = None
    else:
        from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        compression = Compression.Gzip if "gzip" in words else Compression.NoCompression
        spans_to = OTLPSpanExporter(compression=compression)
        logs_to = OTLPLogExporter(compression=compression)
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(spans_to))
    tracer = provider.get_tracer("shop")
    log_provider = LoggerProvider()
    if logs_to is not None:
        log_provider.add_log_record_processor(BatchLogRecordProcessor(logs_to))
    logger = log_provider.get_logger("shop")
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
    provider.shutdown()
    log_provider.shutdown()
    while "hang" in words:
        time.sleep(60)
    return 7 if "fail" in words else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
