"""Finds the words of a list in a sentence or a key: words, beginnings, phrases, and parts of unspaced scripts.

The list of the words that say how a sentence is meant stands here too: compared, summed up, guessed, said of all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Final, NamedTuple

from msgspec import Struct

from trace_inspector.engine.grounding.text.folding import fold, folded_words
from trace_inspector.engine.grounding.text.negation import is_negated, without_ease
from trace_inspector.engine.grounding.text.words import split_words

_CJK: Final = "\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_TOKEN: Final = re.compile(rf"[{_CJK}]+|\d+|[^\W\d_{_CJK}]+")
_IS_CJK: Final = re.compile(rf"[{_CJK}]")
_MAX_TOKENS: Final = 400
_MAX_TOKEN_CHARS: Final = 60
_PREFIX_CHARS: Final = 3
_SECOND_CHARS: Final = 3
_COMPOUND_CHARS: Final = 10
_MAX_REMEMBERED: Final = 1 << 14
_STEMMED_CHARS: Final = 4


class Token(Struct, frozen=True, gc=False):
    """A word or number of a sentence, at characters [start, end), folded."""

    text: str
    start: int
    end: int

    @property
    def is_unspaced(self) -> bool:
        """Whether it is a run in a script without spaces, which may hold several words."""
        return not self.text.isascii() and _IS_CJK.match(self.text) is not None


class _Phrase(NamedTuple):
    """The words of a phrase behind its first one, with its number in the list."""

    number: int
    rest: tuple[str, ...]
    name: str


class Hit(Struct, frozen=True, gc=False):
    """A word of the list at characters [start, end)."""

    name: str
    start: int
    end: int


def tokens_of(text: str) -> list[Token]:
    """The words and numbers of a text; runs of one script each."""
    tokens = []
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        if end - start <= _MAX_TOKEN_CHARS:
            tokens.append(Token(fold(match[0]), start, end))
        if len(tokens) >= _MAX_TOKENS:
            break
    return tokens


def key_tokens(key: str) -> list[Token]:
    """The words of a key in snake_case or camelCase, as a sentence."""
    return tokens_of(" ".join(split_words(key)) if not any(char.isdigit() for char in key) else key.replace("_", " "))


def _singular(word: str) -> str:
    """A word without the ending of a plural."""
    return next((word[: -len(end)] for end in ("es", "en", "s", "n") if word.endswith(end) and len(word) > 5), word)


class WordTable:
    """A list of names with their words, one a line: `name | word word* two_words ^word_of_keys`."""

    def __init__(self, lines: str, *, for_keys: bool = False, inflects: bool = True) -> None:
        self._inflects = inflects
        self._found: dict[str, tuple[str, ...]] = {}
        self._strange: set[str] = set()  # words of no list, which most are
        self._begun: dict[tuple[str, str], tuple[_Phrase, ...]] = {}
        self._words: dict[str, set[str]] = {}
        self._stems: dict[str, set[str]] = {}
        self._beginnings: dict[str, list[tuple[str, str]]] = {}
        self._phrases: dict[str, dict[str, list[_Phrase]]] = {}  # by the first word and the beginning of the second
        self._phrase_count = 0
        self._parts: dict[str, list[tuple[str, str]]] = {}
        for line in lines.strip().splitlines():
            name, _, words = line.partition("|")
            for word in words.split():
                if for_keys or not word.startswith("^"):
                    self._add(name.strip(), fold(word.lstrip("^")))

    def find(self, tokens: Sequence[Token]) -> list[Hit]:
        """The words of the list among those of a text, phrases before their words."""
        hits: list[Hit] = []
        known, phrases, strange = self._found, self._phrases, self._strange
        for index, token in enumerate(tokens):
            text = token.text
            if text in strange:
                continue
            if not text.isascii() and token.is_unspaced:
                hits += self._in_run(token)
                continue
            if text in phrases:
                hits += self._phrases_at(tokens, index)
            names = known.get(text)
            if names is None:
                names = self._remember(text)
            if names:
                hits += [Hit(name, token.start, token.end) for name in names]
        return hits

    def _add(self, name: str, word: str) -> None:
        if _IS_CJK.match(word):
            self._parts.setdefault(word[0], []).append((word, name))
        elif "_" in word:
            first, *rest = word.split("_")
            phrases = self._phrases.setdefault(first, {}).setdefault(rest[0].rstrip("*")[:_SECOND_CHARS], [])
            phrases.append(_Phrase(self._phrase_count, tuple(rest), name))
            self._phrase_count += 1
        elif word.endswith("*"):
            self._beginnings.setdefault(word[:_PREFIX_CHARS], []).append((word[:-1], name))
        else:
            self._words.setdefault(word, set()).add(name)
            self._stems.setdefault(_singular(word), set()).add(name)

    def _remember(self, word: str) -> tuple[str, ...]:
        """The names of a word, looked up once: words come again and again."""
        names = tuple(sorted(self._at(word)))
        if len(self._found) + len(self._strange) < _MAX_REMEMBERED:
            if names or word in self._phrases:
                self._found[word] = names
            else:
                self._strange.add(word)
        return names

    def _at(self, word: str) -> set[str]:
        found = set(self._words.get(word, ()))
        if not found and self._inflects and len(word) > _STEMMED_CHARS:
            found = set(self._stems.get(_singular(word), ()))
        found.update(name for start, name in self._beginnings.get(word[:_PREFIX_CHARS], ()) if word.startswith(start))
        if not found and len(word) >= _COMPOUND_CHARS:
            found.update(self._in_compound(word))
        return found

    def _in_compound(self, word: str) -> Iterator[str]:
        """The names of the parts of a German compound such as Versandkosten."""
        for cut in range(4, len(word) - 3):
            head, tail = word[:cut], word[cut:]
            yield from self._words.get(head, ()) if cut >= 6 else ()
            yield from self._words.get(tail, ()) if len(tail) >= 5 else ()

    def _phrases_at(self, tokens: Sequence[Token], index: int) -> Iterator[Hit]:
        second = tokens[index + 1].text if index + 1 < len(tokens) else ""
        for _number, rest, name in self._begun_by(tokens[index].text, second):
            following = tokens[index + 1 : index + 1 + len(rest)]
            if len(following) == len(rest) and all(
                token.text == word or (word.endswith("*") and token.text.startswith(word[:-1]))
                for token, word in zip(following, rest, strict=True)
            ):
                yield Hit(name, tokens[index].start, following[-1].end)

    def _begun_by(self, first: str, second: str) -> tuple[_Phrase, ...]:
        """The phrases that may begin with two words, looked up once."""
        begun = self._begun.get((first, second))
        if begun is None:
            by_second = self._phrases[first]
            beginnings = (second[:length] for length in range(min(len(second), _SECOND_CHARS) + 1))
            begun = tuple(sorted(phrase for start in beginnings for phrase in by_second.get(start, ())))
            if len(self._begun) < _MAX_REMEMBERED:
                self._begun[first, second] = begun
        return begun

    def _in_run(self, token: Token) -> Iterator[Hit]:
        for offset, char in enumerate(token.text):
            for part, name in self._parts.get(char, ()):
                if token.text.startswith(part, offset):
                    yield Hit(name, token.start + offset, token.start + offset + len(part))


_WORDS: Final = """
compare | once minus net deduct* subtract* taken_out taken_off than more less fewer exceed* difference instead
compare | compared versus vs unlike higher lower longer shorter later earlier sooner cheaper dearer pricier bigger
compare | larger smaller older younger newer faster slower warmer colder cooler hotter heavier lighter closer farther
compare | further better worse nearer ahead behind mehr weniger langer kurzer spater fruher teurer billiger gunstiger
compare | hoher niedriger grosser kleiner besser schlechter kalter alter junger schwerer leichter naher weiter
compare | schneller langsamer verglichen unterschied plus moins meilleur* davantage compare que_le que_la mas menos
compare | mejor peor mayor menor mais melhor pior maior diferenca diferencia comparad* piu meno migliore peggiore
compare | より 比べ ほうが 方が 差
extreme | most least best worst cheapest dearest longest shortest earliest latest oldest newest youngest highest
extreme | lowest largest smallest biggest fastest slowest nearest closest farthest furthest warmest coldest hottest
extreme | coolest heaviest lightest busiest quickest priciest greatest fewest first last top maximum minimum
extreme | gunstigste* billigste* teuerste* langste* kurzeste* fruheste* spateste* alteste* neueste* jungste* hochste*
extreme | niedrigste* grosste* kleinste* beste* schlechteste* schnellste* langsamste* nachste* warmste* kalteste*
extreme | meisten wenigsten le_plus la_plus les_plus le_moins la_moins el_mas la_mas los_mas el_menos la_menos o_mais
extreme | a_mais os_mais o_menos a_menos il_piu la_piu primero primera ultimo ultima premier premiere dernier
extreme | derniere primeiro 最も 一番 最大 最小 最高値 最安
sum | together combined sum average averaged averages mean adds_up in_all across save saves durchschnitt* zusammen
sum | summe en_moyenne moyenne ensemble promedio juntos juntas em_media media ao_todo in_media 平均 全体 half quarter
sum | thirds third halfway percent_of majority most_of each_of halfte mehrheit moitie mitad metade meta
guess | if would could may might probably perhaps maybe likely presumably apparently seems seem appears guess assume
guess | suppose think believe feeling wenn falls vielleicht wahrscheinlich vermutlich wohl scheint denke glaube
guess | bestimmt peut_etre probablement sans_doute semble pourrait quiza quizas tal_vez probablemente parece podria
guess | creo talvez provavelmente acho poderia forse probabilmente sembra potrebbe かもしれ でしょう そうです と思い
guess | おそらく たぶん
all | all every each everyone everybody everything both alle allen jede jeder jedes samtliche beide beiden tous
all | toutes chaque todos todas cada ambos ambas tutti tutte ogni entrambi entrambe すべて 全て 全員 どれも いずれも
all | 両方
none | none neither nobody no_one not_one not_a_single keiner keines keine kein niemand aucun aucune ninguno ninguna
none | ningun nadie nenhum nenhuma ninguem nessuno nessuna
only | only solely exclusively nur ausschliesslich einzig seul seule seulement uniquement solo solamente unico unica
only | somente apenas soltanto だけ のみ しか
missing | isn_t_listed not_listed isn_t_given not_given isn_t_stated not_stated isn_t_specified not_specified
missing | unspecified not_mentioned isn_t_mentioned no_information no_info no_details no_data isn_t_included
missing | leaves_out left_out_of_the doesn_t_say does_not_say doesn_t_mention does_not_mention doesn_t_include
missing | does_not_include nothing_is_said nothing_about not_known isn_t_known unknown not_recorded isn_t_recorded
missing | not_provided isn_t_provided missing not_available_in doesn_t_show does_not_show no_mention wasn_t_given
missing | was_not_given isn_t_shown nicht_angegeben keine_angabe* keine_information* nicht_aufgefuhrt nicht_genannt
missing | nicht_bekannt fehlt fehlen nicht_enthalten unbekannt nichts_uber aucune_information pas_indique*
missing | n_est_pas_indique* non_indique* non_precise* pas_precise* ne_figure_pas ne_precise_pas n_indique_pas manque
missing | no_consta no_se_indica no_figura sin_informacion no_hay_informacion no_aparece no_se_menciona
missing | ninguna_informacion no_especifica nao_consta nao_constam nao_ha_informac* nao_informad* nao_e_informad*
missing | sem_informac* nao_aparece non_indicat* nessuna_informazione non_e_indicat* manca 記載されていません
missing | 記載がありません 情報がありません 情報はありません 不明 書かれていません 記載はありません 含まれていません
missing | 載っていません
shift | tomorrow yesterday tonight last_week last_month last_year next_week next_month next_year previously formerly
shift | originally used_to gestern vorgestern morgen_frueh vorher ursprunglich hier_soir demain auparavant ayer
shift | anoche manana_por anteriormente amanha ontem antigamente domani ieri 明日 昨日 昨年 来週 先週
another | next nachste nachster nachsten prochain prochaine proximo proxima prossimo prossima 次の 次回
agent | i ich je j yo eu io 私
hope | should sollte sollten devrait devraient deberia deberian deveria deveriam dovrebbe
may | should can may could will would shall must to until unless before whether kann kannst konnen soll muss wird
may | peut peux pourra devra puede podra debe sera pode podera deve sara puo できます れます
bound | before after below above under over vor avant apres antes despues depois prima dopo unter sous debajo sotto
bound | 前に 後に more_than less_than fewer_than at_least at_most up_to mehr_als weniger_als mindestens hochstens
bound | plus_de moins_de au_moins au_plus mas_de menos_de al_menos como_maximo mais_de pelo_menos piu_di meno_di
bound | almeno 以上 以下 未満
total | in_total em_total in_totale no_total en_total au_total altogether overall insgesamt gesamt 合計 全部で
"""
SENTENCE_WORDS: Final = WordTable(_WORDS, inflects=False)
_CONTRACTED: Final = frozenset({"won", "don", "isn", "aren", "wasn", "weren", "doesn", "didn", "hasn", "haven"})
_WITHOUT: Final = folded_words("without ohne sans sin sem senza")
_PORTUGUESE: Final = folded_words("o os do da dos das foi em não ao aos à às pela pelo uma um é são com está ainda")
_SPANISH: Final = folded_words("el la los las del una un y es son lo al")


_text_of: Final = attrgetter("text")


def is_denied(text: str, words: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether words of a sentence deny; the Portuguese "no" means "in the"."""
    own = set(map(_text_of, words))
    if "t" not in own:
        own -= _CONTRACTED  # "won" is a negation in "won't" only
    if "no" in own:
        whole = set(map(_text_of, sentence))
        if not whole.isdisjoint(_PORTUGUESE) and whole.isdisjoint(_SPANISH):
            own.discard("no")
    if not own.isdisjoint(_WITHOUT):
        own &= {token.text for token in tokens_of(without_ease(text))}
    return not own.isdisjoint(_WITHOUT) or is_negated(text, own)
