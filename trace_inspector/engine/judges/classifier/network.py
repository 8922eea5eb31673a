"""The exported network and its tokenizer: loaded from bytes, run on the processor, its numbers checked.

onnxruntime and tokenizers are imported here, when a classifier is used, and by nobody else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from trace_inspector.core.trace.summary import one_line
from trace_inspector.engine.judges.backends.backend import CallFailed
from trace_inspector.engine.judges.classifier.exchange import SentenceQuestion
from trace_inspector.engine.judges.classifier.folder import (
    MOST_MODEL_BYTES,
    MOST_TOKENIZER_BYTES,
    TOKENIZER,
    ModelFolder,
    read_bounded,
    unusable,
)
from trace_inspector.engine.judges.classifier.windows import TokenWindow, windows_of
from trace_inspector.extras import GROUNDING, install_line

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

_IDS, _MASK, _TYPES, _POSITIONS = "input_ids", "attention_mask", "token_type_ids", "position_ids"
_GIVEN: Final = (_IDS, _MASK, _TYPES, _POSITIONS)
_WHOLE_NUMBERS: Final = {"tensor(int64)": "int64", "tensor(int32)": "int32"}
_SILENT: Final = 4  # the library's level for fatal faults only: what it says of a model is told in a sentence
_LONGEST_WORDS: Final = 160


class Network:
    """A classifier in memory. One run at a time; `stop` ends the one that runs, and every later one."""

    def __init__(self, folder: ModelFolder) -> None:
        self._path = folder.path
        runtime, numpy = _runtime()
        self._form, self._tokenizer = folder.form, _tokenizer(folder.path)
        self._numpy = numpy
        self._options = runtime.RunOptions()
        self._options.log_severity_level = _SILENT
        content = read_bounded(folder.path, folder.model, MOST_MODEL_BYTES)
        if hashlib.sha256(content).hexdigest() != folder.model_digest:
            raise unusable(folder.path, f"has a {folder.model.name} that changed just now; evaluate again")
        self._session = _session(runtime, content, folder.path, folder.model.name)
        self._types = {one.name: _WHOLE_NUMBERS.get(one.type, "") for one in self._session.get_inputs()}
        outputs = [one.name for one in self._session.get_outputs()]
        strange = next((name for name, kind in self._types.items() if name not in _GIVEN or not kind), None)
        if strange is not None or _IDS not in self._types:
            wanted = f"wants “{one_line(strange, 60)}”" if strange is not None else f"has no input “{_IDS}”"
            raise unusable(
                self._path, f"has a model that {wanted}; a classifier takes {', '.join(_GIVEN)} as whole numbers"
            )
        self._output = "logits" if "logits" in outputs else outputs[0]

    def stop(self) -> None:
        """End the run; the library looks between the steps of the network."""
        self._options.terminate = True

    def windows(self, question: SentenceQuestion) -> list[TokenWindow]:
        """The inputs for a question, one a piece of the evidence."""
        try:
            return list(windows_of(question, self._form, self._tokenizer))
        except BaseException as problem:  # a panic of the library is no Exception
            raise unusable(self._path, f"has a {TOKENIZER} that fails: {_words(problem)}") from problem

    def logits(self, window: TokenWindow) -> NDArray[np.float64]:
        """The numbers for one input: one row of labels, or one row a token."""
        given = {_IDS: window.ids, _MASK: [1] * len(window.ids), _TYPES: window.type_ids}
        given[_POSITIONS] = range(len(window.ids))
        feeds = {name: self._numpy.array([given[name]], dtype=kind) for name, kind in self._types.items()}
        try:
            (found,) = self._session.run([self._output], feeds, self._options)
        except Exception as problem:  # the library has many kinds, some of them not derived from its own
            raise unusable(self._path, f"has a model that fails: {_words(problem)}") from problem
        numbers = self._numpy.asarray(found, dtype="float64") if _is_numeric(found) else self._numpy.zeros(0)
        if not numbers.size or not self._numpy.isfinite(numbers).all() or numbers.shape[:1] != (1,):
            raise unusable(self._path, "has a model whose answer is no finite numbers for one input")
        rows: NDArray[np.float64] = numbers[0]
        return rows

    def unlike(self, shape: Sequence[int], wanted: str) -> CallFailed:
        """The failure where the numbers have another shape than the form of the folder says."""
        sizes = " × ".join(map(str, shape))
        return unusable(
            self._path, f"has a model that answers with {sizes} numbers instead of {wanted}; is “kind” right?"
        )


def _runtime() -> tuple[Any, Any]:
    """The library that runs networks, and numpy, which comes with it."""
    try:
        import numpy
        import onnxruntime
    except ImportError as problem:
        raise _not_installed("onnxruntime") from problem
    return onnxruntime, numpy


def _not_installed(library: str) -> CallFailed:
    sentence = f"{library} is not installed, or cannot be used; install it with: {install_line(GROUNDING)}"
    return CallFailed(sentence, again=False)


def _tokenizer(folder: Path) -> Tokenizer:
    content = read_bounded(folder, folder / TOKENIZER, MOST_TOKENIZER_BYTES)
    try:
        import tokenizers
    except ImportError as problem:
        raise _not_installed("tokenizers") from problem
    try:
        tokenizer = tokenizers.Tokenizer.from_str(content.decode("utf-8"))
        tokenizer.no_truncation()
        tokenizer.no_padding()
    except BaseException as problem:  # a panic of the library is no Exception
        raise unusable(folder, f"has a {TOKENIZER} that cannot be used: {_words(problem)}") from problem
    return tokenizer


def _session(runtime: Any, content: bytes, folder: Path, name: str) -> Any:
    options = runtime.SessionOptions()
    options.log_severity_level = _SILENT
    try:
        # From bytes: weights in a second file are not found, and no path in the model leads anywhere.
        return runtime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as problem:  # as above
        raise unusable(folder, f"has a {name} that cannot be loaded as one file: {_words(problem)}") from problem


def _is_numeric(found: object) -> bool:
    return getattr(getattr(found, "dtype", None), "kind", "") in "fiu"


def _words(problem: BaseException) -> str:
    return one_line(str(problem), _LONGEST_WORDS)
