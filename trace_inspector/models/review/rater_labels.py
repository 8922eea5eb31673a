"""The labels of one rater among those of everybody: which stand, and what was said before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from trace_inspector.core.review.label import Label
from trace_inspector.core.review.label_sets import current, ordered

_TAGS_KEPT = 1_000

Asked = tuple[str, str]  # a subject and a question


class RaterLabels:
    """Those of nobody until somebody is named. `tags` are anybody's, the most used first."""

    def __init__(self) -> None:
        self.rater = ""
        self.tags: tuple[str, ...] = ()
        self._everybody: tuple[Label, ...] = ()
        self._own: dict[Asked, list[Label]] = {}  # in their order
        self._standing: dict[Asked, Label] = {}

    def take(self, labels: Iterable[Label]) -> None:
        """All labels that there are."""
        self._everybody = tuple(labels)
        used = Counter(tag for label in self._everybody for tag in label.tags)
        self.tags = tuple(sorted(used, key=lambda tag: (-used[tag], tag))[:_TAGS_KEPT])
        self.set_rater(self.rater)

    def set_rater(self, rater: str) -> None:
        """Whose labels are looked at from now on."""
        self.rater = rater
        own = [label for label in ordered(self._everybody) if label.rater == rater]
        self._own.clear()
        for label in own:
            self._own.setdefault(asked(label), []).append(label)
        self._standing = {asked(label): label for label in current(own).values()}

    def add(self, label: Label) -> None:
        """One more of this rater."""
        key = asked(label)
        self._everybody = (*self._everybody, label)
        self._own.setdefault(key, []).append(label)
        self._standing.pop(key, None)
        self._standing.update((asked(counting), counting) for counting in current(self._own[key]).values())
        self.tags = (*self.tags, *(tag for tag in label.tags if tag not in self.tags))[:_TAGS_KEPT]

    def standing(self, label: Label) -> Label | None:
        """What this rater says of an output and a question."""
        return self._standing.get(asked(label))

    def ever_answered(self, label: Label) -> bool:
        """Whether this rater has said anything of it, even if it was withdrawn."""
        return asked(label) in self._own

    def answered_by_others(self) -> frozenset[Asked]:
        """What other raters say something of."""
        return frozenset(asked(label) for label in current(self._everybody).values() if label.rater != self.rater)


def asked(label: Label) -> Asked:
    """Which question about which output."""
    return label.subject, label.question
