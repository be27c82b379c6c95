"""Words by which templates name their parts, texts that are not names, and parts of times in texts."""

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from extractors.text.brief_times import brief_time, may_be_brief_time
from extractors.text.dates import find_time
from extractors.text.multi_search import APART, contains_match, starts_with_match

_EDGE = rf"[^-_ {APART.encode('unicode_escape').decode()}]"
"""A character that is not a word boundary in a class name."""


def _words(inside: str, whole: str = "") -> re.Pattern[str]:
    """A pattern that finds these words anywhere, and the words of `whole` between word boundaries, in one text or in joined texts.

    Every branch begins with a letter, so that the search skips most places quickly.
    """
    branches = (f"{word[0]}(?<!{_EDGE}{word[0]}){word[1:]}(?!{_EDGE})" for word in whole.split("|") if word)
    return re.compile("|".join(filter(None, (inside, *branches))))


RECORD = _words(
    "post|comment|repl(?:y|ies)|message|review|answer|topic|thread|floor|discussion|athing|normalthread|media"
)
COMMENT = re.compile("comment|komm?entar|评论")
ASIDE = _words(
    "nav|menu|sidebar|related|footer|widget|pagina|breadcrumb|recommend|header|share|sponsor|tag-?cloud|archive|categor|calendar"
    r"|toc\b|banner|hot"
)
NOT_BODY = _words(
    "signature|avatar|toolbar|button|pstatus|lastedit|share|vote|action|tooltip|hidden|badge|ribbon"
    rf"|attach(?:box|ments|ed)|b(?<!{_EDGE}b)tn",
    "sig",
)
AUTHOR = _words(
    "author|user-?_?name|nick|hnuser|userinfo|authi",
    "user|poster|by|name(?<!field-name)(?<!field--name)|member|commenter|creator|fn",
)
PROFILE = _words("user|member|profile|author|people|account|space|/u/|/@|uid[=-]|home\\.php")
"""Parts of addresses, in lower case."""
BODY = _words(r"content|message|body|text|entry|t_f\b|postmessage|markdown|comment-?(?:copy|text)|bbwrapper")
TITLE = _words(r"title|subject|topic|thread|headline|xst\b|标题", "tit")
SAYS = (
    "s(?:ays?|aid|agte?|chrieb|chreibt|chreef|äger|kriver|krev|iger|ier|anoo|pune|crive)|w(?:rote|rites)|d(?:it|ice|ijo|iz|isse|edi ki)"
    "|a (?:dit|écrit)|ha (?:detto|scritto)|escr(?:ibió|eveu)|meint|zegt|pisze|nap(?:isał|sal)|říká|kaže"
    "|п(?:ишет|исал)|говорит|сказал|каже|より|说道?|說道?"
)
"""Words that templates put between a name and the person's text."""
_WORDLESS = re.compile(r"[\W\d]*$")
_NO_NAME = re.compile(
    r"[\d.,]+\s?[km]?$|\d{1,2}\s?h\s?\d\d$|[(\[]?\d[\d.,]*\s\w+[)\]]?$|(?:(?:re)?ply|repl(?:y|ies|ied)|quot(?:e|es|ed|ing)|permalink|location|edit(?:or)?"
    r"|shar(?:e|es|ed|ing)|lik(?:e|es|ed|ing)|(?:report|edit|join|post|view|comment)(?:s|ed|ing)?|(?:ask|answer|modifi|start)ed"
    r"|(?:log|sign)[- ]?(?:in|up|out))\b"
    r"|(?:senior |junior |new |full |hero |sr\.? |jr\.? )?member$|(?:off|on)line\b|(?:global |forum |super )?moderator$"
    r"|(?:site )?administrator$|newbie$|participant$|keymaster$|guest user|topic (?:author|starter)|original poster|op$"
    r"|best answer|find$|flag$|on (?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}$"
    rf"|(?:{SAYS})\s?[:：]?$"
    r"|regist(?:er|ered)\b|create an? (?:new )?account\b"
    r"|(?:by|por|par|von|van|door|od|от|автор|przez|yazan|oleh|投稿者|作成者|글쓴이|작성자):?$|more$|less$|e-?mail$|profile|message|follow|avatar|translate"
    r"|(?:管理员|版主|超级版主|楼主|新手|会员|注册会员|中级会员|高级会员|金牌会员|论坛元老|新手上路|沙发|板凳|地板|发消息|发私信|加好友|关注|加关注)$"
)
"""Matches the beginning of a lower-case text."""
_IN_NO_NAME = re.compile("回复|引用|举报|点赞|分享|楼层|只看|发表于|帖子|积分|主题|注册|来自|查看|评论|收藏|倒序|在线")
OTHER_PERSON = _words(
    r"last|rely|latest|edit(?!or)|reactions?\b|liked|quote|mention|最后|最新|删除|reply-?to|in-reply|badge|rank|level|count|stats\b|points|"
    "signature(?<!post-signature)|"  # Stack Exchange's "post-signature" holds who wrote the post
    + "|".join(rf"{who}[-_]?(?:title|group|info[-_]?extra)" for who in ("user", "member", "author", "poster"))
)
OWN_TIME = re.compile(r"time|date|posted|publish|created|发表|发布|when|stamp")
OTHER_TIME = re.compile(
    r"join|regist|member since|edit|modif|last|zuletzt|derni|últim|ultim|последн|laatst|ostatni|update|注册|註冊|最后|编辑|修改|活跃"
    r"|seit|inscri|born|birth"
)
ACT = re.compile(
    r"repl(?:y|ies)\b|quote\b|multi-?quote|report\b|like\b|thanks\b|up-?vote|permalink|flag\b|respond\b|answer\b|award\b|edit\b"
    r"|回复|回覆|引用|举报|檢舉|点赞|赞|顶|踩|只看|点评|评分|分享|返信|답글"
    r"|antworten|zitieren|melden|gefällt|répondre|citer|signaler|respond[ei]r|rispondi|cita\b|citar|segnala|denunciar"
    r"|ответить|цитировать|пожаловаться|odpowiedz|cytuj|zgłoś|yanıtla|reageer|beantwoord"
)
"""Actions that a reader may take on a post; matches the beginning of a short text in lower case."""
NOTICE = _words("", "pingback|trackback")
QUOTE = _words("quote|cite|引用")
_MAX_UNREAD_CHARS = 24
"""Maximum characters of a text that looks like a time of unknown form; longer texts are not times."""
_MAX_WRITTEN_CHARS = 60
TIME = re.compile(
    r"(?<!\d)1[34]\d\d[-/]\d{1,2}[-/]\d{1,2}(?!\d)|(?<!\d)(?:19|20)\d\d\s?[-/.年]\s?\d{1,2}|\d{1,2}月\d{1,2}|(?<![\d.])\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)?\d\d(?!\d)"
    r"|(?<!\d)[0-2]?\d:[0-5]\d(?!\d)|(?<![\d-])[01]?\d-[0-3]?\d(?![\d-])"
    r"|(?<![\d/])[01]?\d/[0-3]?\d(?![\d/])|\b\d{1,3}[dhm] ago\b|\b(?:19|20)\d\d-\d{1,2}\b"
    r"|[\d半几]\s?[个個かカヵヶケ]?(?:秒|分|小时|小時|天|周|月|年)[钟鐘]?之?前|昨天|前天|今天|刚刚"
    r"|(?i:\b(?:ago|yesterday|today|just now|gestern|heute|ayer)\b)"
    r"|(?i:\b(?:vor|il y a|hace) \w{1,5} \w)"
    r"|(?i:\b(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-z]{0,6}\.? \d{1,4}\b)"
    r"|(?i:\b\d{1,2}(?:st|nd|rd|th|\.)?[ -](?:de )?(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec"
    r"|dez|ene|abr|ago|fév|avr|gen|mag|giu|lug|set|ott|dic)[a-z]{0,7}\b)"
)
"""Parts of times, to find their bounds; `has_time_mask` is faster at finding the texts that have any."""
_CLOCK_ONLY = re.compile(r"^\D*\d{1,2}:\d\d(?::\d\d)?\D*$")
_AM_PM = re.compile(r"\s?[ap]\.?m\b\.?", re.I)
# Every branch below begins with a digit or a letter, so that a search skips most places quickly; lookbehinds check the
# text before it.
_UNIT = r"\s?[个個かカヵヶケ]?(?:秒|分|小时|小時|天|周|月|年)[钟鐘]?之?前"
_MONTH = (
    "jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|ene|abr|ago|fév|avr|gen|mag|giu|lug|set|ott|dic"
)
_TIME_NUMBERS = re.compile(
    rf"\d(?:\d?\s?[月월][,，]?\s?['’]?\d|{_UNIT}"
    r"|(?<!\d\d)(?:(?:(?<=1)9|(?<=2)0)\d\d\s?[-/.年]\s?\d"
    r"|(?<!\.\d)\d?[-/.]\d{1,2}[-/.](?:19|20)?\d\d(?!\d)"
    r"|(?:(?<=[012])\d)?:[0-5]\d(?!\d)"
    r"|(?<!-\d)(?:(?<=[01])\d)?-[0-3]?\d(?![\d-])"
    r"|(?<!/\d)(?:(?<=[01])\d)?/[0-3]?\d(?![\d/])"
    rf"|(?<!\w\d)\d?(?:st|nd|rd|th|\.)?[ -](?:de )?(?:{_MONTH})[a-zı]{{0,7}}\b))"
)
_TIME_MONTHS = re.compile(
    "|".join(
        rf"{month[0]}(?<!\w{month[0]}){month[1:]}[a-zı]{{0,6}}\.? \d{{1,4}}(?:st|nd|rd|th)?\b"
        for month in "jan jun jul feb ma[ryi] mär apr aug sep oct okt nov de[cz]".split()
    )
)
_TIME_WORDS = re.compile(
    rf"半{_UNIT}|几{_UNIT}|昨天|前天|今天|刚刚|剛剛|방금|たった今"
    r"|a(?<!\wa)(?:go|yer)\b|y(?<!\wy)esterday\b|t(?<!\wt)oday\b|j(?<!\wj)ust now\b|g(?<!\wg)estern\b|h(?<!\wh)eute\b"
    r"|v(?<!\wv)or \w{1,5} \w|i(?<!\wi)l y a \w{1,5} \w|h(?<!\wh)ace \w{1,5} \w"
)


@lru_cache(maxsize=8192)
def is_no_name(text: str) -> bool:
    """Whether a short text, in lower case, is a text that templates put beside names: "reply", "5 posts", "moderator"."""
    return any((_WORDLESS.match(text), _NO_NAME.match(text), _IN_NO_NAME.search(text)))


def may_be_names(texts: list[str]) -> NDArray[np.bool_]:
    """bool[texts]: the text passes `is_no_name`."""
    none = starts_with_match(_NO_NAME, texts) | contains_match(_IN_NO_NAME, texts)
    none[[place for place, text in enumerate(texts) if not text[:1].isalpha() and _WORDLESS.match(text)]] = True
    return ~none


def has_time_mask(texts: Sequence[str], numbered: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """bool[texts]: the text, in lower case, contains part of a time. numbered: bool[texts], it has a digit."""
    found = contains_match(_TIME_WORDS, texts)
    with_digits = [texts[place] for place in np.flatnonzero(numbered).tolist()]
    found[numbered] |= contains_match(_TIME_NUMBERS, with_digits) | contains_match(_TIME_MONTHS, with_digits)
    left = np.flatnonzero(~found)
    found[left] = [
        _is_brief_time(texts[place], has) for place, has in zip(left.tolist(), numbered[left].tolist(), strict=True)
    ]
    return found


@lru_cache(maxsize=20_000)
def _is_brief_time(text: str, is_numbered: bool) -> bool:
    return may_be_brief_time(text, is_numbered=is_numbered) and brief_time(text) is not None


def is_clock(text: str) -> bool:
    """Whether a text has a time of day and no other digit."""
    return _CLOCK_ONLY.match(text) is not None


@lru_cache(maxsize=2_000)
def written_time(text: str) -> str:
    """The time in a text as written, with all its parts; the whole of a short text that looks like a time of unknown form."""
    found = find_time(text)
    spans = [match.span() for match in TIME.finditer(text)]
    if spans and len(text) <= _MAX_WRITTEN_CHARS:
        start, end = min(spans[0][0], text.find(found) if found else len(text)), spans[-1][1]
        after = _AM_PM.match(text, end)
        parts = text[start : after.end() if after else end]
        if OTHER_TIME.search(parts):
            return found or parts
        if not found or (len(parts) > len(found) + 2 and found in parts):
            found = parts if not found or len(parts) - len(found) <= _MAX_UNREAD_CHARS else found
    return found or (" ".join(text.split()) if len(text.strip()) <= _MAX_UNREAD_CHARS else "")
