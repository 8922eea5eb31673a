"""What words of keys, values and sentences mean, so that "hire_date" and "eingetreten" meet: concepts by language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from trace_inspector.engine.grounding.text.folding import fold, fold_text
from trace_inspector.engine.grounding.text.vocabulary import STOP_WORDS
from trace_inspector.engine.grounding.text.words import split_words, whole_stem

# A concept and its words; "*" stands for any ending, "_" for a space, and words without spaces are found anywhere.
_ATTRIBUTES: Final = """
    price | expensive teuer cher caro cara price* cost* fare* pay payable preis* kost* prix cout* precio*
    price | cuesta* coste* preco* custa custam custo custos value
    price | 価格 値段 料金 金額 費用 कीमत दाम किराया मूल्य spend amount* betrag* montant* importe* valor
    price | valores total_usd total_eur
    fee | fee fees charge charges gebuhr* frais tarifa* commission* comision* 手数料 शुल्क
    shipping | shipping postage versand* livraison envio frete 送料 delivery_cost
    deposit | deposit* kaution* caution* fianza* deposito* caucao 保証金
    copay | copay* co-pay zuzahlung*
    admission | admission* entrance entry entree eintritt* entrada* ingresso* bilhete* 入場料 प्रवेश
    quantity | item_count quantity qty items_ordered item_number items artikel articulos articles itens 点数
    quantity | pieces
    weight | weigh* weight* heav* gewicht* wieg* pes* poids peso* 重さ 重量 वजन
    distance | distance* away far km_to km_from entfern* abstand distancia* 距離 दूरी center centre centro
    distance | zentrum
    distance | 中心
    duration | duration* elapsed long lasts lasted last length took runtime dauer* duree* dur* machine_time
    duration | 所要時間
    duration | walking_minutes takes ran run_time minutes_long build_time अवधि
    walk | walk* fuß* marche pie 徒歩 पैदल
    wait | wait waits waiting_time wait_min wartezeit attente espera 待ち
    temperature | temp temperature* temperatur* temperatura* warm* hot hotter hottest cold* cool* degrees 気温
    temperature | 温度 तापमान
    low_temp | min_c overnight_low low_c minimum
    high_temp | max_c high_c maximum
    feels | feels_like feels
    humidity | humid* feucht* luftfeucht* humedad umidade 湿度 नमी
    rain_chance | precipitation* rain_chance chance_of_rain regenwahrschein* 降水
    wind | wind windy winds viento vent vento 風 हवा
    rating | rating* rated score* stars review csat satisf* bewert* note noté notee mieux_note valora* puntua*
    rating | avali* 評価 रेटिंग
    satisfaction | satisf* csat zufrieden* 満足
    coverage | coverage covered abdeckung couverture cobertura カバレッジ
    latency | latency* latenz* latence* latencia* p95* p99* p50* レイテンシ response_time antwortzeit*
    p95 | p95* 95th* percentile latency_p95
    median | p50* median* mediane mediana
    errors | error* fehler* erreur* erro* エラー त्रुटि failure_rate fails
    cpu | cpu
    memory | memory memoire memoria speicher ram
    replicas | instance* replica* instanz* pods
    artifact | artifact* artefa*
    flaky | flaky* unstable instab*
    stock | stock on_hand qty_available available_qty inventory lager* bestand* existencias unidades estoque
    stock | stuck
    stock | in_store pieces units 在庫 स्टॉक hold
    reserved | reserved reserv* allocated* vorgemerkt
    rooms | room rooms zimmer chambre* habitacion* quarto* 部屋 客室 室 कमरे कमरा
    seats | seat* place_libre* platz platze sitz* places asiento* assento* lugares 座席 空席 सीट
    stops | stop stops stopover* layover* umstieg* escale escales escala escalas 経由
    leave | vacation* leave urlaub* conge* vacaciones ferias holiday* 休暇 有給 छुट्टी
    sick | sick* krank* malad* enferm* doente*
    hours | weekly_hours contract_hours hours_a_week wochenstunden
    guests | guest guests gast gaste gasten attendee* invit* participant* teilnehmer* participante* convidad* 参加者
    guests | people_invited
    replies | reply replies replied answers antwort* reponse* respuesta* resposta* 返信 comments
    age | age_days open_for days_old
    reports | direct_reports
    files | files dateien fichiers archivos arquivos
    added | add* additions hinzugef*
    deleted | delet* remov* geloscht*
    lines | lines zeilen lignes
    elevation | elevation altitude height hohe hoch altura 標高
    population | population einwohner* poblacion* populacao 人口 inhabitants
    energy | energy power battery akku* batterie*
    speed | speed geschwindig* vitesse velocid*
    salary | salary wage gehalt salaire sueldo salario
    discount | discount* rabatt* remise* descuento* desconto*
    tax | tax taxes vat steuer* impuesto* imposto*
    views | views clicks visits downloads plays
    uptime | uptime been_up online_for betriebszeit*
    noise | noise loud* quiet* laut lauter lauteste* leise* bruit* bruyant* ruido* silenci*
    interest | interest_rate interest zins* interet interets interes juros
    limit | limit overdraft* dispo* decouvert descubierto limite
    balance | balance saldo solde kontostand 残高
    disk_space | disk* storage speicherplatz disque disco almacenamiento armazenamento ストレージ
    nights | night nights nacht nachte ubernachtung* nuit nuits noche* noite* 泊 रात
    points | score scored scores points punkte puntos pontos goals tore buts goles gols 得点
    calories | calor* kcal kalorien
    votes | votes stimmen voix votos
    sales | sales sold umsatz* verkauf* ventes ventas vendas revenue erlos* 売上 बिक्री
    profit | profit* gewinn* benefice* beneficio* lucro*
    staff | employees mitarbeiter* employes empleados funcionarios 従業員
    students | students schuler* eleves alumnos alunos 生徒
    pages | page pages seiten paginas ページ
    width | width wide breite breit* largeur ancho anchura largura
    depth | depth deep tiefe tief* profond* profund*
    rainfall | rainfall niederschlag* pluviosite
    area | area flache surface_m2 superficie sqm square
    size | size largest_file bytes file_size groß* taille tamano tamanho サイズ
"""
_MOMENTS: Final = """
    created | placed ordered created hired hire_date joined join* reported opened_at since bestellt
    created | eingetreten* cree*
    created | released release_date published posted posting booked_on started_on start_date built founded
    created | raised_on
    created | placed_on embauche* contrat* inscri* anterior pedido_em admission_date 入社 注文日 लिखा
    due | due deadline* deliver_by sla* due_date frist* echeance* vencim* prazo* 期限 arrive_by eta
    delivery | next_delivery restock* delivery lieferung* liefertermin entrega* livraison 納品
    departure | dep depart departs departed departing departures departure abflug* abfahrt* dep_time leave_at
    departure | scheduled partida salida* sale salen 出発 leaves takes_off
    arrival | arr arriv* arrival arr_time ankunft* ankomm* lleg* cheg* lands landet 到着
    begin | start starts starts_at begin* beginn* commence* debut empieza* comienza* inicio comeca* from 開始
    begin | शुरू
    end | end ends until ends_at finish* ende endet fin finit termin* acaba 終了 समाप्त over
    open | open opens opening* offnet* geoffnet* ouvr* abre* apertura 開店 開館 खुल*
    close | close closes closing* schließ* ferm* cierr* fecha* fecham* closing_time 閉店 閉館 बंद
    sunrise | sunrise* sonnenaufgang* lever_du_soleil amanecer nascer_do_sol sunup 日の出 सूर्योदय
    sunset | sunset* sonnenuntergang* coucher_du_soleil atardecer por_do_sol 日の入り 日没 सूर्यास्त dark
    value_date | value_date effective* valuta*
    posted | posting_date booked_on
    deployed | deploy* last_deployed deployed_on
    updated | updated* modified changed_at last_change
    scheduled | appointment_date appointment termin
    day | date day datum jour dia fecha data 日付 तारीख on_date
"""
_STATES: Final = """
    cancelled | cancel* called_off storniert* abgesagt* annul* anulad* suprimid* キャンセル 中止 欠航 取消
    cancelled | रद्द
    cancelled_by_clinic | cancelled_by_clinic clinic klinik* clinique* clinica*
    delayed | delay* late running_late verspat* retard* retras* atras* demor* 遅延 遅れ देरी विलंब
    on_time | on_time on_schedule punktlich* a_l_heure en_hora puntual* no_horario 定刻 समय_पर
    boarding | board* einstieg* embarqu* 搭乗
    departed | departed taken_off gestartet
    landed | landed gelandet atterri aterriz*
    delivered | deliver* zugestellt* geliefert* livre livree livres livrees entregad* entregue* 配達済
    delivered | 配達され 配送済 डिलीवर वितरित
    shipped | shipped dispatched sent_out on_its_way versandt* verschickt* expedie* enviad* despachad* 発送
    shipped | भेजा
    in_transit | in_transit transit unterwegs en_route en_camino en_transito a_caminho 輸送中 रास्ते
    pending_payment | pending_payment awaiting_payment payment_pending unpaid zahlung_ausstehend
    pending_payment | attente_de_paiement
    pending_payment | pendiente_de_pago aguarda*_pagamento 支払い待ち
    pending | pending awaiting outstanding ausstehend* anhangig en_attente pendiente* pendente* 保留 लंबित
    processing | processing in_preparation bearbeitung* traitement preparacion 処理中
    returned | returned zuruckgesch* retourn* devuelt* devolvid* 返品
    refunded | refunded came_back erstattet* rembours* reembols* estornad* 返金
    settled | settled cleared gebucht* liquidad*
    rejected | rejected refused declined abgelehnt* rejete* refuse* rechaz* rejeit* recus* 拒否 अस्वीकार*
    accepted | accept* angenommen* zugesagt* accepte* aceptad* aceit* 承諾 स्वीकार*
    tentative | tentative* provisional provisoire* vorlaufig* provisional* 仮
    needs_action | needs_action need_an_answer needs_an_answer unanswered no_answer
    confirmed | confirm* bestatigt* 確認 確定 पुष्टि
    waitlisted | waitlist* waiting_list warteliste* liste_d_attente lista_de_espera
    completed | completed complete done erledigt* abgeschlossen* terminee* completad* concluid* 完了 पूरा
    no_show | no_show
    open_state | open offen* ouvert* abiert* abert* 未解決
    closed_state | closed geschlossen* ferme fermee* cerrad* fechad*
    resolved | resolved solved fixed gelost* resolu* resuelt* resolvid* 解決
    reopened | reopened wieder_geoffnet reouvert* reabiert* reabert*
    waiting_customer | waiting_on_customer waiting_for_the_customer customer_reply kunden*
    in_progress | in_progress being_worked_on underway arbeit en_cours en_curso andamento 進行中
    escalated | escalat* eskalier* escalad* エスカレ
    high | high hoch hohe hoher haute alta alto 高 उच्च urgent* dringend*
    normal | normal* medium mittel*
    low | low niedrig* basse baja baixa 低
    high_priority | high_priority top_priority
    priority | priority prioritat* priorite* prioridad* prioridade* 優先 प्राथमिकता
    active | active aktiv* actif* activ* ativ* 有効 सक्रिय
    inactive | inactive inaktiv* inactif* inactiv*
    on_leave | on_leave beurlaubt* away
    parental | parental* elternzeit baby
    notice | notice_period notice kundigung* preavis preaviso
    remote | remote* from_home home_office zu_hause von_zuhause teletrav* telework* desde_casa remoto
    remote | a_domicilio 在宅 リモート
    first_aid | first_aid* first-aid* ersthelfer* secourist* primeros_auxilios primeiros_socorros 応急
    online | online held_online on_line en_ligne en_linea por_video オンライン
    video | video* telehealth* telemedi* ビデオ
    fasting | fast fasting* empty_stomach nuchtern* jeun ayun* jejum 絶食
    refundable | refund* refundable erstattbar* remboursable* reembolsable* reembolsavel
    bag | bag bags baggage luggage gepack* bagage* equipaje bagagem 荷物
    nonstop | nonstop non-stop direct
    pets | pet pets haustier* hund* tiere animaux mascota* animais ペット पालतू dogs
    pool | pool* schwimmbad piscin* プール
    breakfast | breakfast fruhstuck* petit_dejeuner desayuno cafe_da_manha 朝食 नाश्ता
    instant | instant* sofort* immediat* al_instante na_hora 即時
    on_request | on_request auf_anfrage sur_demande
    members | member* mitglied* membre* miembro* socio* membros 会員
    gift | gift* geschenk* cadeau* regalo presente ギフト
    backordered | backorder* back_order* nachbestell*
    discontinued | discontinued phased_out ausgelauf* descatalogad* descontinuad* 廃番 生産終了
    quarantined | quarantin* cuarentena
    in_stock | in_stock vorratig* en_stock en_existencia em_estoque
    out_of_stock | out_of_stock sold_out run_out ausverkauft* epuise* agotad* esgotad* 売り切れ
    hazardous | hazard* hazmat gefahr* dangereu* peligros* perigos* 危険
    success | success* succeed* passed green erfolg* reussi* exito* aprovad* passou pass* 成功
    failure | fail* failed failing red fehlgeschlag* gescheitert* echou* fallid* fall* falh* 失敗 विफल
    skipped | skip* ubersprung* omitid* pulad*
    running | running lauft rodando ejecutan* 実行中
    required | required_check block_the_merge blocks_the_merge blocking
    cache | cache* キャッシュ
    autoscaling | autoscal* scale_automatically scales_automatically scale_by_itself autoscaling
    alert | alert* alarm* alerta* 警報
    down | down offline outage ausgefallen
    degraded | degrad* beeintrachtigt*
    healthy | healthy fine gesund*
    sunny | sunny clear klar* sonn* ensoleill* degage* soleado* despejad* limpo* ensolarad* 晴 धूप
    rainy | rain rainy raining regen* pluie pluvi* lluvi* lluvia chuv* 雨 बारिश
    snowy | snow* schnee* neig* nieve nev* 雪 बर्फ
    foggy | fog foggy nebel* brouillard niebla nebli* 霧 कोहरा
    cloudy | cloud* overcast bewolkt* nuag* couvert nublad* 曇 बादल
    windy_state | windstorm
    storm | storm* thunder* gewitter* orage* torment* 雷
    booking_needed | reservation_required needs_booking booked_ahead book_ahead booking_required reserv* vorab
    booking_needed | 予約
    step_free | step_free wheelchair* rollstuhl* fauteuil silla_de_ruedas cadeira_de_rodas 車椅子 barrier*
    paved | paved pave asfalt* 舗装
    gravel | gravel kies* gravier grava cascalho 砂利
    sand | sand sandy sable arena areia
    groceries | grocer* lebensmittel* supermarket* supermarch* supermercado* food_shopping 食料品
    leisure | leisure freizeit loisir* ocio lazer
    health | health* gesundheit* sante salud saude medical
    utilities | utilit* contas_da_casa household_bill*
    travel | travel* reise* voyage* viaj* viag*
    recurring | recurring standing_order dauerauftrag* permanent
    parking | parking parkplatz* stellplatz* aparcamiento* estacionamiento* estacionamento* 駐車
    organic | organic* biologique* ecologic*
    takeaway | takeaway take-away to_go zum_mitnehmen emporter para_llevar テイクアウト
    paid | paid bezahlt* paye payee* pagad* pago* 支払済
    overdue | overdue uberfallig* vencid*
    available | available verfugbar* disponible* disponivel 利用可能 उपलब्ध
    occupied | occupied booked belegt* occupe* ocupad* 満室
    warning | warn warning* warnung* avertiss* adverten* 警告 चेतावनी
    error_level | error errors fehler erreur* error_level erro erros エラー
    verified | verified verifizi* verifie* verificad*
    vegetarian | vegetarian* vegan*
    male | male
    female | female
"""


class Lexicon:
    """Words, beginnings, phrases and joined words, each with its concepts."""

    def __init__(self, *tables: str) -> None:
        self._found: dict[str, tuple[str, ...]] = {}
        self._begun: dict[tuple[str, str], tuple[tuple[tuple[str, ...], str], ...]] = {}
        self.words: dict[str, tuple[str, ...]] = {}
        self.beginnings: dict[str, tuple[str, ...]] = {}
        self.phrases: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        self.joined: dict[str, list[tuple[str, str]]] = {}
        for line in "\n".join(tables).strip().splitlines():
            concept, _, spellings = line.partition("|")
            for spelling in spellings.split():
                self._add(concept.strip(), spelling)

    def concepts(self, words: Sequence[str], text: str = "") -> frozenset[str]:
        """The concepts of folded words in order; of a folded text in a script without spaces those found anywhere."""
        found: set[str] = set()
        for index, word in enumerate(words):
            found.update(self.concepts_of(word))
            following = words[index + 1] if index + 1 < len(words) else ""
            for pattern, concept in self._phrases_from(word, following):
                if _matches(pattern, words, index):
                    found.add(concept)
        if text and not text.isascii():
            for index, char in enumerate(text):
                for joined, concept in self.joined.get(char, ()):
                    if text.startswith(joined, index):
                        found.add(concept)
        return frozenset(found)

    def concepts_of(self, word: str) -> tuple[str, ...]:
        """The concepts of one folded word, remembered: words come again and again."""
        found = self._found.get(word)
        if found is None:
            lengths = range(min(len(word), _LONGEST_BEGINNING), 1, -1)
            beginnings = (concept for length in lengths for concept in self.beginnings.get(word[:length], ()))
            found = (*self.words.get(word, ()), *beginnings)
            if len(self._found) < _MAX_REMEMBERED:
                self._found[word] = found
        return found

    def _phrases_from(self, word: str, following: str) -> tuple[tuple[tuple[str, ...], str], ...]:
        """The phrases that may begin with two words, remembered as well."""
        found = self._begun.get((word, following))
        if found is None:
            found = tuple(
                phrase
                for phrase in self.phrases.get(word[:3], ())
                if _fits(phrase[0][0], word) and _fits(phrase[0][1], following)
            )
            if len(self._begun) < _MAX_REMEMBERED:
                self._begun[word, following] = found
        return found

    def _add(self, concept: str, spelling: str) -> None:
        pieces = tuple(fold(piece) for piece in spelling.split("_"))
        if len(pieces) > 1:
            self.phrases.setdefault(pieces[0].rstrip("*")[:3], []).append((pieces, concept))
        elif ord(spelling[0]) > 0x2FFF:
            self.joined.setdefault(pieces[0][0], []).append((pieces[0], concept))
        elif pieces[0].endswith("*"):
            key = pieces[0][:-1]
            self.beginnings[key] = (*self.beginnings.get(key, ()), concept)
        else:
            self.words[pieces[0]] = (*self.words.get(pieces[0], ()), concept)


_LONGEST_BEGINNING: Final = 16
_MAX_REMEMBERED: Final = 1 << 14
# p95, 95th: what is a word although it has digits.
_WITH_DIGITS: Final = re.compile(r"(?<![a-z\d])(?:[a-z]\d{2}|\d{2}th)(?![a-z\d])")
_LEXICON: Final = Lexicon(_ATTRIBUTES, _MOMENTS, _STATES)
CONCEPTS: Final = frozenset(
    line.partition("|")[0].strip()
    for table in (_ATTRIBUTES, _MOMENTS, _STATES)
    for line in table.strip().splitlines()
)


def concepts_in_sentence(words: Sequence[str], text: str) -> frozenset[str]:
    """The concepts of a sentence, given as folded words and as text, also of words with digits such as p95."""
    return concepts_in_words([*words, *_WITH_DIGITS.findall(text.casefold())], text)


def concepts_in_words(words: Sequence[str], text: str = "") -> frozenset[str]:
    """The concepts of folded words in order; an unknown word is its own concept, by its stem."""
    own = {stem for word in words if (stem := _own(word))}
    return _LEXICON.concepts(words, text) | own


@lru_cache(maxsize=1 << 12)
def concepts_in_name(name: str) -> frozenset[str]:
    """The concepts of a key or of a short value, in snake_case, camelCase or words."""
    folded = fold_text(name)
    return concepts_in_words([*map(fold, split_words(name)), *_WITH_DIGITS.findall(folded)], folded)


@lru_cache(maxsize=1 << 14)
def _own(word: str) -> str:
    return "" if len(word) < 3 or word in STOP_WORDS else "=" + whole_stem(word)


def _matches(pattern: tuple[str, ...], words: Sequence[str], index: int) -> bool:
    """Whether the words from the third one on are those of a pattern."""
    if index + len(pattern) > len(words):
        return False
    return all(_fits(piece, words[index + offset]) for offset, piece in enumerate(pattern) if offset > 1)


def _fits(piece: str, word: str) -> bool:
    return word == piece or (piece[-1] == "*" and word.startswith(piece[:-1]))
