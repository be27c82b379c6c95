"""E-mail by SMTP; the same message has the same Message-ID each time, so that mail programs recognise duplicates."""

import contextlib
import smtplib
import socket
import ssl
from email.message import EmailMessage
from email.utils import formatdate

from analysis.delivery.channels import EmailChannel, secret
from analysis.delivery.message import DeliveryError, Message
from analysis.delivery.post import TIMEOUT_SECONDS, connected, time_limit
from analysis.delivery.text import cut, one_line, text_of

_TEXT_BYTES = 100_000
_SUBJECT_BYTES = 240
_MAX_SECONDS = 40.0
"""Limit for sending one message, attachments included."""


def mail_of(channel: EmailChannel, message: Message) -> EmailMessage:
    """The e-mail, with its files attached."""
    mail = EmailMessage()
    mail["From"] = channel.sender
    mail["To"] = ", ".join(channel.to)
    mail["Subject"] = cut(one_line(message.title), _SUBJECT_BYTES) or "topicrawl"
    mail["Date"] = formatdate(localtime=False)
    mail["Message-ID"] = f"<{message.key}@{channel.sender.partition('@')[2]}>"
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(text_of(channel, message, _TEXT_BYTES) + "\n")
    for file in message.files:
        kind, _, sub = file.type.partition("/")
        mail.add_attachment(file.content, maintype=kind, subtype=sub or "octet-stream", filename=file.name)
    return mail


class _Smtp(smtplib.SMTP):
    """Connects only to checked addresses."""

    def __init__(self, channel: EmailChannel, trusting: ssl.SSLContext, allow_private: bool) -> None:
        self._channel, self._trusting, self._allow_private = channel, trusting, allow_private
        super().__init__(channel.host, channel.port, timeout=TIMEOUT_SECONDS)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        raw = connected(host, port, timeout, allow_private=self._allow_private)
        is_tls = self._channel.security == "tls"
        return self._trusting.wrap_socket(raw, server_hostname=host) if is_tls else raw

    def socket_now(self) -> socket.socket:
        """The socket; after STARTTLS another one than before."""
        if self.sock is None:
            raise smtplib.SMTPServerDisconnected("the connection is closed")
        return self.sock


def send_mail(channel: EmailChannel, message: Message, *, allow_private: bool) -> str:
    """A sentence about rejected receivers, "" if there are none; raises DeliveryError if every receiver was rejected."""
    user, password = secret(channel.user_from), secret(channel.password_from)
    if password and channel.security == "none":
        raise DeliveryError("a password is not sent without encryption: write security: starttls or tls")
    trusting, handed_over = _trusting(channel), False
    try:
        server = _Smtp(channel, trusting, allow_private)
        try:
            if channel.security == "starttls":
                server.starttls(context=trusting)
            if user:
                server.login(user, password)
            handed_over = True
            with time_limit(server.socket_now(), _MAX_SECONDS):
                refused = server.send_message(mail_of(channel, message))
        finally:
            with contextlib.suppress(OSError, smtplib.SMTPException):
                server.quit()
    except smtplib.SMTPResponseException as error:
        raise DeliveryError(f"{channel.host} refused it: {error.smtp_code} {_text(error.smtp_error)}") from None
    except smtplib.SMTPRecipientsRefused as error:
        raise DeliveryError(f"{channel.host} refused every receiver: {len(error.recipients)}") from None
    except ssl.SSLCertVerificationError as error:
        raise DeliveryError(f"the certificate of {channel.host} is not trusted: {error.verify_message}") from None
    except (OSError, smtplib.SMTPException) as error:
        raise DeliveryError(f"{channel.host} did not respond: {type(error).__name__}", unsure=handed_over) from None
    return f"{channel.host} refused {len(refused)} of {len(channel.to)} receivers" if refused else ""


def _trusting(channel: EmailChannel) -> ssl.SSLContext:
    """Trusts the system's authorities, and those of the channel."""
    context = ssl.create_default_context()
    if channel.ca_file:
        try:
            context.load_verify_locations(channel.ca_file)
        except (OSError, ssl.SSLError) as error:
            raise DeliveryError(f"the certificates in {channel.ca_file} cannot be read: {error}") from None
    return context


def _text(raw: bytes | str) -> str:
    return one_line(raw.decode(errors="replace") if isinstance(raw, bytes) else raw)[:200]
