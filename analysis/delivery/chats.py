"""Request body, signature and success check of each service.

All texts are sent as plain text, so that no title of a page is read as markup.
"""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from analysis.delivery.channels import (
    DingTalkChannel,
    FeishuChannel,
    NtfyChannel,
    TelegramChannel,
    WebhookChannel,
    WeComChannel,
    secret,
)
from analysis.delivery.message import DeliveryError, Message
from analysis.delivery.message_text import clean, cut, harmless, one_line, text_of
from analysis.delivery.post import HttpAnswer, post_json, webhook_sign

ChatChannel = WebhookChannel | FeishuChannel | DingTalkChannel | WeComChannel | TelegramChannel | NtfyChannel
Clock = Callable[[], float]
_FEISHU_BYTES, _DINGTALK_BYTES, _WECOM_BYTES, _NTFY_BYTES, _WEBHOOK_BYTES = 15_000, 15_000, 2_000, 3_800, 200_000
_TELEGRAM_LETTERS = 4_000


def _mac(key: bytes, text: bytes = b"") -> str:
    return base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()


def feishu_sign(secret_text: str, seconds: int) -> str:
    """The time in seconds and the secret, on two lines, are the key; what is signed is empty (Feishu, custom bots)."""
    return _mac(f"{seconds}\n{secret_text}".encode())


def dingtalk_sign(secret_text: str, milliseconds: int) -> str:
    """The secret is the key; what is signed is the time in milliseconds and the secret, on two lines (DingTalk, custom robots)."""
    return _mac(secret_text.encode(), f"{milliseconds}\n{secret_text}".encode())


def send_webhook(channel: WebhookChannel, message: Message, *, allow_private: bool, clock: Clock = time.time) -> None:
    seconds = int(clock())
    values: dict[str, Any] = {
        "type": "topicrawl.message", "id": message.key, "title": one_line(message.title), "link": message.link,
        "text": text_of(channel, message, _WEBHOOK_BYTES), "data": dict(message.facts), "again": message.again,
    }  # fmt: skip
    body = json.dumps(values, ensure_ascii=False).encode()
    headers = {"webhook-id": message.key, "webhook-timestamp": str(seconds)}
    if key := secret(channel.secret_from):
        headers["webhook-signature"] = webhook_sign(key, message.key, seconds, body)
    answer = post_json(secret(channel.url_from), {}, headers, body=body, allow_private=allow_private)
    _check(answer, True)


def send_feishu(channel: FeishuChannel, message: Message, *, allow_private: bool, clock: Clock = time.time) -> None:
    values: dict[str, Any] = {
        "msg_type": "text",
        "content": {"text": cut(harmless(text_of(channel, message, _FEISHU_BYTES)), _FEISHU_BYTES)},
    }
    if key := secret(channel.secret_from):
        seconds = int(clock())
        values |= {"timestamp": str(seconds), "sign": feishu_sign(key, seconds)}
    answer = post_json(secret(channel.url_from), values, allow_private=allow_private)
    code = answer.values.get("code", answer.values.get("StatusCode"))
    _check(answer, code == 0, f"code {code}: {answer.values.get('msg')}")


def send_dingtalk(channel: DingTalkChannel, message: Message, *, allow_private: bool, clock: Clock = time.time) -> None:
    url = secret(channel.url_from)
    if key := secret(channel.secret_from):
        milliseconds = int(clock() * 1_000)
        sign = quote(dingtalk_sign(key, milliseconds), safe="")
        url += f"{'&' if '?' in url else '?'}timestamp={milliseconds}&sign={sign}"
    text = text_of(channel, message, _DINGTALK_BYTES)
    answer = post_json(url, {"msgtype": "text", "text": {"content": text}}, allow_private=allow_private)
    _check_errcode(answer)


def send_wecom(channel: WeComChannel, message: Message, *, allow_private: bool, clock: Clock = time.time) -> None:
    text = cut(harmless(text_of(channel, message, _WECOM_BYTES)), _WECOM_BYTES)
    answer = post_json(
        secret(channel.url_from), {"msgtype": "text", "text": {"content": text}}, allow_private=allow_private
    )
    _check_errcode(answer)


def send_telegram(channel: TelegramChannel, message: Message, *, allow_private: bool, clock: Clock = time.time) -> None:
    text = text_of(channel, message, 4 * _TELEGRAM_LETTERS)[:_TELEGRAM_LETTERS]
    values = {"chat_id": channel.chat, "text": text, "link_preview_options": {"is_disabled": True}}
    url = f"{channel.server.rstrip('/')}/bot{secret(channel.token_from)}/sendMessage"
    answer = post_json(url, values, allow_private=allow_private)
    wait = (answer.values.get("parameters") or {}).get("retry_after") or 0
    ok = answer.values.get("ok") is True
    _check(answer, ok, str(answer.values.get("description")), float(wait) if isinstance(wait, int) else 0.0)


def send_ntfy(channel: NtfyChannel, message: Message, *, allow_private: bool, clock: Clock = time.time) -> None:
    values: dict[str, Any] = {
        "topic": secret(channel.topic_from), "title": cut(one_line(message.title), 240), "priority": channel.priority,
        "message": text_of(channel, message, _NTFY_BYTES),
    }  # fmt: skip
    if message.link.startswith(("http://", "https://")):
        values["click"] = one_line(message.link)
    token = secret(channel.token_from)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = post_json(f"{channel.server.rstrip('/')}/", values, headers, allow_private=allow_private)
    _check(answer, True, str(answer.values.get("error")))


def _check_errcode(answer: HttpAnswer) -> None:
    code = answer.values.get("errcode")
    _check(answer, code == 0, f"errcode {code}: {answer.values.get('errmsg')}")


def _check(answer: HttpAnswer, is_taken: bool, said: str = "", wait: float = 0.0) -> None:
    """Raises DeliveryError unless the service accepted the message."""
    if 200 <= answer.status < 300 and is_taken:
        return
    sentence = f"refused with status {answer.status}" + (
        f", {clean(said)[:200]}" if said and "None" not in said else ""
    )
    raise DeliveryError(sentence, wait=max(wait, answer.wait))
