"""An evidence pack, made here of a result: what the tests of the format read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.formats import adk_files
from trace_inspector.engine.evidence.evidence_file import evidence_file
from trace_inspector.engine.redaction.options import Redaction
from trace_inspector.flows.runs.evidence import evidence_of


def page(text: str = adk_files.RESULT) -> bytes:
    """The page of a result."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "tours.evalset_result.json"
        path.write_text(text, encoding="utf-8")
        pack, _inputs = evidence_of(str(path))
    return evidence_file(pack, Redaction()).data


@contextmanager
def written(inner: bytes) -> Iterator[Path]:
    """A file that begins as a page does, with this in it; as it is where it is a page itself."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "pack.html"
        path.write_bytes(inner if inner.startswith(b"<!DOCTYPE") else b"<!DOCTYPE html><html><body>" + inner)
        yield path
