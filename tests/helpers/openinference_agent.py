"""An agent with the instrumentation of OpenInference: its model is one of its own on loopback, and calls a tool.

`python -m …` sends where its environment says, as the SDK of OpenTelemetry does by default.
"""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from openai import OpenAI
from openinference.instrumentation import TracerProvider, using_session
from openinference.instrumentation.openai import OpenAIInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from tests.helpers.sending_agent import ASKED, SAID

ARGUMENTS = '{"kind": "shoes"}'
TOOL: Any = {"type": "function", "function": {"name": "look_up", "parameters": {"type": "object", "properties": {}}}}


class _Model(BaseHTTPRequestHandler):
    """Calls the tool, and answers when it has its result."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        has_result = asked["messages"][-1]["role"] == "tool"
        call = {"id": "call-1", "type": "function", "function": {"name": "look_up", "arguments": ARGUMENTS}}
        message = {"content": SAID} if has_result else {"content": None, "tool_calls": [call]}
        choice = {"index": 0, "finish_reason": "stop" if has_result else "tool_calls"}
        body = json.dumps(
            {
                "id": "answer",
                "object": "chat.completion",
                "created": 1_770_000_000,
                "model": "stub",
                "choices": [{**choice, "message": {"role": "assistant", **message}}],
                "usage": {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12},
            }
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: object) -> None:
        pass


def main() -> None:
    """One turn."""
    model = ThreadingHTTPServer(("127.0.0.1", 0), _Model)
    threading.Thread(target=model.serve_forever, daemon=True).start()
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    OpenAIInstrumentor().instrument(tracer_provider=provider)
    client = OpenAI(base_url=f"http://127.0.0.1:{model.server_port}/v1", api_key="none", max_retries=0)
    tracer = provider.get_tracer("shop")
    with (
        using_session("one"),
        tracer.start_as_current_span("shop", openinference_span_kind="agent") as agent,
    ):
        agent.set_input(ASKED)
        messages: list[Any] = [{"role": "user", "content": ASKED}]
        first = client.chat.completions.create(model="stub", messages=messages, tools=[TOOL])
        messages.append(first.choices[0].message)
        with tracer.start_as_current_span("look_up", openinference_span_kind="tool") as tool:
            tool.set_tool(name="look_up", parameters=ARGUMENTS)
            tool.set_input(ARGUMENTS)
            tool.set_output("blue, red")
        messages.append({"role": "tool", "tool_call_id": "call-1", "content": "blue, red"})
        second = client.chat.completions.create(model="stub", messages=messages, tools=[TOOL])
        agent.set_output(second.choices[0].message.content)
    provider.shutdown()
    model.shutdown()
    model.server_close()


if __name__ == "__main__":
    main()
