"""Roots of the words that tell a secret, in some seventy languages, and of words for what only looks like one.

A root is lower-case and without the marks of Latin, Greek and Cyrillic letters; suffixes and compounds need no
row. “_” before or behind it is the beginning or end of a word, “-” within it a blank, a hyphen or nothing.
"""

from __future__ import annotations

import enum
import re
import unicodedata
from collections.abc import Iterable, Iterator

from msgspec import Struct


class Tells(enum.IntFlag):
    """What a word tells: which kinds of secrets may stand near it."""

    PASSWORD = 1
    CODE = 2  # digits, also in groups
    WEAK_CODE = 4  # digits, where it stands close by
    SHORT = 8  # three digits are enough
    KEY = 16  # words without order
    ANSWER = 32  # ordinary words
    LOCK = 64  # what digits open
    LOGIN = 128  # words that cannot be anything else than passwords
    NOTHING = 256  # what it tells is no secret


_ROOTS: dict[Tells, str] = {
    Tells.PASSWORD: """
        passw _psk_ break-glass passphras passfras pasword paswort passord passkode _pwd_ _pswd_ _pw_ _pass_
        _psw_ passwuert
        kennwort credential _creds_ zugangsdat logindat anmeldedat contrasen contrasin contrasign _la-contra_
        _mi-contra_ _clave_ _claves_ palavra-passe palavra-chave _senha mot-de-passe mots-de-passe _mdp_
        wachtwoord wagwoord _ww_ losenord _losen_ adgangskod salasan salason tunnussan lykilor adgangsor _hasl _heslo_
        _hesla_ _heslu_ _heslem_ _heslom_ _geslo_ _gesla_ _geslu_ _geslom_ lozink _sifre _sifra_ _sifru_ _parola
        _parole_ _parolei_ _parolu _paroli_ _parolo _paroly parool _parol_ _parolni jelsz slaptazod kata-sandi
        _sandi_ _sandinya_ kata-laluan kata-kunci mat-khau nenosiri _nywila pasahitz pasfhocal focal-faire
        fhocal-faire facal-faire fhacal-faire cyfrinair fjalekalim pasvort gronidl kalmar-sirri парол лозинк
        құпия-соз құпия-сөз сырсоз сырсөз нууц-уг нууц-үг _рамз серсуз серсүз пасворд пассворд κωδικ συνθηματικ
        գաղտնաբառ პაროლ كلمة-المرور كلمة-مرور كلمة-السر كلمه-السر كلمة-سر كلمه-المرور باسورد باسوورد گذرواژه
        رمز-عبور پسورد پاس-ورڈ پاسورڈ لفظ-اجازت تێپەڕەوشە پارول پاسورډ סיסמ पासवर्ड कूटशब्द गुप्तशब्द কূটশব্দ
        পাসওয়ার্ড கடவுச்சொல் பாஸ்வேர்ட் పాస్‌వర్డ్ పాస్వర్డ్ సంకేతపదం ಪಾಸ್‌ವರ್ಡ್ ಪಾಸ್ವರ್ಡ್ ಪ್ರವೇಶಪದ പാസ്‌വേഡ്
        പാസ്സ്‌വേഡ് രഹസ്യവാക്ക് પાસવર્ડ ਪਾਸਵਰਡ මුරපද รหัสผ่าน พาสเวิร์ด ពាក្យសម្ងាត់ ពាក្យសំងាត់ ລະຫັດ စကားဝှက်
        የይለፍ パスワード パスフレーズ パスは パスが 密码 密碼 口令 비밀번호 비번 암호 패스워드
    """,
    Tells.CODE: """
        _pin_ _pins_ pin-cod pin-kod pin-kood pin-num _pinul _pinu_ _pinem_ _pinom_ _pinet_ _pinen_ _pini _puk_
        geheimzahl geheimnummer passcode zugangscode kapukod turcode torcode haustur alarmcode sicherheitscode
        bestatigungscode freischaltcode entsperrcode door-code gate-code entry-code access-code alarm-code
        lock-code safe-code vault-code lockbox key-safe schlusselkasten schlusselsafe schlusselbox
        boite-a-cle digicod code-secret secret-code security-code unlock-code disarm duress
        panic-code verification-code confirmation-code login-code sign-in-code one-time-pass one-time-code
        one-time-pin onetime-code onetime-pass 授权码 授權碼 激活码 激活碼 兑换码 兌換碼 _otp _2fa_ _mfa_
        auth-code sms-code sms-kod einmalcode einmalkod setup-code pairing-code homekit tunnusluku tunnusluv _szyfr
        domofon домофон guard-code steam-guard tuercode key-box _recov_ recovery-codes toegangscode
        alarmkod larmkod portkod dorrkod dorkod code-d-acces dogrulama onay-kod
        autorizacni overovaci kod-weryf kod-do kod-pin kod-sms _пин_
        пин-код _пином_ _пина_ _пук_ الرقم-السري رقم-سري पिन
        ओटीपी পিন ওটিপি பின் రహస్య รหัส _ma-pin_ _ma-otp_ _ma-xac _ma-khoa _ma-mo_ _ma-cua_
        namba-ya-siri nomor-pin 暗証 パスコード 認証コード 確認コード 验证码 驗證碼
        动态码 校验码 取件码 인증번호 인증-번호 인증코드 핀번호 핀-번호
    """,
    Tells.PASSWORD | Tells.CODE: """
        opens-with unlocks-with unlocked-with opened-with offnet-mit abner-med oppnas-med
        s'ouvre-avec se-abre-con abre-com si-apre-con opent-met otwiera-si открывается host-key bind-phrase
        login-phrase seed-phrase recovery-phrase mnemonic rescue-code recovery-code backup-code
        wiederherstellungscode notfallcode ersatzcode
    """,
    Tells.WEAK_CODE: """
        code_ codes_ coden_ kod_ kody_ kodu_ kodem_ kodas_ kods_ kood_ koodi_ kodi_ kode_ koden_ kodet_ koder_
        kodes_ _cod_ _tan_ sms _ma-so_ _msimbo verification verifikation verificac verificaz weryfik верифик
        _codigo_ _codigos_ _codice_ バックアップ
        padlock vorhangeschloss cadenas candado lucchetto hangslot kłodk voicemail
        κωδικος_ κωδικο_ κωδικου_ _codul kodul kodja _koderne_ _код_ _кода_ _коду_ _кодом_ _кодов كود קוד कोड
        কোড _kode_ _kodenya_ コード 코드 _digits_ combination _combo_ kombinat combinaison combinac combinazion
        kombinac комбинац رمز
    """,
    Tells.LOCK: """
        door gate_ the-safe_ my-safe_ our-safe_ hotel-safe_ room-safe_ wall-safe_ gun-safe_ cabinet
        barrier unlock alarm _tur_ _ture_ _tor_ _porte_ puerta _porta_ cofre
        coffre caja-fuerte tresor kluis drzwi _sejf locker_ _lock_ _locks_ двер сейф ворот _ukse_ _uks_ _ovi_
        _oven_ _dorr _dor_ gerbang _khoa_ _pintu_ _cua_ _kapi _kasa _mlango דלת כספת باب خزنة दरवाज ประตู 金庫
        门 門 保险 도어 금고 _schloss_ замок hanglas
        keypad schliessfach 门禁 解锁 도어락 현관
    """,
    Tells.LOGIN: """
        log-in logs-in logged-in sign-in signed-in einlogg anmeld _connecte connexion entro-con iniciar-sesion
        inicio-sesion _accedo _accesso entrar-com _entro inlogg logga-in logge-ind logger-ind zalog logow войти
        вход захожу увійти _giris 登录 登入 ログイン 로그인 đăng-nhập zugang account_
    """,
    Tells.SHORT: """
        _cvv _cvc security-code sicherheitscode code-de-securite on-the-back de-atras au-dos a-tergo prufnummer
        prufziffer card-code cryptogramme kryptogram codigo-de-seguranca
        codigo-de-seguridad codice-di-sicurezza sakerhetskod turvakood guvenlik-kod セキュリティコード 安全码
    """,
    Tells.KEY: """
        key_ keys_ schlussel _cle_ _cles_ _clef_ _clave_ _llave chave_ _chiave sleutel nyckel _nogle nokkel
        avain avaimen kulcs _klic_ _klice_ _kluc klucz _kljuc _cheia_ _cheie raktas atsleg anahtar ключ κλειδι
        مفتاح کلید מפתח कुंजी กุญแจ _khoa_ kunci 密钥 密鑰 金鑰 鍵 キー 키 令牌 トークン 토큰 token_ tokens_
        tokenet_ токен _jeton secret segreto segredo geheim hemlig hemmelig _tajn _sekret секрет таємн gizli
        _seed_ bitlocker recover wiederherst recuper aterstall gjenoppr gendann odzysk obnov восстанов відновл
        kurtarma 恢复 復元 回復 복구 backup rescue emergency notfall secours ersatzcode _psk_ _wpa wifi wi-fi
        wlan webhook bearer _jwt_ _sess_ _sid_ _ltk_ _irk_ _csrk_ _pmk_ _kek_ _hmac_ _signer_ vault voucher
        gutschein gift-card gift-code cheque-cadeau tarjeta-regalo _coupon activation aktivier activac ativac
        активац 激活
    """,
    Tells.ANSWER: """
        verbal-code verbal-pass spoken-code telephone-pass code-word safe-word secret-word passphrase
        security-answer security-question maiden-name losungswort _losung_ codewort kodewort kennwort
        sicherheitsfrage sicherheitsantw madchenname geheimwort код-слов код-слов mot-secret mot-cle
        question-secrete reponse-secrete palabra-secreta palabra-clave pregunta-secreta pregunta-de-seguridad
        respuesta-secreta parola-d'ordine domanda-segreta domanda-di-sicurezza risposta-segreta palavra-secreta
        palavra-chave pergunta-secreta pergunta-de-seguranca resposta-secreta кодовое-слов кодового-слов
        кодовым-слов кодове-слов секретное-слов секретный-вопрос контрольное-слов контрольный-вопрос
        девичья-фамил девичью-фамил haslo-slowne tajne-haslo panienskie kodord kodeord kontrollfrag hemligt-ord
        hemmelig-ord geheime-vraag codewoord geheim-woord gizli-soru gizli-kelime guvenlik-sorusu kodove-slov
        tajne-slov κωδικη-λεξη μυστικη-λεξη كلمة-سرية السؤال-السري מילת-קוד שאלת-אבטחה 合言葉 秘密の質問 密保
        暗号 보안질문
    """,
}
# What stands nearer than a root and tells something else.
_OTHERS = """
        cache idempoten partition _sort_ dedup _zoom_ webinar _user username benutz usuari utilisateur gebruik
        uzytkow пользоват kullanic anvandar bruker_ brugernavn customer kunde _client _order bestell commande
        pedido _ordine zamow заказ siparis _ticket vorgang incident _serial seriennum model version versie wersj
        верси firmware _build_ release printer drucker imprimante impresora drukark _host _server servidor
        serwer сервер _ip_ address adresse direccion indirizzo _mac_ _port_ _ports_ _phone telefon telephone
        _tel_ handynum телефон account kontonum _konto_ invoice rechnung factur fattura waybill container
        meeting building gebaude street strasse channel _job_ letter_ loinc colour color _zip_ _plz_ postal
        postleit postcode area-code country-code status error fehler erreur ошибк _exit http _return_ _line_
        zeile _year _jahr _annee _room_ zimmer chambre habitac flight _flug _vol_ booking buchung reserv
        tracking sendung parcel _sku_ artikel article product produk produit promo discount rabatt _ids_ _id_
        ident uuid hash _sha _md5 commit digest checksum nonce public fingerprint policy barcode source-code
        zip-code language sprache currency population price _preis _prix_ precio euro dollar _usd_ _eur_ total_
        amount betrag montant importe kwota сумм цена рубл balance saldo mitglied versicher insurance _tax_
        _vat_ номер date_ _datum_ _time_ length minimum maximum at-least mindestens limit timeout last-four
        last-4 letzten-vier ending-in expires file_ datei fichier folder path_ _repo branch package librar
        module _class_ function method attribute variable column table_ endpoint chapter section _page_ seite
        example property-code _crc платеж payment paiement pago_ zahlung protokoll protocol 顧客 订单 訂單 注文
        端口 版本 型号 型番 バージョン モデル 주문 버전
        모델 사용자 用户 用戶 ユーザ
        _cell_ _cells_ _request_ _requests_ _pack_ inventar inventory inventario товар προιον προιοντ エラー 商品 产品
        產品 สินค้า 電話 电话 전화 المستخدم משתמש ผู้ใช้
    """
# Words in which roots stand that have nothing to do with them.
_WITHIN = re.compile(
    r"(?:en|de)cod|\.lock|pass[ _-]?rate|pass[ /]fail|xcode|codec|codebas|keyboard|keyword|keynote"
    r"|monkey|turkey|hockey|whiskey|donkey|jockey|keystone|opcode|unicode"
    r"|bytecode|geocode|shortcode|qrcode|vscode|leetcode|passwordless|tokeni[sz]|compass|bypass"
    r"|primary[ _-]key|foreign[ _-]key"
    r"|compasso|pinned|pinning|backup[_ -](?:file|dir|path)"
)
_UNMARKED = {"ø": "o", "ł": "l", "đ": "d", "ı": "i", "ß": "s", "æ": "a", "œ": "o", "þ": "t", "ð": "d", "ə": "a"}


class Teller(Struct, frozen=True):
    """A word that tells something, and where it stands."""

    start: int
    end: int
    tells: int


def _marks_off() -> dict[int, str]:
    """Letters with marks, and capitals, by what they are without: one for one, so that places stay as they are."""
    table = {}
    for code in (*range(0xC0, 0x250), *range(0x370, 0x530), *range(0x1E00, 0x2000)):
        char = chr(code)
        small = char.lower()[0]
        plain = _UNMARKED.get(small) or unicodedata.normalize("NFD", small)[0]
        if plain != char:
            table[code] = plain
    return table


_MARKS_OFF = _marks_off()


def folded(text: str) -> str:
    """In lower case and without marks, as long as before."""
    return (text if text.isascii() else text.translate(_MARKS_OFF)).lower()


_BLANK = r"[ _'’-]?"
_WORD_ENDS = r"(?![^\W\d_])"


def trie(words: Iterable[str]) -> str:
    """One pattern for many words, in which each character is read once and the longest counts."""
    branches: dict[str, list[str]] = {}
    ends = False
    for word in words:
        if word:
            branches.setdefault(word[0], []).append(word[1:])
        ends = ends or not word
    parts = [re.escape(first) + trie(rest) for first, rest in sorted(branches.items())]
    if ends:
        parts.append("")
    return parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})"


class _Roots:
    """The roots of a table as one pattern, and what each tells by its letters."""

    def __init__(self, table: Iterable[tuple[str, int]]) -> None:
        self._anywhere: dict[str, int] = {}
        self._at_start: dict[str, int] = {}
        roots = set()
        for row, tells in table:
            root = folded(row)
            known = self._at_start if root.startswith("_") else self._anywhere
            bare = _letters_of(root)
            known[bare] = known.get(bare, 0) | int(tells)
            roots.add(root.removeprefix("_"))
        self._pattern = re.compile(_spelled(trie(roots)))

    def found_in(self, low: str) -> Iterator[Teller]:
        """All of them in folded text, in order."""
        for match in self._pattern.finditer(low):
            start, end = match.span()
            tells = self._told_by(_letters_of(match[0]), not (start and low[start - 1].isalpha()))
            if tells and not _WITHIN.search(low, max(0, start - 8), end + 8):
                yield Teller(start, end, tells)

    def _told_by(self, bare: str, at_start: bool) -> int:
        """What a root tells, and the shorter ones that it begins with."""
        tells = 0
        for length in range(2, len(bare) + 1):
            tells |= self._anywhere.get(bare[:length], 0) if length == len(bare) or length > 4 else 0
            if at_start and (length == len(bare) or length > 4):
                tells |= self._at_start.get(bare[:length], 0)
        return tells


def _spelled(pattern: str) -> str:
    """The pattern of roots, with what stands between their words and behind the last."""
    return re.sub(r"\\-|'|_", lambda sign: _WORD_ENDS if sign[0] == "_" else _BLANK, pattern)


def _letters_of(written: str) -> str:
    """A root without what may stand between its words."""
    return written.translate(_NO_BLANKS)


_NO_BLANKS = dict.fromkeys(map(ord, " _'’-"))
_SECRETS = _Roots((row, tells) for tells, rows in _ROOTS.items() for row in rows.split())
_ORDINARY = _Roots((row, Tells.NOTHING) for row in _OTHERS.split())


def tellers_in(low: str, *, always: bool = False) -> list[Teller]:
    """What tells anything in folded text, in order; `always` also where nothing tells a secret."""
    secrets = list(_SECRETS.found_in(low))
    return sorted((*secrets, *_ORDINARY.found_in(low)), key=_place) if secrets or always else []


def _place(teller: Teller) -> tuple[int, int]:
    return teller.start, teller.end
