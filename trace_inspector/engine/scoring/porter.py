"""Porter's stemmer with the extensions that NLTK adds to it, which is what ADK's ROUGE counts with."""

from __future__ import annotations

from collections.abc import Callable

# The extensions: words that the published rules get wrong.
_IRREGULAR = {
    "skies": "sky",
    "sky": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "news": "news",
    "innings": "inning",
    "inning": "inning",
    "outings": "outing",
    "outing": "outing",
    "cannings": "canning",
    "canning": "canning",
    "howe": "howe",
    "proceed": "proceed",
    "exceed": "exceed",
    "succeed": "succeed",
}

# A suffix and its replacement. The first suffix that fits decides, whether its condition is true or not.
_STEP_2 = (
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("fulli", "ful"),
)
_STEP_3 = (
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
)
_STEP_4 = (
    ("al", ""),
    ("ance", ""),
    ("ence", ""),
    ("er", ""),
    ("ic", ""),
    ("able", ""),
    ("ible", ""),
    ("ant", ""),
    ("ement", ""),
    ("ment", ""),
    ("ent", ""),
    ("ion", ""),
    ("ou", ""),
    ("ism", ""),
    ("ate", ""),
    ("iti", ""),
    ("ous", ""),
    ("ive", ""),
    ("ize", ""),
)


def stem(word: str) -> str:
    """The stem of a lower-case word."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    for step in (_plural, _past, _final_y, _step_2, _step_3, _step_4, _final_e, _double_l):
        word = step(word)
    return word


_KINDS = {code: "v" if chr(code) in "aeiou" else "c" for code in range(128)}


def _shape(word: str) -> str:
    """One letter a letter: c for a consonant, v for a vowel. A y after a consonant is a vowel."""
    if "y" not in word and word.isascii():
        return word.translate(_KINDS)
    kinds: list[str] = []
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and kinds[-1:] == ["c"])
        kinds.append("v" if vowel else "c")
    return "".join(kinds)


def _measure(word: str) -> int:
    """How often vowels are followed by consonants: Porter's m."""
    return _shape(word).count("vc")


def _short(word: str) -> bool:
    """Porter's *o, consonant-vowel-consonant with no w, x or y at the end; and two letters vowel-consonant."""
    shape = _shape(word)
    return (shape.endswith("cvc") and word[-1] not in "wxy") or shape == "vc"


def _replace(word: str, rules: tuple[tuple[str, str], ...], condition: Callable[[str, str], bool]) -> str:
    for suffix, other in rules:
        if word.endswith(suffix):
            root = word[: -len(suffix)]
            return root + other if condition(root, suffix) else word
    return word


def _plural(word: str) -> str:
    if word.endswith("ies") and len(word) == 4:
        return word[:-1]
    return _replace(word, (("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", "")), lambda _root, _suffix: True)


def _past(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        root = word.removesuffix(suffix)
        if root != word and "v" in _shape(root):
            return _mended(root)
    return word


def _mended(root: str) -> str:
    """What is left after -ed or -ing, made a word again: hop(p)ing, fil(e)ing."""
    if root.endswith(("at", "bl", "iz")):
        return root + "e"
    if len(root) > 1 and root[-1] == root[-2] and _shape(root)[-1] == "c":
        return root if root[-1] in "lsz" else root[:-1]
    return root + "e" if _measure(root) == 1 and _short(root) else root


def _final_y(word: str) -> str:
    root = word.removesuffix("y")
    return root + "i" if root != word and len(root) > 1 and _shape(root)[-1] == "c" else word


def _step_2(word: str) -> str:
    if word.endswith("alli") and _measure(word[:-4]) > 0:
        return _step_2(word[:-2])
    if word.endswith("logi"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    return _replace(word, _STEP_2, lambda root, _suffix: _measure(root) > 0)


def _step_3(word: str) -> str:
    return _replace(word, _STEP_3, lambda root, _suffix: _measure(root) > 0)


def _step_4(word: str) -> str:
    return _replace(
        word, _STEP_4, lambda root, suffix: _measure(root) > 1 and (suffix != "ion" or root[-1:] in ("s", "t"))
    )


def _final_e(word: str) -> str:
    if not word.endswith("e"):
        return word
    root = word[:-1]
    measure = _measure(root)
    return root if measure > 1 or (measure == 1 and not _short(root)) else word


def _double_l(word: str) -> str:
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
