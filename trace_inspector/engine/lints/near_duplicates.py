"""Finds cases that ask and expect nearly the same as an earlier one."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.trace.trace import calls_of, user_text
from trace_inspector.engine.lints.lint import Fix, Hint, LintContext

_ALIKE = 0.9  # share of common words
_LEAST_SHARED = _ALIKE / (2 - _ALIKE)  # share of a case's own words that this implies
_MOST_COMPARED = 400
_MOST_CHARS = 20_000
_WORD = re.compile(r"\w+")

# A word with the number of its earlier occurrences: the intersection of two sets is then one of multisets.
_Word: TypeAlias = tuple[str, int]


def near_duplicates(suite: Suite, _around: LintContext) -> Iterator[Hint]:
    """Near-duplicates among cases with the same calls, each with the first case that is like it.

    Two cases that share nine words of ten share one of their rarest words, so only such cases are compared.
    """
    words_of_cases = [_words(case) for case in suite.cases]
    common = Counter(word for words in words_of_cases for word in words)
    bits = {word: 1 << index for index, word in enumerate(word for word, count in common.items() if count > 1)}
    shared = [sum(bits.get(word, 0) for word in words) for words in words_of_cases]
    begun: dict[str, dict[_Word, list[int]]] = defaultdict(lambda: defaultdict(list))
    for number, (case, words) in enumerate(zip(suite.cases, words_of_cases, strict=True)):
        if not words:
            continue
        least = int(len(words) * _LEAST_SHARED)
        rarest = sorted(words, key=lambda word: (common[word], word))[: len(words) - least + 1]
        alike = begun[" ".join(call.name for turn in case.turns for call in calls_of(turn))]
        for other in sorted(_sharing_words(rarest, alike)):
            both = (shared[number] & shared[other]).bit_count()
            if 2 * both / (len(words) + len(words_of_cases[other])) >= _ALIKE:
                sentence = f"“{case.id}” asks and expects nearly the same as “{suite.cases[other].id}”."
                yield Hint("near-duplicate", sentence, case.place, case.place, Fix("Take it out", drops_case=True))
                break
        for word in rarest:
            alike[word].append(number)


def _sharing_words(words: Sequence[_Word], having: Mapping[_Word, list[int]]) -> set[int]:
    """Cases with one of these words, preferring the first words up to a limit."""
    numbers: set[int] = set()
    for word in words:
        if len(numbers) < _MOST_COMPARED:
            numbers.update(having.get(word, [])[len(numbers) - _MOST_COMPARED :])
    return numbers


def _words(case: Case) -> frozenset[_Word]:
    texts = [user_text(turn) for turn in case.turns] or [case.scenario.plan if case.scenario else ""]
    before: Counter[str] = Counter()
    words = set()
    for word in _WORD.findall(" ".join(texts).lower()[:_MOST_CHARS]):
        words.add((word, before[word]))
        before[word] += 1
    return frozenset(words)
