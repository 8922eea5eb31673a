"""What attributes of things are called: in keys of results, and in sentences of several languages.

Its words stand after the bar: `_` for a space, `*` where other endings may follow, `^` for words of keys only. `~`
before a name marks what many keys share ("price", "time"), so that alone it does not tell one of them from another;
`!` marks words that say the opposite of a yes-or-no attribute.
"""

from __future__ import annotations

from typing import Final

ATTRIBUTE_WORDS: Final = """
~price | price* cost costs costing ^amount ^amounts ^total ^totals fare fares charge charges charged pays paid debit
~price | credit preis* kosten kostet betrag prix coute coutent tarif* montant precio* cuesta cuestan coste importe
~price | ^valor preco* custa custam custo prezz* costa costano importo 料金 価格 値段 金額 費用 कीमत मूल्य
~date | date dates day datum tag fecha dia jour data giorno 日付 日程 तारीख
~time | time times clock uhrzeit zeit heure hora horario horaire orario 時刻 時間 समय
~count | count number quantity qty num anzahl menge nombre quantite numero cantidad quantidade quantita ^数
~rate | rate ratio share pct percent percentage quote taux tasa taxa tasso ^率 割合
~place | place location city town site ort stadt lieu ville lugar ciudad cidade luogo citta 場所 都市
~status | status state stage condition phase zustand stand etat statut estado stato situacao 状態 状況
~average | average avg mean typical* usual* durchschnitt* moyen* promedio media médio medio 平均
shipping | shipping ship shipment postage freight deliver* delivery versand* porto livraison expedition envio frete
shipping | entrega spedizione 送料 配送 出荷
delivery | deliver* ^eta due arriv* lieferung* liefer* ankomm* livr* entreg* lleg* cheg* consegn* 届 配達
ordered | ordered placed purchased bestellt bestelldatum aufgegeben stammt commandee passee hizo feito realizado
ordered | ordinat* 注文され 注文日
created | created opened_on reported raised filed submitted logged around_since erstellt eroffnet gemeldet cree
created | ouvert creado criado aberto_em creato 作成 起票
updated | updated modified edited revised aktualisiert geandert modifie actualizado atualizado aggiornato 更新
due | due deadline sla fallig frist echeance vence limite prazo scadenza 期限 締め切り 締切
start | start starts starting begin begins beginning ^from commence commencer debute debut beginnt anfang empieza
start | inicio comienza comeca inicia inizia 開始 始ま
end | end ends ending until finish* ^over close closes closing termine terminer finit fin endet ende acaba termina
end | finaliza finisce fine 終了 終わ
departure | depart* ^dep ^leave leaves leaving takeoff take_off takes_off ^off abflug* abfahrt startet decoll* depart
departure | sale salida salir despega parte partida partenza decola 出発 発車
arrival | arriv* ^arr land lands landing touch* ankunft ankomm* landet landen atterr* arrivee llegada llega llegar
arrival | aterriza* chega chegada chegar atterra 到着 着陸
opening | open opens opening lets_visitors_in offnet offnungszeit* ouvre ouverture abre apertura abertura apre 開館
opening | 開店 開き 開く 開園 営業
closing | close closes closing shut shuts ^until schliesst schließt ferme fermeture cierra cierre fecha fechamento
closing | chiude chiusura 閉館 閉店 閉ま 閉園
sunset | sunset sun_sets sets gets_dark dark sonnenuntergang untergang coucher couche puesta ocaso anochece
sunset | por_do_sol tramonto 日没 日の入り
sunrise | sunrise sun_rises rises comes_up gets_light dawn sonnenaufgang aufgang lever leve amanece amanecer nascer
sunrise | alba 日の出
temperature | temp temperature temperatures degrees thermometer warm cold hot temperatur grad temperatura 気温
feels | feels feel feels_like gefuhlt ressenti ressentie sensacion sensacao percepita 体感
low | low lowest overnight minimum ^min min_c nachts tiefst* drops drop mindest* minim* 最低
high | high highs highest maximum ^max peak hochst* maxim* 最高
humidity | humid* moisture luftfeucht* feucht* humedad umidade umidita 湿度
rain_chance | chance precipitation probability rain likelihood regenwahrscheinlich* niederschlag* probab* lluvia
rain_chance | chuva pluie pioggia 降水確率
wind | wind winds gust* wehen viento vent vento 風
uv | uv sunburn
visibility | visibility sicht* visibilidad visibilite
pressure | pressure druck pression presion pressao pressione 気圧 血圧
distance | distance distances km_away away far from_here entfern* weit distan* loin lejos longe lontano situe trouve
distance | 距離 ここから まで
center | center centre downtown zentrum innenstadt centro 中心
walk | walk* on_foot fuß fussweg pied pie caminando andando pe piedi 徒歩
duration | duration length ^long last lasts lasted takes took taken elapsed runtime ran dauer dauert dauerte dure
duration | duree duracion dura tarda tardo lleva duracao leva levou demora durata 所要 かかり
wait | wait waits waiting wartezeit warten attente attend espera esperar attesa 待ち 待つ
points | points pts punkte puntos pontos punti
rating | rating rated rates stars score scored scores review* grade bewert* note notee nota puntuacion valoracion
rating | avis avaliacao valutazione punteggio voto 評価 点数
satisfaction | csat satisf* happy zufrieden* 満足
seats | seat seats places_free place_left sitz* platze plaz* siege* asiento* assento* lugares posti 座席 席 空席
rooms | room rooms zimmer chambre* habitacion* quarto* camera camere 部屋 客室
stops | stop stops stopover* layover* nonstop ^direct zwischenstop* escale* escala* scal* 経由 乗り継ぎ
items | items item_count pieces units contains artikel stuck articles articulos unidades itens articoli pezzi 商品数
stock | stock on_hand ^available in_stock inventory bestand vorrat lager existencias estoque magazzino giacenza 在庫
stock | units_of ^left remain* restam quedan ^hay ^shelf on_the_shelf
reserved | reserved allocated allocation set_aside reserviert* reserve reservad* riservat* 引当 確保
weight | weight weighs weigh weighed heavy gewicht wiegt wiegen schwer pese poids pesa pesan peso 重さ 重量
bin | bin shelf aisle rack sits_on lagerplatz regal emplacement ubicacion posicao ubicazione scaffale 棚
restock | restock* next_delivery replenish* nachschub reapprovision* reposicion reposto repos rifornimento 入荷
reorder | reorder reorder_point threshold meldebestand
owner | owner owns assigned assignee handled handles looked_after responsible zugewiesen zustandig liegt bearbeit*
owner | assigne responsab* asignad* responsavel atribuid* assegnat* 担当
customer | customer customers buyer client account company name_of_customer kunde kundin gehort cliente clienti
customer | azienda comes_from 顧客 お客様
manager | manager boss supervisor reports_to reports ^report vorgesetzt* berichtet chef jefe jefa gestor gerente
manager | reporta superiore 上司
department | department dept team division works_in abteilung departement departamento reparto equipe equipo 部署
department | 部門
hired | hire hired joined join joining since with_the_company eingetreten eintritt arriv_e embauche* ^entre incorpor*
hired | entrou contratad* assunt* 入社
vacation | vacation leave holiday holidays days_off urlaub* conge conges vacaciones ferias ferie 休暇
sick | sick ill off_sick krank* malad* enferm* doente malatt* 病欠
hours | weekly_hours contract_hours hours_a_week contract working_hours wochenstunden hebdo* semanal* 勤務
role | role job_title position job rolle stelle poste puesto cargo funcao ruolo 役職
office | office based sits standort buro bureau oficina escritorio sede ufficio オフィス
age | ^age aged ^old ^alter alt edad idade ^eta 年齢
doctor | doctor dr practitioner physician provider arzt arztin medecin medico 医師 先生
copay | copay* co_pay zuzahlung zuzahl* 自己負担
fee | fee fees charges commission gebuhr* frais comision comisiones tarifa taxa commissione 手数料
deposit | deposit kaution caution fianza deposito caparra cauzione 保証金
admission | admission entry entrance get_in eintritt entree entrada ingresso ingreso bilhete biglietto 入場
night | night nightly a_night per_night nacht nuit noche noite notte 一泊 1泊
payee | paid_to paid_by payee counterparty recipient merchant went_to empfanger beneficiaire beneficiario
category | category classed filed_under filed_as kategorie categorie categoria 分類
posted | posting posted booked_on value_date effective takes_effect wertstellung valuta lancad* 計上
tax | tax vat taxes steuer mwst taxe impuesto* imposto* iva 税
discount | discount* rabatt remise reduction descuento desconto sconto 割引
balance | balance saldo solde kontostand 残高
interest | interest apr zins* interet interes juros 利率 金利
salary | salary wage wages gehalt lohn salaire salario stipendio 給与
budget | budget* presupuesto orcamento 予算
revenue | revenue turnover sales umsatz chiffre ventas vendas ricavi 売上
profit | profit gewinn benefice beneficio lucro utile 利益
author | opened_by created_by written_by posted_by made_by author triggered committed started_by started kicked_off
author | gestartet lance iniciad* autor autore 実行者
branch | branch ^ref on_branch zweig branche rama ramo
coverage | coverage covered testabdeckung abdeckung couverture cobertura copertura カバレッジ
flaky | flaky flakiness unstable instabil* instave* instable* inestable*
artifact | artifact* artefact* artefakt* artefato*
latency | latency latencies p95 p_95 95th percentile respond responds answers latenz latence latencia latenza
median | median p50 p_50 p50_ms typically mediana
errors | error errors error_rate error_pct fails failing fehler* erreur* errores erros errori エラー
cpu | cpu processor prozessor processeur
memory | memory ram mem arbeitsspeicher memoire memoria メモリ
disk | disk storage festplatte disque disco ディスク 容量
replicas | replica* instance* pods repliken
deployed | deploy* live_in rolled_out ausgerollt deploye desplegad* implantad*
guests | guests guest attendee* attendees invited invitees participants people personen gaste personnes invite*
guests | asistentes personas pessoas convidad* persone partecipanti 参加者 出席者
host | host organizer organiser organized organised set_up organisiert* veranstalt* organise* organiza* organizzat*
host | 主催
room | room venue booked_into raum salle sala 会議室
destination | destination ^to goes_to flies_to ziel fliegt nach desserv* dessert destino destinazione 行き先 目的地
origin | origin ^from departs_from herkunft origine origen origem
replies | replies reply reply_count response_count responses antworten reponses respuestas respostas risposte 返信
priority | priority urgency prioritat dringend priorite prioridad prioridade priorita 優先
size | size sized grosse große taille tamano tamanho dimensione サイズ
version | version release versione versao バージョン
phone | phone telephone tel mobile telefon telefono telefone 電話
email | email e_mail mail correo メール
address | address adresse direccion endereco indirizzo 住所
website | website url link homepage webseite sitio
gate | gate flugsteig porte_d puerta portao 搭乗口 ゲート
terminal | terminal
platform | platform track gleis quai anden plataforma binario ホーム
airline | airline carrier fluggesellschaft compagnie aerolinea companhia
language | language sprache langue idioma lingua 言語
color | color colour farbe couleur cor colore 色
material | material materiau materiale 素材
brand | brand maker manufacturer marke hersteller marque fabricant marca fabricante ブランド メーカー
model | model modell modele modelo modello
warranty | warranty guarantee garantie garantia garanzia 保証期間
capacity | capacity holds fits kapazitat capacite capacidad capacidade capienza 定員
battery | battery akku batterie bateria batteria バッテリー
power | power wattage leistung puissance potencia potenza
speed | speed tempo geschwindigkeit vitesse velocidad velocidade velocita 速度
height | height tall hohe hauteur altura altezza 高さ
width | width wide breite largeur ancho largura larghezza 幅
depth | depth deep tiefe profondeur profund* profondita 深さ
altitude | altitude elevation summit hohenmeter altitud 標高
area | area surface_area sqm flache superficie surface_m2 面積
population | population inhabitants residents einwohner habitants habitantes abitanti 人口
calories | calories kcal calorie kalorien calorias カロリー
protein | protein proteins eiweiss eiweiß proteina* proteine* タンパク質
fat | fat fett graisse* grasa* gordura* grassi 脂質
sugar | sugar zucker sucre azucar acucar zucchero 糖
dose | dose dosage dosis dosi 用量
pulse | pulse heart bpm puls pouls pulso 心拍
pages | page_count pages seiten paginas pagine ページ
year | ^year published released ^jahr ^annee ^ano ^anno 発売 公開
director | director directed regie realisateur regista 監督
genre | genre género genero ジャンル
winner | winner won
downloads | download* heruntergeladen telecharge* descarga*
stargazers | stargazers starred
votes | votes stimmen votos voti 投票
views | views aufrufe vues visitas visualizzazioni 再生
cuisine | cuisine kitchen kuche cocina cozinha cucina 料理
baggage | baggage bag bags luggage gepack koffer bagage* equipaje bagagem bagaglio 荷物
breakfast | breakfast fruhstuck petit_dejeuner desayuno cafe_da_manha pequeno_almoco colazione 朝食
pets | pet pets pet_friendly dogs haustier* animaux mascotas animais animali ペット
pool | pool swimming schwimmbad piscine piscina プール
wifi | wifi wi_fi wlan 無線
parking | parking car_park parkplatz parkplatze stationnement aparcamiento estacionamento parcheggio 駐車
gym | gym fitness fitnessraum gimnasio academia palestra
balcony | balcony balkon balcon varanda
smoking | smoking smoke rauchen raucher fumeur* fumar
refund | refund refunds refundable refunded money_back reimburs* erstatt* erstattbar rembours* reembols* rimbors*
refund | 払い戻し 返金
gift | gift gift_wrapped gift_wrapping wrapped geschenk* verpackt cadeau regalo presente ギフト
fasting | fasting fast fasted must_fast empty_stomach sober nuchtern a_jeun ayunas jejum digiuno 空腹 絶食
video | video telehealth video_visit over_video online_visit videosprechstunde teleconsult* videoconsult* ビデオ
video | オンライン診療
online | online is_online held_online virtual remote_meeting en_ligne en_linea オンライン
!online | offline in_person on_site face_to_face vor_ort en_personne presencial*
remote | remote remotely works_remotely home from_home home_office zu_hause teletravail teletrabaj* a_distance
remote | domicile casa teletrabalho remoto 在宅 リモート
first_aid | first_aid first_aider ersthelfer* secouris* primeros_auxilios primeiros_socorros 応急
recurring | recurring recurs repeats repeat standing standing_order dauerauftrag wiederkehr* recurrent* permanent
recurring | recorrente periodic* 定期
escalated | escalate* escalation is_escalated gone_any_higher went_higher eskalier* escalad* escalat* エスカレ
alert | alert alerts alarm warning warnings warnung* alerte alerta* allerta 警報 アラート
autoscale | autoscal* auto_scaling scales_automatically scales_by_itself scale_by_itself scale_automatically skaliert
hazard | hazard* hazmat dangerous gefahrgut gefahrlich dangereu* peligros* perigos* pericolos* 危険物
cache | cache cached cache_hit
booking | booking reservation reservations booked_ahead book_ahead needs_booking reservation_required reserv* buch*
booking | vorab voranmeld* 予約
step_free | step_free wheelchair* accessible accessibility barrierefrei rollstuhl* stufenlos accessib* fauteuil
step_free | silla_de_ruedas cadeira_de_rodas sedia_a_rotelle 車椅子 バリアフリー
blocking | required_check blocks block blocking merge_blocking
takeaway | takeaway take_away takeout to_go food_to_go mitnehmen emporter para_llevar asporto テイクアウト
delivery_service | delivers_food food_delivery
vegan | vegan vegano vegane vegetalien*
vegetarian | vegetarian vegetarisch vegetarien* vegetarian* without_meat
organic | organic bio_quality biologisch
waterproof | waterproof water_resistant wasserdicht etanche impermeable impermeavel 防水
verified | verified verifiziert verifie verificad* 認証
active_flag | is_active
admin | admin administrator
premium | premium
encrypted | encrypted encryption verschlussel* chiffr* cifrad* criptograf*
public | public offentlich publique publico pubblico 公開
!public | private privat prive privado privato 非公開
archived | archived archiviert archive archivad* archiviat*
indoor | indoor indoors drinnen interieur interior
!indoor | outdoor outdoors draussen draußen exterieur
free_entry | free_of_charge free_entry gratis kostenlos gratuit* 無料
charging | charging charger ladestation* recharge
lift | lift elevator aufzug ascenseur ascensor elevador ascensore エレベーター
insured | insured insurance versichert* assure* asegurad* segurad* assicurat* 保険
signed | signed signature unterschrieben signe firmad* assinad* 署名
fragile | fragile zerbrechlich
overdue_flag | overdue
subscribed | subscribed subscription newsletter abonn*
meal | meal meals mahlzeit repas comida refeicao pasto 食事
"""
