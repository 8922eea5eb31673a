"""Events of logs in words: "rolled out build 7" is what a log calls "deployed build 7"."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from trace_inspector.engine.grounding.lexicon.concepts import Lexicon
from trace_inspector.engine.grounding.text.folding import fold_text
from trace_inspector.engine.grounding.text.words import find_words

_EVENTS: Final = """
    disk | disk* disque* festplatt* platte disco* ディスク डिस्क
    queue | queue* backlog warteschlange* file_d_attente cola fila キュー
    certificate | certificate* cert zertifikat* certificat* certificado* 証明書
    expiry | expir* runs_out run_out lauft_ab ablauf* caduc* venc*
    health_check | health_check* gesundheitsprufung* controle*_de_sante healthcheck*
    memory | out_of_memory lack_of_memory ran_out_of_memory oom speichermangel memoire memoria memory
    retry | retr* tried_again attempt* versuch* tentativ* reintent* reessa*
    checksum | checksum* corrupt* mismatch prufsumme* somme_de_controle
    deploy | deploy* rolled_out roll_out went_out rollout ausgerollt* desplegad* implantad* deploi*
    scale | scaled scaling replicas now_had skaliert*
    restart | restart* neugestart* neustart* redemarr* reinici* 再起動
    denied | denied refused permission not_allowed verweigert* refus* denegad* negad*
    rollback | rollback rolling_back rolled_back roll_back retour_en_arriere zuruckgerollt*
    migration | migration* migracion migracao
    start | started starting launched gestartet* lance* iniciad*
    stop | stopped shut_down stopping gestoppt* arrete* detenid*
    timeout | timeout* timed_out time-out zeituberschreitung* delai_depasse
    connection | connect* connection* verbindung* connexion conexion conexao
    login | login logged_in log_in sign* signed_in angemeldet* connecte* sesion
    backup | backup* sicherung* sauvegarde* copia_de_seguridad
    payment | payment* paid zahlung* paiement* pago* pagamento*
    email | email* e-mail* mail mails sent_mail
    cache_event | cache* evict*
    request | request* anfrage* requete* peticion* requisicao
    upload | upload* hochgeladen* televers* subid*
    download | download* heruntergeladen* telecharg* descarg*
    scheduled | scheduled planned geplant* planifie* programad* agendad*
    created | created creating angelegt* erstellt* cree* cread* criad*
    deleted | deleted removed purged geloscht* supprime* eliminad* apagad*
    moved | moved transferred migrated verschoben* deplace* movid*
    lock | lock locked unlocked gesperrt* verrouille* bloquead*
    rate_limit | rate_limit* throttl* too_many_requests gedrosselt*
    failed | fail* fehlgeschlagen* echou* fallid* falho* 失敗
    passed | passed succeed* success* healthy bestanden reussi* passe* 成功
    recovered | recover* erhol* retabli* recuper* wiederhergestellt*
    finished | finished completed complete done abgeschlossen* termine* fini* complet* applied
"""
_LEXICON: Final = Lexicon(_EVENTS)
# Events that other events have too: a check that failed, a migration that finished.
OUTCOMES: Final = frozenset({"failed", "passed", "finished", "start", "stop"})
# Names of machines, whose words are no events: edge-14, eu-west-2a, cache-01.
_CODE: Final = re.compile(r"[a-z]+(?:-[a-z]+)*-[a-z]?\d+[a-z]?")


@lru_cache(maxsize=1 << 12)
def events_in(text: str) -> frozenset[str]:
    """The events that a message or a sentence is about, without the names of machines in it."""
    folded = _CODE.sub(" ", fold_text(text))
    return _LEXICON.concepts(find_words(folded), folded)
