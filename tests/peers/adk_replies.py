"""Random rubrics, and what a judge may say: as it was told to, in odd forms, or not at all."""

from __future__ import annotations

import random

from trace_inspector.core.values.values import Json, JsonObject

_TEXTS = ("Is polite.", "Names the price.", "is  polite.", "“Quoted” – dashed", "")
_TYPES = ("FINAL_RESPONSE_QUALITY", "TOOL_USE_QUALITY", "TRAJECTORY_QUALITY", "other")
_VERDICTS = ("yes", "no", "Yes", "NO", "no, because yes", "unknown", "true", "")
_LABELS = (
    "valid",
    "invalid",
    "Valid",
    "almost",
    "partially valid",
    "true",
    "false",
    "yes",
    "partially_valid",
    "valid.",
)
_SENTENCE_LABELS = ("supported", "unsupported", "Contradictory", "disputed", "not_applicable", "`supported`", "other")


def rubrics(rng: random.Random, prefix: str) -> list[Json]:
    """A few rubrics; a type may be missing or unknown."""
    made: list[Json] = []
    for number in range(rng.randint(0, 3)):
        rubric: JsonObject = {
            "rubric_id": f"{prefix}{number}",
            "rubric_content": {"text_property": rng.choice(_TEXTS)},
        }
        if rng.random() < 0.85:
            rubric["type"] = rng.choice(_TYPES)
        made.append(rubric)
    return made


def replies(rng: random.Random) -> list[Json]:
    """What a judge says, call by call, whatever it is asked."""
    return [_reply(rng) for _call in range(rng.randint(1, 7))]


def _reply(rng: random.Random) -> Json:
    kind = rng.random()
    if kind < 0.05:
        return rng.choice(("", "I cannot say.", "{}"))
    if kind < 0.09:
        return {"raise": "out of quota"}
    if kind < 0.11:
        return {"nothing": True}
    said = [_validity(rng), _properties(rng), _sentences(rng)]
    rng.shuffle(said)
    return "\n".join(said if rng.random() < 0.6 else said[:1])


def _validity(rng: random.Random) -> str:
    name = "is_the_agent_response_valid" if rng.random() < 0.8 else "is_the_agent_response_invalid"
    quote = rng.choice(('"', "", "'"))
    before = rng.choice(("", " ", "[", " [ "))
    end = rng.choice(("\n}", ",\n", "}", "", "]}"))
    return f'{{"reasoning": "x", "{name}":{before}{quote}{rng.choice(_LABELS)}{quote}{end}'


def _properties(rng: random.Random) -> str:
    lines = []
    for _rubric in range(rng.randint(0, 4)):
        if rng.random() < 0.8:
            lines.append(f"ID: {rng.choice('acgk')}{rng.randint(0, 2)}")
        lines.append(f"{rng.choice(('', '  ', '*'))}Property: {rng.choice((*_TEXTS, '**is polite.**', 'other'))}")
        if rng.random() < 0.95:
            lines.append(f"Rationale: {rng.choice(('so it is', 'Verdict: is near', ''))}")
        lines.append(f"Verdict: {rng.choice(_VERDICTS)}")
    return "\n".join(lines)


def _sentences(rng: random.Random) -> str:
    listed = [f"<sentence>s{number}</sentence>" for number in range(rng.randint(0, 3))]
    blocks = [
        f"{rng.choice(('sentence', 'Sentence'))}: s\nlabel: {rng.choice(_SENTENCE_LABELS)}\nrationale: r\n"
        f"supporting_excerpt: {rng.choice(('null', 'x'))}\ncontradicting_excerpt: null\n"
        for _sentence in range(rng.randint(0, 3))
    ]
    return "\n".join([*listed, *blocks])
