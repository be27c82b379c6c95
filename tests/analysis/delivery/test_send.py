"""What receivers get: bodies, signatures, answers that refuse, and addresses that must not be asked."""

import base64
import contextlib
import gc
import hashlib
import hmac
import socket
import socketserver
import struct
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from pydantic import TypeAdapter

from analysis.delivery import post
from analysis.delivery.channels import AnyChannel, Channel
from analysis.delivery.message import Attachment, DeliveryError, Message
from analysis.delivery.send import send
from testbed.servers.certificates import make_certificates
from tests.analysis.delivery.receivers import Got, Receiver, mail_server, receiver

MESSAGE = Message(
    "k-1", "海城地震\n@all", '三家网站 <at user_id="all">所有人</at> \x1b[31m', "https://a.example/1", {"sites": 3}
)
SECRET = "s3cret-of-the-bot"


def channel(**values: Any) -> Channel:
    return TypeAdapter(AnyChannel).validate_python(values)


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    with receiver() as found:
        monkeypatch.setenv("URL", f"{found.url}/hook?access_token=abcdef")
        monkeypatch.setenv("SECRET", SECRET)
        yield found


def sent(web: Receiver, **values: Any) -> Got:
    send(channel(**values), MESSAGE, allow_private=True)
    return web.got[-1]


def mac(key: bytes, text: bytes) -> str:
    return base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()


def test_feishu(web: Receiver) -> None:
    values = sent(web, kind="feishu", url_from="URL", secret_from="SECRET").values
    assert abs(int(values["timestamp"]) - time.time()) < 60
    assert values["sign"] == mac(f"{values['timestamp']}\n{SECRET}".encode(), b"")
    assert values["msg_type"] == "text"
    text = values["content"]["text"]
    assert text.startswith("海城地震 @all\n三家网站")
    assert "<at" not in text
    assert "\x1b" not in text


def test_dingtalk(web: Receiver) -> None:
    got = sent(web, kind="dingtalk", url_from="URL", secret_from="SECRET")
    query = parse_qs(urlsplit(got.path).query)
    assert query["access_token"] == ["abcdef"]
    assert abs(int(query["timestamp"][0]) / 1000 - time.time()) < 60
    assert query["sign"] == [mac(SECRET.encode(), f"{query['timestamp'][0]}\n{SECRET}".encode())]
    assert "at" not in got.values


def test_wecom_and_its_limit(web: Receiver) -> None:
    assert "<" not in sent(web, kind="wecom", url_from="URL").values["text"]["content"]
    send(channel(kind="wecom", url_from="URL"), Message("k", "字" * 5_000, "<" * 5_000), allow_private=True)
    assert len(web.got[-1].values["text"]["content"].encode()) <= 2_048


def test_telegram_and_ntfy(web: Receiver) -> None:
    got = sent(web, kind="telegram", token_from="SECRET", chat=-5, server=web.url)
    assert (got.path, got.values["chat_id"], "parse_mode" in got.values) == (f"/bot{SECRET}/sendMessage", -5, False)
    got = sent(web, kind="ntfy", topic_from="SECRET", token_from="SECRET", server=web.url, priority=4)
    assert got.headers["authorization"] == f"Bearer {SECRET}"
    assert (got.values["topic"], got.values["priority"], got.values["click"]) == (SECRET, 4, "https://a.example/1")


@pytest.mark.parametrize("secret", [SECRET, "whsec_" + base64.b64encode(b"0123456789abcdef").decode()])
def test_webhook(web: Receiver, monkeypatch: pytest.MonkeyPatch, secret: str) -> None:
    monkeypatch.setenv("SECRET", secret)
    got = sent(web, kind="webhook", url_from="URL", secret_from="SECRET")
    key = b"0123456789abcdef" if secret != SECRET else SECRET.encode()
    assert got.headers["webhook-id"] == "k-1"
    signed = f"k-1.{got.headers['webhook-timestamp']}.".encode() + got.body
    assert got.headers["webhook-signature"] == f"v1,{mac(key, signed)}"
    assert got.values["data"] == {"sites": 3}


def test_mail_with_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    to = ["c@d.example", "e@f.example"]
    with mail_server() as server:
        server.refused = {"e@f.example"}
        box = channel(kind="email", host="127.0.0.1", port=server.port, security="none", sender="a@b.example", to=to)
        message = Message(
            "k-1", "报告\r\nBcc: x@y.example", "正文", files=(Attachment("r.html", "text/html", b"<p>1"),)
        )
        assert "refused 1 of 2" in send(box, message, allow_private=True)
        (mail,) = server.mails
        assert mail["Subject"] == "报告 Bcc: x@y.example"
        assert (mail["Message-ID"], mail["Bcc"]) == ("<k-1@b.example>", None)
        assert [part.get_filename() for part in mail.iter_attachments()] == ["r.html"]
        monkeypatch.setenv("SECRET", SECRET)
        secret = channel(**(box.model_dump() | {"user_from": "SECRET", "password_from": "SECRET"}))
        with pytest.raises(DeliveryError, match="without encryption"):
            send(secret, message, allow_private=True)


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_mail_is_encrypted_and_the_certificate_is_checked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, security: str
) -> None:
    monkeypatch.setenv("SECRET", SECRET)
    ours, others = make_certificates(tmp_path / "ours"), make_certificates(tmp_path / "others")
    values = {"kind": "email", "security": security, "sender": "a@b.example", "to": ["c@d.example"]}
    values |= {"user_from": "SECRET", "password_from": "SECRET"}
    with mail_server(ours, at_once=security == "tls") as server:
        values |= {"host": "127.0.0.1", "port": server.port}
        for trusted in ("", str(others.authority)):
            with pytest.raises(DeliveryError, match=r"certificate of 127\.0\.0\.1 is not trusted") as error:
                send(channel(**values, ca_file=trusted), MESSAGE, allow_private=True)
            assert not error.value.unsure
        assert (server.mails, server.users) == ([], [])
        assert send(channel(**values, ca_file=str(ours.authority)), MESSAGE, allow_private=True) == ""
        assert [mail["Message-ID"] for mail in server.mails] == ["<k-1@b.example>"]
        assert server.users == [f"\0{SECRET}\0{SECRET}"]
        with pytest.raises(DeliveryError, match="cannot be read"):
            send(channel(**values, ca_file=str(tmp_path / "none.pem")), MESSAGE, allow_private=True)


def test_a_mail_server_without_encryption_gets_no_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", SECRET)
    with mail_server() as server:
        values = {"kind": "email", "host": "127.0.0.1", "port": server.port, "sender": "a@b.example"}
        box = channel(**values, to=["c@d.example"], user_from="SECRET", password_from="SECRET")
        with pytest.raises(DeliveryError, match="did not respond: SMTPNotSupportedError"):
            send(box, MESSAGE, allow_private=True)
        assert (server.mails, server.users) == ([], [])


@contextlib.contextmanager
def talker(piece: bytes, pause: float) -> Iterator[int]:
    """The port of a server that sends this piece again and again, whatever it is asked."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with contextlib.suppress(OSError):
                while True:
                    self.request.sendall(piece)
                    time.sleep(pause)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


@pytest.mark.parametrize("security", ["none", "starttls", "tls"])
@pytest.mark.parametrize(
    ("piece", "pause"), [(b"2", 0.2), (b"220-and more\r\n", 0.0), (b"x" * 65_536, 0.0), (b"\x16\x03\x03\x40", 0.3)]
)
def test_a_mail_server_that_never_comes_to_an_end_is_left(
    monkeypatch: pytest.MonkeyPatch, security: str, piece: bytes, pause: float
) -> None:
    monkeypatch.setattr("analysis.delivery.mail._MAX_SECONDS", 1.0)
    with talker(piece, pause) as port:
        values = {"kind": "email", "host": "127.0.0.1", "port": port, "sender": "a@b.example", "security": security}
        began = time.monotonic()
        with pytest.raises(DeliveryError) as error:
            send(channel(**values, to=["c@d.example"]), MESSAGE, allow_private=True)
        assert time.monotonic() - began < 3
        assert not error.value.unsure, "it can be tried again"


@pytest.mark.parametrize("security", ["none", "starttls", "tls"])
def test_a_connection_that_is_reset_is_closed(security: str) -> None:
    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.sendall(b"220-wait")
            time.sleep(0.1)  # until the other side is connected, most often
            self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.request.close()

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        values = {"kind": "email", "host": "127.0.0.1", "port": server.server_address[1], "sender": "a@b.example"}
        with pytest.raises(DeliveryError, match=r"did not respond|cannot be reached"):
            send(channel(**values, security=security, to=["c@d.example"]), MESSAGE, allow_private=True)
        server.shutdown()
    gc.collect()  # what is left open warns, and warnings are errors


@pytest.mark.parametrize(
    ("kind", "status", "body", "said"),
    [
        ("feishu", 200, b'{"code": 19021, "msg": "sign match fail"}', "code 19021: sign match fail"),
        ("dingtalk", 200, b'{"errcode": 310000, "errmsg": "sign not match"}', "errcode 310000"),
        ("wecom", 200, b"not json", "refused with status 200"),
        ("webhook", 500, b"", "refused with status 500"),
        ("webhook", 302, b"", "refused with status 302"),
    ],
)
def test_what_is_refused_is_no_success(web: Receiver, kind: str, status: int, body: bytes, said: str) -> None:
    web.answer = lambda got: (status, body, {"Retry-After": "70", "Location": f"{web.url}/other"})
    with pytest.raises(DeliveryError, match=said) as error:
        send(channel(kind=kind, url_from="URL"), MESSAGE, allow_private=True)
    assert (error.value.wait, error.value.unsure, len(web.got)) == (70.0, False, 1)


def test_private_addresses_are_not_asked(web: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    for host in ("127.0.0.1", "localhost", "[::1]", "0x7f.1", "169.254.169.254"):
        monkeypatch.setenv("URL", f"http://{host}:{urlsplit(web.url).port}/")
        with pytest.raises(DeliveryError, match=r"private address|not known"):
            send(channel(kind="webhook", url_from="URL"), MESSAGE, allow_private=False)
    mail = channel(kind="email", host="localhost", security="none", sender="a@b.example", to=["c@d.example"])
    with pytest.raises(DeliveryError, match="private address"):
        send(mail, MESSAGE, allow_private=False)
    assert web.got == []


def test_a_slow_answer_ends_in_time(web: Receiver) -> None:
    web.answer = lambda got: (time.sleep(2), (200, b"", {}))[1]  # type: ignore[func-returns-value]
    begun = time.monotonic()
    with pytest.raises(DeliveryError, match="did not respond") as error:
        post.post_json(web.url, {}, allow_private=True, seconds=0.3)
    assert error.value.unsure
    assert time.monotonic() - begun < 1.8


def test_a_missing_secret_is_named_and_not_its_value() -> None:
    with pytest.raises(DeliveryError, match="NOT_SET is not set"):
        send(channel(kind="wecom", url_from="NOT_SET"), MESSAGE, allow_private=True)
