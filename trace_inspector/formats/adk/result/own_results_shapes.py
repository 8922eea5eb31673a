"""The objects that stand in our own key on ADK's case results. A later version may say more."""

from __future__ import annotations

from trace_inspector.formats.common.fields import ANYTHING, BOOLEAN, LIST, NUMBER, OBJECT, STRING, Extra, Field, Shape


def _shape(words: str, /, **kinds: tuple[type, ...]) -> Shape:
    return Shape(words, {key: Field(kind) for key, kind in kinds.items()}, Extra.KEPT)


_SAID = {"status": STRING, "reason": STRING, "overruled": OBJECT, "metrics": LIST}
CASE = _shape(
    "what Trace Inspector says of a case",
    **_SAID,
    version=ANYTHING,
    hides=LIST,
    golden=OBJECT,
    paired_by=STRING,
    candidate=STRING,
    persona=STRING,
    missing_turns=LIST,
    extra_turns=LIST,
    turns=LIST,
)
GOLDEN = _shape("the golden of a case", path=STRING, pointer=STRING, digest=STRING)
TURN = _shape("what Trace Inspector says of a turn", **_SAID, index=NUMBER, golden_index=NUMBER)
METRIC = _shape(
    "what Trace Inspector says of a metric",
    name=STRING,
    status=STRING,
    reason=STRING,
    overruled=OBJECT,
    score=NUMBER,
    threshold=NUMBER,
    crashed=BOOLEAN,
    votes=LIST,
    rubrics=LIST,
    sentences=LIST,
    calls=LIST,
)
RUBRIC = _shape("the votes on a rubric", rubric_id=STRING, text=STRING, votes=LIST)
SENTENCE = _shape(
    "a sentence that was judged",
    start=NUMBER,
    end=NUMBER,
    label=STRING,
    reason=STRING,
    excerpt=STRING,
    source=STRING,
    pointer=STRING,
)
CALL = _shape(
    "a call that was compared", match=STRING, expected=NUMBER, observed=NUMBER, differing=LIST, order=STRING
)
OVERRULED = _shape("a verdict that a person overruled", status=STRING, note=STRING, at_s=NUMBER, follows=BOOLEAN)
