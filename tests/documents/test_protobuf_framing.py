"""Other files are never taken for OTLP in protobuf, which has no mark of its own."""

from __future__ import annotations

import gzip
import os
import pickle
import zipfile
from io import BytesIO
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.documents.wire import field, sized
from tests.helpers.tables import each
from trace_inspector.documents.protobuf.document import is_protobuf

HERE = Path("made.pb")
SPAN = sized(1, bytes(range(16))) + sized(2, bytes(range(8))) + field(7, 1, bytes(range(8)))


def test_a_span_is_taken_for_one() -> None:
    assert is_protobuf(sized(1, sized(2, sized(2, SPAN))), HERE)


def zipped() -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.txt", "text")
    return out.getvalue()


MAGICS = {
    "png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "jpeg": b"\xff\xd8\xff\xe0\0\x10JFIF\0",
    "gif": b"GIF89a\n\0\n\0",
    "pdf": b"%PDF-1.7\n%\xe2\xe3\n",
    "zip": zipped(),
    "gzip": gzip.compress(b"text"),
    "pickle": pickle.dumps({"a": [1, 2, "three" * 50]}),
    "numpy": b"\x93NUMPY\x01\0v\0{'descr': '<f8'}\n",
    "elf": b"\x7fELF\x02\x01\x01" + bytes(60),
    "class": b"\xca\xfe\xba\xbe\0\0\0\x34",
    "sqlite": b"SQLite format 3\0" + bytes(100),
    "parquet": b"PAR1\x15\x04\x15\x10",
    "onnx": sized(1, b"\x08\x07") + sized(2, b"pytorch") + sized(3, b"1.13"),
    "tensor": sized(1, sized(1, sized(1, b"dense") + sized(2, b"\x08\x01"))),
    "text": b"\n{\n" + b" " * 123 + b'"a": 1}\n',
    "zeros": bytes(4096),
    "nothing": b"",
    "empty resource": sized(1, b""),
    "empty scope": sized(1, sized(2, b"")),
    "resource alone": sized(1, sized(1, sized(1, sized(1, b"service.name") + sized(2, sized(1, b"shop"))))),
    "short ids": sized(1, sized(2, sized(2, sized(1, b"1234") + sized(2, b"12") + field(7, 1, bytes(8))))),
    "short record": sized(1, sized(2, sized(2, sized(5, b"name")))),
    "metric": sized(1, sized(2, sized(2, sized(1, b"http.server.reqs") + sized(2, b"requests") + sized(7, b"")))),
    "unlikely time": sized(1, sized(2, sized(2, field(1, 1, bytes(7) + b"\xff") + sized(5, sized(1, b"hi"))))),
    "another field before the scopes": sized(1, sized(4, b"x") + sized(2, sized(2, SPAN))),
}


@each("data", MAGICS.values(), ids=MAGICS)
def test_other_files_are_not_taken_for_otlp(data: bytes) -> None:
    assert not is_protobuf(data, HERE)
    assert not is_protobuf(data + os.urandom(500), HERE)
    assert not is_protobuf(len(data).to_bytes(4, "big") + data, HERE)


@settings(max_examples=300)
@given(st.binary(max_size=400), st.sampled_from([b"", b"\n", *MAGICS.values()]))
def test_random_bytes_are_not_taken_for_otlp(data: bytes, magic: bytes) -> None:
    assert not is_protobuf(magic + data, HERE)
