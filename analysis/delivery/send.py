"""Sends a message through a channel of any kind."""

from analysis.delivery import chats
from analysis.delivery.channels import (
    Channel,
    DingTalkChannel,
    EmailChannel,
    FeishuChannel,
    NtfyChannel,
    TelegramChannel,
    WebhookChannel,
    WeComChannel,
)
from analysis.delivery.mail import send_mail
from analysis.delivery.message import Message


def send(channel: Channel, message: Message, *, allow_private: bool) -> str:
    """A sentence about partial failures, "" if there are none; raises DeliveryError if the message was not accepted."""
    match channel:
        case EmailChannel():
            return send_mail(channel, message, allow_private=allow_private)
        case WebhookChannel():
            chats.send_webhook(channel, message, allow_private=allow_private)
        case FeishuChannel():
            chats.send_feishu(channel, message, allow_private=allow_private)
        case DingTalkChannel():
            chats.send_dingtalk(channel, message, allow_private=allow_private)
        case WeComChannel():
            chats.send_wecom(channel, message, allow_private=allow_private)
        case TelegramChannel():
            chats.send_telegram(channel, message, allow_private=allow_private)
        case NtfyChannel():
            chats.send_ntfy(channel, message, allow_private=allow_private)
    return ""
