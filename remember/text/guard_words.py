"""What the guard knows of words, in English, German, French, Spanish, Italian, Portuguese, Dutch and Russian.

Every word has one role; a word that is not here carries content. English is kept apart from the others, for it has many
of their small words with other meanings. Keys are folded: no case, no accents.
"""

from __future__ import annotations

from enum import Enum, auto

from remember.text.word_lists import words


class Role(Enum):
    """What a word does to a sentence, as far as telling two sentences apart goes."""

    DROPPED = auto()  # says nothing that could be another fact: articles, copulas, intensifiers
    STARTS = auto()  # the same, and a phrase begins with it: articles, possessives
    LINKS = auto()  # a preposition that may change or go: in, on, of
    POINTS = auto()  # a preposition that turns the sentence: from, before, without
    LISTS = auto()  # and
    OFFERS = auto()  # or
    NEGATES = auto()
    COUNTS = auto()  # a number word


_ENGLISH_WORDS: dict[Role, str] = {
    Role.DROPPED: """
        is are am be been being was were has have had do does did it its there so that this these those which who
        very really quite also actually currently now please always generally definitely strongly just own still simply
        approximately roughly around circa ca s re ve ll both owns possesses located situated
    """,
    Role.STARTS: "a an the my mine our ours his her their",
    Role.LINKS: "in on at of for with as to during regarding about",
    Role.POINTS: """
        from before after over under above below up down out off via through against until till since between behind
        beyond beside inside outside across toward towards into onto by than near except unless instead left
        right within
    """,
    Role.LISTS: "and",
    Role.OFFERS: "or either",
    Role.NEGATES: "not no never none nobody nothing neither nor cannot without non",
}
_OTHER_WORDS: dict[Role, str] = {
    Role.DROPPED: """
        ist sind war waren sei wird werden wurde hat haben sich es sehr auch zurzeit aktuell
        est sont etait ont se tres aussi actuellement ne qui que c j m t n qu
        son esta estan fue ha han muy tambien actualmente lo
        sono era hanno si molto anche attualmente che ci
        sao foi tem muito tambem atualmente
        zijn heeft hebben zich zeer ook momenteel er
        это есть был была было были очень также сейчас
    """,
    Role.STARTS: """
        der die das den dem des ein eine einen einem einer eines mein meine sein seine ihr ihre
        le la les un une l mon ma mes sa ses leur
        el los las una unos unas su sus mi mis
        il gli uno suo sua
        o os um uma uns umas seu
        het een haar mijn
        его ее их мои моя свои
    """,
    Role.LINKS: """
        im auf bei beim mit fur um
        a dans sur avec pour au aux du de d chez
        con por para del al en
        di della dei nel nella alla col per dell all nell sull
        em na nos nas da dos das com ao aos pelo pela
        op met te aan bij
        в во на с со у по о об
    """,
    Role.POINTS: """
        von aus nach vor zu zum zur bis seit gegen uber unter durch zwischen hinter neben statt
        avant apres vers depuis jusqu sous contre entre derriere devant
        desde hasta antes despues hacia sobre bajo contra
        prima dopo verso sotto sopra dal dalla fino
        depois sob
        van naar voor tot tegen onder boven tussen achter
        из от до после перед через под над к ко за между
    """,
    Role.LISTS: "und et y e ed и",
    Role.OFFERS: "oder ou или",
    Role.NEGATES: """
        nicht kein keine keinen keinem keiner keines nie niemals ohne weder nichts niemand
        pas jamais sans aucun aucune rien ni
        nunca jamas sin ningun ninguna ninguno nada tampoco
        mai senza nessun nessuno nessuna niente
        nao sem nenhum nenhuma nem
        niet geen nooit zonder noch niets
        не нет никогда ни без нельзя никто ничего
    """,
}

# One to twelve in each language; where a language's "one" is also its article, it is not a number. Spanish "once" is
# left out for English "once".
_NUMBERS = """
    zero null zero nul ноль
    one eins один одна одну
    two zwei deux dos due dois duas twee два две двух
    three drei trois tres tre drie три трех
    four vier quatre cuatro quattro quatro четыре четырех
    five funf cinq cinco cinque vijf пять пяти
    six sechs seis sei zes шесть шести
    seven sieben sept siete sette sete zeven семь семи
    eight acht huit ocho otto oito восемь восьми
    nine neun neuf nueve nove negen девять девяти
    ten zehn dix diez dieci dez tien десять десяти
    eleven elf onze undici одиннадцать
    twelve zwolf douze doce dodici doze twaalf двенадцать
    thirteen dreizehn treize trece tredici treze dertien тринадцать
    fourteen vierzehn quatorze catorce quattordici catorze veertien четырнадцать
    fifteen funfzehn quinze quince quindici vijftien пятнадцать
    sixteen
    seventeen
    eighteen
    nineteen
    twenty zwanzig vingt veinte venti vinte twintig двадцать
"""
_TENS = {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100}
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"

_COUNTED = [line.split() for line in _NUMBERS.strip().splitlines()]
NUMBERS: dict[str, str] = {
    **{word: str(value) for value, line in enumerate(_COUNTED) for word in line},
    **{word: str(value) for word, value in _TENS.items()},
    **{word: f"{place}." for place, word in enumerate(_ORDINALS.split(), 1)},
}


def _roles(listed: dict[Role, str], numbers: list[str]) -> dict[str, Role]:
    roles = {word: role for role, text in listed.items() for word in text.split()}
    return roles | dict.fromkeys(numbers, Role.COUNTS)


_ENGLISH_NUMBERS = [line[0] for line in _COUNTED] + [*_TENS, *_ORDINALS.split()]
ENGLISH = _roles(_ENGLISH_WORDS, _ENGLISH_NUMBERS)
"""Roles in an English text, where "son", "die", "all" and "hat" are no articles."""

OTHERS = _roles(_OTHER_WORDS, [word for line in _COUNTED for word in line[1:]])
"""Roles that words have in one of the other languages."""

ALL = ENGLISH | OTHERS
"""Roles in a text of another language, which may hold some English."""


def _by_word(lines: str) -> dict[str, str]:
    """Each word of these lines with the first of its line."""
    return {word: line.split()[0] for line in lines.strip().splitlines() for word in line.split()}


LINK_KINDS = _by_word(
    """
    in at during im bei beim dans en chez nel nella em na nas nos bij в во на у
    on auf sur sull op
    about regarding
    to a au aux al alla all ao aos te aan
    of de du d del di della dei dell da dos das
    for fur pour para por per pelo pela om
    with avec con mit met com col с со
    as
    um
    по
    о об
    """
)
"""Prepositions that may stand for one another; where two of different lines stand before the same word, two things are
said: "moved to Monday", "moved on Monday".
"""

WHO = {
    word: who
    for who, listed in (
        ("1", "my mine our ours mein meine mon ma mes mi mis mijn мои моя"),
        ("m", "his sein seine его"),
        ("f", "her haar ее"),
        ("fp", "ihr ihre"),
        ("p", "leur их"),
        ("mf", "son sa ses suo sua seu"),
        ("mfp", "their su sus"),
    )
    for word in listed.split()
}
"""Whose something may be: the first person's (1), a man's (m), a woman's (f), several people's (p)."""

STATES = {
    word: state
    for state, listed in (
        ("is", "is are am be been being was were ist sind war waren sei est etait etaient es son sono sao esta estan"),
        ("has", "has have had owns possesses hat haben ont avait ha han hanno tem heeft hebben"),
        ("becomes", "wird werden"),
    )
    for word in listed.split()
}
"""What a small verb says of its subject."""

TURNING = frozenset(word for word, role in ALL.items() if role is Role.POINTS)

# These tell an English text from others as well as its small words do.
ENGLISH_SIGNS = ENGLISH.keys() | words(
    "user users all may can must should will prefers likes uses lives works wants needs runs takes use always never"
)

# Words that stand for one another in notes; the first of a line stands for all.
SYNONYMS = """
    prefer like enjoy love favor
    use utilize employ
    need require
    called named
    big large huge
    small little
    quick fast rapid
    start begin commence
    finish complete
    store keep
    live reside
    buy purchase
    fix repair resolve solve
    choose select pick
    show display
    create make
    repository repo
    database db
    configuration config
    application app
    development dev
    production prod
    documentation docs doc
    information info
    environment env
    administrator admin
    authentication auth
    postgresql postgres
    kubernetes k8s
    javascript js
    typescript ts
    allergic allergy
    favorite preferred preference
    picture image photo
    movie film
    phone telephone
    kid child children
    every each
    daily everyday
    team we us
    user i me myself
    he him
    she her
    they them
    percent percentage
    tire tyre
    program programme
    gray grey
    will shall
    can able
    whilst while
    folder directory
    minute min mins
    second sec secs
    hour hr hrs
    kilometer km kms
    kilogram kg kgs
    approx approximately
    nutzer benutzer anwender
    bug defect
    error failure
    typical usual
    okay ok
    monday mon
    tuesday tue tues
    wednesday wed
    thursday thu thurs
    friday fri
    typically usually normally
    often frequently
    rarely seldom
"""

# Two words in a row that are one.
PHRASES: dict[tuple[str, str], str] = {
    ("every", "day"): "daily",
    ("each", "day"): "daily",
    ("per", "day"): "daily",
    ("every", "week"): "weekly",
    ("each", "week"): "weekly",
    ("every", "month"): "monthly",
    ("each", "month"): "monthly",
    ("every", "year"): "yearly",
    ("rather", "than"): "over",
    ("instead", "of"): "over",
    ("because", "of"): "because",
    ("due", "to"): "because",
    ("a", "few"): "several",
    ("going", "to"): "will",
    ("able", "to"): "can",
    ("used", "to"): "formerly",
    ("per", "cent"): "percent",
    ("as", "well"): "also",
    ("is", "to"): "must",
    ("are", "to"): "must",
    ("was", "to"): "should",
    ("were", "to"): "should",
    ("has", "to"): "must",
    ("have", "to"): "must",
    ("needs", "to"): "must",
    ("need", "to"): "must",
    ("takes", "place"): "happen",
    ("take", "place"): "happen",
    ("took", "place"): "happen",
    ("would", "like"): "want",
    ("works", "as"): "",
    ("at", "least"): "minimum",
    ("at", "most"): "maximum",
    ("in", "front"): "before",
}

PHRASE_ENDS = frozenset(second for _, second in PHRASES)

# The subjects that a note may leave out, for it is about them anyway.
SUBJECTS = frozenset({"user", "team", "they"})

# Verbs that say no more than "is".
LIGHT = frozenset({"happen", "call", "get"})

# States that a past tense ends: "lived in Berlin" is not "lives in Berlin".
PAST_STATES = words(
    """
    was were had did got lived worked used owned liked preferred loved hated wanted needed ran drove knew taught
    spoke led kept belonged supported required relied depended studied played smoked drank ate wore earned
    managed stayed hosted listened stored contained disliked enjoyed avoided stood war waren hatte hatten lebte
    wohnte arbeitete
    wurde wurden etait etaient avait fut vivia trabajaba era eran tenia fue fueron estaba foi foram tinha estava
    viveva lavorava aveva erano был была было были жил жила работал работала
    """
)
# Before these the past form is a participle, not the sentence's tense.
PARTICIPLE_AFTER = words(
    """
    is are am be been being was were has have had s re ve get gets got the a an my their his her its not and
    """
)

# Adverbs that may stand at several places of a sentence.
ADVERBS = words(
    """
    usually typically normally often frequently sometimes rarely seldom daily weekly monthly yearly today tomorrow
    monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag
    sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miercoles jueves viernes sabado domingo
    lunedi martedi mercoledi giovedi venerdi sabato domenica maandag dinsdag woensdag donderdag vrijdag zaterdag
    zondag yesterday tonight occasionally regularly montags dienstags mittwochs donnerstags freitags samstags
    sonntags heute morgen morgens abends taglich oft manchmal meistens souvent parfois toujours hier demain siempre
    automatically manually immediately quickly slowly
    hoy ayer sempre spesso oggi hoje ontem vaak soms vandaag dagelijks часто иногда всегда сегодня вчера завтра
    """
)

# Verbs whose objects may be listed in any order. After another word ("black tea and coffee") the order may count.
LISTED_AFTER = words(
    """
    prefer use need eat drink speak play know support include contain have own sell grow teach learn study read
    write visit collect hate avoid dislike run store track measure provide offer cover mag trinkt isst spricht nutzt
    parle boit mange utilise habla bebe come usa fala parla beve mangia spreekt drinkt eet говорит пьет ест
    """
)

# Words that set an order, where a list's order then matters.
SEQUENCE = words(
    """
    order sequence priority prior rank ranking then step respectively versus vs next last finally
    """
)

# Named as opposites in the reason; that the words differ at all is what refuses them.
_OPPOSITES = """
    like dislike, love hate, prefer avoid, enable disable, allow forbid, allow deny, accept reject, approve reject,
    open close, start stop, begin end, add remove, increase decrease, rise fall, pass fail, succeed fail, win lose,
    buy sell, true false, on off, up down, left right, before after, over under, above below, public private,
    all some, all none, most few, many few, more less, minimum maximum, always sometimes, hot cold, warm cold, high low,
    early late, old new, first last, morning evening, day night, internal external, import export, push pull,
    allow block,
    upgrade downgrade, encrypt decrypt, north south, east west, inside outside, include exclude, present absent,
    sync async, strong weak, cheap expensive, easy hard, good bad, best worst, light dark, manual automatic, read write,
    falhou passou, aime deteste, mag hasst, immer nie, siempre nunca, mehr weniger, vor nach, von nach, avant apres,
    antes despues, antes depois, prima dopo, до после, sopra sotto, oben unten, an aus, offen geschlossen
"""
OPPOSITES: tuple[tuple[str, str], ...] = tuple(
    (pair.split()[0], pair.split()[1]) for pair in _OPPOSITES.replace("\n", " ").split(",")
)
