"""Classifies an engine's answer: results, no results, blocked, or a changed layout."""

import re
from dataclasses import replace

from crawler.bans.refusals import challenge_of
from crawler.engines.protocol.engine import BlockedError, Engine, EngineAnswer, NoResultsError, Reply, Result
from crawler.engines.protocol.generic import generic_results

_CHALLENGE_ADDRESS = re.compile(
    r"wappass\.baidu\.com|/static/captcha|sorry\.google\.|consent\.google\.|/sorry(?:/|\?|$)|/antispider|showcaptcha"
    r"|checkcaptcha|/challenge\b|captcha", re.I,
)  # fmt: skip
_CHALLENGE_TITLE = re.compile(
    r"安全验证|安全检查|访问验证|访问异常|异常访问|人机验证|验证码|网络不给力|verify(?:ing)? (?:your|you|that)"
    r"|are you (?:a )?(?:human|robot)|access denied|just a moment|attention required|unusual traffic|captcha|robot check"
    r"|before you continue|^403\b|^429\b|too many requests", re.I,
)  # fmt: skip
_CHALLENGE_MARKUP = re.compile(
    rb"g-recaptcha|h-captcha|hcaptcha\.com|cf-challenge|cf-turnstile(?!-)|challenge-form|captcha-form|anomaly-modal"
    rb"|antispider|smartcaptcha|checkboxcaptcha|checkcaptcha|\"antiFlag\"\s*:\s*1|/sorry/index|consent\.google\.com/save"
    rb"|id=\"captcha|name=\"captcha|class=\"?captcha|verifying your request|unusual traffic", re.I
)  # fmt: skip
_CHALLENGE_WORDS = re.compile(
    r"验证码用于确认|协助验证|请完成(?:下方|以下)?验证|拖动滑块|系统检测到|verify (?:that )?you(?:'| a)re (?:a |not a )?(?:human|robot)"
    r"|automated (?:quer|request|traffic)|looks? (?:like )?automated|solve the (?:challenge|puzzle)|bots use|not a robot"
    r"|а не робот|will be right back|try again later|请稍后(?:再试|重试)", re.I,
)  # fmt: skip
_NOTHING = re.compile(
    r"there are no results|no (?:more |search |web |matching )?(?:results|pages|documents|matches)(?: were| was)?"
    r" (?:found|for|containing|match)|no (?:more )?results[.!]?\s*$"
    r"|did(?: not|n[’']t) match (?:with )?any"
    r"|(?:did not|didn[’']t|could not|couldn[’']t|can ?not|can[’']t) find (?:any )?(?:results|matches|pages|documents)"
    r"|(?:not|aren[’']t) many great matches"
    r"|(?:没有|未能?)(?:找到|搜索到|搜到|检索到|查到|匹配到)(?:与|和|相关|该|您|任何|符合|结果|内容)"
    r"|没有(?:匹配到?|符合)任何|抱歉[，,。！!]?\s*(?:暂时)?(?:没有|未|找不到)|未找到(?:相关|与)|暂?无相关(?:结果|内容)"
    r"|找不到(?:和|与|符合|任何)"
    r"|keine (?:ergebnisse|treffer|mit deiner|mit ihrer)|aucun (?:document|résultat)|nessun risultato|nenhum resultado"
    r"|no se (?:han )?encontr(?:ado|aron) |ничего не (?:найдено|нашлось)|見つかりませんでした|一致する情報は見つかり"
    r"|검색결과가 없습니다", re.I | re.M,
)  # fmt: skip
_OUTAGE_TITLE = re.compile(
    r"(?:service|temporarily|currently) (?:is )?(?:temporarily |currently )?unavailable|bad gateway|gateway time-?out|internal server error"
    r"|server error|under maintenance|scheduled maintenance|^5\d\d\b|error 5\d\d|something went wrong|technical difficult"
    r"|服务(?:暂时|暂)?不可用|服务器(?:错误|繁忙|开小差)|系统(?:错误|繁忙|维护|升级)|网关(?:错误|超时)|访问出错|暂时无法访问", re.I,
)  # fmt: skip
_INPUT = re.compile(rb"<(?:input|textarea)\b(?![^>]{0,300}type=[\"']?hidden)", re.I)
_SCRIPT_FILE = re.compile(rb"<script\b[^>]{0,300}\bsrc=", re.I)
_FIRST_SERVER_ERROR = 500
_REFUSALS = {401, 402, 403, 407, 418, 429}
_MIN_BODY_BYTES = 200
_MAX_READ_CHARS = 40_000
_MAX_CHALLENGE_CHARS = 1_500
_MIN_GENERIC_RESULTS = 3
"""Results of the generic rule that prove that the engine's own rules miss results."""
_MIN_SNIPPETS = 5
_MIN_SNIPPET_CHARS = 30


def read_answer(engine: Engine, reply: Reply) -> EngineAnswer:
    """The engine's answer, classified; never raises for the content of a page."""
    if reason := refusal(reply):
        return EngineAnswer("blocked", reason=reason)
    try:
        found = engine.results(reply)
    except BlockedError as blocked:
        return EngineAnswer("blocked", reason=str(blocked))
    except NoResultsError as nothing:
        return EngineAnswer("none", reason=str(nothing))
    if found:
        return EngineAnswer("results", _ranked(found), "the engine's own rules")
    return _without_own_results(reply) if engine.is_html else EngineAnswer("none", reason="an empty list")


def _without_own_results(reply: Reply) -> EngineAnswer:
    if reason := _challenge_in_title(reply):
        return EngineAnswer("blocked", reason=reason)
    found = generic_results(reply.page)
    if (notice := _no_results_notice(reply)) and not _have_snippets(found):
        return EngineAnswer("none", reason=f"the page says {notice!r}")
    if not notice and (reason := _challenge_in_page(reply)):
        return EngineAnswer("blocked", reason=reason)
    if reason := "" if notice or len(found) >= _MIN_GENERIC_RESULTS else _outage(reply):
        return EngineAnswer("blocked", reason=reason)
    if len(found) >= _MIN_GENERIC_RESULTS:
        return EngineAnswer("layout_changed", _ranked(found), "only the generic rule finds results")
    return EngineAnswer("layout_changed", reason="neither results nor a notice that there are none")


def _have_snippets(results: list[Result]) -> bool:
    """Whether enough results have snippets, so that the notice is about another spelling of the query."""
    return sum(len(result.snippet) >= _MIN_SNIPPET_CHARS for result in results) >= _MIN_SNIPPETS


def _ranked(results: list[Result]) -> tuple[Result, ...]:
    return tuple(replace(result, rank=rank) for rank, result in enumerate(results, 1))


def refusal(reply: Reply) -> str:
    """The evidence in status, headers or address that the engine refused; "" if there is none."""
    if reply.status in _REFUSALS or reply.status >= _FIRST_SERVER_ERROR:
        return f"HTTP {reply.status}"
    if reply.headers.get("x-yandex-captcha"):
        return "header x-yandex-captcha"
    location = reply.headers.get("location", "")
    if 300 <= reply.status < 400:
        return f"redirected to {location[:100]}"
    if _CHALLENGE_ADDRESS.search(reply.url.split("?", 1)[0]):
        return f"redirected to {reply.url[:100]}"
    return "" if reply.body.strip() else "an empty answer"


def _challenge_in_title(reply: Reply) -> str:
    """The words of a challenge in the page's title; "" if there are none."""
    title = (reply.page.root.findtext(".//title") or "").strip()[:200]
    found = _CHALLENGE_TITLE.search(title)
    return f"the title says {found[0]!r}" if found else ""


def _challenge_in_page(reply: Reply) -> str:
    """The evidence of a challenge in the markup, or in the words of a short page; "" if there is none."""
    if found := _CHALLENGE_MARKUP.search(reply.body[:400_000]):
        return f"the page contains {found[0].decode()!r}"
    words = _words(reply)
    if len(words) < _MAX_CHALLENGE_CHARS and (notice := _CHALLENGE_WORDS.search(words)):
        return f"the page says {notice[0]!r}"
    if reason := challenge_of(200, reply.url, reply.body):
        return f"the page contains {reason}"
    return "almost nothing in the answer" if len(reply.body) < _MIN_BODY_BYTES else ""


def _outage(reply: Reply) -> str:
    """The evidence of an outage of the engine, as opposed to a new layout; "" if there is none.

    A page of results has a search field. A short page without one, and without scripts that could create one, is an error
    page in any wording.
    """
    title, words = (reply.page.root.findtext(".//title") or "").strip()[:200], _words(reply)
    if len(words) >= _MAX_CHALLENGE_CHARS:
        return ""
    if found := _OUTAGE_TITLE.search(title) or _OUTAGE_TITLE.search(words):
        return f"the page says {found[0]!r}"
    head = reply.body[:400_000]
    is_bare = words and not _INPUT.search(head) and not _SCRIPT_FILE.search(head)
    return f"a short page without a search field: {words[:60]!r}" if is_bare else ""


def _no_results_notice(reply: Reply) -> str:
    """The words with which a page says that it found nothing; "" if there are none."""
    found = _NOTHING.search(_words(reply))
    return found[0].strip() if found else ""


def _words(reply: Reply) -> str:
    """The first texts of the page, one a line."""
    return "\n".join(text.strip() for text in reply.page.columns.texts if text.strip())[:_MAX_READ_CHARS]
