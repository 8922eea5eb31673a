"""The formats whose goldens people edit, known without importing them: that takes longer than the window’s start."""

from __future__ import annotations

USUAL_FORMAT = "adk-eval-set"
GOLDEN_FORMATS = {
    USUAL_FORMAT: "ADK eval set",
    "vertex-item": "Vertex AI evaluation item",
    "ces-evaluation": "CES evaluation",
}
