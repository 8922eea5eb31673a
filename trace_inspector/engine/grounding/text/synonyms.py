"""Words taken for each other, a line each: paraphrases, and the words of tool results in several languages.

The first word of a line is what all of them become. Answers are often in another language than the results, whose
keys are English; a line carries a key such as `price` over. Only words with one meaning in everyday results are here.
"""

from __future__ import annotations

from typing import Final

SYNONYMS: Final = """
    price cost charge fee fare preis kosten kostet prix coûte coût tarif precio cuesta coste costo prezzo
    price costa preço 価格 料金 値段 费用 价格 कीमत किराया दाम
    spot space stall
    start begin beginnen beginnt commence débute empieza comienza inicio début 開始 开始 शुरू
    end finish endet termina termine acaba fin ende 終了 结束 समाप्त
    arrival arrive land ankunft arrivée llegada llega arrivo 到着 到达 आगमन
    departure depart leave abflug abfahrt départ salida sale partenza 出発 出发 प्रस्थान
    ship dispatch send sent versandt verschickt expédié envoyé enviado spedito 発送 出荷 发货
    delivery deliver delivered geliefert zugestellt lieferung livré livraison entregado entrega consegna
    delivery 配達 配送 配送済 डिलीवरी
    purchase buy bought gekauft achat acheté comprado compra 購入
    booking book reservation reserve reserviert buchung gebucht réservation réservé reserva reservado
    booking prenotazione 予約 预订 बुकिंग
    cancel cancellation cancelled storniert abgesagt annulé annulée annulation cancelado cancelada annullato
    cancel キャンセル 取消 रद्द
    large big largest biggest groß größte grand grande größer
    small little klein kleinste petit petite pequeño piccolo
    cheap inexpensive cheapest günstig günstigste billig billigste barato moins
    expensive dear teuer teuerste cher chère caro costoso
    guest visitor gäste gast invité huésped invitado ospite
    people person persons personen personne personnes personas attendee participant teilnehmer asistentes 人
    people लोग
    shop store laden magasin tienda negozio 店
    car vehicle auto wagen voiture coche macchina
    phone telephone telefon téléphone teléfono 電話
    population resident inhabitant einwohner habitant habitante
    film movie película
    refund reimburse erstattet rückerstattung remboursé remboursement reembolso reembolsado 返金 退款 वापसी
    floor level storey etage stock stockwerk étage piso 階
    contain include enthält enthalten inclus incluye incluido
    confirmation confirm confirmed bestätigt bestätigung confirmé confirmée confirmado confirmada confermato
    confirmation 確認 确认 पुष्टि
    picture photo image
    weight weigh gewicht wiegt poids pèse peso pesa 重量 重さ वजन
    humidity humid luftfeuchtigkeit humidité humedad 湿度 नमी
    rain rainy raining regen regnet pluie pleut lluvia llueve pioggia 雨 बारिश
    cloud cloudy overcast bewölkt wolken bedeckt nuageux nublado nuvoloso 曇り 多云 बादल
    sun sunny sonnig sonne ensoleillé soleil soleado sole 晴れ 晴 धूप
    fog foggy mist neblig nebel brouillard brume niebla nebbia 霧 雾 कोहरा
    snow snowy snowing schnee schneit neige nieve neve 雪 बर्फ
    wind windy windig vent viento vento 風 हवा
    storm stormy thunderstorm gewitter sturm orage tormenta 嵐
    temperature temp temperatur température temperatura 気温 温度 तापमान
    sunrise sonnenaufgang amanecer 日の出
    sunset sonnenuntergang atardecer 日没 日の入り सूर्यास्त
    street st
    avenue ave
    road rd
    address located location adresse dirección ort lieu standort lugar 場所 住所 जगह
    delay delayed late verspätet verspätung retard retardé retraso retrasado ritardo 遅延 遅れ 延误 देरी
    cheque check
    fail failed failure failing fehlgeschlagen gescheitert scheitert échoué échec échoue falló fallado fallo
    fail fallito 失敗 失败 विफल
    success succeed succeeded successful passed erfolgreich réussi réussie exitoso éxito bestanden 成功 सफल
    error fehler erreur errore エラー 错误 त्रुटि
    warn warning warnung avertissement advertencia 警告 चेतावनी
    run lauf läuft running exécution ejecución 実行
    test tests prueba テスト
    build builds ビルド
    branch ref zweig branche rama ブランチ
    author autor auteur autore 作成者 作者 लेखक
    customer client kunde kundin cliente 顧客 客户 ग्राहक
    order bestellung commande pedido ordine 注文 订单 ऑर्डर
    item article product artikel produkt produit artículo producto articolo 商品 品目 वस्तु
    stock inventory lager bestand lagerbestand existencias inventario magazzino 在庫 库存 स्टॉक
    quantity amount menge anzahl quantité cantidad stück unidades units 数量 मात्रा
    total sum gesamt summe insgesamt somme totale suma 合計 总计 कुल
    average mean durchschnitt schnitt durchschnittlich moyenne moyen promedio media 平均 औसत
    account konto compte cuenta conto 口座 账户 खाता
    balance kontostand saldo solde 残高 余额 शेष
    payment pay paid zahlung bezahlt paiement payé pago pagado pagamento 支払 支払い 付款 भुगतान
    transfer überweisung überwiesen virement transferencia transferido 振込
    invoice bill rechnung facture factura fattura 請求書 请求 बिल
    card karte carte tarjeta カード कार्ड
    category kategorie catégorie categoría カテゴリ श्रेणी
    room zimmer raum chambre salle habitación sala camera 部屋 会議室 कमरा
    night nights nacht nächte nuit nuits noche noches notte 泊 रात
    breakfast frühstück déjeuner desayuno colazione 朝食 नाश्ता
    rating rated bewertung note évaluation calificación valoración 評価 评分 रेटिंग
    flight flug vol vuelo volo 便 フライト 航班 उड़ान
    gate flugsteig porte puerta ゲート गेट
    seat sitz sitzplatz platz siège asiento posto 座席 席 सीट
    terminal ターミナル
    meeting event termin besprechung réunion reunión riunione 会議 ミーティング बैठक
    appointment rendez-vous cita appuntamento 予約
    doctor dr physician arzt ärztin médecin docteur médico medico 医師 医生 डॉक्टर
    patient patientin paciente paziente 患者 मरीज
    fast fasting nüchtern jeun ayunas 絶食
    wait waiting wartezeit warten attente espera attesa 待ち 待ち時間 प्रतीक्षा
    online video virtual ligne línea オンライン ऑनलाइन
    organizer organised organiser host organisiert veranstaltet organisé organizado organiza 主催
    accept accepted zugesagt angenommen accepté acceptée aceptado aceptada 承諾 स्वीकार
    decline declined rejected refused abgelehnt abgesagt refusé refusée rechazado rechazada 辞退 拒否 अस्वीकार
    pending awaiting ausstehend offen attente pendiente 保留 लंबित
    open opened geöffnet ouvert ouverte abierto abierta aperto 営業 開いて खुला
    closed close geschlossen fermé fermée cerrado cerrada chiuso 閉店 閉まって बंद
    available free verfügbar frei disponible libre disponibile 利用可能 空き 可用 उपलब्ध
    unavailable ausverkauft épuisé agotado esaurito 売り切れ
    danger dangerous hazmat hazardous gefahrgut gefährlich dangereux dangereuse peligroso peligrosa 危険物
    danger खतरनाक
    gift geschenk cadeau regalo ギフト उपहार
    wrap wrapped verpackt emballé envuelto 包装
    duration length takes took dauer dauert durée dure duración dura 所要 所要時間 अवधि
    date datum fecha data 日付 तारीख
    time uhrzeit heure hora ora 時刻 時間 समय
    day tag jour día giorno 日 दिन
    month monat mois mes mese 月 महीना
    week woche semaine semana settimana 週 सप्ताह
    year jahr année año anno 年 साल
    high höchste hoch haut élevé alto höher 高い 最高
    low niedrig niedrigste tief bas faible bajo basso 低い 最低
    long longest längste lang länger longue largo larga lungo 長い 最長
    short shortest kürzeste kurz court courte corto corta 短い 最短
    new newest neu neueste nouveau nouvelle nuevo nueva nuovo 新しい 最新
    old oldest alt älteste ancien ancienne viejo antiguo vecchio 古い
    first erste premier première primero primera primo 最初 पहला
    last letzte dernier dernière último última ultimo 最後 अंतिम
    change changed geändert änderung changement modifié cambio cambiado cambiato 変更 बदलाव
    release version ausgabe versión バージョン
    file datei fichier archivo ファイル फ़ाइल
    line zeile ligne línea 行
    message nachricht mensaje messaggio メッセージ संदेश
    user nutzer benutzer utilisateur usuario utente ユーザー उपयोगकर्ता
    password passwort mot contraseña パスワード
    server serveur servidor サーバー
    deploy deployed deployment déployé desplegado デプロイ
    restart restarted neugestartet redémarré reiniciado 再起動
    retry retrying retries wiederholt réessaie reintento 再試行
    timeout zeitüberschreitung expiré タイムアウト
    replica replicas réplique réplica
    queue backlog warteschlange file cola キュー
    memory ram speicher mémoire memoria メモリ
    disk platte festplatte disque disco ディスク
    child children kinder kind enfant enfants niño niños bambini 子供 बच्चे
    dog dogs hund hunde chien perro cane 犬 कुत्ता
    cat cats katze katzen gato gatto 猫 बिल्ली
    pet pets haustier haustiere animal mascota ペット
    parking parkplatz stellplatz stationnement aparcamiento estacionamiento 駐車場 पार्किंग
    lift elevator aufzug ascenseur ascensor ascensore エレベーター
    pool schwimmbad piscine piscina プール
    alcohol alkohol alcool アルコール
    tablet pill tablette comprimé comprimido 錠
    food meal essen mahlzeit repas comida 食事
    dose dosage dosis 用量
    side nebenwirkung secondaire secundario 副作用
    return returned rückgabe zurückgeben retour retourner devolución devolver 返品 返送 वापस
    warranty guarantee garantie garantía 保証 वारंटी
    discount rabatt ermäßigung remise réduction descuento sconto 割引 छूट
    address anschrift
    country land pays país paese 国 देश
    city stadt ville ciudad città 都市 शहर
    train zug tren treno 電車 ट्रेन
    ticket fahrkarte billet boleto biglietto 切符 टिकट
    employee staff mitarbeiter employé empleado 社員 कर्मचारी
    salary wage gehalt lohn salaire salario sueldo 給与 वेतन
    manager boss chef leiter responsable jefe gerente マネージャー
    team équipe equipo チーム टीम
    task aufgabe tâche tarea タスク कार्य
    done finished completed complete erledigt abgeschlossen fertig terminé achevé terminado completado hecho
    done 完了 पूरा
    active aktiv actif active activo 有効 सक्रिय
    disabled inactive deaktiviert désactivé desactivado 無効
    required mandatory pflicht erforderlich obligatoire requis obligatorio requerido 必須 必要 आवश्यक
"""
