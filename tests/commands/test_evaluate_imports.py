"""What an evaluation without judges pays for: nothing of networks, event loops and their clients."""

from __future__ import annotations

import json
import subprocess
import sys

_ASKS_NOBODY = ("asyncio", "ssl", "http.client", "httpx2", "google.genai", "google.auth")


def test_nothing_that_asks_judges_is_imported_beforehand() -> None:
    program = "import json, sys, trace_inspector.commands.evaluate; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert set(json.loads(done.stdout)).isdisjoint(_ASKS_NOBODY)
