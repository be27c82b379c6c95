"""Sites behind a log-in, as an HTTP proxy for made-up host names: by form, and by single sign-on over two hosts."""

import secrets
import threading
from collections import Counter
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self
from urllib.parse import parse_qs, quote, urlsplit

from testbed.local_server import AnsweringHandler

USERNAME, PASSWORD = "leserin-7041", "p4ss&wört=geheim"
_TEXT = "A paragraph that tells what happened in town on day {0}, and what people said of it. "


@dataclass
class Session:
    """What a site knows of a visitor who has logged in."""

    pages: int = 0


@dataclass
class Asked:
    """A request, and the answer in the making."""

    handler: BaseHTTPRequestHandler
    path: str
    query: dict[str, str]
    form: dict[str, str]
    cookies: dict[str, str]
    headers: list[tuple[str, str]] = field(default_factory=list)

    def page(self, html: str, status: int = 200) -> None:
        """Answer with a page."""
        body = f"<!DOCTYPE html><html><head><meta charset=utf-8>{html}</html>".encode()
        self.handler.send_response(status)
        for name, value in [
            *self.headers,
            ("Content-Type", "text/html; charset=utf-8"),
            ("Content-Length", str(len(body))),
        ]:
            self.handler.send_header(name, value)
        self.handler.end_headers()
        self.handler.wfile.write(body)

    def send_to(self, url: str) -> None:
        """Answer with a redirect."""
        self.headers.append(("Location", url))
        self.page("", 302)

    def keep(self, name: str, value: str) -> None:
        """Set a cookie."""
        self.headers.append(("Set-Cookie", f"{name}={value}; Path=/; HttpOnly"))


class Pages:
    """Pages 0 … count-1 of which each has ten children; a session is good for `per_session` of them."""

    def __init__(self, count: int, per_session: int) -> None:
        self.count, self.per_session = count, per_session
        self.sessions: dict[str, Session] = {}
        self.served: set[int] = set()
        self.secrets: set[str] = set()
        self.counts: Counter[str] = Counter()

    def new_session(self) -> str:
        """Its name, which is a secret."""
        name = secrets.token_hex(16)
        self.sessions[name] = Session()
        self.secrets.add(name)
        return name

    def is_in(self, asked: Asked) -> bool:
        """Whether the visitor's session holds for another page."""
        name = asked.cookies.get("sid", "")
        session = self.sessions.get(name)
        if session is None:
            return False
        if session.pages >= self.per_session:
            del self.sessions[name]
            self.counts["expired"] += 1
            return False
        return True

    def give(self, asked: Asked) -> None:
        """A page of the tree."""
        name = asked.path.strip("/") or "0"
        if not name.isdigit() or int(name) >= self.count:
            asked.page("<title>not here</title>", 404)
            return
        number = int(name)
        self.sessions[asked.cookies["sid"]].pages += 1
        self.served.add(number)
        children = range(number * 10 + 1, min(number * 10 + 11, self.count))
        links = "".join(f'<li><a href="/{child}">What happened on day {child}</a></li>' for child in children)
        asked.page(
            f"<title>Day {number}</title><body><a href=/logout>Log out</a><h1>Day {number}</h1>"
            f"<p>{_TEXT.format(number) * 8}</p><ul>{links}</ul></body>"
        )

    def leave(self, asked: Asked) -> None:
        """The session ends."""
        self.counts["left"] += 1
        self.sessions.pop(asked.cookies.get("sid", ""), None)
        asked.page("<title>bye</title>")


def login_form(action: str, token: str, said: str = "") -> str:
    """A log-in page as they are: a search and a registration beside it, hidden fields in it."""
    return (
        "<title>登录</title><body><form action=/search><input name=q><button>搜索</button></form>"
        f"<p>{said}</p><form method=post action='{action}' id=loginForm><input type=hidden name=csrf value='{token}'>"
        "<input type=hidden name=execution value=e1s1><label>用户名 <input name=account></label>"
        "<label>密码 <input type=password name=pwd></label><input type=checkbox name=remember value=1>"
        "<button name=go value=yes>登录</button></form>"
        "<form method=post action=/register><input name=nick><input type=password name=p1><input type=password name=p2>"
        "</form></body>"
    )


class FormSite(Pages):
    """Logs in by its own form, with a token that belongs to the visitor; tells those who are not in in three ways."""

    def __init__(self, count: int, per_session: int) -> None:
        super().__init__(count, per_session)
        self._tokens: dict[str, str] = {}

    def answer(self, asked: Asked) -> None:
        """One request."""
        if asked.path == "/login":
            self._log_in(asked)
        elif asked.path == "/logout":
            self.leave(asked)
        elif self.is_in(asked):
            self.give(asked)
        else:
            self._refuse(asked)

    def _refuse(self, asked: Asked) -> None:
        asked.headers.append(("Set-Cookie", "sid=gone; Path=/; Max-Age=0"))
        way = len(asked.path) % 3
        if way == 0:
            asked.send_to(f"/login?next={quote(asked.path)}")
        elif way == 1:
            self._show(asked)
        else:
            asked.page("<script>alert('请先登录');location.href='/login';</script>")

    def _show(self, asked: Asked, said: str = "") -> None:
        visitor, token = secrets.token_hex(8), secrets.token_hex(8)
        self._tokens[visitor] = token
        asked.keep("visitor", visitor)
        asked.page(login_form("/login", token, said))

    def _log_in(self, asked: Asked) -> None:
        if not asked.form:
            self._show(asked)
            return
        if asked.form.get("csrf") != self._tokens.pop(asked.cookies.get("visitor", ""), "none"):
            asked.page("<title>bad token</title>", 403)
            return
        self.counts["logins"] += 1
        if (asked.form.get("account"), asked.form.get("pwd")) != (USERNAME, PASSWORD):
            self._show(asked, "用户名或密码错误")
            return
        asked.keep("sid", self.new_session())
        asked.send_to("/")


class SignOnSite(Pages):
    """Logs in at another host, which gives tickets; the sign-on host remembers its visitor for `tickets` of them."""

    def __init__(self, count: int, per_session: int, own: str, sign_on: str, tickets: int = 3) -> None:
        super().__init__(count, per_session)
        self._own, self._sign_on, self._most = own, sign_on, tickets
        self._tickets: set[str] = set()
        self._remembered: dict[str, int] = {}

    def answer(self, asked: Asked) -> None:
        """One request for the site itself."""
        if (ticket := asked.query.get("ticket")) is not None:
            self._take(asked, ticket)
        elif asked.path == "/logout":
            self.leave(asked)
        elif self.is_in(asked):
            self.give(asked)
        else:
            asked.send_to(
                f"http://{self._sign_on}/cas/login?service={quote(f'http://{self._own}{asked.path}', safe='')}"
            )

    def _take(self, asked: Asked, ticket: str) -> None:
        if ticket not in self._tickets:
            asked.page("<title>no such ticket</title>", 403)
            return
        self._tickets.discard(ticket)
        self.counts["logins"] += 1
        asked.keep("sid", self.new_session())
        asked.send_to(asked.path)

    def sign_on(self, asked: Asked) -> None:
        """One request for the sign-on host."""
        service = asked.query.get("service", "")
        remembered = asked.cookies.get("CASTGC", "")
        if self._remembered.get(remembered, 0) > 0:
            self._remembered[remembered] -= 1
            self._give_ticket(asked, service)
        elif not asked.form:
            asked.page(login_form(f"/cas/login?service={quote(service, safe='')}", "t"))
        elif (asked.form.get("account"), asked.form.get("pwd")) == (USERNAME, PASSWORD):
            self.counts["passwords"] += 1
            name = secrets.token_hex(16)
            self.secrets.add(name)
            self._remembered[name] = self._most - 1
            asked.keep("CASTGC", name)
            self._give_ticket(asked, service)
        else:
            asked.page(login_form("/cas/login", "t", "密码错误"))

    def _give_ticket(self, asked: Asked, service: str) -> None:
        ticket = f"ST-{secrets.token_hex(12)}"
        self.secrets.add(ticket)
        self._tickets.add(ticket)
        asked.send_to(f"{service}{'&' if '?' in service else '?'}ticket={ticket}")


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


class LoginWeb:
    """The form site at pages.example; the other at library.example, whose sign-on host is sso.campus.example."""

    def __init__(self, pages: int, per_session: int) -> None:
        self.by_form = FormSite(pages, per_session)
        self.by_sign_on = SignOnSite(pages, per_session, "library.example", "sso.campus.example")
        self.hosts = {
            "pages.example": self.by_form.answer,
            "library.example": self.by_sign_on.answer,
            "sso.campus.example": self.by_sign_on.sign_on,
        }
        web, lock = self, threading.Lock()

        class Handler(AnsweringHandler):
            def do_GET(self) -> None:
                with lock:
                    web._answer(self)

            do_POST = do_GET  # the library's name

        self._server = _Server(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(handler.path)
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0)).decode()
        cookies = SimpleCookie(handler.headers.get("Cookie", ""))
        asked = Asked(
            handler,
            parts.path,
            {name: values[0] for name, values in parse_qs(parts.query).items()},
            {name: values[0] for name, values in parse_qs(body).items()},
            {name: morsel.value for name, morsel in cookies.items()},
        )
        answer = self.hosts.get(parts.hostname or "")
        if parts.path == "/robots.txt" or answer is None:
            asked.page("", 404)
        else:
            answer(asked)

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
