from __future__ import annotations

import pickle

from trace_inspector.core.errors import ReadError


def test_an_error_keeps_its_place_between_processes() -> None:
    problem = pickle.loads(pickle.dumps(ReadError("A comma is missing.", path="a.json", line=3, column=7)))
    assert isinstance(problem, ReadError)
    assert str(problem) == "a.json:3:7: A comma is missing."
