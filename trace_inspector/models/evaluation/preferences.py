"""A person's preferences, stored in the settings. API keys are never stored."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSettings, Signal

from trace_inspector.flows.judges.selection import (
    CONFIGURED,
    GEMINI,
    IN_FLIGHT,
    NONE,
    OPENAI,
    JudgeChoice,
    without_login,
)

FONT_PERCENTS = (85, 92, 100, 108, 115, 125, 135, 150)
MOST_IN_FLIGHT = 1000
_KINDS = (NONE, GEMINI, OPENAI, CONFIGURED)
_LONGEST = 2000


class Preferences(QObject):
    """Read from the settings on demand; `changed` is emitted with every change."""

    changed = Signal()

    def __init__(self, settings: QSettings | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._in_memory: dict[str, str] = {}  # without settings

    @property
    def judge(self) -> JudgeChoice:
        """The default judge."""
        kind = self._text("judge/kind")
        return JudgeChoice(
            kind if kind in _KINDS else NONE,
            self._text("judge/model"),
            self._text("judge/endpoint"),
            in_flight=self._number("judge/in-flight", IN_FLIGHT, 1, MOST_IN_FLIGHT),
            allowed=self.allowed,
            grounding_model=self.grounding_model,
        )

    def set_judge(self, judge: JudgeChoice) -> None:
        """Set the default judge and its model."""
        self._put("judge/kind", judge.kind if judge.kind in _KINDS else NONE)
        self._put("judge/model", judge.model)
        self._put("judge/endpoint", without_login(judge.endpoint))
        self._put("judge/in-flight", str(judge.in_flight))
        self.changed.emit()

    @property
    def allowed(self) -> tuple[str, ...]:
        """The endpoints that criteria may use."""
        return tuple(self._text("judge/allowed").split())

    def allow(self, endpoints: tuple[str, ...]) -> None:
        """Set the allowed endpoints."""
        self._put("judge/allowed", " ".join(map(without_login, endpoints)))
        self.changed.emit()

    @property
    def grounding_model(self) -> str:
        """The folder of the classifier that labels sentences beside our own metric; "" for none."""
        return self._text("grounding/model")

    def set_grounding_model(self, folder: str) -> None:
        """Set the folder of the classifier."""
        self._put("grounding/model", folder.strip())
        self.changed.emit()

    @property
    def offline(self) -> bool:
        """Whether no judge may be asked, whatever is chosen."""
        return self._text("offline") == "yes"

    def set_offline(self, *, offline: bool) -> None:
        """Forbid all judge calls, or allow them again."""
        self._put("offline", "yes" if offline else "")
        self.changed.emit()

    @property
    def autosave(self) -> bool:
        """Whether edited files are saved automatically."""
        return self._text("autosave") == "yes"

    def set_autosave(self, *, autosave: bool) -> None:
        """Set whether edited files are saved automatically."""
        self._put("autosave", "yes" if autosave else "")
        self.changed.emit()

    @property
    def reopens(self) -> bool:
        """Whether a start without files opens those of the last session."""
        return self._text("reopen") == "yes"

    def set_reopens(self, *, reopens: bool) -> None:
        """Set whether a start without files opens those of the last session."""
        self._put("reopen", "yes" if reopens else "")
        self.changed.emit()

    @property
    def calls_on_failure(self) -> bool:
        """Whether the window calls for attention when a turn fails while it listens."""
        return self._text("listen/calls") == "yes"

    def set_calls_on_failure(self, *, calls: bool) -> None:
        """Set whether the window calls for attention then."""
        self._put("listen/calls", "yes" if calls else "")
        self.changed.emit()

    @property
    def shows_tray(self) -> bool:
        """Whether an icon in the tray says how it goes while the window listens."""
        return self._text("listen/tray") == "yes"

    def set_shows_tray(self, *, shows: bool) -> None:
        """Set whether there is such an icon."""
        self._put("listen/tray", "yes" if shows else "")
        self.changed.emit()

    @property
    def font_percent(self) -> int:
        """The text size, in percent of the system's."""
        return self._number("font", 100, FONT_PERCENTS[0], FONT_PERCENTS[-1])

    def set_font_percent(self, percent: int) -> None:
        """Set the text size."""
        self._put("font", str(percent))
        self.changed.emit()

    @property
    def system_fonts(self) -> bool:
        """Whether the window has the fonts of the system instead of the shipped ones."""
        return self._text("fonts") == "system"

    def set_system_fonts(self, *, system: bool) -> None:
        """Set which fonts the window has."""
        self._put("fonts", "system" if system else "")
        self.changed.emit()

    def _text(self, name: str) -> str:
        kept = self._in_memory.get(name, "") if self._settings is None else self._settings.value(name, "")
        return kept[:_LONGEST] if isinstance(kept, str) else ""

    def _number(self, name: str, usual: int, least: int, most: int) -> int:
        text = self._text(name)
        return min(max(int(text), least), most) if text.isascii() and text.isdigit() and len(text) < 10 else usual

    def _put(self, name: str, text: str) -> None:
        if self._settings is None:
            self._in_memory[name] = text
        else:
            self._settings.setValue(name, text)
