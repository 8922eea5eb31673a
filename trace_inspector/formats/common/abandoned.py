"""What is said of branches of a conversation that somebody went back from."""

from __future__ import annotations

from trace_inspector.core.finding import Finding, info


def abandoned_branches(count: int, place: str) -> Finding:
    """How often somebody went back, and what became of what was said before."""
    often = "once" if count == 1 else f"{count:,} times"
    message = (
        f"Somebody went back {often}. What was said before is a conversation of its own each time, only scored "
        "when it is asked for."
    )
    return info("abandoned-branches", message, place)
