"""What nearly every child process needs, imported once by the server that they are forked from.

Nobody else imports this. What only few need, or takes long to import, is left to them.
"""

from __future__ import annotations

import trace_inspector.flows.judges.call_counter
import trace_inspector.flows.runs.evaluate_files
import trace_inspector.flows.runs.store_run
import trace_inspector.work.golden.server
import trace_inspector.work.reading.row_sender
import trace_inspector.work.runs.comparing  # noqa: F401
