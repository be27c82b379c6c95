"""Recognises answers that refuse a visitor though they look like pages, in Chinese and English.

Only small pages are searched for marks of a challenge, and marks count only beside little text: an article about captchas, or
one with a captcha in its comment form, is an article. Some hosts refuse with a short page and status 200, much smaller than
their usual pages. But a site may also have short pages, and one short page for everything that it deleted. So a small answer
is requested again; the same small answer at several addresses, without a usual page in between, is a refusal; an answer that
stays small while usual pages arrive is the page."""

import math
import re
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from typing import Literal
from urllib.parse import urlsplit

from ahocorasick_rs import BytesAhoCorasick, Implementation

REFUSING = frozenset((403, 405, 407, 412, 418, 429, 456, 503, 567, 999))
"""Statuses with which hosts refuse a visitor."""
ACTION_HEADERS = ("cf-mitigated", "x-amzn-waf-action")
_MAX_CHALLENGE_BYTES = 32_000
_SERVICES = {
    "Cloudflare": ("cf_chl_opt", "cf-chl-", "challenges.cloudflare.com", "/cdn-cgi/challenge-platform", "cf-error-details"),
    "Akamai": ("errors.edgesuite.net", "bm-verify", "sec-if-cpt-container", "/_sec/cp_challenge"),
    "Imperva": ("_incapsula_resource", "incapsula incident"),
    "DataDome": ("captcha-delivery.com",),
    "PerimeterX": ("px-captcha", "_pxappid"),
    "AWS WAF": ("awswafcaptcha", "awswafintegration", "gokuprops", "token.awswaf.com"),
    "阿里云": ("errors.aliyun.com", "aliyun_waf", "acw_sc__v2", "aliyuncaptcha", "_____tmd_____", "/punish?"),
    "腾讯云": ("tcaptcha", "turing.captcha", "captcha.qq.com", "tencentcaptcha", "waf.tencentcs.com"),
    "百度": ("wappass.baidu.com", "百度安全验证"),
    "知乎": ("account/unhuman", "网络环境存在异常"),
    "微博": ("sina visitor system", "passport.weibo.com/visitor"),
    "大众点评": ("verify.meituan.com", "verify.dianping.com"),
    "Google": ("/sorry/index", "unusual traffic from your"),
    "reCAPTCHA": ("g-recaptcha",), "hCaptcha": ("hcaptcha.com", "h-captcha"), "极验": ("geetest",),
}  # fmt: skip
_SENTENCES = (
    "访问过于频繁", "请求过于频繁", "操作过于频繁", "访问太频繁", "访问频率过高", "访问出现异常", "访问异常", "异常访问", "异常流量",
    "完成安全验证", "请进行安全验证", "请完成验证", "输入验证码", "拖动滑块", "滑动验证", "人机验证", "身份核实", "访问被拒绝",
    "禁止访问", "已被拦截", "被阻断", "网站防火墙", "ip已被封", "ip被封", "您的ip", "暂时限制", "频繁请求",
    "are you a robot", "you are human", "you are a human", "not a robot", "access denied", "request blocked", "you have been blocked",
    "too many requests", "rate limit", "checking your browser", "enable javascript and cookies to continue",
    "pardon our interruption", "request unsuccessful", "automated access", "temporarily blocked", "unusual activity",
    "suspicious activity", "security check", "ip address has been", "just a moment",
)  # fmt: skip
_ADDRESS = re.compile(
    r"/(?:sorry|antispider|showcaptcha|captcha|unhuman|punish|visitor/visitor)(?:[/.?]|$)|^captcha\.|^verify\.|^wappass\.",
    re.I,
)
_INVISIBLE = re.compile(
    rb"<(script|style|noscript|svg)\b.*?</\1\s*>|<!--.*?-->|<[^>]{0,2000}>|&\w{1,8};|\s+", re.I | re.S
)


@cache
def _matcher() -> tuple[BytesAhoCorasick, list[str]]:
    marks = [(mark, service) for service, found in _SERVICES.items() for mark in found]
    marks += [(sentence, f"“{sentence}”") for sentence in _SENTENCES]
    written = {mark.encode(charset): said for mark, said in marks for charset in ("utf-8", "gb18030")}
    # the fastest implementation; takes 1.5 MB of memory, so it is created with the first answer
    return BytesAhoCorasick(list(written), implementation=Implementation.DFA), list(written.values())


def challenge_of(status: int, url: str, body: bytes, action: str = "") -> str:
    """Why the answer is a challenge or a ban, in a few words; "" for a page.

    Answers of 32,000 bytes or more are pages. In smaller ones a mark counts beside at most 600 bytes of visible text, or
    3,000 if the status or the address is one of refusals.

    Args:
        action: the value of one of ACTION_HEADERS, in which a protection service names the kind of its answer.
    """
    if action in ("challenge", "captcha", "block"):
        return f"the service says {action}"
    parts = urlsplit(url)
    is_refusal = status in REFUSING
    at_challenge = _ADDRESS.search(parts.path) or _ADDRESS.search(parts.netloc)
    if len(body) >= _MAX_CHALLENGE_BYTES or (status != 200 and not is_refusal):
        return ""
    matcher, reasons = _matcher()
    found = matcher.find_matches_as_indexes(body.lower())
    if not found and not at_challenge:
        return ""
    length = len(_INVISIBLE.sub(b"", body))
    if found and length <= (3_000 if is_refusal or at_challenge else 600):
        return reasons[found[0][0]]
    return f"address {parts.path[:60]}" if at_challenge and length <= 600 else ""


def refusal_of_redirect(location: str) -> str:
    """The target, in a few words, of a redirect to a challenge; "" for other redirects."""
    parts = urlsplit(location)
    found = _ADDRESS.search(parts.path) or _ADDRESS.search(parts.netloc)
    return f"redirected to {parts.netloc}{parts.path[:60]}" if found else ""


_MIN_PAGES = 20
"""Pages needed to know the usual size of a host."""
_SMALL_FACTOR = 8
"""An answer is small if it is this many times smaller than usual,"""
_MAX_SMALL_BYTES = 4_000
"""and smaller than this."""
_REFUSAL_ADDRESSES = 4
"""Consecutive addresses with the same small answer that make a refusal."""
_MAX_ATTEMPTS = 3
"""Attempts after which the small answer of a single address is its page."""
_MAX_HOSTS, _MAX_ADDRESSES = 2_000, 500
_VARYING = re.compile(rb"\d+|https?://[^\s\"'<>]{0,500}")
Size = Literal["usual", "again", "refusal"]


@dataclass(slots=True)
class _HostSizes:
    pages: int = 0
    log_size: float = 0.0
    row: dict[bytes, set[str]] = field(default_factory=dict)
    """Addresses by their small answer, since the last usual page."""
    small: OrderedDict[str, int] = field(default_factory=OrderedDict)
    """Addresses with a small answer, with the number of usual pages seen at that time."""


class UsualSizes:
    """Learns the usual page size of each host, with more weight for newer pages. Hosts and addresses are limited."""

    def __init__(self) -> None:
        self._hosts: OrderedDict[str, _HostSizes] = OrderedDict()

    def classify(self, host: str, url: str, body: bytes, attempt: int = 1) -> Size:
        """Classify an HTML page with status 200 by its size; "again" asks for one more request.

        Args:
            attempt: number of this request, from 1.
        """
        known = self._host(host)
        size = len(body)
        if known.pages < _MIN_PAGES or size >= _MAX_SMALL_BYTES or size * _SMALL_FACTOR >= math.exp(known.log_size):
            self._learn(known, size)
            return "usual"
        return self._small(known, url, body, attempt)

    def _small(self, known: _HostSizes, url: str, body: bytes, attempt: int) -> Size:
        if known.small.get(url, known.pages) < known.pages:
            return "usual"  # it was small before, and usual pages came since
        known.small[url] = known.pages
        if len(known.small) > _MAX_ADDRESSES:
            known.small.popitem(last=False)
        same = known.row.setdefault(_fingerprint(body, url), set())
        same.add(url)
        if len(same) >= _REFUSAL_ADDRESSES:
            return "refusal"
        return "usual" if attempt >= _MAX_ATTEMPTS and len(same) == 1 else "again"

    def _learn(self, known: _HostSizes, size: int) -> None:
        known.pages += 1
        known.log_size += (math.log(size + 1) - known.log_size) / min(known.pages, 50)
        known.row.clear()

    def _host(self, host: str) -> _HostSizes:
        known = self._hosts.get(host)
        if known is None:
            known = self._hosts[host] = _HostSizes()
            if len(self._hosts) > _MAX_HOSTS:
                self._hosts.popitem(last=False)
        return known


def _fingerprint(body: bytes, url: str) -> bytes:
    """A hash that ignores the address and numbers in an answer."""
    path = url.partition("://")[2].partition("/")[2].encode("utf-8", "replace")
    plain = body.replace(path, b"") if len(path) > 3 else body
    return blake2b(_VARYING.sub(b"", plain), digest_size=8).digest()
