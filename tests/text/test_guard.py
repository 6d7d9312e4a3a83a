"""The guard: no contradiction or update is ever folded away, and what says the same may be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember.text.guard import fuller, same_text, veto
from tests.text.labelled import pairs

HALVES = ["seen", "unseen", "later", "last", "hostile"]


@pytest.mark.parametrize("half", HALVES)
def test_no_contradiction_is_folded(half: str) -> None:
    """Not one, in any direction: which of the two was stored first does not matter."""
    folded = [
        pair
        for pair in pairs(half)
        if pair.kind == "contradiction" and (not veto(pair.old, pair.new) or not veto(pair.new, pair.old))
    ]
    assert folded == []


@pytest.mark.parametrize("half", HALVES)
def test_near_identical_paraphrases_are_folded(half: str) -> None:
    """At least nine of ten; the others are stored twice, which loses nothing."""
    paraphrases = [pair for pair in pairs(half) if pair.kind == "paraphrase"]
    allowed = [pair for pair in paraphrases if veto(pair.old, pair.new) is None]
    assert len(allowed) / len(paraphrases) >= 0.9


@pytest.mark.parametrize("half", ["seen", "unseen"])
def test_two_facts_about_one_thing_stay_two(half: str) -> None:
    """Folding them would lose one."""
    assert [pair for pair in pairs(half) if pair.kind == "same-topic" and not veto(pair.old, pair.new)] == []


def test_the_sets_are_large_and_share_no_pair() -> None:
    """At least 60 of each kind, and the halves have nothing in common."""
    everything = [pair for half in HALVES for pair in pairs(half)]
    for kind in ("contradiction", "paraphrase", "same-topic"):
        assert sum(pair.kind == kind for pair in everything) >= 60
    assert len({(pair.old, pair.new) for pair in everything}) == len(everything)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("allergic to peanuts", "not allergic to peanuts", "negation: only one of them is negated"),
        ("rotates every 30 days", "rotates every 90 days", "numbers, dates or versions differ: 30 / 90"),
        ("use `npm`", "use `pnpm`", "code differs: npm / pnpm"),
        ('call it "Ada"', 'call it "Bea"', "quoted words differ: Ada / Bea"),
        ("enable the cache", "disable the cache", "they say opposites: enable / disable"),
        ("ships from Oslo", "ships to Oslo", "only one of them says this: from / –"),
        ("backup before lunch", "backup after lunch", "they say opposites: before / after"),
        ("lives in Rome", "lived in Rome", "tense: one of them speaks of the past"),
        ("env is FOO_bar", "env is foo_BAR", "identifiers differ in case: FOO_bar / foo_BAR"),
        ("host db-1.internal", "host db-2.internal", "names differ: db-1.internal / db-2.internal"),
        ("moved to Monday", "moved on Monday", "prepositions differ: to / on"),
        ("Ben is a landlord", "Ben has a landlord", "being, having and becoming differ: is / has"),
        ("this is his bike", "this is her bike", "whose it is differs"),
        ("the board approved it", "the board approves it", "tense: one of them speaks of the past"),
        ("O avô mora no Porto", "A avó mora no Porto", "words differ: avô / avó"),
        ("Ben has a cat", "Ben has cats", "number: one of them speaks of several"),
        ("the user loves Ana's cooking", "the user loves cooking for Ana", "order: the same words in another order"),
        ("needs 5+ years", "needs 5 years", "only one of them says this: + / –"),
        ("the plan is late", "the plane is late", "words differ: plan / plane"),
        ("他去北京了吗", "他去北京了", "question: one of them asks"),
        ("tabs over spaces", "spaces over tabs", "order: the same words in another order"),
        ("the user likes tea", "does the user like tea?", "question: one of them asks"),
        ("tea and cake", "tea or cake", "and / or: one of them gives a choice"),
        ("Paul is hiring", "Paul is hired", "tense or voice: what is going on in one of them is done in the other"),
        ("会议在三点", "会议在四点", "numbers, dates or versions differ: 3 / 4"),
        ("他喝酒", "他不喝酒", "negation: only one of them is negated"),
    ],
)
def test_the_reason_says_what_differs(old: str, new: str, reason: str) -> None:
    """Its kind first, then the words of each; this is what `conflicts_with` shows."""
    assert veto(old, new) == reason


@pytest.mark.parametrize(
    ("no", "language"),
    [
        ("Anna does not smoke / Anna does smoke", "English"),
        ("Anna raucht nicht / Anna raucht", "German"),
        ("Anna trinkt keinen Wein / Anna trinkt einen Wein", "German"),
        ("Anna ne fume pas / Anna fume", "French"),
        ("Anna no fuma / Anna fuma", "Spanish"),
        ("Anna non fuma / Anna fuma", "Italian"),
        ("Anna não fuma / Anna fuma", "Portuguese"),
        ("Anna rookt niet / Anna rookt", "Dutch"),
        ("Анна не курит / Анна курит", "Russian"),
        ("安娜不抽烟 / 安娜抽烟", "Chinese"),
        ("安娜没有抽烟 / 安娜抽烟", "Chinese"),
        ("アンナはたばこを吸わない / アンナはたばこを吸う", "Japanese"),
        ("アンナはたばこを吸いません / アンナはたばこを吸います", "Japanese"),
        ("안나는 담배를 피우지 않는다 / 안나는 담배를 피운다", "Korean"),
        ("안나는 담배를 안 피운다 / 안나는 담배를 피운다", "Korean"),
    ],
)
def test_a_negation_is_seen_in_each_language(no: str, language: str) -> None:
    """Whichever of the two came first."""
    denied, said = no.split(" / ")
    assert veto(denied, said) == veto(said, denied) == "negation: only one of them is negated"


@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [
        ("one two three four five six seven eight nine ten eleven twelve", "the pump runs {} hours"),
        ("eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf", "die Pumpe läuft {} Stunden"),
        ("deux trois quatre cinq six sept huit neuf dix onze douze", "la pompe marche {} heures"),
        ("dos tres cuatro cinco seis siete ocho nueve diez doce", "la bomba funciona {} horas"),
        ("due tre quattro cinque sei sette otto nove dieci undici dodici", "la pompa va {} ore"),
        ("dois três quatro cinco seis sete oito nove dez onze doze", "a bomba funciona {} horas"),
        ("twee drie vier vijf zes zeven acht negen tien elf twaalf", "de pomp draait {} uur"),
        ("два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать", "насос работает {} часов"),
        ("一 二 三 四 五 六 七 八 九 十 十一 十二", "水泵运行{}小时"),
        ("一 二 三 四 五 六 七 八 九 十 十一 十二", "ポンプは{}時間動く"),
        ("한 두 세 네 다섯 여섯 일곱 여덟 아홉 열 열한 열두", "펌프는 {} 시간 돈다"),
    ],
)
def test_number_words_up_to_twelve_differ_in_each_language(numbers: str, sentence: str) -> None:
    """Each from each of the others, and none from itself."""
    said = [sentence.format(number) for number in numbers.split()]
    for one in said:
        for other in said:
            assert (veto(one, other) is None) == (one == other)


@pytest.mark.parametrize(
    ("word", "digit"),
    [("seven", "7"), ("sieben", "7"), ("sept", "7"), ("siete", "7"), ("sette", "7"), ("zeven", "7"), ("семь", "7")],
)
def test_a_number_word_is_its_digit(word: str, digit: str) -> None:
    """Both name one number."""
    assert veto(f"Rex {word} Max", f"Rex {digit} Max") is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The user's son lives in Rome", "The user lives in Rome"),
        ("The user has a red hat", "The user has a red"),
        ("The user has a Dell laptop", "The user has a laptop"),
        ("All users may export", "Users may export"),
        ("The plants die in winter", "The plants in winter"),
        ("Pour the milk in", "The milk in"),
        ("The user works in LA", "The user works"),
        ("Tests run in CI", "Tests run"),
        ("The museum of war is closed", "The museum is closed"),
    ],
)
def test_another_language_s_small_words_count_in_english(old: str, new: str) -> None:
    """`son`, `hat`, `die` and `pour` are articles or verbs' helpers elsewhere, and all of the fact here."""
    assert veto(old, new) is not None


def test_white_space_and_encoding_alone_are_the_same_text() -> None:
    """Case I5: spaces, tabs and line ends do not count; case does."""
    assert same_text("Env var\tis  FOO_bar\r\n", " Env var is FOO_bar")
    assert same_text("café", "cafe\u0301")
    assert not same_text("Env var is FOO_bar", "env var is foo_BAR")
    assert not same_text("favourite", "favorite")


@pytest.mark.parametrize("old", ["PORT_A is set", "call getUser", "use `A b`", "see /Etc/x"])
def test_case_inside_an_identifier_counts(old: str) -> None:
    """`getUser` and `getuser` are two names, `/Etc` and `/etc` two directories."""
    assert veto(old, old.lower()) is not None


@pytest.mark.parametrize("name", ["FastAPI", "GitHub", "PostgreSQL", "Vim", "JSON"])
def test_case_of_a_product_is_style(name: str) -> None:
    """People write them as they like."""
    assert veto(f"the user prefers {name} here", f"the user prefers {name.lower()} here") is None


def test_of_two_texts_that_say_the_same_the_one_that_says_more_is_the_fuller() -> None:
    """Where both say as much, the old one stays, however it is spelled."""
    assert fuller("User likes tea", "The user likes tea and cake") == "The user likes tea and cake"
    assert fuller("User likes tea and cake", "User likes tea") == "User likes tea and cake"
    assert fuller("my favourite editor is Vim", "My favorite editor is Vim") == "my favourite editor is Vim"
    assert fuller("会議は三時です", "会議は三時") == "会議は三時です"


def test_an_addition_is_not_folded() -> None:
    """Whatever is added may take back what was said, and the shorter text may be the later one."""
    for more in ("and fish", "because of iron", "only on Sundays", "until March", "in dreams", "and no fish"):
        assert veto("User eats meat", f"User eats meat {more}") is not None
        assert veto(f"User eats meat {more}", "User eats meat") is not None


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_get_a_verdict(old: str, new: str) -> None:
    """Whatever is in them; the same text is never refused, and which of two came first does not decide."""
    assert veto(old, old) is None
    assert (veto(old, new) is None) == (veto(new, old) is None)


@pytest.mark.parametrize(
    "part", ["a-", "1.1.", "“", "「", '"', "a@", "~/", "`", "n't ", "jan 1 ", "and x, ", "é", "word "]
)
def test_long_hostile_texts_are_read_to_their_end(part: str) -> None:
    """8,000 characters of anything, the length of a note; a rule in squared time would not come back."""
    old, new = (part * 8000)[:8000], (part * 8000)[1:7990] + " x"
    assert (veto(old, new) is None) == (veto(new, old) is None)


def test_a_reason_names_dates_as_people_write_them() -> None:
    """A date without a year has no dashes before it, and a flag keeps its own."""
    assert str(veto("The launch is on October 15th", "The launch is on October 16th")).endswith("10-15 / 10-16")
    assert "--verbose" in str(veto("Run `x --verbose`", "Run `x --quiet`"))
