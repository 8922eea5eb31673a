"""Folders with tiny classifiers: networks of a dozen steps as bytes of ONNX, and tokenizers that know some words.

The networks look which words of the sentence stand in the evidence; what they say can be foretold.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from tests.documents.wire import field, sized, varint

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
FLOAT, WHOLE, _TRUTH = 1, 7, 9  # the numbers of the types in ONNX
Node: TypeAlias = (
    "tuple[str, tuple[str, ...], str] | tuple[str, tuple[str, ...], str, dict[str, int | tuple[int, ...]]]"
)

# 1 for each token of the second text that is not among those of the first.
MISSING: tuple[Node, ...] = (
    ("Less", ("input_ids", "four"), "special"),
    ("Not", ("special",), "word"),
    ("Equal", ("token_type_ids", "zero"), "first"),
    ("Equal", ("token_type_ids", "one"), "second"),
    ("And", ("word", "first"), "of_evidence"),
    ("And", ("word", "second"), "of_sentence"),
    ("Unsqueeze", ("input_ids", "axis_2"), "rows"),
    ("Unsqueeze", ("input_ids", "axis_1"), "columns"),
    ("Equal", ("rows", "columns"), "same"),
    ("Unsqueeze", ("of_evidence", "axis_1"), "there"),
    ("And", ("same", "there"), "pairs"),
    ("Cast", ("pairs",), "pairs_as_numbers", {"to": FLOAT}),
    ("ReduceMax", ("pairs_as_numbers",), "found", {"axes": (2,), "keepdims": 0}),
    ("Sub", ("one_as_float", "found"), "not_found"),
    ("Cast", ("of_sentence",), "sentence_as_numbers", {"to": FLOAT}),
    ("Mul", ("sentence_as_numbers", "not_found"), "missing"),
    ("Mul", ("missing", "minus_six"), "weighed"),
    ("Add", ("weighed", "three"), "support"),  # 3 or -3 a token
)
PAIR: tuple[Node, ...] = (
    *MISSING,
    ("ReduceMin", ("support",), "worst", {"axes": (1,), "keepdims": 1}),
    ("Mul", ("worst", "zero_as_float"), "other"),
    ("Concat", ("other", "worst"), "logits", {"axis": 1}),
)
SPAN: tuple[Node, ...] = (
    *MISSING,
    ("Unsqueeze", ("support", "axis_2"), "for"),
    ("Neg", ("for",), "against"),
    ("Mul", ("for", "zero_as_float"), "other"),
    ("Concat", ("other", "against"), "logits", {"axis": 2}),
)
# Says 3 where the word of id 4 stands in the text, else -3, as a single number.
FIRST_WORD: tuple[Node, ...] = (
    ("Equal", ("input_ids", "four"), "there"),
    ("Cast", ("there",), "as_numbers", {"to": FLOAT}),
    ("ReduceMax", ("as_numbers",), "most", {"axes": (1,), "keepdims": 1}),
    ("Mul", ("most", "six"), "weighed"),
    ("Sub", ("weighed", "three"), "logits"),
)
_WHOLE_NUMBERS = {"four": [4], "zero": [0], "one": [1], "axis_1": [1], "axis_2": [2]}
_NUMBERS = {"one_as_float": 1.0, "zero_as_float": 0.0, "three": 3.0, "six": 6.0, "minus_six": -6.0}


def network(
    nodes: Sequence[Node], inputs: Iterable[str] = ("input_ids", "token_type_ids"), elsewhere: str = ""
) -> bytes:
    """A model of ONNX with these steps, from whole numbers to `logits`; its number three may lie `elsewhere`."""
    numbers = {name: value for name, value in _NUMBERS.items() if not elsewhere or name != "three"}
    graph = b"".join(sized(1, _node(*node)) for node in nodes)
    graph += sized(2, b"tiny")
    graph += b"".join(
        sized(5, _tensor(name, WHOLE, struct.pack("<q", *value))) for name, value in _WHOLE_NUMBERS.items()
    )
    graph += b"".join(sized(5, _tensor(name, FLOAT, struct.pack("<f", value))) for name, value in numbers.items())
    graph += sized(5, _tensor_elsewhere("three", elsewhere)) if elsewhere else b""
    graph += b"".join(sized(11, _value(name, WHOLE)) for name in inputs)
    graph += sized(12, _value("logits", FLOAT))
    return _model(graph)


def endless() -> bytes:
    """A model of ONNX that goes round a loop for a few thousand years."""
    body = (
        sized(1, _node("Identity", ("on",), "still_on"))
        + sized(1, _node("Add", ("x", "x"), "more"))
        + sized(2, b"body")
    )
    body += sized(11, _value("round", WHOLE, is_scalar=True)) + sized(11, _value("on", _TRUTH, is_scalar=True))
    body += sized(11, _value("x", FLOAT))
    body += sized(12, _value("still_on", _TRUTH, is_scalar=True)) + sized(12, _value("more", FLOAT))
    loop = b"".join(sized(1, name) for name in (b"rounds", b"true", b"one")) + sized(2, b"logits") + sized(4, b"Loop")
    loop += sized(5, sized(1, b"body") + sized(6, body) + field(20, 0, varint(5)))
    graph = sized(1, loop) + sized(2, b"endless")
    graph += sized(5, _tensor("rounds", WHOLE, struct.pack("<q", 10**18), is_scalar=True))
    graph += sized(5, _tensor("true", _TRUTH, b"\1", is_scalar=True))
    graph += sized(5, _tensor("one", FLOAT, struct.pack("<f", 1.0)))
    return _model(graph + sized(11, _value("input_ids", WHOLE)) + sized(12, _value("logits", FLOAT)))


def tokenizer(texts: Iterable[str], first: str = "") -> str:
    """A tokenizer.json whose words are those of the texts, in small letters; `first` has the id 4."""
    words = dict.fromkeys([*([first] if first else []), *re.findall(r"\w+|[^\w\s]+", " ".join(texts).lower())])
    vocabulary = {word: number for number, word in enumerate((*SPECIAL, *words))}

    def special(name: str, kind: int) -> dict[str, Any]:
        return {"SpecialToken": {"id": name, "type_id": kind}}

    def text(name: str, kind: int) -> dict[str, Any]:
        return {"Sequence": {"id": name, "type_id": kind}}

    single = [special("[CLS]", 0), text("A", 0), special("[SEP]", 0)]
    return json.dumps(
        {
            "version": "1.0",
            "truncation": {"direction": "Right", "max_length": 8, "strategy": "LongestFirst", "stride": 0},
            "padding": None,
            "added_tokens": [],
            "normalizer": {"type": "Lowercase"},
            "pre_tokenizer": {"type": "Whitespace"},
            "post_processor": {
                "type": "TemplateProcessing",
                "single": single,
                "pair": [*single, text("B", 1), special("[SEP]", 1)],
                "special_tokens": {
                    name: {"id": name, "ids": [vocabulary[name]], "tokens": [name]} for name in ("[CLS]", "[SEP]")
                },
            },
            "decoder": None,
            "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
        }
    )


def classifier_folder(
    folder: Path, nodes: Sequence[Node], form: dict[str, Any], texts: Iterable[str], first: str = ""
) -> Path:
    """A whole folder with our own description."""
    folder.mkdir(exist_ok=True)
    inputs = ("input_ids", "token_type_ids") if nodes is not FIRST_WORD else ("input_ids",)
    (folder / "model.onnx").write_bytes(network(nodes, inputs))
    (folder / "tokenizer.json").write_text(tokenizer(texts, first), encoding="utf-8")
    (folder / "grounding.json").write_text(json.dumps(form), encoding="utf-8")
    return folder


def _model(graph: bytes) -> bytes:
    return field(1, 0, varint(8)) + sized(7, graph) + sized(8, field(2, 0, varint(17)))


def _node(kind: str, given: tuple[str, ...], made: str, attributes: dict[str, Any] | None = None) -> bytes:
    listed = b"".join(sized(1, name.encode()) for name in given) + sized(2, made.encode()) + sized(4, kind.encode())
    return listed + b"".join(sized(5, _attribute(name, value)) for name, value in (attributes or {}).items())


def _attribute(name: str, value: int | tuple[int, ...]) -> bytes:
    if isinstance(value, int):
        return sized(1, name.encode()) + field(3, 0, varint(value)) + field(20, 0, varint(2))
    return sized(1, name.encode()) + b"".join(field(8, 0, varint(one)) for one in value) + field(20, 0, varint(7))


def _tensor(name: str, kind: int, raw: bytes, *, is_scalar: bool = False) -> bytes:
    sizes = b"" if is_scalar else field(1, 0, varint(1))
    return sizes + field(2, 0, varint(kind)) + sized(8, name.encode()) + sized(9, raw)


def _tensor_elsewhere(name: str, file: str) -> bytes:
    place = sized(1, b"location") + sized(2, file.encode())
    head = field(1, 0, varint(1)) + field(2, 0, varint(FLOAT)) + sized(8, name.encode())
    return head + sized(13, place) + field(14, 0, varint(1))


def _value(name: str, kind: int, *, is_scalar: bool = False) -> bytes:
    """An input or output, whose sizes are open unless it has none."""
    sizes = sized(2, b"") if is_scalar else b""
    return sized(1, name.encode()) + sized(2, sized(1, field(1, 0, varint(kind)) + sizes))
