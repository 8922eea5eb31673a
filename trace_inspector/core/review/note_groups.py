"""Notes gathered by likeness of their words, which suggests failure modes. Offline, and always the same.

Words are weighted by how few notes have them, and notes are joined, the most alike first, while the mean likeness
(the cosine) of the groups is high enough: average linkage.
"""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

MOST_NOTES = 300
_MOST_WORDS = 60  # of one note
_STEM = 6  # characters that count: “booking”, “booked” and “books” are nearly one
_ALIKE = 0.22  # the mean likeness of the notes of two groups from which on they are one
_NAME_WORDS = 3
# Words without a meaning of their own, in English; other languages have their weight alone.
_STOP_WORDS = (
    "a about after again all also an and any are as at be because been before being but by can could did do does "
    "doesn don even for from get gets got had has have he her him his how i if in instead into is it its just me "
    "more my no not of on only or other our out over said say says she should so some than that the their them "
    "then there these they this those to too up was we were what when where which while who why will with would "
    "you your s t "
)
_STOP = frozenset(_STOP_WORDS.split())
_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")  # scripts that write words without spaces


class NoteGroup(Struct, frozen=True):
    """Notes by their index, and the words that most of them share."""

    name: str
    members: tuple[int, ...]


def grouped(notes: Sequence[str]) -> list[NoteGroup]:
    """Groups of at least two notes that are alike, the largest first. Of very many notes the first ones."""
    words = [_words(note) for note in notes[:MOST_NOTES]]
    vectors = _vectors(words)
    groups = [members for members in _joined(_likenesses(vectors), len(vectors)) if len(members) > 1]
    groups.sort(key=lambda members: (-len(members), members))
    return [NoteGroup(_name(members, words, vectors), tuple(members)) for members in groups]


def _words(note: str) -> list[tuple[str, str]]:
    """Each word as it counts, and as it is written."""
    found: list[tuple[str, str]] = []
    for word in _WORD.findall(note.casefold()):
        if _UNSPACED.search(word):
            found += [(word[index : index + 2], word[index : index + 2]) for index in range(max(1, len(word) - 1))]
        elif word not in _STOP:
            found.append((_stem(word), word))
        if len(found) >= _MOST_WORDS:
            break
    return found[:_MOST_WORDS]


def _stem(word: str) -> str:
    return word[:-1] if 3 < len(word) <= _STEM and word.endswith("s") else word[:_STEM]


def _vectors(words: Sequence[Sequence[tuple[str, str]]]) -> list[dict[str, float]]:
    """Of each note its words with their weights, of length 1; empty for one without words that tell anything."""
    frequency = Counter(stem for note in words for stem in {stem for stem, _word in note})
    vectors = []
    for note in words:
        times = Counter(stem for stem, _word in note if frequency[stem] > 1)
        # A word that only this note has is like nothing, but makes the note less like others.
        alone = sum(frequency[stem] == 1 for stem in {stem for stem, _word in note})
        weights = {stem: math.log(1 + len(words) / frequency[stem]) for stem in times}
        length = math.sqrt(sum(weight**2 for weight in weights.values()) + alone * math.log(1 + len(words)) ** 2)
        vectors.append({stem: weight / length for stem, weight in weights.items()} if length else {})
    return vectors


def _likenesses(vectors: Sequence[dict[str, float]]) -> list[dict[int, float]]:
    having: dict[str, list[int]] = {}
    like: list[dict[int, float]] = [{} for _ in vectors]
    for index, vector in enumerate(vectors):
        for stem, weight in vector.items():
            for other in having.setdefault(stem, []):
                likeness = like[index].get(other, 0.0) + weight * vectors[other][stem]
                like[index][other] = like[other][index] = likeness
            having[stem].append(index)
    return like


def _joined(like: list[dict[int, float]], count: int) -> list[list[int]]:
    """Groups of indexes. `like` is used up: it becomes the sum of likenesses between groups."""
    members = {index: [index] for index in range(count)}
    waiting = [(-each, a, b) for a in range(count) for b, each in like[a].items() if a < b and each >= _ALIKE]
    heapq.heapify(waiting)
    while waiting:
        _likeness, a, b = heapq.heappop(waiting)
        if a not in members or b not in members:
            continue
        new = len(like)
        members[new] = sorted(members.pop(a) + members.pop(b))
        sums: dict[int, float] = {}
        for other, likeness in [*like[a].items(), *like[b].items()]:
            if other in members:
                sums[other] = sums.get(other, 0.0) + likeness
        like.append(sums)
        for other, likeness in sums.items():
            like[other][new] = likeness
            mean = likeness / (len(members[other]) * len(members[new]))
            if mean >= _ALIKE:
                heapq.heappush(waiting, (-mean, other, new))
    return [*members.values()]


def _name(
    members: Sequence[int], words: Sequence[Sequence[tuple[str, str]]], vectors: Sequence[dict[str, float]]
) -> str:
    """The words that weigh most in the group, in the order in which its first notes have them."""
    weight: dict[str, float] = {}
    spelled: dict[str, Counter[str]] = {}
    for index in members:
        for stem, share in vectors[index].items():
            weight[stem] = weight.get(stem, 0.0) + share
        for stem, word in words[index]:
            spelled.setdefault(stem, Counter())[word] += 1
    heaviest = sorted(weight, key=lambda stem: (-round(weight[stem], 9), stem))[:_NAME_WORDS]
    chosen = [stem for stem in heaviest if sum(stem in vectors[index] for index in members) * 2 > len(members)]
    order = {stem: place for place, stem in reversed([*enumerate(stem for i in members for stem, _w in words[i])])}
    first = sorted(chosen or heaviest[:1], key=order.__getitem__)
    return " ".join(max(sorted(spelled[stem]), key=spelled[stem].__getitem__) for stem in first)
