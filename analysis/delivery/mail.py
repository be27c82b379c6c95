"""E-mail by SMTP; the same message has the same Message-ID each time, so that mail programs recognise duplicates."""

import contextlib
import smtplib
import socket
import ssl
from collections.abc import Iterator
from email.message import EmailMessage
from email.utils import formatdate

from analysis.delivery.channels import EmailChannel, secret
from analysis.delivery.message import DeliveryError, Message
from analysis.delivery.message_text import cut, one_line, text_of
from analysis.delivery.post import TIMEOUT_SECONDS, connected, time_limit

_TEXT_BYTES = 100_000
_SUBJECT_BYTES = 240
_MAX_SECONDS = 40.0
"""Limit for sending one message, from the connection on, attachments included."""
_MAX_REPLY_LINES, _MAX_LINE_BYTES = 100, 2_000


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
    """Connects only to checked addresses. Its conversation, from the greeting on, ends at the deadline or with `limits`."""

    def __init__(
        self, channel: EmailChannel, trusting: ssl.SSLContext, allow_private: bool, limits: contextlib.ExitStack
    ) -> None:
        self._channel, self._trusting, self._allow_private, self._limits = channel, trusting, allow_private, limits
        super().__init__(channel.host, channel.port, timeout=TIMEOUT_SECONDS)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        raw = connected(host, port, timeout, allow_private=self._allow_private)
        self._limits.enter_context(time_limit(raw, _MAX_SECONDS))
        is_tls = self._channel.security == "tls"
        return self._trusting.wrap_socket(raw, server_hostname=host) if is_tls else raw

    def getreply(self) -> tuple[int, bytes]:
        """A reply of bounded length; smtplib's own collects lines without end. Raises SMTPException and OSError, once it is closed."""
        said = b""
        for _ in range(_MAX_REPLY_LINES):
            line = self._line()
            said += line[4:].strip() + b"\n"
            if not line[:3].isdigit():
                break
            if line[3:4] != b"-":
                return int(line[:3]), said.rstrip()
        self.close()
        raise smtplib.SMTPServerDisconnected("the connection ended, or what came is no reply")

    def _line(self) -> bytes:
        try:
            self.file = self.file or self.sock.makefile("rb")  # type: ignore[union-attr]
            return self.file.readline(_MAX_LINE_BYTES)
        except OSError:
            self.close()
            raise


def send_mail(channel: EmailChannel, message: Message, *, allow_private: bool) -> str:
    """A sentence about rejected receivers, "" if there are none; raises DeliveryError if every receiver was rejected."""
    if secret(channel.password_from) and channel.security == "none":
        raise DeliveryError("a password is not sent without encryption: write security: starttls or tls")
    trusting, handed_over = _trusting(channel), False
    try:
        with _conversation(channel, trusting, allow_private) as server:
            handed_over = True
            refused = server.send_message(mail_of(channel, message))
    except smtplib.SMTPResponseException as error:
        raise DeliveryError(f"{channel.host} refused it: {error.smtp_code} {_text(error.smtp_error)}") from None
    except smtplib.SMTPRecipientsRefused as error:
        raise DeliveryError(f"{channel.host} refused every receiver: {len(error.recipients)}") from None
    except ssl.SSLCertVerificationError as error:
        raise DeliveryError(f"the certificate of {channel.host} is not trusted: {error.verify_message}") from None
    except (OSError, smtplib.SMTPException) as error:
        raise DeliveryError(f"{channel.host} did not respond: {type(error).__name__}", unsure=handed_over) from None
    return f"{channel.host} refused {len(refused)} of {len(channel.to)} receivers" if refused else ""


@contextlib.contextmanager
def _conversation(channel: EmailChannel, trusting: ssl.SSLContext, allow_private: bool) -> Iterator[_Smtp]:
    """A server that is ready for a message."""
    with contextlib.ExitStack() as limits:
        server = _Smtp(channel, trusting, allow_private, limits)
        try:
            if channel.security == "starttls":
                server.starttls(context=trusting)
            if channel.user_from:
                server.login(secret(channel.user_from), secret(channel.password_from))
            yield server
        finally:
            with contextlib.suppress(OSError, smtplib.SMTPException):
                server.quit()


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
