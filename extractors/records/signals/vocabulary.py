"""Words by which templates name their parts, and texts that are no names."""

import re
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from extractors.text.multi_search import APART, contains_match, starts_with_match

_EDGE = rf"[^-_ {APART.encode('unicode_escape').decode()}]"
"""A character that is not the edge of a word in a class name."""


def _words(inside: str, whole: str = "") -> re.Pattern[str]:
    """Finds these words anywhere, and the words of `whole` between the edges of a name, in one text or in many joined ones.

    Every branch begins with a letter, by which a pattern passes over most places of a text at once.
    """
    branches = (f"{word[0]}(?<!{_EDGE}{word[0]}){word[1:]}(?!{_EDGE})" for word in whole.split("|") if word)
    return re.compile("|".join(filter(None, (inside, *branches))))


RECORD = _words(
    "post|comment|repl(?:y|ies)|message|review|answer|topic|thread|floor|discussion|athing|normalthread|media"
)
ASIDE = _words(
    "nav|menu|sidebar|related|footer|widget|pagina|breadcrumb|recommend|header|share|sponsor|tag-?cloud|archive|categor|calendar"
    r"|toc\b|banner|hot"
)
NOT_BODY = _words(
    "signature|avatar|toolbar|button|pstatus|lastedit|share|vote|action|tooltip|hidden|badge|ribbon"
    rf"|b(?<!{_EDGE}b)tn",
    "sig",
)
AUTHOR = _words("author|user-?_?name|nick|hnuser|userinfo|authi", "user|poster|by|name|member|commenter|creator|fn")
PROFILE = _words("user|member|profile|author|people|account|space|/u/|/@|uid[=-]|home\\.php")
"""Parts of addresses, in lower case."""
BODY = _words(r"content|message|body|text|entry|t_f\b|postmessage|markdown|comment-?(?:copy|text)|bbwrapper")
TITLE = _words(r"title|subject|topic|thread|headline|xst\b|标题", "tit")
_WORDLESS = re.compile(r"[\W\d]*$")
_NO_NAME = re.compile(
    r"[\d.,]+\s?[km]?$|\d[\d.,]*\s\w+$|(?:re)?ply|quote|report|share|permalink|edit|like|join|post|repl|view|comment|location"
    r"|(?:senior |junior |new |full |hero |sr\.? |jr\.? )?member$|(?:off|on)line\b|(?:global |forum |super )?moderator$"
    r"|(?:site )?administrator$|newbie$|participant$|keymaster$|guest user|topic (?:author|starter)|original poster|op$"
    r"|best answer"
    r"|registered|says:?$|said:?$|by$|wrote:?$|more$|less$|profile|message|follow|avatar|translate"
    r"|(?:管理员|版主|超级版主|楼主|新手|会员|注册会员|中级会员|高级会员|金牌会员|论坛元老|新手上路|沙发|板凳|地板)$"
)
"""At a text's beginning, in lower case."""
_IN_NO_NAME = re.compile("回复|引用|举报|点赞|分享|楼层|只看|发表于|帖子|积分|主题|注册|来自|查看|评论|收藏|倒序|在线")
OTHER_PERSON = _words(
    r"last|rely|latest|edit|reactions?\b|liked|quote|mention|最后|最新|删除|reply-?to|in-reply|badge|rank|level|count|stats\b|points|"
    + "|".join(rf"{who}[-_]?(?:title|group|info[-_]?extra|signature)" for who in ("user", "member", "author", "poster"))
)
OWN_TIME = re.compile(r"time|date|posted|publish|created|发表|发布|when|stamp")
OTHER_TIME = re.compile(
    r"join|regist|member since|edit|modif|last|update|注册|註冊|最后|编辑|修改|活跃|seit|inscri|born|birth"
)
ACT = re.compile(
    r"repl(?:y|ies)\b|quote\b|multi-?quote|report\b|like\b|thanks\b|up-?vote|permalink|flag\b|respond\b|answer\b|award\b|edit\b"
    r"|回复|回覆|引用|举报|檢舉|点赞|赞|顶|踩|只看|点评|评分|分享|返信|답글"
    r"|antworten|zitieren|melden|gefällt|répondre|citer|signaler|respond[ei]r|rispondi|cita\b|citar|segnala|denunciar"
    r"|ответить|цитировать|пожаловаться|odpowiedz|cytuj|zgłoś|yanıtla|reageer|beantwoord"
)
"""What a reader may do with a post, in lower case, at the beginning of the short text that offers it."""
NOTICE = _words("", "pingback|trackback")
QUOTE = _words("quote|cite|引用")


@lru_cache(maxsize=8192)
def is_no_name(text: str) -> bool:
    """Whether a short text, in lower case, is one that templates write beside names: "reply", "5 posts", "moderator"."""
    return any((_WORDLESS.match(text), _NO_NAME.match(text), _IN_NO_NAME.search(text)))


def may_be_names(texts: list[str]) -> NDArray[np.bool_]:
    """bool[texts]: the text passes `is_no_name`."""
    none = starts_with_match(_NO_NAME, texts) | contains_match(_IN_NO_NAME, texts)
    none[[place for place, text in enumerate(texts) if not text[:1].isalpha() and _WORDLESS.match(text)]] = True
    return ~none
