"""A peer as a process: a line of JSON with cases comes in, a line of JSON with answers goes out."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

Job = Callable[[Any], Any]


class Refused(Exception):
    """The peer does not read such a file at all."""


def read(model: Any, raw: Any) -> Any:
    """A value as a pydantic model reads it from a file."""
    try:
        return model.model_validate_json(json.dumps(raw))
    except ValueError as problem:
        raise Refused(str(problem)) from problem


def serve(jobs: Mapping[str, Job]) -> None:
    """Answer batches until the input ends. What a library prints goes to the error output, away from the answers."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    logging.disable()  # of everything that goes wrong in a case, which is much, and slow
    for line in sys.stdin:
        batch = json.loads(line)
        job = jobs[batch["job"]]
        answers.write(json.dumps([_answer(job, case) for case in batch["cases"]]) + "\n")
        answers.flush()


def _answer(job: Job, case: Any) -> Any:
    try:
        return job(case)
    except Refused as problem:
        return {"refused": str(problem)}
    except Exception as problem:
        return {"error": f"{type(problem).__name__}: {problem}"}
