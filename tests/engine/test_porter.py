"""The stemmer, by examples of every step and of every extension."""

from __future__ import annotations

import string

from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.tables import each
from trace_inspector.engine.scoring.porter import stem

EXAMPLES = """
caresses caress | ponies poni | ties tie | flies fli | cats cat | yes ye | sses ss
feed feed | agreed agre | plastered plaster | bled bled | motoring motor | sing sing | ing ing
conflated conflat | troubled troubl | sized size | hopping hop | tanned tan | falling fall | hissing hiss
fizzed fizz | failing fail | filing file | happy happi | enjoy enjoy | say say | by by | spied spi | died die
relational relat | conditional condit | rational ration | valenci valenc | digitizer digit | conformabli conform
radicalli radic | differentli differ | vileli vile | vietnamization vietnam | predication predic | operator oper
feudalism feudal | decisiveness decis | callousness callous | formaliti formal | sensitiviti sensit
sensibiliti sensibl | hopefulli hope | geologi geolog | theologi theolog
triplicate triplic | formative form | formalize formal | electriciti electr | electrical electr | goodness good
revival reviv | allowance allow | airliner airlin | adjustable adjust | irritant irrit | replacement replac
adjustment adjust | dependent depend | adoption adopt | communism commun | effective effect | bowdlerize bowdler
probate probat | rate rate | cease ceas | controll control | roll roll | generalizations gener | oscillators oscil
sky sky | skies sky | dying die | lying lie | tying tie | news news | innings inning | inning inning
outings outing | canning canning | howe howe | proceed proceed | exceed exceed | succeed succeed | ii ii
"""


@each("example", [pair.split() for pair in EXAMPLES.replace("\n", "|").split("|") if pair.strip()])
def test_stem(example: list[str]) -> None:
    word, expected = example
    assert stem(word) == expected


@given(st.text(string.ascii_lowercase + string.digits, min_size=1, max_size=20))
def test_a_stem_is_never_empty_and_hardly_longer(word: str) -> None:
    assert 1 <= len(stem(word)) <= len(word) + 1
