"""Serialises Scrapy's requests: plain values and names of callbacks only, nothing that could run code."""

import re
from hashlib import sha1
from typing import Any

import msgpack
import zstandard
from scrapy import Request, Spider
from scrapy.http import FormRequest, JsonRequest
from scrapy.utils.request import fingerprint

from crawler.meta import REFERRER_KEY, TRANSIENT_KEYS, VISITOR_KEY
from pipelines.zstd import Zstd

_CLASSES: dict[str, type[Request]] = {cls.__name__: cls for cls in (Request, FormRequest, JsonRequest)}
_SECRET_HEADERS = frozenset((b"Proxy-Authorization", b"Cookie"))
"""Added again when the request is sent; a redirect would copy them."""
_PLAIN = (str, bytes, int, float, bool, type(None))
_MAX_PAYLOAD_BYTES = 8_000_000
_FORMAT, _FORMAT_ON_HOST = b"\x01", b"\x02"
_MAGIC = b"\x28\xb5\x2f\xfd"
"""The first bytes of every zstd frame, which are omitted."""
_COMMON_PARTS = zstandard.ZstdCompressionDict(
    b"https://m.news.blog.bbs.gov.org.net/thread-forum-list-page/read.php?tid=index.php?id=&page=.html.shtml.htm"
    b"/content/article/detail/archives/category/tag/topic/p/news/2024/2025/2026/12/11/10/09/08/07/06/05/04/03/02/01/"
    b"http://www..com.cn/\xa9cb_kwargs\xa5state\xa6method\xa4POST\xa7headers\xaddont_redirect\xa8found_by\xa4link"
    b"\x83\xa3url\xd9\xa8callback\xa5parse\xa4meta\x82\xa5depth\xa8referrer\xd9\xa8priority\xcd",
    dict_type=zstandard.DICT_TYPE_RAWCONTENT,
)
"""Must never change, since stored requests need it. A better dictionary gets another format byte."""
_COMMON_PARTS_ON_HOST = zstandard.ZstdCompressionDict(
    b"https://www..com.cn/http://m.news.blog.bbs.gov.org.net/index.html/thread-forum-list-page/read.php?tid=index.php?id=&page="
    b"/content/article/detail/archives/category/tag/topic/p/news/2024/2025/2026/12/11/10/09/08/07/06/05/04/03/02/01/"
    b"content_.shtml.htm\xa9cb_kwargs\xa5state\xa6method\xa4POST\xa7headers\xaddont_redirect"
    b"\x84\xa3url\xd9 :/.html\xa8callback\xa5parse\xa4meta\x83\xa5depth\x02\xa8referrer\xb8:/\xa8found_by\xa4link\xa8priority\xcd"
    b"\x84\xa3url\xd9 /.html\xa8callback\xa5parse\xa4meta\x82\xa5depth\x03\xa8referrer\xb8/.html\xa8priority\xcd",
    dict_type=zstandard.DICT_TYPE_RAWCONTENT,
)
"""The dictionary for values without their host; it must never change either."""
_IN_ONE_FORM = re.compile(
    r"https?://(?:[a-z0-9-]{1,60}\.)+[a-z]{2,60}/(?:[A-Za-z0-9_~-][A-Za-z0-9_.~-]*/)*(?:[A-Za-z0-9_~-][A-Za-z0-9_.~-]*)?"
    r"(?:\?[A-Za-z0-9_.-]+=[A-Za-z0-9_.-]+)?"
)
"""Addresses that are already in canonical form: about three of four."""
_SCHEMES = (("", "https://"), (":", "http://"))
"""Abbreviations for the part of an address on the request's host before the path."""
_zstd = Zstd(1, _COMMON_PARTS, dictionary_id=False)
_zstd_on_host = Zstd(1, _COMMON_PARTS_ON_HOST, dictionary_id=False)


class UnstorableRequestError(ValueError):
    """The request has a value that cannot be stored; the message names it."""


def request_key(request: Request) -> int:
    """A request's identity: the first 64 bits of its fingerprint, signed."""
    if request.method == "GET" and not request.body:
        return _page_key(request.url)
    return _key(request)


def _page_key(url: str) -> int:
    if not _IN_ONE_FORM.fullmatch(url):
        return _key(Request(url))
    hashed = f'{{"body": "", "headers": {{}}, "method": "GET", "url": "{url}"}}'  # what Scrapy's fingerprint hashes
    return _as_key(sha1(hashed.encode()).digest())


def _key(request: Request) -> int:
    return _as_key(fingerprint(request))


def _as_key(digest: bytes) -> int:
    return int.from_bytes(digest[:8], "big", signed=True)


def dump_request(request: Request, spider: Spider, host: str = "") -> bytes:
    """The request as bytes, without defaults. Raises UnstorableRequestError for objects and callbacks without a name.

    A host, which `load_request` then needs too, saves bytes.
    """
    values: dict[str, Any] = {"url": request.url}
    if type(request) is not Request:
        values["class"] = _class_name(request)
    if request.method != "GET":
        values["method"] = request.method
    if request.body:
        values["body"] = request.body
    headers = [(name, list(found)) for name, found in request.headers.items() if name not in _SECRET_HEADERS]
    if headers:
        values["headers"] = headers
    for role in ("callback", "errback"):
        if name := _callback_name(getattr(request, role), spider):
            values[role] = name
    meta = {name: value for name, value in request.meta.items() if name not in TRANSIENT_KEYS}
    if VISITOR_KEY in request.meta:
        meta.pop("proxy", None)
    for name, value in (("meta", meta), ("cb_kwargs", request.cb_kwargs), ("cookies", request.cookies)):
        if value:
            _refuse_objects(value, f"{name} of {request.url}")
            values[name] = value
    for name in ("priority", "dont_filter"):
        if value := getattr(request, name):
            values[name] = value
    if request.encoding != "utf-8":
        values["encoding"] = request.encoding
    try:
        return pack(values, host)
    except (ValueError, TypeError, OverflowError) as error:
        raise UnstorableRequestError(f"{request.url} cannot be stored: {error}") from error


def load_request(payload: bytes, spider: Spider, host: str = "") -> Request:
    """The request. Raises UnstorableRequestError for invalid bytes, or for the name of a method that is not a callback."""
    try:
        values = unpack(payload, host)
        cls = _CLASSES[values.pop("class", "Request")]
        for role in ("callback", "errback"):
            if role in values:
                values[role] = _callback(values[role], spider)
        return cls(**values)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UnstorableRequestError(f"a stored request cannot be read: {error}") from error


def stored_url(payload: bytes, host: str = "") -> str:
    """The address of a request of this host; "" for invalid bytes."""
    try:
        return str(unpack(payload, host)["url"])
    except (ValueError, TypeError, KeyError):
        return ""


def pack(values: Any, host: str = "") -> bytes:
    """Plain values as msgpack, compressed with a dictionary of the common parts of requests.

    With a host, the addresses of the request and its referrer on that host are abbreviated. Raises ValueError or TypeError
    for other than plain values, OverflowError for integers beyond 64 bits.
    """
    short = _without_host(values, host) if host else None
    plain = msgpack.packb(short or values)
    if len(plain) > _MAX_PAYLOAD_BYTES:
        raise ValueError(f"{len(plain):,} bytes are too many for a request")
    if short:
        return _FORMAT_ON_HOST + _zstd_on_host.compress(plain)[len(_MAGIC) :]
    return _FORMAT + _zstd.compress(plain)[len(_MAGIC) :]


def _without_host(values: Any, host: str) -> dict[str, Any] | None:
    """The values with abbreviated addresses; None if the address is not on this host or the referrer looks abbreviated."""
    url = _short(values["url"], host)
    if url == values["url"]:
        return None
    meta = values.get("meta")
    referrer = meta.get(REFERRER_KEY) if isinstance(meta, dict) else None
    if not isinstance(referrer, str):
        return {**values, "url": url}
    if referrer.startswith(("/", ":")):
        return None
    return {**values, "url": url, "meta": {**meta, REFERRER_KEY: _short(referrer, host)}}


def _short(url: str, host: str) -> str:
    for mark, scheme in _SCHEMES:
        begin = len(scheme) + len(host)
        if url.startswith(scheme) and url.startswith(f"{host}/", len(scheme)):
            return mark + url[begin:]
    return url


def _long(url: str, host: str) -> str:
    for mark, scheme in _SCHEMES:
        if url.startswith(f"{mark}/"):
            return f"{scheme}{host}{url[len(mark) :]}"
    return url


def _with_host(values: Any, host: str) -> Any:
    """The inverse of `_without_host`. Raises ValueError without a host."""
    if not host:
        raise ValueError("its host is missing")
    values["url"] = _long(values["url"], host)
    meta = values.get("meta")
    if isinstance(meta, dict) and isinstance(referrer := meta.get(REFERRER_KEY), str):
        meta[REFERRER_KEY] = _long(referrer, host)
    return values


def unpack(packed: bytes, host: str = "") -> Any:
    """The inverse of `pack`. Raises ValueError for invalid bytes or a missing host; memory is bounded for any bytes."""
    kind = packed[:1]
    if kind not in (_FORMAT, _FORMAT_ON_HOST):
        raise ValueError("an unknown format")
    frame = _MAGIC + packed[1:]
    try:
        if not 0 <= zstandard.frame_content_size(frame) <= _MAX_PAYLOAD_BYTES:
            raise ValueError("too large")
        zstd = _zstd_on_host if kind == _FORMAT_ON_HOST else _zstd
        values = msgpack.unpackb(zstd.decompress(frame), strict_map_key=False)
        return _with_host(values, host) if kind == _FORMAT_ON_HOST else values
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError("no request") from error
    except (zstandard.ZstdError, msgpack.UnpackException) as error:
        raise ValueError(str(error)) from error


def _class_name(request: Request) -> str:
    name = type(request).__name__
    if _CLASSES.get(name) is not type(request):
        raise UnstorableRequestError(f"requests of class {name} are not stored: {request.url}")
    return name


def _callback_name(function: Any, spider: Spider) -> str:
    if function is None:
        return ""
    name = getattr(function, "__name__", "")
    if getattr(function, "__self__", None) is not spider or not _is_callback(name):
        raise UnstorableRequestError(
            f"{function!r} cannot be stored: a callback must be a method of the spider whose name begins with "
            "parse or on_"
        )
    return name


def _callback(name: Any, spider: Spider) -> Any:
    if not isinstance(name, str) or not _is_callback(name):
        raise UnstorableRequestError(f"{name!r} is not a callback")
    return getattr(spider, name)


def _is_callback(name: str) -> bool:
    return name.startswith(("parse", "on_"))


def _refuse_objects(value: Any, where: str, depth: int = 0) -> None:
    if isinstance(value, dict) and depth < 8:
        for key, inner in value.items():
            _refuse_objects(key, where, depth + 1)
            _refuse_objects(inner, where, depth + 1)
    elif isinstance(value, list | tuple) and depth < 8:
        for inner in value:
            _refuse_objects(inner, where, depth + 1)
    elif not isinstance(value, _PLAIN):
        raise UnstorableRequestError(f"{type(value).__name__} in the {where} cannot be stored")
