"""Other words of the user and in answers. What always changes together, over all cases, is one difference."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from msgspec import Struct

from trace_inspector.core.trace.trace import Turn, answer_text, user_text
from trace_inspector.engine.rebasing.difference import ChangeKind, Difference
from trace_inspector.engine.rebasing.relations import without_numbers
from trace_inspector.engine.rebasing.text_changes import TextChange, text_changes

TextPlace: TypeAlias = tuple[int, int, ChangeKind]  # the case, its turn, and which text of it
_Form: TypeAlias = tuple[str, str, bool]
_BETWEEN = " … "


class ChangedText(Struct, frozen=True):
    """The changes of one text of a turn."""

    place: TextPlace
    changes: tuple[TextChange, ...]


def changed_texts(case: int, index: int, golden: Turn, base: Turn, new: Turn) -> Iterator[ChangedText]:
    """The texts of a turn that are others in the new run than in the first and in the golden."""
    texts = [(ChangeKind.USER, user_text(golden), user_text(base), user_text(new))]
    if golden.final_response is not None:
        texts.append((ChangeKind.ANSWER, answer_text(golden), answer_text(base), answer_text(new)))
    for kind, of_golden, of_base, of_new in texts:
        if of_golden not in ("", of_new) and of_base != of_new:
            yield ChangedText((case, index, kind), tuple(text_changes(of_golden, of_base, of_new)))


def text_differences(texts: Iterable[ChangedText]) -> dict[int, list[Difference]]:
    """The differences by the number of their case: words that change in the same turns of all cases are one."""
    texts = tuple(texts)
    seen = defaultdict[_Form, set[TextPlace]](set)
    for text in texts:
        for change in text.changes:
            seen[_form(change)].add(text.place)
    together = {form: hash(frozenset(places)) for form, places in seen.items()}
    differences = defaultdict[int, list[Difference]](list)
    for text in texts:
        bundles = defaultdict[int, list[TextChange]](list)
        for change in text.changes:
            bundles[together[_form(change)]].append(change)
        for bundle in bundles.values():
            differences[text.place[0]] += _difference(text.place, bundle)
    return differences


def _difference(place: TextPlace, bundle: list[TextChange]) -> Iterator[Difference]:
    if all(change.done for change in bundle):
        return
    edited = any(change.stretch is None and not change.done for change in bundle)
    varies = next((change.varies for change in bundle if change.varies), "")
    yield Difference(
        place[2],
        place[1],
        old=_BETWEEN.join(change.old for change in bundle),
        new=_BETWEEN.join(change.new for change in bundle),
        stretches=tuple(change.stretch for change in bundle if change.stretch is not None),
        conflict="these words were edited in the golden" if edited else varies,
        varies=bool(varies) and not edited,
    )


def _form(change: TextChange) -> _Form:
    return without_numbers(change.old), without_numbers(change.new), bool(change.varies)
