"""Words that a point belongs to, and words that tell a full stop from such a point."""

from __future__ import annotations

from typing import Final

# These stand before more words, so their point seldom ends a sentence.
_WITHIN: Final = """
    mr mrs ms dr prof st mt rev gov jr fig figs vol nos p pp ch ed eds vs approx cf viz e.g eg i.e ie a.k.a nr str ca
    z.b d.h u.a bzw ggf evtl inkl exkl zzgl vgl o.ä sog geb z.t i.d.r hrsg mme mlle mgr p.ex c.-à-d sr sra srta ud uds
    vd vds dra lic ing avda núm p.ej pág aprox sig sigg dott г ул т.е
"""
# These may stand at the end of one too: what follows decides.
_AT_END: Final = """
    no min max avg est ext dept hr hrs std tel sec jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed
    thu thur thurs fri sat sun etc inc ltd co corp llc plc a.m p.m am pm usw u.s.w u.v.m av ave blvd rd sq apt bldg al
    ph.d m.d b.c a.d ste т.д стр
"""

# Whether an abbreviation may end a sentence.
ABBREVIATIONS: Final = {**dict.fromkeys(_WITHIN.split(), False), **dict.fromkeys(_AT_END.split(), True)}

# Words that begin a new sentence after "U.S." or an initial.
_STARTERS: Final = """
    the it it's its this that these those there there's they they're you you're we we're he she i if when where what
    while however also and but or so in on at for from with please no yes your our his her their each all both as an a
    after der die das es sie wir ich ein eine le la les il elle el los las un una
"""
STARTERS: Final = frozenset(_STARTERS.split())
# German ordinals: "der 3. Platz" goes on.
ORDINAL_BEFORE: Final = frozenset(
    {"der", "die", "das", "dem", "den", "des", "am", "im", "zum", "zur", "vom", "beim", "jeder", "jeden"}
)
