"""A section of the help as a page: laid out piece by piece, so that a long table never holds the window."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct
from PySide6.QtCore import QByteArray, QTimer
from PySide6.QtGui import (
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextDocumentFragment,
    QTextFormat,
    QTextLength,
    QTextOption,
    QTextTable,
)
from PySide6.QtWidgets import QTextBrowser

from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.help.pages import HelpSection

GAP_PX = 8  # below a paragraph
SPACE_PX = 16
PIECE_CHARS, PIECE_ROWS = 1_500, 8  # of one piece; a row of a table may have several lines
HEAD_ROWS = 2  # of a table in Markdown: its names, and the line below them
_LEAST_SHARE, _MOST_SHARE = 8, 60  # letters of a column that are counted, whatever is in it
_PERCENT = QTextLength.Type.PercentageLength
_FEATURES = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML


class HelpPiece(Struct, frozen=True):
    """Some Markdown. Of a table: the percentage of each column, and whether it goes on with the one before."""

    text: str
    shares: tuple[float, ...] = ()
    goes_on: bool = False


def pieces(text: str) -> Iterator[HelpPiece]:
    """Cut between paragraphs, and tables between their rows."""
    gathered: list[str] = []
    for block in _blocks(text):
        if block.startswith("|"):
            if gathered:
                yield HelpPiece("\n\n".join(gathered))
                gathered = []
            yield from _of_table(block.split("\n"))
            continue
        gathered.append(block)
        if sum(map(len, gathered)) > PIECE_CHARS:
            yield HelpPiece("\n\n".join(gathered))
            gathered = []
    if gathered:
        yield HelpPiece("\n\n".join(gathered))


def _blocks(text: str) -> Iterator[str]:
    """What is between empty lines, but code in one; an indented line belongs to what is above it."""
    lines, in_code = list[str](), False
    for line in text.split("\n"):
        begins = not in_code and lines and not lines[-1].strip() and line[:1].strip() not in ("", "-", "*")
        in_code ^= line.startswith("```")
        if begins:
            yield "\n".join(lines).strip("\n")
            lines = []
        lines.append(line)
    for is_table, some in groupby(lines, lambda line: line.startswith("|")):
        block = "\n".join(some).strip("\n")
        if block or is_table:
            yield block


def _of_table(lines: Sequence[str]) -> Iterator[HelpPiece]:
    head, rows = lines[:HEAD_ROWS], lines[HEAD_ROWS:]
    widest = [max(map(len, column)) for column in zip(*map(_cells, [head[0], *rows]), strict=False)]
    letters = [min(max(width, _LEAST_SHARE), _MOST_SHARE) for width in widest]
    shares = tuple(99 * width / sum(letters) for width in letters)  # of 100 rounded widths are a pixel too wide
    for first in range(0, max(len(rows), 1), PIECE_ROWS):
        yield HelpPiece("\n".join([*head, *rows[first : first + PIECE_ROWS]]), shares, goes_on=first > 0)


def _cells(row: str) -> list[str]:
    return row.strip().strip("|").split("|")


class HelpText(QTextBrowser):
    """One section. Nothing in it is loaded, no link is followed, and HTML is text."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._words: Sequence[str] = ()
        self._waiting: Iterator[HelpPiece] = iter(())
        self._step = QTimer(self, interval=0)
        self._step.timeout.connect(self._lay_out_next)
        self.setOpenLinks(False)
        self.setAccessibleName(tr("Help"))
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)  # code has long lines
        self.document().setDocumentMargin(SPACE_PX)
        self.document().setUndoRedoEnabled(False)
        self.setFont(theme.fonts.body)

    @property
    def is_whole(self) -> bool:
        """Whether all of the section is laid out."""
        return not self._step.isActive()

    def loadResource(self, _kind: int, _name: object) -> QByteArray:  # noqa: N802
        """Nothing is loaded: without an answer Qt would read files itself."""
        return QByteArray(b"")

    def show_section(self, section: HelpSection, words: list[str]) -> None:
        """Show it, at the first of these words: its beginning now, the rest soon."""
        document = self.document()
        document.setDefaultFont(self._theme.fonts.body)
        document.setMarkdown(f"## {section.title}", _FEATURES)
        _space_out(document)
        self._words, self._waiting = words, pieces(section.text)
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self._step.start()
        self._lay_out_next()

    def _lay_out_next(self) -> None:
        piece = next(self._waiting, None)
        if piece is not None:
            self._append(piece)
            return
        self._step.stop()
        if self._words:
            self.find(self._words[0])

    def _append(self, piece: HelpPiece) -> None:
        end = QTextCursor(self.document())
        end.movePosition(QTextCursor.MoveOperation.End)
        end.beginEditBlock()  # one layout for all of it
        if end.block().length() > 1:
            end.insertBlock(QTextBlockFormat(), QTextCharFormat())
        elif piece.goes_on:
            _make_low(end)  # between two parts of one table Qt has an empty line
        first, made = end.position(), self._made(piece)
        end.insertFragment(QTextDocumentFragment(made))
        if not piece.shares:  # its first paragraph went into the empty line that was there, and has that one's format
            end.setPosition(first)
            end.setBlockFormat(made.begin().blockFormat())
        end.endEditBlock()

    def _made(self, piece: HelpPiece) -> QTextDocument:
        """A piece by itself, which nothing lays out."""
        made = QTextDocument()
        made.setDefaultFont(self._theme.fonts.body)
        made.setMarkdown(piece.text, _FEATURES)
        _space_out(made)
        for table in made.rootFrame().childFrames():
            if isinstance(table, QTextTable):
                layout = table.format()
                layout.setWidth(QTextLength(_PERCENT, 99))
                layout.setColumnWidthConstraints([QTextLength(_PERCENT, share) for share in piece.shares])
                table.setFormat(layout)
                if piece.goes_on:
                    table.removeRows(0, 1)
        return made


def _make_low(line: QTextCursor) -> None:
    low = QTextBlockFormat()
    low.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    line.setBlockFormat(low)


def _space_out(document: QTextDocument) -> None:
    """Room below paragraphs, which Markdown leaves without; code and cells of tables stay close."""
    block = document.begin()
    while block.isValid():
        cursor = QTextCursor(block)
        layout = block.blockFormat()
        is_code = layout.hasProperty(QTextFormat.Property.BlockCodeLanguage) or layout.nonBreakableLines()
        if is_code:  # a long line would push the page sideways; broken, it is read without scrolling
            layout.setNonBreakableLines(False)
            cursor.setBlockFormat(layout)
        elif cursor.currentTable() is None:
            layout.setBottomMargin(GAP_PX)
            cursor.setBlockFormat(layout)
        block = block.next()
