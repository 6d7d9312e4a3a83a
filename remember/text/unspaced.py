"""Chinese, Japanese, Korean and Thai texts for the guard: the same sentence without stops, spaces and politeness."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from remember.text.folding import folded

_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")
_SILENT = re.compile(r"[^\w%€$£¥°<>=/.:_-]|[.:](?!\w)")
_DIGITS = str.maketrans("〇一二三四五六七八九两兩", "012345678922")
_NUMBER = re.compile(r"\d+(?:[.:/-]\d+)*|[十百千万]")
_KOREAN_NUMBER = {"하나": "1", "둘": "2", "셋": "3", "넷": "4", "다섯": "5", "여섯": "6"}
_KOREAN_NUMBER |= {"일곱": "7", "여덟": "8", "아홉": "9", "열": "10", "열하나": "11", "열둘": "12"}
_KOREAN_NUMBER |= {"한": "1", "두": "2", "세": "3", "네": "4", "열한": "11", "열두": "12"}
_KOREAN_COUNTED = re.compile(
    f"({'|'.join(sorted(_KOREAN_NUMBER, key=len, reverse=True))})"
    "(?=\\s?(?:개|명|번|시간|시|대|마리|살|달|잔|권|가지|사람|알|층|병|장))"
)
_NEGATION = re.compile(
    "不|没|沒|未|无|無|非|别|勿|ない|なかった|なく|ません|ぬ$|않|없|못|아니|안(?=\\s)|말(?:아|고|라)|ไม่|มิ"
)

# Japanese: polite verbs as plain ones. A kana of the i-row before masu says which verb it is, except after kanji.
_I_ROW = "きぎしちにびみり"
_U_ROW = dict(zip(_I_ROW, "くぐすつぬぶむる", strict=True))
_A_ROW = dict(zip(_I_ROW, "かがさたなばまら", strict=True))
_MASU = re.compile(f"([{_I_ROW}]?)(ます|ません)(?=$|[。、!?！？\\s])")
_COPULA = re.compile("(?:である|です|だ)(?=$|[。、!?！？\\s])")
_CHINESE_SMALL = str.maketrans("", "", "的")
_CHINESE_DONE = str.maketrans("", "", "的了")  # what is done already (已) is so without 了
_ASKING = re.compile("[吗嗎呢?？]|(?:です|ます|ません)か|까[?？]?$")
_LATIN_GAP = re.compile("(?<=[a-z0-9])\\s+(?=[a-z0-9])")


class Form(NamedTuple):
    """A sentence in its plain form, and what of it may turn the meaning."""

    text: str
    negations: int
    numbers: list[str]
    asks: bool


def is_unspaced(text: str) -> bool:
    """Whether a text holds a script that the guard does not cut into words."""
    return not text.isascii() and _UNSPACED.search(text) is not None


def one_form(text: str) -> Form:
    """The sentence as it would be said plainly."""
    text = _KOREAN_COUNTED.sub(lambda found: _KOREAN_NUMBER[found[1]], text.translate(_DIGITS))
    asks = _ASKING.search(text) is not None
    negations = len(_NEGATION.findall(text))
    text = _COPULA.sub("", _MASU.sub(_plain_verb, text))
    text = " ".join(_plain_korean(word) for word in text.split())
    text = _LATIN_GAP.sub("_", folded(text))
    text = _SILENT.sub("", text).translate(_CHINESE_DONE if "已" in text else _CHINESE_SMALL)
    return Form(text, negations, _NUMBER.findall(text), asks)


def _plain_verb(found: re.Match[str]) -> str:
    kana, ending = found[1], found[2]
    if ending == "ます":
        return _U_ROW.get(kana, "る")
    return _A_ROW.get(kana, "") + "ない"


def _plain_korean(word: str) -> str:
    """A verb's polite ending as the plain one: 있습니다 and 있다, 합니다 and 한다."""
    bare = word.rstrip(".!?。 ")
    if bare.endswith("습니다") and len(bare) > 3:
        return bare[:-3] + "다"
    if bare.endswith("니다") and len(bare) > 2:
        return _without_final(bare[-3], "\u11b8", bare) if len(bare) > 2 else bare
    if bare.endswith("다") and len(bare) > 1 and "\uac00" <= bare[-2] <= "\ud7a3":
        parts = unicodedata.normalize("NFD", bare[-2])
        if parts.endswith("\u11ab"):
            return bare[:-2] + unicodedata.normalize("NFC", parts[:-1]) + "다"
    return bare


def _without_final(syllable: str, final: str, word: str) -> str:
    parts = unicodedata.normalize("NFD", syllable)
    if not parts.endswith(final):
        return word
    return word[:-3] + unicodedata.normalize("NFC", parts[:-1]) + "다"
