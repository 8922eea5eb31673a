"""States of things in words of several languages: what a result calls SHIPPED is "sent", "versandt" or "expédié".

A line has the families of a state, its name and its words. Two states of one family exclude each other, unless `ALSO`
says that one is true wherever the other one is.
"""

from __future__ import annotations

from typing import Final

STATE_WORDS: Final = """
order,payment,deal : pending | pending awaiting awaits waiting_for ausstehend* en_attente pendiente* pendente*
order,payment,deal : pending | in_sospeso 保留中 未処理
order,payment : unpaid | pending_payment awaiting_payment unpaid unbezahlt zahlung_offen attente_de_paiement impaye*
order,payment : unpaid | pendiente_de_pago aguarda_pagamento aguardando_pagamento pagamento_pendente 未払い
order,payment : unpaid | 支払い待ち 入金待ち
order : processing | processing packing packed being_prepared bearbeitung preparation preparacion procesando
order : processing | processamento lavorazione 処理中 準備中
order : shipped | shipped sent dispatched in_transit on_its_way on_the_way out_for_delivery left_the_warehouse
order : shipped | versandt versendet verschickt unterwegs expediee expedie* enviado enviada enviados ha_salido
order : shipped | a_caminho foi_enviad* spedit* 発送済み 発送され 出荷済み 配送中
order : delivered | delivered arrived received handed_over zugestellt geliefert angekommen eingetroffen a_ete_livre
order : delivered | est_livre livree livrees entregado entregada entrego entregados entregue* consegnat* 配達済み
order : delivered | 配達され 届きました 届いて
order : returned | returned sent_back retourniert zuruckgeschickt zuruckgesendet retourne retournee renvoye* devuelto
order : returned | devuelta devolvid* restituit* 返品済み 返品され
order,flight,ticket,ci,appointment,event,booking,subscription : cancelled | cancelled canceled cancelled_by*
order,flight,ticket,ci,appointment,event,booking,subscription : cancelled | called_off scrapped annulled storniert*
order,flight,ticket,ci,appointment,event,booking,subscription : cancelled | abgesagt gestrichen annulliert annule*
order,flight,ticket,ci,appointment,event,booking,subscription : cancelled | cancelado* cancelada* anulad* cancelou
order,flight,ticket,ci,appointment,event,booking,subscription : cancelled | annullat* キャンセル 欠航 中止 取り消
order,flight,ticket,ci,appointment,event,booking,subscription : cancelled | fallt_aus fallen_aus ausgefallen entfallt
order,flight,ticket,ci,appointment,event,booking,subscription : cancelled | fallt_leider_aus fallt_heute_aus
order,flight,ticket,ci,appointment,event,booking,subscription : cancelled | supprime supprimee suspendid* suprimid*
order,flight,ticket,ci,appointment,event,booking,subscription : cancelled | soppress*
order,ticket,ci : on_hold | on_hold paused held_back zuruckgestellt en_pause en_espera em_espera sospes* 一時停止
payment : settled | settled cleared paid_in_full gebucht verbucht abgeschlossen regle reglee liquidad* compensad*
payment : settled | saldat* 決済済み 精算済み
payment,invoice : paid | paid bezahlt paye payee payes pagado pagada pago paga pagat* 支払い済み 支払済み
payment : refunded | refunded reimbursed money_back came_back erstattet zuruckerstattet ruckerstattet rembourse
payment : refunded | remboursee reembolsad* estornad* devuelt* rimborsat* 返金済み 返金され 払い戻され
payment,review,deal,application : rejected | rejected turned_down denied bounced abgelehnt zuruckgewiesen rejete*
payment,review,deal,application : rejected | refuse refusee rechazad* rejeitad* recusad* rifiutat* respint* 拒否 却下
payment : disputed | disputed contested charged_back beanstandet conteste* disputad* contestad*
invoice : overdue | overdue past_due uberfallig en_retard_de_paiement vencid* scadut* 延滞
flight : scheduled | scheduled geplant planmassig programme programad* programmat* 予定通り
flight : on_time | on_time on_schedule punctual as_planned punktlich a_l_heure a_heure a_tiempo puntual en_hora
flight : on_time | no_horario pontual in_orario puntuale 定刻 時間通り
flight : boarding | boarding now_boarding einsteigen boarding_lauft embarquement embarcando embarque imbarco 搭乗中
flight : delayed | delayed late behind_schedule running_late verspatet verspatung retarde* en_retard du_retard
flight : delayed | retrasad* retraso lleva_retraso atrasad* atraso in_ritardo ritardo 遅延 遅れ
flight : departed | departed taken_off left_already gestartet abgeflogen decolle parti despego decolou partit*
flight : departed | 出発済み 離陸
flight : landed | landed touched_down gelandet atterri aterrizo aterrizado pousou atterrat* 着陸済み 着陸し
flight : diverted | diverted rerouted umgeleitet deroute* desviad* dirottat*
ticket,door,incident : open | open unresolved unsolved outstanding offen ungelost ouvert ouverte ouverts abierto
ticket,door,incident : open | abierta abiertos abiertas aberto aberta abertos apert* 未解決 オープン 未対応
ticket,ci : in_progress | in_progress being_worked_on working_on_it under_way underway ongoing in_bearbeitung
ticket,ci : in_progress | en_cours en_curso em_andamento in_corso 対応中 進行中 作業中
ticket : waiting_on_customer | waiting_on_customer waiting_for_the_customer waits_for_the_customer customer's_court
ticket : waiting_on_customer | customer_s_court pending_customer wartet_auf_den_kunden wartet_auf_kund*
ticket : waiting_on_customer | attente_du_client attend_le_client espera_del_cliente esperando_al_cliente
ticket : waiting_on_customer | espera_al_cliente aguarda_o_cliente aguardando_o_cliente attesa_del_cliente 顧客待ち
ticket : waiting_on_customer | お客様の返答待ち お客様待ち
ticket,incident : resolved | resolved solved fixed done gelost behoben erledigt resolu resolue resolus corrige
ticket,incident : resolved | resuelto resuelta solucionad* resolvid* risolt* 解決済み 解決し 解決され
ticket,door,incident : closed | closed shut geschlossen ferme fermee cerrado cerrada fechado fechada chius* クローズ
ticket,door,incident : closed | 閉まって 閉鎖
ticket : reopened | reopened open_again wiedereroffnet wieder_offen rouvert* reabiert* reabert* riapert* 再オープン
ticket : reopened | 再開
ci,job,payment : success | success successful succeeded passed passing green went_through completed_successfully
ci,job,payment : success | erfolgreich grun bestanden durchgelaufen reussi* succes vert verte exitos* con_exito paso
ci,job,payment : success | pasaron passou passaram sucesso verde riuscit* successo 成功 合格 通りました
ci,job,payment : failure | failure failed fails broke broken red unsuccessful fehlgeschlagen gescheitert rot echoue*
ci,job,payment : failure | echec fallo fallaron fallido fallida falhou falharam falha vermelho fallit* rosso 失敗
ci,job,payment : failure | 落ちました
ci,job : skipped | skipped omitted left_out ubersprungen ignore ignoree saute omitid* omitio pulado pulada pulou
ci,job : skipped | saltat* スキップ
ci,job : running | running still_running still_going lauft laufend tourne tourne_encore en_ejecucion corriendo
ci,job : running | rodando executando in_esecuzione 実行中
ci,job : queued | queued in_the_queue waiting_to_start wartet_in warteschlange en_file en_cola na_fila in_coda 待機中
ci,job : queued | キュー
ci,job : timed_out | timed_out timeout zeituberschreitung delai_depasse タイムアウト
appointment,booking,event : confirmed | confirmed fixed_booking bestatigt confirme confirmee confirmes confirmado
appointment,booking,event : confirmed | confirmada confirmad* confermat* 確定 確認済み
appointment,booking : waitlisted | waitlisted waiting_list waitlist wait_list on_the_waitlist warteliste
appointment,booking : waitlisted | liste_d_attente lista_de_espera lista_d_attesa キャンセル待ち ウェイトリスト
appointment,job : completed | completed finished taken_place concluded abgeschlossen beendet est_termine a_termine
appointment,job : completed | terminee completad* concluid* terminad* completat* 完了
appointment : no_show | no_show did_not_turn_up nicht_erschienen
response : accepted | accepted said_yes agreed angenommen zugesagt accepte acceptee acceptees acceptes aceptad*
response : accepted | aceit* accettat* 承諾 出席予定 参加予定
response : declined | declined said_no turned_down abgelehnt abgesagt_haben refuse refusee refusees decline declinee
response : declined | rechazad* declinad* recusad* rifiutat* 辞退 欠席
response : tentative | tentative tentatively maybe provisional vorlaufig unter_vorbehalt provisoire provisori*
response : tentative | tentativ* 仮 未定
response : needs_action | needs_action need_an_answer needs_an_answer no_answer_yet not_answered needs_a_reply
response : needs_action | unanswered unbeantwortet sans_reponse attend_encore_votre_reponse sin_respuesta
response : needs_action | sem_resposta senza_risposta 未回答 返信待ち
staff,lifecycle,subscription : active | active in_active_service currently_working in_the_range aktiv im_sortiment
staff,lifecycle,subscription : active | actif en_activite activo activa ativo ativa attivo attiva 有効 在籍 稼働中
staff : on_leave | on_leave on_holiday away_on_leave is_away beurlaubt freigestellt en_conge de_permiso de_licencia
staff : on_leave | de_vacaciones de_licenca in_congedo in_permesso 休職中 休暇中
staff : parental_leave | parental_leave maternity_leave paternity_leave looking_after_a_baby after_a_baby elternzeit
staff : parental_leave | mutterschutz conge_parental conge_maternite permiso_parental baja_maternal licenca_parental
staff : parental_leave | licenca_maternidade congedo_parentale 育児休業 育休
staff : notice_period | notice_period serving_notice working_notice gekundigt kundigungsfrist preavis
staff : notice_period | periodo_de_preaviso preaviso aviso_previo preavviso 退職予定
staff : terminated | terminated left_the_company dismissed ausgeschieden entlassen parti_de_l_entreprise despedid*
staff : terminated | demitid* licenziat* 退職済み
staff : probation | probation probation_period probezeit periode_d_essai periodo_de_prueba periodo_de_experiencia
staff : probation | in_prova 試用期間
sky : clear | clear sunny sunshine cloudless sonnig klar heiter ensoleille* clair degage soleado despejado despejad*
sky : clear | ensolarado limpo sereno soleggiat* 晴れ 快晴
sky : overcast | overcast cloudy clouded grey_sky bewolkt bedeckt couvert nuageux nublado cubierto encoberto nuvoloso
sky : overcast | coperto 曇り くもり 曇って
sky : rain | rain rains raining rainy wet drizzle regen regnet regnerisch pluie pleut pluvieux lluvia llueve lluvioso
sky : rain | lloviendo chuva chove chuvoso chovendo pioggia piove piovoso 雨
sky : snow | snow snows snowing snowy schnee schneit neige nieve nieva nevando neve nevica 雪
sky : fog | fog foggy mist misty neblig nebel brouillard brumeux niebla neblina nevoeiro nebbia 霧
sky : storm | storm stormy thunderstorm thunder gewitter sturm sturmisch orage orageux tormenta tempestade trovoada
sky : storm | temporale 雷雨 嵐
health : up | up healthy operational running_normally gesund in_betrieb operationnel operativ* saudavel 正常
health : degraded | degraded impaired struggling eingeschrankt beeintrachtigt degrade degradad* degradat* 低下
health : down | down offline unreachable outage ausgefallen en_panne hors_service caido caida fora_do_ar inattivo
health : down | 停止中 ダウン
lifecycle : discontinued | discontinued no_longer_made no_longer_sold phased_out out_of_the_range eingestellt
lifecycle : discontinued | ausgelaufen arrete* abandonne* retire_de_la_vente descatalogad* descontinuad*
lifecycle : discontinued | fuori_produzione 廃番 生産終了 販売終了
lifecycle : backordered | backordered back_order on_back_order nachbestellt im_ruckstand lieferruckstand
lifecycle : backordered | rupture_commande pedido_pendiente sob_encomenda 取り寄せ 入荷待ち
lifecycle : quarantined | quarantined quarantine in_quarantine quarantane quarantaine cuarentena quarentena
lifecycle : quarantined | quarantena 隔離
stock : in_stock | in_stock available auf_lager vorratig en_stock disponible disponibles en_existencia em_estoque
stock : in_stock | disponivel disponibil* 在庫あり
stock : out_of_stock | out_of_stock sold_out run_out unavailable ausverkauft nicht_vorratig epuise* en_rupture
stock : out_of_stock | agotad* esgotad* esaurit* 在庫切れ 売り切れ
mode : instant | instant instantly immediately right_away sofort instantan* immediat* al_instante inmediat* na_hora
mode : instant | imediat* subito 即時 すぐに
mode : on_request | on_request upon_request has_to_approve auf_anfrage sur_demande bajo_peticion a_peticion
mode : on_request | sob_consulta su_richiesta リクエスト
mode : members_only | members_only only_takes_members limited_to_members reserved_for_members nur_fur_mitglieder
mode : members_only | mitgliedern reserve_aux_membres aux_membres solo_para_miembros solo_miembros a_socios
mode : members_only | exclusivo_para_membros so_para_membros 会員限定 会員専用
surface : paved | paved asphalt* gepflastert befestigt goudronne* pavee pavimentad* asfaltad* 舗装
surface : gravel | gravel schotter kies gravier grava cascalho ghiaia 砂利
surface : sand | sand sandy sandig sable arena areia sabbia 砂の
surface : dirt | dirt unpaved erdweg terre tierra terra 未舗装
priority : low | low niedrig* geringe basse faible baja baixa bassa 低い
priority : normal | normal ordinary normale
priority : medium | medium moderate mittel* mittler* moyenne media média
priority : high | high hoch hohe haute elevee alta 高い
priority : urgent | urgent critical critique top_priority most_urgent dringend* kritisch* urgente critic* critica
priority : urgent | 緊急 最優先
access : enabled | is_on are_on enabled switched_on turned_on eingeschaltet aktiviert active_e activad* ligad*
access : enabled | ativad* abilitat* オン
access : disabled | is_off are_off was_off disabled switched_off turned_off ausgeschaltet deaktiviert desactive*
access : disabled | desactivad* desligad* desativad* disabilitat* オフ
review : approved | approved signed_off genehmigt freigegeben approuve* aprobad* aprovad* approvat* 承認
review : in_review | in_review under_review being_reviewed in_prufung en_revision em_analise in_revisione 審査中
text : draft | draft drafted entwurf brouillon borrador rascunho bozza 下書き
text : published | published veroffentlicht publie* publicad* pubblicat* 公開中
text : archived | archived archiviert archive archivee archivad* archiviat*
subscription : trial | trial on_trial testphase essai de_prueba em_teste in_prova 試用
subscription,lifecycle : expired | expired lapsed ran_out abgelaufen expire expiree caducad* vencid* expirad* scadut*
subscription,lifecycle : expired | 期限切れ 失効
use : available | available free vacant frei verfugbar libre libres disponible livre livres disponivel libero libera
use : available | 空き 利用可能
use : occupied | occupied taken in_use besetzt belegt occupe occupee ocupad* occupat* 使用中 満室
use : maintenance | maintenance under_maintenance being_serviced wartung en_maintenance mantenimiento manutencao
use : maintenance | manutenzione メンテナンス
deal : won | won gewonnen gagne ganad* ganho vinto
deal : lost | lost verloren perdu perdid* perso
ease : easy | easy leicht facile facil 簡単
ease : hard | hard difficult strenuous schwer schwierig difficile dificil 難しい
"""

# A state, and the states that are true with it.
ALSO: Final = {
    "delivered": ("shipped", "paid"),
    "returned": ("shipped", "delivered", "paid"),
    "shipped": ("paid", "processing"),
    "closed": ("resolved",),
    "resolved": ("closed",),
    "reopened": ("open",),
    "in_progress": ("open",),
    "waiting_on_customer": ("open", "pending", "on_hold", "in_progress"),
    "open": ("reopened", "in_progress", "waiting_on_customer", "pending"),
    "on_hold": ("open", "pending"),
    "parental_leave": ("on_leave", "active"),
    "on_leave": ("parental_leave", "active"),
    "notice_period": ("active",),
    "probation": ("active",),
    "settled": ("paid", "success"),
    "paid": ("settled", "success"),
    "refunded": ("paid", "settled", "success"),
    "unpaid": ("pending",),
    "pending": ("unpaid", "processing", "queued", "in_progress", "needs_action", "tentative", "in_review", "open"),
    "processing": ("pending", "paid"),
    "landed": ("departed", "on_time", "delayed"),
    "departed": ("on_time", "delayed"),
    "boarding": ("on_time", "scheduled"),
    "scheduled": ("on_time", "confirmed"),
    "on_time": ("scheduled", "boarding"),
    "delayed": ("scheduled",),
    "completed": ("confirmed", "success", "closed"),
    "queued": ("pending",),
    "timed_out": ("failure",),
    "failure": ("timed_out", "completed"),
    "success": ("completed", "paid", "settled"),
    "storm": ("rain", "overcast"),
    "rain": ("overcast",),
    "snow": ("overcast",),
    "urgent": ("high",),
    "high": ("urgent",),
    "medium": ("normal",),
    "normal": ("medium",),
    "backordered": ("active", "out_of_stock"),
    "discontinued": ("expired",),
    "trial": ("active",),
    "overdue": ("unpaid", "pending", "open"),
}
