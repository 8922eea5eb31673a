"""Months and weekdays by their names in several languages."""

from __future__ import annotations

from typing import Final

from trace_inspector.engine.grounding.text.folding import fold

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
