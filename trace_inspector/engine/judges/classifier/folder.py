"""The folder of an exported classifier: which of its files are read, and which form it has by its configuration."""

from __future__ import annotations

import enum
import hashlib
import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Final, Literal

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.engine.judges.backends.backend import CallFailed
from trace_inspector.regular_file import opened, read_regular

OURS, THEIRS, TOKENIZER = "grounding.json", "config.json", "tokenizer.json"
MOST_MODEL_BYTES: Final = 2**31 - 1  # a file of ONNX cannot be larger
MOST_TOKENIZER_BYTES: Final = 64 * 2**20
_MOST_CONFIG_BYTES: Final = 2**20
_PIECE_BYTES: Final = 2**20
_MODELS: Final = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")
_LEAST_TOKENS, _MOST_TOKENS = 16, 8192
_MOST_TEMPLATE_CHARS: Final = 4000
_GUIDE: Final = "see “With a model of your own” in docs/local-grounding.md"
_NAME: Final = re.compile(r"\{(document|claim|question)\}")
_SUPPORTED: Final = frozenset({"entailment", "entailed", "supported", "consistent", "factual", "grounded", "yes"})
_UNSUPPORTED: Final = frozenset({"hallucinated", "hallucination", "unsupported", "not_supported"})


class ClassifierKind(enum.Enum):
    """What the classifier tells: whether a sentence is supported, or of each token whether it is not."""

    PAIR = "pair"
    SPAN = "span"


_ARCHITECTURES: Final = {
    "ForSequenceClassification": ClassifierKind.PAIR,
    "ForTokenClassification": ClassifierKind.SPAN,
}
_USUAL_TOKENS: Final = {ClassifierKind.PAIR: 512, ClassifierKind.SPAN: 1024}


class InputForm(Struct, frozen=True):
    """How a question becomes one or two texts, and how the numbers that come back are read."""

    kind: ClassifierKind
    first: str = "{document}"
    second: str = "{claim}"  # "" where all of it stands in the first text
    label: int = 1
    threshold: float = 0.5
    max_tokens: int = 512


class ModelFolder(Struct, frozen=True):
    """The files of a classifier. `digest` is that of everything an answer depends on."""

    path: Path
    form: InputForm
    model: Path
    model_digest: str
    digest: str


def fill(template: str, values: Mapping[str, str]) -> str:
    """A template with its values. Braces in values are text."""
    return _NAME.sub(lambda match: values[match[1]], template)


def read_folder(path: Path) -> ModelFolder:
    """Look at a folder; CallFailed with one sentence when it has no classifier that can be used."""
    if not path.is_dir():
        raise unusable(path, "is no folder; name the one that has model.onnx and tokenizer.json")
    name = OURS if (path / OURS).exists() else THEIRS
    config = _config(path, name)
    form = _stated_form(path, config) if name == OURS else _derived_form(path, config)
    model = _model_file(path, config if name == OURS else {})
    model_digest = _digest_of(path, model, MOST_MODEL_BYTES)
    tokenizer_digest = _digest_of(path, path / TOKENIZER, MOST_TOKENIZER_BYTES)
    whole = hashlib.sha256(f"{model_digest} {tokenizer_digest} {form}".encode()).hexdigest()
    return ModelFolder(path, form, model, model_digest, whole)


def read_bounded(folder: Path, file: Path, most: int) -> bytes:
    """What a file holds; CallFailed when it cannot be read or is too large."""
    try:
        content = read_regular(file, most + 1)
    except (OSError, ValueError) as problem:
        raise unusable(folder, f"has no {file.name} that can be read; {_GUIDE}") from problem
    if len(content) > most:
        raise unusable(folder, f"has a {file.name} of more than {most:,} bytes, which is not read")
    return content


def unusable(folder: Path, why: str) -> CallFailed:
    """Why a folder cannot be used, as one sentence."""
    return CallFailed(f"the folder “{one_line(str(folder), 200)}” {why}", again=False)


def _config(folder: Path, name: str) -> JsonObject:
    content = read_bounded(folder, folder / name, _MOST_CONFIG_BYTES)
    try:
        value: Json = json.loads(content)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise unusable(folder, f"has a {name} that is no JSON object; {_GUIDE}")
    return value


def _model_file(folder: Path, config: JsonObject) -> Path:
    stated = config.get("model")
    if stated is None:
        found = next((folder / name for name in _MODELS if (folder / name).is_file()), None)
        if found is None:
            raise unusable(folder, f"has no {_MODELS[0]}; export the classifier to ONNX into it, {_GUIDE}")
        return found
    inside = PurePosixPath(stated) if isinstance(stated, str) else PurePosixPath("/")
    if inside.is_absolute() or ".." in inside.parts or "\\" in str(inside) or inside.suffix != ".onnx":
        raise unusable(folder, f"names in {OURS} a “model” that is no .onnx file inside of it")
    return folder / inside


def _digest_of(folder: Path, file: Path, most: int) -> str:
    try:
        status = file.stat()
        if status.st_size > most:
            raise unusable(folder, f"has a {file.name} of more than {most:,} bytes, which is not read")
        return _digest(file, status.st_size, status.st_mtime_ns)
    except (OSError, ValueError) as problem:
        raise unusable(folder, f"has no {file.name} that can be read; {_GUIDE}") from problem


@lru_cache(maxsize=16)
def _digest(file: Path, _size: int, _changed_ns: int) -> str:
    """Read once, however often one asks, unless the file changes."""
    digest = hashlib.sha256()
    with opened(file) as content:
        while piece := content.read(_PIECE_BYTES):
            digest.update(piece)
    return digest.hexdigest()


class _StatedForm(BaseModel):
    """Our own file. What it does not state is usual."""

    model_config = ConfigDict(extra="forbid", strict=True, protected_namespaces=())

    kind: Literal["pair", "span"]
    first: str = Field("{document}", max_length=_MOST_TEMPLATE_CHARS)
    second: str = Field("{claim}", max_length=_MOST_TEMPLATE_CHARS)
    label: int = Field(1, ge=0, le=1000)
    threshold: float = Field(0.5, gt=0, lt=1)
    max_tokens: int | None = Field(None, ge=_LEAST_TOKENS, le=_MOST_TOKENS)
    model: str = ""


def _stated_form(folder: Path, config: JsonObject) -> InputForm:
    try:
        stated = _StatedForm.model_validate(config)
    except ValidationError as problem:
        first = problem.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise unusable(folder, f"has in {OURS} “{one_line(place, 60)}”: {first['msg']}; {_GUIDE}") from problem
    if "{document}" not in stated.first or ("{claim}" in stated.first) == ("{claim}" in stated.second):
        raise unusable(folder, f"needs in {OURS} {{document}} in “first”, and {{claim}} in “first” or in “second”")
    kind = ClassifierKind(stated.kind)
    if kind is ClassifierKind.SPAN and stated.second != "{claim}":
        raise unusable(folder, f"says “span” in {OURS}: then “second” is {{claim}}, whose tokens are looked at")
    tokens = stated.max_tokens or _USUAL_TOKENS[kind]
    return InputForm(kind, stated.first, stated.second, stated.label, stated.threshold, tokens)


def _derived_form(folder: Path, config: JsonObject) -> InputForm:
    """The form by the classifier's own config.json: its architecture, the names of its labels, its longest input."""
    named = config.get("architectures")
    architecture = str(named[0]) if isinstance(named, list) and named else ""
    kind = next((kind for ending, kind in _ARCHITECTURES.items() if architecture.endswith(ending)), None)
    if kind is None:
        raise unusable(folder, f"has a {THEIRS} of no classifier of texts or tokens; describe it in {OURS}, {_GUIDE}")
    labels = config.get("id2label")
    names = {index: str(name).casefold() for index, name in labels.items()} if isinstance(labels, dict) else {}
    wanted = _SUPPORTED if kind is ClassifierKind.PAIR else _UNSUPPORTED
    label = next((index for index, name in names.items() if name in wanted), "1")
    longest = config.get("max_position_embeddings")
    tokens = longest if isinstance(longest, int) and longest >= _LEAST_TOKENS else _USUAL_TOKENS[kind]
    whole = int(label) if label.isascii() and label.isdigit() and len(label) < 4 else 1
    return InputForm(kind, label=whole, max_tokens=min(tokens, _USUAL_TOKENS[kind]))
