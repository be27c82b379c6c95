"""How engines say no, and how they say that there is nothing."""

import re

from crawler.engines.base import Reply

_CHALLENGE_ADDRESS = re.compile(
    r"wappass\.baidu\.com|/static/captcha|sorry\.google\.|/sorry(?:/|\?|$)|/antispider|showcaptcha|/challenge\b|captcha",
    re.I,
)
_CHALLENGE_TITLE = re.compile(
    r"安全验证|访问验证|人机验证|验证码|verify(?:ing)? (?:your|you|that)|are you (?:a )?(?:human|robot)|access denied"
    r"|just a moment|attention required|unusual traffic|captcha|robot check|^403\b|^429\b|too many requests",
    re.I,
)
_CHALLENGE_MARKUP = re.compile(
    rb"g-recaptcha|h-captcha|hcaptcha\.com|cf-challenge|cf-turnstile(?!-)|challenge-form|captcha-form|anomaly-modal"
    rb"|antispider|smartcaptcha|\"antiFlag\"\s*:\s*1|/sorry/index|id=\"captcha|name=\"captcha"
    rb"|verifying your request|unusual traffic", re.I
)  # fmt: skip
_NOTHING = re.compile(
    r"there are no results|no results (?:were )?found for|did not match any (?:documents|web)|no (?:more )?results[.!]?\s*$"
    r"|we did not find (?:any )?results|没有找到(?:与|和|相关|该|您)|抱歉[，,。]?\s*(?:没有|未)找到|未找到(?:相关|与)"
    r"|无相关(?:结果|内容)|找不到(?:和|与|符合)|keine ergebnisse|aucun résultat|ничего не (?:найдено|нашлось)"
    r"|見つかりませんでした|검색결과가 없습니다",
    re.I | re.M,
)
_REFUSALS = {401, 402, 403, 407, 418, 429, 503}
_LITTLE = 200
_SOME = 40_000


def refusal(reply: Reply) -> str:
    """How status, headers and addresses refuse; "" if they do not."""
    if reply.status in _REFUSALS:
        return f"HTTP {reply.status}"
    if reply.headers.get("x-yandex-captcha"):
        return "header x-yandex-captcha"
    location = reply.headers.get("location", "")
    if 300 <= reply.status < 400:
        return f"redirected to {location[:100]}"
    if _CHALLENGE_ADDRESS.search(reply.url.split("?", 1)[0]):
        return f"redirected to {reply.url[:100]}"
    return "" if reply.body.strip() else "an empty answer"


def titled_challenge(reply: Reply) -> str:
    """How the title of a page without results challenges its reader; "" if it does not."""
    title = (reply.page.root.findtext(".//title") or "").strip()[:200]
    found = _CHALLENGE_TITLE.search(title)
    return f"the title says {found[0]!r}" if found else ""


def challenge(reply: Reply) -> str:
    """How the markup of a page without results and without a word about it challenges its reader."""
    if found := _CHALLENGE_MARKUP.search(reply.body[:400_000]):
        return f"the page holds {found[0].decode()!r}"
    return "almost nothing in the answer" if len(reply.body) < _LITTLE else ""


def says_nothing_found(reply: Reply) -> str:
    """The words by which a page says that it has found nothing; "" if it does not."""
    texts = reply.page.columns.texts
    found = _NOTHING.search("\n".join(text.strip() for text in texts)[:_SOME])
    return found[0].strip() if found else ""
