"""Runs Trac, Fossil and public-inbox with threads of our own, and saves what they show.

    python -m benchmarks.engines.server_pages ENGINE PACKAGES < requests > pages

Needs the Debian packages `fossil` and `public-inbox`, and PACKAGES of pip for Trac.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path
from typing import Any

from lxml import html as markup

Request = dict[str, Any]
_LOCALES = {"zh": "zh_CN", "zh-hant": "zh_TW", "ja": "ja_JP", "ko": "ko_KR"}


def _wiki(post: dict[str, Any]) -> str:
    quoted = [f"> {post['quote']}"] if post["quote"] else []
    return "\n\n".join([*quoted, *post["paragraphs"]])


def _records(posts: list[dict[str, Any]], times: list[str]) -> list[dict[str, str]]:
    return [
        {"author": post["author"], "text": post["text"], "time": " ".join(time.split())}
        for post, time in zip(posts, times, strict=True)
    ]


def _trac(request: Request, _: Path) -> dict[str, Any]:
    from trac.test import EnvironmentStub, MockRequest
    from trac.ticket.model import Ticket
    from trac.ticket.web_ui import TicketModule
    from trac.util.translation import activate
    from trac.web.chrome import Chrome

    environment = EnvironmentStub(default_data=True, enable=["trac.*"])
    posts = request["topics"][0]["posts"]
    ticket = Ticket(environment)
    ticket["summary"], ticket["description"] = request["topics"][0]["title"], _wiki(posts[0])
    ticket["reporter"], ticket["status"] = posts[0]["author"], "new"
    ticket.insert(when=datetime.fromisoformat(posts[0]["time"]))
    for post in posts[1:]:
        ticket.save_changes(post["author"], _wiki(post), datetime.fromisoformat(post["time"]))
    locale = _LOCALES.get(request["language"], request["language"])
    asked = MockRequest(environment, path_info="/ticket/1", language=locale)
    activate(locale)
    module = TicketModule(environment)
    module.match_request(asked)
    made = Chrome(environment).render_template(asked, *module.process_request(asked)[:2], {})
    text = b"".join(each if isinstance(each, bytes) else each.encode() for each in made).decode()
    page = markup.fromstring(text)
    opened = page.xpath("string(//div[@class='date']/p[1]/span)")
    changed = [each.text_content() for each in page.xpath("//h3[@class='change']/span[@title]")]
    return {"html": text, "records": _records(posts, [opened, *changed])}


def _fossil_card(text: str) -> str:
    return text.replace("\\", "\\\\").replace(" ", "\\s")


def _artifact(folder: Path, post: dict[str, Any], above: list[str]) -> str:
    """Writes a post of the forum as Fossil's file format has it; returns its name."""
    time = datetime.fromisoformat(post["time"]).strftime("%Y-%m-%dT%H:%M:%S.000")
    body = _wiki(post)
    cards = [f"D {time}"]
    if above:
        cards += [f"G {above[0]}"]
    else:
        cards += [f"H {_fossil_card(post['title'])}"]
    if above:
        cards += [f"I {above[-1]}"]
    cards += ["N text/x-markdown", f"U {_fossil_card(post['author'])}", f"W {len(body.encode())}", body]
    text = "\n".join(cards) + "\n"
    text += f"Z {hashlib.md5(text.encode()).hexdigest()}\n"
    name = hashlib.sha3_256(text.encode()).hexdigest()
    (folder / name).write_bytes(text.encode())
    return name


def _fossil(request: Request, folder: Path) -> dict[str, Any]:
    parts, repository = folder / "parts", folder / "talk.fossil"
    parts.mkdir()
    first = ""
    for topic in request["topics"]:
        above: list[str] = []
        for post in topic["posts"]:
            above.append(_artifact(parts, post | {"title": topic["title"]}, above[:1]))
        first = first or above[0]
    environment = os.environ | {"HOME": str(folder), "USER": "admin"}
    run = {"check": True, "stdout": subprocess.PIPE, "env": environment}
    subprocess.run(["fossil", "reconstruct", str(repository), str(parts)], **run)
    subprocess.run(["fossil", "user", "capabilities", "nobody", "234hjorz", "-R", str(repository)], **run)
    is_list = len(request["topics"]) > 1
    path = "/forum" if is_list else f"/forumpost/{first}?t=c&unf"
    asked = f"GET {path} HTTP/1.0\r\nHost: site.example\r\n\r\n".encode()
    answer = subprocess.run(["fossil", "http", str(repository)], input=asked, **run).stdout.decode()
    text = answer.split("\r\n\r\n", 1)[1]
    page = markup.fromstring(text)
    if not is_list:
        posts = request["topics"][0]["posts"]
        heads = [each.text_content() for each in page.cssselect("h3.forumPostHdr")]
        times = [re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?", each)[0] for each in heads]  # type: ignore[index]
        return {"html": text, "records": _records(posts, times)}
    topics = {each["title"]: each for each in request["topics"]}
    records = []
    for row in page.xpath("//div[contains(@class,'forum')]//table//tr[td]"):
        cells = [" ".join(each.text_content().split()) for each in row.xpath("./td")]
        title = row.xpath("string(.//a)").strip()
        records.append({"title": title, "time": cells[0], "replies": str(topics[title]["replies"] + 1)})
    return {"html": text, "records": records}


_SERVE = """
use PublicInbox::WWW; use PublicInbox::Config;
my $www = PublicInbox::WWW->new(PublicInbox::Config->new($ENV{PI_CONFIG}));
open(my $err, '>&', \\*STDERR); open(my $in, '<', '/dev/null');
my $env = {PATH_INFO => $ENV{ASKED}, SCRIPT_NAME => '', REQUEST_METHOD => 'GET', QUERY_STRING => '', SERVER_NAME => 'site.example',
  SERVER_PORT => 80, HTTP_HOST => 'site.example', 'psgi.url_scheme' => 'http', 'psgi.errors' => $err, 'psgi.input' => $in};
my $answer = $www->call($env);
if (ref $answer eq 'CODE') { $answer->(sub { $answer = $_[0]; PublicInbox::Fake->new }) }
my $body = $answer->[2];
if (ref $body eq 'ARRAY') { print @$body } elsif ($body) { while (defined(my $part = $body->getline)) { print $part } }
package PublicInbox::Fake; sub new { bless {}, shift } sub write { print $_[1] } sub close { }
"""


def _message(post: dict[str, Any], title: str, names: list[str]) -> bytes:
    made = EmailMessage()
    made["From"], made["To"] = f'"{post["author"]}" <reader@site.example>', "talk@site.example"
    made["Subject"] = f"Re: {title}" if names else title
    made["Date"] = format_datetime(datetime.fromisoformat(post["time"]))
    made["Message-ID"] = f"<{hashlib.sha256(repr(post).encode()).hexdigest()[:20]}@site.example>"
    if names:
        made["In-Reply-To"] = names[-1]
        made["References"] = names[0]
    made.set_content(_wiki(post), cte="8bit")
    return made.as_bytes()


def _public_inbox(request: Request, folder: Path) -> dict[str, Any]:
    environment = os.environ | {
        "PI_CONFIG": str(folder / "config"), "HOME": str(folder), "ORIGINAL_RECIPIENT": "talk@site.example",
        "PI_EMERGENCY": str(folder / "lost"),
        "GIT_CONFIG_GLOBAL": str(folder / "git"),
    }  # fmt: skip
    run = {"check": True, "stdout": subprocess.PIPE, "env": environment}
    subprocess.run(
        ["public-inbox-init", "-V2", "talk", str(folder / "talk"), "http://site.example/talk", "talk@site.example"],
        **run,
    )
    subprocess.run(["git", "config", "-f", str(folder / "config"), "publicinboxmda.spamcheck", "none"], **run)
    posts, names = request["topics"][0]["posts"], []
    for post in posts:
        mail = _message(post, request["topics"][0]["title"], names)
        names.append(re.search(rb"Message-ID: (\S+)", mail)[1].decode())  # type: ignore[index]
        subprocess.run(["public-inbox-mda", "--no-precheck"], input=mail, **run)
    path = f"/talk/{names[0].strip('<>')}/T/"
    text = subprocess.run(["perl", "-e", _SERVE], **run | {"env": environment | {"ASKED": path}}).stdout.decode()
    times = [datetime.fromisoformat(each["time"]).strftime("%Y-%m-%d %H:%M") for each in posts]
    times = [re.sub(r"-0(\d) ", r"-\1 ", each) if each not in text else each for each in times]
    return {"html": text, "records": _records(posts, times)}


_ENGINES = {"trac": _trac, "fossil": _fossil, "publicinbox": _public_inbox}


def main() -> None:
    """See the module's text."""
    engine, packages = sys.argv[1], Path(sys.argv[2])
    sys.path.append(str(packages / "trac"))
    made = []
    for request in json.load(sys.stdin):
        with tempfile.TemporaryDirectory() as folder:
            made.append(_ENGINES[engine](request, Path(folder)))
    json.dump(made, sys.stdout)


main()
