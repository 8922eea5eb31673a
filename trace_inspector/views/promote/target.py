"""Where a golden is to go: which turns, into which file, as which case."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QVBoxLayout, QWidget

from trace_inspector.core.golden.golden_formats import GOLDEN_FORMATS
from trace_inspector.core.trace.summary import one_line
from trace_inspector.engine.goldens.promotion import WAYS
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.promotion import CALL, Promotion
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.check_mark import Check
from trace_inspector.views.widgets.fields import Choice, Form, LineField

MOST_CASES = 1_000  # that are offered; among more, the case is selected and edited itself
_CHARS = 80
_NEW = ""


class TargetForm(QWidget):
    """Fields for what was proposed."""

    def __init__(self, theme: Theme, promotion: Promotion) -> None:
        super().__init__()
        self._promotion = promotion
        self.whole = Choice[bool](theme, tr("Turns"), (), lambda whole: promotion.choose(whole=whole))
        targets = [(file.name, str(file.number)) for file in promotion.targets]
        self.file = Choice[str](theme, tr("Into"), [*targets, (tr("A new file…"), _NEW)], self._choose_file)
        formats = [(title, name) for name, title in GOLDEN_FORMATS.items()]
        self.format = Choice[str](theme, tr("Format"), formats, lambda name: promotion.choose(format=name))
        self.path = LineField(theme, tr("Path"), lambda text: promotion.choose(path=text))
        self.case = Choice[str](theme, tr("Golden"), (), self._choose_case)
        self.name = LineField(theme, tr("Id"), lambda text: promotion.choose(name=text))
        self.way = Choice[str](theme, tr("How"), (), lambda way: promotion.choose(way=way))
        self.moves = Check(theme, tr("Move them: they leave the file they are in"))
        self.moves.clicked.connect(lambda moves: promotion.choose(moves=moves))
        self._form = form = Form(theme)
        for text, field in (
            (tr("Turns"), self.whole),
            (tr("Into"), self.file),
            (tr("Format"), self.format),
            (tr("Path"), self.path),
            (tr("Golden"), self.case),
            (tr("How"), self.way),
            (tr("Id"), self.name),
        ):
            form.add(text, field)
        form.add_below(self.moves)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(form)
        self._listed: object = None

    def take(self) -> bool:
        """Take the text of a field that still has the focus; true when it has changed."""
        promotion = self._promotion
        name, path = self.name.text().strip(), self.path.text().strip()
        ids = promotion.preview.ids if promotion.preview is not None else ()
        if self.name.isVisible() and name not in (promotion.name, *(ids[:1] if not promotion.name else ())):
            promotion.choose(name=name)
            return True
        if self.path.isVisible() and path != promotion.path:
            promotion.choose(path=path)
            return True
        return False

    def follow(self) -> None:
        """Show what is chosen."""
        promotion, form = self._promotion, self._form
        single, is_new = promotion.single, promotion.target is None
        turns = single.turns if single is not None else ()
        self._offer_turns(turns)
        self.file.choose(str(promotion.target.number) if promotion.target is not None else _NEW)
        self.format.choose(promotion.format)
        self.path.show_text(promotion.path)
        self.path.setCursorPosition(len(str(Path(promotion.path).parent)) + 1)
        self._offer_cases()
        self._offer_ways()
        forecast = promotion.preview
        if forecast is not None and not self.name.hasFocus():
            self.name.show_text(forecast.ids[0] if forecast.ids else promotion.name)
        self.moves.setChecked(promotion.moves)
        can_join = single is not None and not promotion.copies and not is_new
        form.show_row(self.whole, shown=any(each.turns for each in promotion.picked))
        form.show_row(self.format, shown=is_new)
        form.show_row(self.path, shown=is_new)
        form.show_row(self.case, shown=can_join)
        form.show_row(self.way, shown=can_join and promotion.into is not None)
        form.show_row(self.name, shown=single is not None and not promotion.copies and promotion.into is None)
        self.moves.setVisible(promotion.copies and not is_new)

    def _offer_turns(self, turns: tuple[int, ...]) -> None:
        numbers = ", ".join(str(index + 1) for index in turns)
        chosen = tr("Turn {0}") if len(turns) == 1 else tr("Turns {0}")
        words = chosen.format(numbers) if turns else tr("The chosen turns of each")
        if self.whole.count() == 0:
            self.whole.offer([(words, False), (tr("The whole conversation"), True)])
        self.whole.choose(self._promotion.whole)

    def _offer_cases(self) -> None:
        promotion = self._promotion
        if self._listed is not promotion.target:
            self._listed = promotion.target
            cases = promotion.cases[:MOST_CASES]
            named = [(one_line(name, _CHARS) or place, f"#{place}") for place, name in cases]
            self.case.offer([(tr("A new golden"), _NEW), *named])
        self.case.choose(_NEW if promotion.into is None else f"#{promotion.into}")

    def _offer_ways(self) -> None:
        single = self._promotion.single
        ways = [(f"{tr(way.title)}: {tr(way.means)}", way.name) for way in WAYS]
        if single is not None and single.call != TOP:
            ways.insert(0, (tr("Add the call: the turn expects it after its other calls."), CALL))
        if self.way.count() != len(ways):
            self.way.offer(ways)
        self.way.choose(self._promotion.way)

    def _choose_file(self, number: str) -> None:
        promotion = self._promotion
        promotion.choose_target(next((file for file in promotion.targets if str(file.number) == number), None))

    def _choose_case(self, place: str) -> None:
        self._promotion.choose(into=None if place == _NEW else place[1:], whole=self._promotion.whole)
