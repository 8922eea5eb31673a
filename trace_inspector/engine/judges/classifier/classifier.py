"""Asks the classifier in a folder about sentences, as a backend: on this machine, one sentence at a time."""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from trace_inspector.engine.judges.backends.backend import CallFailed, ModelAnswer, Prompted
from trace_inspector.engine.judges.classifier.exchange import Classified, read_question
from trace_inspector.engine.judges.classifier.folder import ClassifierKind, ModelFolder, read_folder, unusable
from trace_inspector.engine.judges.classifier.network import Network
from trace_inspector.engine.judges.classifier.windows import TokenWindow

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LOADING_S: Final = 120.0
SENTENCE_S: Final = 60.0
_MOST_MARKED: Final = 8

Result = TypeVar("Result")


class Classifier:
    """The classifier of one folder. What is wrong with the folder is told once, and from then on at once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._folder: ModelFolder | None = None
        self._network: Network | None = None
        self._failure = ""
        self._stopping = threading.Event()

    @property
    def name(self) -> str:
        """Who answers, in words, with the beginning of the digest of its files."""
        folder = self._read()
        return f"the grounding model in {self._path}" + (f", {folder.digest[:12]}" if folder else "")

    @property
    def endpoint(self) -> str:
        """What makes answers the same: the classifier's files and its form, wherever they lie."""
        folder = self._read()
        return f"classifier:{folder.digest}" if folder else f"classifier in {self._path}"

    async def call(self, prompted: Prompted) -> ModelAnswer:
        """Answer one question; whoever asks waits for the one before."""
        if self._failure:
            raise CallFailed(self._failure, again=False)
        try:
            return ModelAnswer((await self._answer(prompted.prompt)).as_text)
        except CallFailed as failure:
            self._failure = failure.sentence
            raise

    async def close(self) -> None:
        """End what still runs."""
        self._stopping.set()
        if self._network is not None:
            self._network.stop()

    def _read(self) -> ModelFolder | None:
        """The folder; None when it cannot be used, which `call` tells."""
        if self._folder is None and not self._failure:
            try:
                self._folder = read_folder(self._path)
            except CallFailed as failure:
                self._failure = failure.sentence
        return self._folder

    async def _answer(self, text: str) -> Classified:
        folder = self._read()
        if folder is None:
            raise CallFailed(self._failure, again=False)
        if self._network is None:
            self._network = await self._within(LOADING_S, "load", lambda: Network(folder))
        network = self._network
        return await self._within(SENTENCE_S, "judge one sentence", lambda: self._judged(text, folder, network))

    async def _within(self, seconds: float, what: str, work: Callable[[], Result]) -> Result:
        """The result of work in a thread; what takes too long is ended, and nothing more is asked."""
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.to_thread(work)
        except TimeoutError:
            await self.close()
            why = f"has a model that took more than {seconds:g} s to {what}; a smaller one may do"
            raise unusable(self._path, why) from None

    def _judged(self, text: str, folder: ModelFolder, network: Network) -> Classified:
        question, form = read_question(text), folder.form
        judge = self._by_token if form.kind is ClassifierKind.SPAN else self._by_pair
        windows = []
        for window in network.windows(question):
            if self._stopping.is_set():
                raise unusable(self._path, "is not asked any more")
            windows.append((window, network.logits(window)))
        if not windows:
            return Classified(
                0.0, form.threshold, by_token=form.kind is ClassifierKind.SPAN, windows=0, too_long=True
            )
        return judge(windows, folder, network)

    def _by_pair(
        self, windows: Sequence[tuple[TokenWindow, NDArray[np.float64]]], folder: ModelFolder, network: Network
    ) -> Classified:
        """The greatest probability in any window: one piece of the evidence is enough."""
        label = folder.form.label
        best = 0.0
        for _window, logits in windows:
            # Some classifiers answer for every token: then the first one stands for all.
            row = logits[0] if logits.ndim == 2 else logits
            if row.ndim != 1 or (len(row) > 1 and label >= len(row)):
                raise network.unlike(logits.shape, f"one row with the label {label}")
            best = max(best, _probability(row.tolist(), label))
        return Classified(best, folder.form.threshold, windows=len(windows))

    def _by_token(
        self, windows: Sequence[tuple[TokenWindow, NDArray[np.float64]]], folder: ModelFolder, network: Network
    ) -> Classified:
        """The worst token, each by the window that speaks best for it."""
        label, threshold = folder.form.label, folder.form.threshold
        tokens: dict[tuple[int, int], float] = {}
        for window, logits in windows:
            if logits.ndim != 2 or len(logits) != len(window.ids) or 1 < logits.shape[1] <= label:
                raise network.unlike(logits.shape, f"{len(window.ids)} rows with the label {label}")
            for token, place in zip(window.tokens, window.places, strict=True):
                tokens[place] = min(tokens.get(place, 1.0), _probability(logits[token].tolist(), label))
        marked: list[tuple[int, int]] = []
        for (start, end), probability in sorted(tokens.items()):
            if probability <= threshold:
                continue
            if marked and start <= marked[-1][1] + 1:
                marked[-1] = (marked[-1][0], end)
            else:
                marked.append((start, end))
        worst = max(tokens.values(), default=0.0)
        kept = tuple(marked[:_MOST_MARKED])
        return Classified(worst, threshold, by_token=True, marked=kept, windows=len(windows), too_long=not tokens)


def _probability(row: Sequence[float], label: int) -> float:
    """Softmax of one label among several, or the sigmoid of a single number."""
    others = [0.0] if len(row) == 1 else [number for index, number in enumerate(row) if index != label]
    own = row[0] if len(row) == 1 else row[label]
    most = max(own, *others)
    return math.exp(own - most) / (math.exp(own - most) + sum(math.exp(number - most) for number in others))
