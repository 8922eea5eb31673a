"""What nearly every child process needs, imported once by the server that they are forked from.

Nobody else imports this. What only few need, or takes long to import, is left to them.
"""

from __future__ import annotations

import trace_inspector.flows.counted_judge
import trace_inspector.flows.evaluate_files
import trace_inspector.flows.run_keeping
import trace_inspector.work.comparing
import trace_inspector.work.golden_desk
import trace_inspector.work.sending  # noqa: F401
