"""Which items are in sight and where: from an anchor that stays in place while heights around it become known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from trace_inspector.models.conversation.conversation import Conversation, Spot
from trace_inspector.models.conversation.section import Key
from trace_inspector.views.conversation.scene import Scene

FAR = 3  # screens; farther than that is jumped by estimates, nearer is measured on the way


@dataclass(frozen=True, slots=True)
class Placed:
    """An item in sight; `top_px` counts from the top of the view."""

    spot: Spot
    key: Key
    top_px: float
    scene: Scene

    @property
    def bottom_px(self) -> float:
        """Where it ends."""
        return self.top_px + self.scene.height_px


class Placement:
    """The anchor is the topmost item in sight. Items are laid out by `scene` when they come near."""

    def __init__(self, conversation: Conversation, scene: Callable[[Key], Scene]) -> None:
        self._conversation = conversation
        self._scene = scene
        self._anchor = Spot(0, 0)
        self._anchor_key = conversation.key(self._anchor)
        self._lost = False  # the anchor may stand elsewhere
        self._offset_px = 0.0  # of the anchor's top below the view's
        self.seen: list[Placed] = []

    @property
    def value_px(self) -> float:
        """How far the view is scrolled, as far as heights are known."""
        return self._conversation.top_px(self._anchor) - self._offset_px

    def lose(self) -> None:
        """Items came or went: the anchor is found anew when somebody looks."""
        self._lost = True
        self.seen = []

    def move(self, px: float, high_px: float) -> None:
        """Scroll by some pixels; far by estimates, near exactly."""
        self._find()
        if abs(px) <= FAR * high_px:
            self._offset_px -= px
        else:
            self.jump(self.value_px + px)

    def jump(self, value_px: float) -> None:
        """Scroll to a place by what is known of heights."""
        value_px = max(value_px, 0.0)
        self._anchor = self._conversation.at_px(value_px)
        self._offset_px = self._conversation.top_px(self._anchor) - value_px

    def show(self, spot: Spot, offset_px: float) -> None:
        """Put an item at that height of the view."""
        self._anchor, self._offset_px, self._lost = spot, offset_px, False

    def reveal_section(self, spot: Spot, high_px: float) -> None:
        """See a header with what follows it: it stands in the upper third, else at the top."""
        here = next((one for one in self.seen if one.spot == spot), None)
        if here is None or not 0 <= here.top_px <= high_px / 3:
            self.show(spot, 0.0)

    def reveal(self, spot: Spot, high_px: float) -> None:
        """Scroll no more than is needed to see an item that was laid out or will be; its beginning first."""
        here = next((one for one in self.seen if one.spot == spot), None)
        if here is not None:
            if here.top_px < 0 or here.scene.height_px > high_px:
                self.move(here.top_px, high_px)
            elif here.bottom_px > high_px:
                self.move(here.bottom_px - high_px, high_px)
            return
        height_px = self.measured(spot).height_px
        step = self._conversation.step
        if self.seen and spot == step(self.seen[-1].spot, 1):
            offset_px = high_px - height_px
        elif self.seen and spot == step(self.seen[0].spot, -1):
            offset_px = 0.0
        else:
            offset_px = high_px / 4
        self.show(spot, max(0.0, min(offset_px, high_px - height_px)))

    def lay_out(self, high_px: float) -> list[Placed]:
        """What is in sight now. No room stays free above the first item, nor below the last if others stand above."""
        self._find()
        placed = self._fill(high_px)
        if placed and placed[-1].bottom_px < high_px and self._is_last(placed[-1].spot):
            self._offset_px += high_px - placed[-1].bottom_px
            placed = self._fill(high_px)
        if placed and placed[0].top_px > 0:
            self._anchor, self._offset_px = placed[0].spot, 0.0
            placed = self._fill(high_px)
        self.seen = [one for one in placed if one.bottom_px > 0 and one.top_px < high_px] or placed[:1]
        if self.seen:
            first = self.seen[0]
            self._anchor, self._anchor_key, self._offset_px = first.spot, first.key, first.top_px
        return self.seen

    def measured(self, spot: Spot) -> Scene:
        """An item laid out, its height noted."""
        scene = self._scene(self._conversation.key(spot))
        self._conversation.measured(spot, scene.height_px)
        return scene

    def _find(self) -> None:
        if self._lost:
            self._lost = False
            self._anchor = self._conversation.spot(self._anchor_key) or Spot(0, 0)

    def _is_last(self, spot: Spot) -> bool:
        return self._conversation.step(spot, 1) is None

    def _fill(self, high_px: float) -> list[Placed]:
        spot: Spot | None = self._anchor
        placed: list[Placed] = []
        top = self._offset_px
        while spot is not None and (top < high_px or not placed):
            scene = self.measured(spot)
            placed.append(Placed(spot, self._conversation.key(spot), top, scene))
            top += scene.height_px
            spot = self._conversation.step(spot, 1)
        top, spot = self._offset_px, self._conversation.step(self._anchor, -1)
        above: list[Placed] = []
        while spot is not None and top > 0:
            scene = self.measured(spot)
            top -= scene.height_px
            above.append(Placed(spot, self._conversation.key(spot), top, scene))
            spot = self._conversation.step(spot, -1)
        return [*reversed(above), *placed]
