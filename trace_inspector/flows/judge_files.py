"""The judge that a person names."""

from __future__ import annotations

from pathlib import Path

from trace_inspector.core.errors import UsageError
from trace_inspector.core.summary import one_line
from trace_inspector.documents.reading import read
from trace_inspector.engine.judges.recorded import RecordedJudge, recorded_judge
from trace_inspector.engine.metric import CannotJudge

_KIND = "recorded:"


def judge_named(name: str) -> RecordedJudge:
    """`recorded:FILE` answers with the replies of a file; it is never chosen by itself."""
    if not name.startswith(_KIND) or name == _KIND:
        raise UsageError(f"There is no judge “{one_line(name, 60)}”; write recorded:FILE.")
    path = Path(name.removeprefix(_KIND))
    try:
        return recorded_judge(read(path).value, path.name)
    except CannotJudge as problem:
        raise UsageError(problem.sentence, path=str(path)) from problem
