"""Word lists for the rules by language, with months and weekdays; each is folded as the words it is compared with."""

from __future__ import annotations

from typing import Final

from trace_inspector.engine.grounding.text.folding import fold, folded_words


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(phrase.strip() for phrase in text.split(","))


# Words without a claim of their own. The last rows are words about the conversation itself.
STOP_WORDS: Final = folded_words("""
    a an the and or but nor so yet if then than that this these those there here it its he she they them their
    his her him we us our you your yours i me my mine is are was were be been being am do does did doing done
    has have had having can could will would shall should may might must of in on at by for with from to into
    onto over under about around between within near as out up down off per via all any each both some such
    only just also too very more most much many other another same what which who whom whose when where why how
    not no none never without cannot isn aren wasn weren don doesn didn won wouldn couldn shouldn hasn haven
    hadn ll ve re one ones

    der die das den dem des ein eine einen einem einer eines und oder aber wenn dann als dass dies diese dieser
    dieses es er sie wir ihr ihre ihnen uns unser ich mir mich mein du dein ist sind war waren sein wird werden
    wurde hat haben hatte kann konnen konnte muss mussen soll sollen darf im am an auf aus bei mit nach von vom
    vor zu zum zur uber unter um fur gegen durch ohne bis auch nur noch schon sehr mehr nicht kein keine keinen
    keiner nie hier da dort man

    le la les un une des du de et ou mais si que qui quoi ce cet cette ces il elle ils elles nous vous je tu on
    se son sa ses leur leurs votre vos notre nos mon ma mes est sont etait etaient etre ete avez ont avons
    avait dans sur sous par pour avec sans chez vers aux au en y ne pas plus tres aussi ici jamais aucun aucune

    el los las una unos unas y o pero si que quien cual este esta estos estas ese esa eso lo se su sus mi mis
    tu tus nos es son era eran ser estar esta estan fue hay ha han haber tiene tienen en con sin por para sobre
    entre desde hasta al del como mas muy tambien no nunca ningun ninguna aqui alli usted ustedes yo

    il lo gli uno dei delle della del nel nella con per tra fra ma che chi non sono e era ha hanno o os as um
    uma do da dos das no na nos nas com por sem sao foi ao e ou mas nao het een en van voor met op te niet geen
    zijn was er dat dit of maar ook и в на с по к у о от до за из не ни но а что это он она они мы вы я ты есть
    был была были быть для как так же ли или है हैं था थे थी हो का की के को में से पर और या यह वह ये वे इस उस
    एक आप हम मैं तुम भी ही तो कि जो नहीं ना मत लिए साथ في من على إلى عن مع هو هي هم هذا هذه ذلك التي الذي أن إن
    لا ليس لم لن ما كان كانت و أو ثم قد

    now currently already still again soon today away right
    true false null use uses used using write written make makes made take takes took call called base based run runs
    provide provides offer offers work works belong belongs llama heißt appelle
    found find finds finding show shows shown list lists listed result results option options following below
    above please thanks thank let know tell ask help helps want need like look looking search searched check
    checked see get got give given well sure okay ok yes
""")  # fmt: skip

GERMAN: Final = folded_words("""
    der die das den dem des am um auch nach wird kommt kann haben und ist nicht ein eine einen mit für auf im zum zur
    sie gibt sind bei von wir ich es hat
""")
ENGLISH: Final = folded_words("the and is are of to for with at it you your there has have this that")

NEGATIONS: Final = folded_words("""
    no not none never nothing nobody neither nor cannot  unavailable unable lacks lacking isn aren wasn
    weren don doesn didn won wouldn couldn shouldn hasn haven hadn nicht kein keine keinen keinem keiner keines
    nie niemals nichts  weder pas aucun aucune jamais  rien no ningun ninguna ninguno nunca jamas
    nada non nessun nessuna  mai nao nenhum nenhuma  niet geen nooit  не нет ни  никогда नहीं
    ना मत  न لا ليس ليست لم لن  غير false null
""")  # fmt: skip
# In scripts without spaces a negation is part of the run of characters.
JOINED_NEGATIONS: Final = (
    "ない",
    "ません",
    "なし",
    "なく",
    "ず、",
    "不",
    "没",
    "沒",
    "無い",
    "未",
    "없",
    "않",
    "아니",
    "ไม่",
)

# One word of a pair in the sentence, the other one in the evidence: the sentence contradicts it.
OPPOSITES: Final = (
    ("open", "closed"), ("available", "unavailable"), ("covered", "uncovered"), ("indoor", "outdoor"),
    ("included", "excluded"), ("allowed", "forbidden"), ("success", "failure"), ("succeeded", "failed"),
    ("refundable", "nonrefundable"), ("accepted", "rejected"), ("approved", "declined"), ("enabled", "disabled"),
    ("offen", "geschlossen"), ("geoffnet", "geschlossen"), ("verfugbar", "ausverkauft"), ("ouvert", "ferme"),
    ("abierto", "cerrado"), ("disponible", "agotado"),
)  # fmt: skip

# How far the evidence may be from a number with such a word: least and most, as multiples of the number.
_AROUND: Final = """
    about around approximately approx roughly circa ca some estimated close etwa ungefähr rund zirka environ autour
    quelque unos unas alrededor aproximadamente cerca circa quasi ongeveer около примерно लगभग करीब حوالي تقريبا
"""
_MORE: Final = """
    over more above exceeds exceeding least beyond plus mehr über mindestens dépasse más supera oltre più свыше более
    अधिक أكثر
"""
_LESS: Final = """
    nearly almost under less below fewer most knapp fast unter weniger höchstens presque moins casi menos quasi bijna
    почти менее कम أقل
"""
_BOUNDS: Final = {(0.9, 1.1): _AROUND, (1.0, 1.25): _MORE, (0.75, 1.0): _LESS}
HEDGES: Final = {word: bounds for bounds, words in _BOUNDS.items() for word in folded_words(words)}
JOINED_HEDGES: Final = {
    mark: bounds
    for bounds, marks in {
        (0.9, 1.1): "約 约 およそ ほど 程度 左右 大约 약 ประมาณ ~ ≈",
        (1.0, 1.25): "以上 超 ≥ >",
        (0.75, 1.0): "以下 未満 ≤ <",
    }.items()
    for mark in marks.split()
}

# Beginnings of sentences that greet, thank, offer, or comment on the answer itself.
PHRASES: Final = _phrases("""
    hello, hi, hey, good morning, good afternoon, good evening, welcome, thank, thanks, you're welcome,
    you are welcome, no problem, sure, of course, certainly, absolutely, great, perfect, got it, understood,
    okay, ok, alright, let me, let's, feel free, please, i can help, i can also, i'd be happy,
    i would be happy, i'm happy to, i am happy to, happy to, glad to, i hope, hope this, enjoy, have a great,
    have a nice, have a good, here are, here is, here's, below, i'll, i will, if you, would you, do you,
    i'm sorry, i am sorry, sorry, i apologize, apologies, my apologies, great question,
    good question, in summary, to summarize, take care, goodbye, bye,
    don't hesitate, safe travels, good luck, well done, congratulations, cheers, all the best, get well, happy new,
    happy birthday, bon voyage, bonne chance, bonne journée, bon courage, félicitations, gute reise, gute besserung,
    viel erfolg, viel glück, alles gute, schönen tag, gern geschehen, buen viaje, buena suerte, mucha suerte, suerte,
    felicidades, enhorabuena, boa viagem, boa sorte, parabéns, buon viaggio, buona fortuna, complimenti, auguri,
    お大事に, おめでとう, お疲れ, 祝, 恭喜, शुभकामनाएँ, बधाई, शाबाश,
    hallo, guten tag, guten morgen, danke, vielen dank, gern, gerne, bitte, natürlich,
    hier sind, hier ist, ich kann ihnen, ich helfe, lassen sie, wenn sie, falls sie, viel spaß, tut mir leid,
    entschuldigung, bonjour, bonsoir, merci, bien sûr, voici, je peux vous, n'hésitez, si vous, souhaitez-vous,
    con mucho gusto, será un placer, fico feliz, com prazer, gib mir, geben sie mir, sag mir, you may want,
    avec plaisir, désolé, je suis désolé, hola, buenos días, buenas tardes, gracias, claro, por supuesto,
    aquí tiene, aquí están, puedo ayudar, no dude, si desea, si quiere, lo siento, de nada, con gusto, ciao,
    grazie, certo, ecco, olá, obrigado, obrigada, dank, こんにちは, ありがとう, はい, かしこまり, お手伝い,
    ご不明, 申し訳, すみません, お気軽, もちろん, 以下, 承知, 你好, 您好, 谢谢, 当然, 好的, 以下是, 如果您, 请,
    抱歉, 안녕하세요, 감사합니다, नमस्ते, धन्यवाद, ज़रूर, कृपया, यहाँ, क्षमा, مرحبا, شكرا, بالطبع, إليك,
    من فضلك, สวัสดี, ขอบคุณ, здравствуйте, привет, спасибо, конечно, пожалуйста, вот
""")

# Words of a judgement or a guess, which records of figures cannot bear out.
JUDGEMENTS: Final = folded_words("""
    think believe recommend suggest maybe perhaps probably presumably likely unlikely seems seem appears worth good
    better best great nice ideal convenient comfortable easy easier fair reasonable impressive excellent solid bad
    worse worst poor unfortunate lucky disappointing should will feeling looks must enjoy
    acho vai denke glaube empfehle empfehlenswert vielleicht
    wahrscheinlich wohl vermutlich vernunftig gut besser beste ideal angenehm lohnt schlecht leider pense crois
    recommande peut-etre probablement sans doute bon bonne meilleur meilleure mieux agreable raisonnable vaut creo
    recomiendo quizas tal vez probablemente bueno buena mejor agradable razonable vale malo peor
    rather pretty quite fairly somewhat usually typically generally tends tend surely definitely hopefully obviously
    arguably bargain modest lovely charming cosy sensible wise smart tempting deserves deserve praise pity shame
    expect suspect wonder remarkable suspicious healthy unusual typical strange odd surprising surprisingly
    ziemlich recht eher meistens normalerweise sicherlich bestimmt hoffentlich erfahrungsgemaß schade typisch
    plutot assez generalement habituellement sûrement certainement esperons dommage devrait typique
    bastante suele suelen seguramente normalmente lastima deberia tipico interesante
    provavelmente talvez geralmente costuma certamente infelizmente deveria bom boa melhor parece
    piuttosto abbastanza solitamente probabilmente sicuramente purtroppo forse dovrebbe buono buona migliore sembra
""")
JOINED_JUDGEMENTS: Final = (
    "思います",
    "おすすめ",
    "でしょう",
    "かもしれ",
    "ようです",
    "良い",
    "いい",
    "बेहतर",
    "अच्छ",
    "おそらく",
    "たぶん",
    "でしょ",
    "はずです",
    "可能",
    "大概",
    "应该",
    "也许",
    "估计",
    "शायद",
    "लगता है",
    "आसानी से",
)
# How advice begins.
IMPERATIVES: Final = folded_words("""
    check fetch get show list use visit call go click try make remember note see bring ask update run review contact
    keep avoid look take book choose pick arrive allow plan verify ensure open read follow send reply type say add
    wait consider start stop tell speak talk watch leave hold save bear mind buy pay return replace restart retry
    rerun raise lower reduce increase switch turn set change drop skip put carry wear drink eat get order download
    upload install upgrade submit confirm double-check reach have be don't do better avoid
    prüfen nutzen besuchen rufen beachten achten planen vérifiez utilisez visitez appelez prenez consultez
    réservez pensez faites essayez envoyez demandez évitez contactez gardez apportez
    nehmen melden fragen denken versuchen schauen bringen buchen rufen kontaktieren warten achten geben lassen
    consulte use visite llame reserve revise recuerde pruebe lleve evite contacte espere tenga compre considere
    recomendo recomiendo sugiro sugiero conviene convém verifique experimente leve evite contate espere lembre
    controlli provi chiami porti ricordi consideri consiglio
""")
# Words of sentences about the conversation itself.
CONVERSATION: Final = folded_words("""
    i i'm we you your yours my our asked requested mentioned booked sent ich wir sie ihr ihre ihren ihrem ihnen
    du dein deine mein unser je j nous vous votre vos mon ma mes notre yo nosotros usted su sus mi mis tu he
    hemos io noi tuo suo eu nós seu sua ik wij uw я мы вы вас вам ваш ваша ваше मैं हम आप आपका आपकी आपके मेरा
    أنا نحن أنت
""")  # fmt: skip

# Words of sentences that repeat the user's request.
RESTATING: Final = folded_words("""
    asked requested mentioned wanted want looking need needed said told your yours request question wish prefer
    gefragt gesucht suchen möchten wünschen gewünscht ihr ihre ihren ihrem ihrer anfrage
    demandé cherchez souhaitez voulez votre vos demande pidió busca quiere desea su sus solicitud
    chiesto vostro pediu seu sua gevraagd uw просили ваш ваша ваше आपका आपकी आपके आपने طلبت
    ご希望 ご要望 您
""")

# How a user begins who asks for something instead of stating it.
REQUESTS: Final = folded_words("""
    find search show book get give tell list look check help please can could would will is are do does what which who
    where when how i'd want need suche such finde zeig zeige buche gib bitte kannst können gibt was welche wo wann wie
    cherche trouve montre réserve donne busca encuentra muestra reserva dame quiero necesito cerca trova mostra
    найди покажи खोजें दिखाओ ابحث
""")

# A claim about all, or about none, must be true of each.
_ALL: Final = """
    all every each both always everything alle jede jeder jedes beide tous toutes chaque todos todas cada ambos ambas
    все каждый सभी हर كل
"""
ALL_OF_THEM: Final = folded_words(_ALL)
BOTH: Final = folded_words("both beide beiden ambos ambas entrambi entrambe")
UNIVERSAL: Final = ALL_OF_THEM | folded_words("neither none keiner aucun ninguno ninguna")

CLAUSE_WORDS: Final = (
    "but",
    "however",
    "although",
    "while",
    "aber",
    "jedoch",
    "mais",
    "pero",
    "sino",
    "ma",
    "mas",
    "но",
    "लेकिन",
)


_MONTHS: Final = (
    "january jan januar jänner janvier enero gennaio janeiro januari января январь जनवरी يناير",
    "february feb februar février fév febrero febbraio fevereiro februari февраля февраль फरवरी फ़रवरी فبراير",
    "march mar märz mrz mars marzo março maart марта март मार्च مارس",
    "april apr avril abril aprile апреля апрель अप्रैल أبريل",
    "may mai mayo maggio maio mei мая май मई مايو",
    "june jun juni juin junio giugno junho июня июнь जून يونيو",
    "july jul juli juillet julio luglio julho июля июль जुलाई يوليو",
    "august aug août agosto augustus августа август अगस्त أغسطس",
    "september sep sept septembre septiembre settembre setembro сентября сентябрь सितंबर सितम्बर سبتمبر",
    "october oct oktober okt octobre octubre ottobre outubro октября октябрь अक्टूबर अक्तूबर أكتوبر",
    "november nov novembre noviembre novembro ноября ноябрь नवंबर नवम्बर نوفمبر",
    "december dec dezember dez décembre déc diciembre dicembre dezembro декабря декабрь दिसंबर दिसम्बर ديسمبر",
)
_WEEKDAYS: Final = (
    "monday mondays montag montags lundi lunes lunedì maandag понедельник सोमवार الاثنين",
    "tuesday tuesdays dienstag dienstags mardi martes martedì dinsdag вторник मंगलवार الثلاثاء",
    "wednesday wednesdays mittwoch mittwochs mercredi miércoles mercoledì woensdag среда среду बुधवार الأربعاء",
    "thursday thursdays donnerstag donnerstags jeudi jueves giovedì donderdag четверг गुरुवार الخميس",
    "friday fridays freitag freitags vendredi viernes venerdì vrijdag пятница пятницу शुक्रवार الجمعة",
    "saturday saturdays samstag samstags sonnabend samedi sábado sabato zaterdag суббота субботу शनिवार السبت",
    "sunday sundays sonntag sonntags dimanche domingo domenica zondag воскресенье रविवार الأحد",
)
# Only when written with a capital: "sat" and "sun" are words too.
_SHORT_WEEKDAYS: Final = ("Mon", "Tue Tues", "Wed", "Thu Thur Thurs", "Fri", "Sat", "Sun")
# Words in evidence for several days at once.
_DAY_GROUPS: Final = {
    "daily everyday täglich quotidien diario": (0, 1, 2, 3, 4, 5, 6),
    "weekday weekdays werktags wochentags": (0, 1, 2, 3, 4),
    "weekend weekends wochenende wochenenden": (5, 6),
}

MONTH_NAMES: Final = frozenset(name for names in _MONTHS for name in names.split())
MONTHS: Final = {fold(name): index + 1 for index, names in enumerate(_MONTHS) for name in names.split()}
WEEKDAYS: Final = {fold(name): index for index, names in enumerate(_WEEKDAYS) for name in names.split()}
SHORT_WEEKDAYS: Final = {name: index for index, names in enumerate(_SHORT_WEEKDAYS) for name in names.split()}
DAY_GROUPS: Final = {fold(name): days for names, days in _DAY_GROUPS.items() for name in names.split()}
CJK_WEEKDAYS: Final = {
    char: index for chars in ("月火水木金土日", "一二三四五六天") for index, char in enumerate(chars)
}
