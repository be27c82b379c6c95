"""Channel declarations. The file holds no secrets, only the names of the environment variables that do."""

import os
from collections.abc import Mapping
from string import Template
from typing import Annotated, Literal

from pydantic import Field, field_validator

from analysis.delivery.message import DeliveryError
from crawler.config.yaml_file import Strict

Variable = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]*$")]
"""Name of an environment variable, in capitals; a secret written here by mistake is rejected."""
_PLACES = ("title", "text", "link")
_TELEGRAM, _NTFY = "https://api.telegram.org", "https://ntfy.sh"


class _Channel(Strict):
    """`template` makes the text that people read from $title, $text and $link."""

    template: str = "$title\n$text\n$link"

    @field_validator("template")
    @classmethod
    def _is_template(cls, value: str) -> str:
        found = Template(value)
        unknown = [name for name in found.get_identifiers() if name not in _PLACES]
        if unknown or not found.is_valid():
            raise ValueError("is not a valid template: it may have $title, $text and $link; a dollar sign is $$")
        return value


class WebhookChannel(_Channel):
    """JSON to any address, signed as Standard Webhooks if there is a secret."""

    kind: Literal["webhook"]
    url_from: Variable
    secret_from: Variable | None = None


class FeishuChannel(_Channel):
    """A custom bot of Feishu or Lark."""

    kind: Literal["feishu"]
    url_from: Variable
    secret_from: Variable | None = None


class DingTalkChannel(_Channel):
    """A custom robot of DingTalk."""

    kind: Literal["dingtalk"]
    url_from: Variable
    secret_from: Variable | None = None


class WeComChannel(_Channel):
    """A group robot of WeCom (WeChat Work); its address is its secret."""

    kind: Literal["wecom"]
    url_from: Variable


class TelegramChannel(_Channel):
    """A bot of Telegram."""

    kind: Literal["telegram"]
    token_from: Variable
    chat: str | int
    server: str = _TELEGRAM


class NtfyChannel(_Channel):
    """A topic of an ntfy server; on a public server its name is a secret too."""

    kind: Literal["ntfy"]
    topic_from: Variable
    token_from: Variable | None = None
    server: str = _NTFY
    priority: int = Field(default=3, ge=1, le=5)


class EmailChannel(_Channel):
    """A mail server. With `security: none`, passwords are refused; `ca_file` has certificates that are trusted beside the system's."""

    kind: Literal["email"]
    host: str = Field(min_length=1)
    port: int = Field(default=587, ge=1, le=65_535)
    security: Literal["starttls", "tls", "none"] = "starttls"
    ca_file: str = ""
    sender: str = Field(pattern=r"^[^@\s]+@[^@\s]+$")
    to: list[Annotated[str, Field(pattern=r"^[^@\s]+@[^@\s]+$")]] = Field(min_length=1, max_length=100)
    user_from: Variable | None = None
    password_from: Variable | None = None
    template: str = "$text\n\n$link"


Channel = WebhookChannel | FeishuChannel | DingTalkChannel | WeComChannel | TelegramChannel | NtfyChannel | EmailChannel
AnyChannel = Annotated[Channel, Field(discriminator="kind")]
KINDS: Mapping[str, type[Channel]] = {
    "feishu": FeishuChannel, "dingtalk": DingTalkChannel, "wecom": WeComChannel, "email": EmailChannel, "webhook": WebhookChannel,
    "telegram": TelegramChannel, "ntfy": NtfyChannel,
}  # fmt: skip
"""Every kind of channel."""


def secret(variable: str | None) -> str:
    """The value of a variable, "" if none is named; DeliveryError if it is not set."""
    if variable is None:
        return ""
    value = os.environ.get(variable, "").strip()
    if not value:
        raise DeliveryError(f"the variable {variable} is not set in the environment of this process")
    return value


def missing_secrets(channel: Channel) -> list[str]:
    """Variables that the channel names and that are not set."""
    names = [getattr(channel, field) for field in type(channel).model_fields if field.endswith("_from")]
    return [name for name in names if name and not os.environ.get(name, "").strip()]
