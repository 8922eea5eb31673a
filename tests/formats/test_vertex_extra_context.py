"""What was said before the first turn keeps its role in an evaluation item; of unknown role it is the user's."""

from __future__ import annotations

import json

from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.trace.trace import Event, Turn
from trace_inspector.formats.vertex.item.item_writer import write


def test_earlier_messages_keep_their_role() -> None:
    context = (Event("menu", (Text("Soup."),), "model"), Event("guest", (Text("Hello?"),)))
    turn = Turn(0, user=(Text("What is there?"),), final_response=(Text("Soup."),))
    case = Case("one", "set", (turn,), context=context)
    written = json.loads(write(Contents("adk-eval-set", (Suite("set", cases=(case,)),))).text)
    assert written["evaluationRequest"]["extraContext"] == {
        "menu": {"role": "model", "parts": [{"text": "Soup."}]},
        "guest": {"role": "user", "parts": [{"text": "Hello?"}]},
    }
