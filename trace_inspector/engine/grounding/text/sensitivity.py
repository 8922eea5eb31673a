"""How sure the grounding must be before it flags a sentence: the setting `sensitivity` of a criterion."""

from __future__ import annotations

import enum


class Sensitivity(enum.Enum):
    """What is worse: a flag that is wrong, or an error that nobody flags."""

    CAREFUL = "careful"  # flags what is surely wrong; some of what is wrong passes
    EAGER = "eager"  # flags whatever may be wrong; more of the flags are wrong
