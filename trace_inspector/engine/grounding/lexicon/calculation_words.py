"""Words of calculations in several languages: degrees ("cheapest"), totals, averages, comparisons, hedges."""

from __future__ import annotations

import re
from typing import Final

from trace_inspector.engine.grounding.text.folding import fold, folded_words

# What is more or less, in order of preference; forms that take an ending (cheap-er, billig-ste); forms that come
# after a word of degree (plus cher, más barato, most expensive); forms in scripts without spaces; forms in Hindi.
_GRADES: Final = """
    price+ | teur teuer prici dear | expensive costly pricey cher* caro cara caros caras | | महंग*
    price- | cheap cheap billig gunstig preiswert | affordable economi* abordable barat* bon_marche | 安 | सस्त*
    duration+ distance+ created- | long lang | long longue longs longues larg* demorad* | 長 | लंब*
    duration- distance- | short kurz | court* corto corta cort* | 短 | छोट*
    latency+ duration+ | slow langsam | lent lente lents lentes lento lenta | 遅 | धीम*
    latency- duration- speed+ | fast quick schnell | rapid* vite veloz | 速 | तेज़
    temperature+ | warm warm hott heiß | chaud* calid* calient* calur* quente* calor* | 暖か 暑 温か | गर्म
    temperature- | cold cool chilli kalt kuhl kalt | froid* fri* | 寒 冷た | ठंड*
    moment+ | lat spat | tard tarde tardi* | 遅 後 | देर बाद
    moment- | earli fruh soon | tot temprano cedo | 早 | जल्दी पहले
    created+ moment+ | new young neu jung recent | recent* reciente* nouveau* nouvelle nuev* nov* | 新し | नय*
    age+ created- moment- | old alt | ancien* vieux vieille antig* viej* velh* | 古 | पुरान*
    distance+ | farth furth weit entfernt | far loin eloign* lejos lejan* longe distant* distante | 遠 | दूर
    distance- | near clos nah naher nach zentral | central* proche* pres cerca cercan* perto proxim* | 近 | पास नज़दीक
    weight+ | heavi schwer | lourd* pesad* | 重 | भारी
    weight- | light leicht | leger* liger* leve leves | 軽 | हल्क*
    humidity+ | damp feucht | humid* humed* umid* | 湿 |
    coverage+ | | covered | |
    any+ | strong stark | fort forte fuerte* | 強 |
    any- | weak schwach | faible* debil* frac* | 弱 |
    any+ | high larg bigg great hoh hoch groß | grand* gros grosse grosses haut* eleve* | 高 大き 多 |
    any+ | | alto alta altos altas elevad* | |
    any+ | | | | अधिक ज़्यादा बड़* ऊंच*
    any- | low small few niedrig klein gering | bas basse petit* bajo baja pequen* baix* faible* | 低 小さ 少な | कम
"""
_ENDINGS: Final = (
    "er",
    "ere",
    "erer",
    "eren",
    "eres",
    "est",
    "ste",
    "sten",
    "ster",
    "stes",
    "este",
    "esten",
    "ester",
)
# Forms that are degrees by themselves.
_IRREGULAR: Final = """
    moment+ | last latest letzte letzter letztes letzten dernier derniere ultimo ultima final
    moment- | first erste erster erstes ersten premier premiere primero primera primer primeiro primeira
    good+ | mieux best better beste besser bester bestes besten meilleur* mejor mejores melhor melhores
    good- | worst worse schlechteste* schlechter* pire pires peor peores pior piores
    some+ | most more meiste meisten mehr maximum max
    some- | least less fewest fewer wenigsten weniger minimum min
    distance- | nachste nachsten nachster
    distance+ | further farther furthest farthest
    price- | saves save spart sparen economise economisez ahorra ahorras economiza economizam
    any+ | mayor mayores maior maiores exceeds exceed ubersteigt depasse supera ultrapassa outnumbers
    age+ created- moment- | aelteste alteste altester
    any- | menor menores moindre moindres
    any+ duration+ | outlasts
    any+ | highest hochste* hoher*
"""
_IRREGULAR_JOINED: Final = """
    any+ | 最高 最大 最多
    any- | 最低 最小 最少
    duration+ | 最長
    duration- | 最短
    price- | 最安
    moment+ created+ | 最新 最後 最終
    moment- created- | 最古 最初 最早
    distance- | 最寄
"""
# What stands before a form and makes it a degree.
MORE: Final = folded_words("plus más mas mais more most am सबसे अधिक ज़्यादा")
LESS: Final = folded_words("moins menos less least कम")
JOINED_SUPERLATIVE: Final = ("最も", "一番", "いちばん", "もっとも")
JOINED_COMPARATIVE: Final = ("より", "ほうが", "方が", "比べ")
BEFORE: Final = folded_words("before vor avant antes earlier früher पहले precedes")
AFTER: Final = folded_words("after nach après después despues depois later später बाद follows")
COMPARED: Final = re.compile(
    r"\b(?:compared (?:to|with)|than|unlike|im vergleich zu|verglichen mit|gegenuber|par rapport a|"
    r"comparee? (?:a|avec)|comparad[oa] (?:con|com|a)|en comparacion con|em comparacao com)\b"
)

TOTAL: Final = folded_words("""
    together total altogether overall sum sums summed combined all add adds across zusammen insgesamt gesamt summe
    alle ensemble totalisent somme tous toutes juntos juntas suma suman todos todas soma somam conjunto कुल मिलाकर
""")
STRONG_TOTAL: Final = folded_words("""
    together total altogether overall sum sums summed combined zusammen insgesamt summe gesamt ensemble somme juntos
    juntas suma suman soma somam कुल
""")
TOTAL_PHRASES: Final = (
    "between them",
    "in all",
    "all of them",
    "all of these",
    "put together",
    "add up",
    "adds up",
    "adding up",
    "en tout",
    "entre todos",
    "entre todas",
    "em tudo",
    "a eux tous",
)
JOINED_TOTAL: Final = ("合計", "総額", "全部で", "合わせて", "計")
AVERAGE: Final = folded_words("""
    average averages averaged mean durchschnitt durchschnittlich durchschnittliche durchschnittlichen schnitt mittel
    moyenne moyen promedio media médio médias औसत औसतन
""")
JOINED_AVERAGE: Final = ("平均",)
DIFFERENCE: Final = folded_words("""
    difference differ differs gap apart unterschied unterscheiden differenz différence écart diferencia diferença अंतर
    ahead behind clear vorsprung rückstand avance retard ventaja vantagem
""")
JOINED_DIFFERENCE: Final = ("差",)
FOUND: Final = folded_words("""
    found find finds returned returns return search there list lists count counts see got result results shows show
    matching match matches altogether total contains contain has have
    gefunden gibt liste insgesamt ergebnisse treffer zähle trouvé liste compte total résultats y existe
    encontré encontrado hay lista tiene resultados total encontrei há tem resultado कुल मिले हैं
""")
HEDGED: Final = folded_words("""
    about around approximately roughly approx circa ca almost nearly some etwa ungefähr rund zirka knapp gut
    environ presque près peu quasi unos unas alrededor aproximadamente casi cerca lagabhag quase लगभग करीब करीबन
""")
JOINED_HEDGED: Final = ("約", "およそ", "ほぼ", "くらい", "ほど")
MORE_THAN: Final = (
    "more than",
    "over",
    "above",
    "mehr als",
    "uber",
    "plus de",
    "mas de",
    "mais de",
    "upwards of",
    "exceed",
)
LESS_THAN: Final = (
    "less than", "fewer than", "under", "below", "weniger als", "unter", "moins de", "menos de", "not quite",
    "just under", "a little under", "nearly", "almost", "knapp", "presque", "casi", "quase",
)  # fmt: skip
# "twice" is one word; of "three times" this is the second one.
TIMES_AFTER: Final = folded_words("times mal fois veces vezes fach गुना")
TIMES: Final = {
    fold(word): value
    for value, words in {
        2.0: "twice double doppelt doppelte doble double dobro",
        3.0: "triple thrice dreimal dreifache triple triplo",
        4.0: "viermal quadruple",
    }.items()
    for word in words.split()
}
PARTS: Final = {
    fold(word): value
    for value, words in {
        50.0: "half hälfte moitié mitad metade आधे आधा",
        100 / 3: "third thirds drittel tiers tercio tercios terço terços",
        25.0: "quarter quarters viertel quart quarts cuarto cuartos",
        20.0: "fifth fifths fünftel",
    }.items()
    for word in words.split()
}
JOINED_PARTS: Final = {"半分": 50.0, "半数": 50.0}
NOUGHT: Final = folded_words("no none zero keine keiner keinen kein aucun aucune ninguno ninguna nenhum nenhuma कोई")
SINGLE: Final = folded_words("single einzige einziger einziges einzigen seul seule solo sola único única só केवल")


def _grades() -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    whole: dict[str, tuple[str, ...]] = {}
    marked: dict[str, tuple[str, ...]] = {}
    joined: dict[str, tuple[str, ...]] = {}
    for line in _GRADES.strip().splitlines():
        kinds, stems, after, without_spaces, hindi = (part.split() for part in line.split("|"))
        whole.update({fold(stem) + ending: tuple(kinds) for stem in stems for ending in _ENDINGS})
        marked.update({fold(form): tuple(kinds) for form in (*after, *hindi)})
        joined.update(dict.fromkeys(without_spaces, tuple(kinds)))
    for line in _IRREGULAR.strip().splitlines():
        kinds, forms = (part.split() for part in line.split("|"))
        whole.update({fold(form): tuple(kinds) for form in forms})
    for line in _IRREGULAR_JOINED.strip().splitlines():
        kinds, forms = (part.split() for part in line.split("|"))
        joined.update(dict.fromkeys(forms, tuple(kinds)))
    return whole, marked, joined


WHOLE_GRADES, MARKED_GRADES, JOINED_GRADES = _grades()
MARKED_BEGINNINGS: Final = {form[:-1]: kinds for form, kinds in MARKED_GRADES.items() if form.endswith("*")}
SIGNED_DOWN: Final = {"+": "-", "-": "+"}
# Attributes of which less is better.
BETTER_LOW: Final = frozenset({"price", "fee", "errors", "latency", "wait", "duration", "distance", "walk"})
