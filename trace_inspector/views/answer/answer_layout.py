"""The layout of an answer's sentences: lines and rectangles from text, support and a width. No widget."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QTextCharFormat, QTextLayout, QTextLine, QTextOption

from trace_inspector.core.verdict.verdict import Sentence, SentenceSupport

LINE_HEIGHT_PX = 24
UNDER_BASELINE_PX = 4
MARK_PX = 14
MARK_ROOM_PX = 18

# Labels whose sentences carry a mark before the first word.
MARKED = {
    SentenceSupport.UNSUPPORTED: "unsupported",
    SentenceSupport.CONTRADICTORY: "no",
    SentenceSupport.DISPUTED: "disputed",
    SentenceSupport.CANNOT_TELL: "unknown",
}

_FOLDED = str.maketrans(dict.fromkeys("\r\t\v\f\u2028\u2029\x85", " "))


class Fragment(Struct, frozen=True):
    """The part of a sentence on one line: its rectangle and the baseline of its words."""

    sentence: int
    box: QRectF
    baseline: float
    first: bool


class PlacedAnswer(Struct, frozen=True):
    """An answer laid out: text lines to draw and fragments to underline."""

    layouts: tuple[QTextLayout, ...]
    fragments: tuple[Fragment, ...]
    height: float

    def sentence_at(self, point: QPointF) -> int | None:
        """Which sentence lies under a point."""
        return next((part.sentence for part in self.fragments if part.box.contains(point)), None)


def place(text: str, sentences: Sequence[Sentence], font: QFont, width_px: float) -> PlacedAnswer:
    """Lay an answer out. Sentences are character offsets into the text; they may be empty or reach beyond it."""
    metrics = QFontMetricsF(font)
    layouts: list[QTextLayout] = []
    fragments: list[Fragment] = []
    started: set[int] = set()
    top, start_of_paragraph = 0.0, 0
    for paragraph in text.split("\n"):
        inside = [
            (
                which,
                max(sentence.start - start_of_paragraph, 0),
                min(sentence.end - start_of_paragraph, len(paragraph)),
            )
            for which, sentence in enumerate(sentences)
            if sentence.start < start_of_paragraph + len(paragraph) and sentence.end > start_of_paragraph
        ]
        marked = [start for which, start, _end in inside if _has_mark(sentences[which]) and which not in started]
        shown = _with_room(paragraph.translate(_FOLDED), marked)
        offsets = _Offsets(paragraph, marked)
        layout = _laid_out(shown, [offsets.room(start) for start in marked], font, metrics, width_px, top)
        for which, start, end in inside:
            first = which not in started
            started.add(which)
            left = offsets.room(start) if start in marked and first else offsets.of(start)
            fragments.extend(_fragments(layout, which, left, offsets.of(end), metrics, first))
        layouts.append(layout)
        top += max(layout.lineCount(), 1) * LINE_HEIGHT_PX
        start_of_paragraph += len(paragraph) + 1
    return PlacedAnswer(tuple(layouts), tuple(fragments), top)


def _has_mark(sentence: Sentence) -> bool:
    return sentence.support in MARKED


def _with_room(paragraph: str, marked: Sequence[int]) -> str:
    """The paragraph with a no-break space, stretched later, for each mark."""
    pieces, last = [], 0
    for start in marked:
        pieces.append(paragraph[last:start])
        last = start
    return "\u00a0".join([*pieces, paragraph[last:]])


class _Offsets:
    """From characters of the paragraph to Qt's UTF-16 positions in the text with room for marks."""

    def __init__(self, paragraph: str, marked: Sequence[int]) -> None:
        self._wide = [index for index, char in enumerate(paragraph) if ord(char) > 0xFFFF]
        self._marked = list(marked)

    def of(self, index: int) -> int:
        return index + bisect_right(self._wide, index - 1) + bisect_right(self._marked, index)

    def room(self, index: int) -> int:
        return self.of(index) - 1


def _laid_out(
    text: str, rooms: Sequence[int], font: QFont, metrics: QFontMetricsF, width_px: float, top: float
) -> QTextLayout:
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.setCacheEnabled(True)
    wide = QTextCharFormat()
    wide.setFontLetterSpacingType(QFont.SpacingType.AbsoluteSpacing)
    wide.setFontLetterSpacing(MARK_ROOM_PX - metrics.horizontalAdvance("\u00a0"))
    formats = []
    for start in rooms:
        piece = QTextLayout.FormatRange()
        piece.start, piece.length, piece.format = start, 1, wide
        formats.append(piece)
    layout.setFormats(formats)
    layout.beginLayout()
    y = top
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(width_px, MARK_ROOM_PX * 2))
        line.setPosition(QPointF(0, y + (LINE_HEIGHT_PX - line.height()) / 2 - 1))
        y += LINE_HEIGHT_PX
    layout.endLayout()
    return layout


def _fragments(
    layout: QTextLayout, which: int, start: int, end: int, metrics: QFontMetricsF, first: bool
) -> list[Fragment]:
    fragments: list[Fragment] = []
    for number in range(layout.lineCount()):
        line = layout.lineAt(number)
        left, right = max(start, line.textStart()), min(end, line.textStart() + line.textLength())
        if left >= right:
            continue
        # The space that a line ends with hangs over its edge and is not underlined.
        edge = line.x() + line.naturalTextWidth()
        x = sorted(min(_x(line, cursor), edge) for cursor in (left, right))
        baseline = line.y() + line.ascent()
        box = QRectF(x[0], baseline - metrics.ascent() - 1, x[1] - x[0], metrics.height() + 4)
        fragments.append(Fragment(which, box, baseline, first and not fragments))
    return fragments


def _x(line: QTextLine, cursor: int) -> float:
    reached = line.cursorToX(cursor)
    return float(reached[0]) if isinstance(reached, tuple) else 0.0
