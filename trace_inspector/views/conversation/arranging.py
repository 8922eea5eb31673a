"""Lays items out: for each shape the function that says what stands where."""

from __future__ import annotations

from collections.abc import Callable

from trace_inspector.models.conversation.items import Shape
from trace_inspector.views.appearance.appearance import Look
from trace_inspector.views.appearance.text_painter import Lettering
from trace_inspector.views.conversation.bubbles import bubble
from trace_inspector.views.conversation.cards import card, handing_over, note
from trace_inspector.views.conversation.given import Given, Tools
from trace_inspector.views.conversation.headers import head, turn
from trace_inspector.views.conversation.scene import Scene

_ARRANGE: dict[Shape, Callable[[Tools, Given, Scene], None]] = {
    Shape.HEAD: head,
    Shape.TURN: turn,
    Shape.BUBBLE: bubble,
    Shape.CARD: card,
    Shape.TUCKED: card,
    Shape.NOTE: note,
    Shape.LINE: handing_over,
}


class Arranger:
    """Makes scenes in one look."""

    def __init__(self, look: Look) -> None:
        self._tools = Tools(look, Lettering(look))

    def scene(self, given: Given) -> Scene:
        """The item laid out."""
        scene = Scene(given.item)
        _ARRANGE[given.item.shape](self._tools, given, scene)
        return scene
