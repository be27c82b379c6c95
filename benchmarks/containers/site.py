"""A site of PAGES linked articles on port 8000; runs alone in a container: python site.py PAGES."""

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGES = int(sys.argv[1])
_PARAGRAPH = "<p>昨天下午，市政府召开第{}次会议，讨论了今年的计划，并听取了各方意见，记者在现场看到许多市民。</p>"


class Site(BaseHTTPRequestHandler):
    """The start page, and /1.html to /PAGES.html; each links to the next ten."""

    def do_GET(self) -> None:
        number = self.path.strip("/").removesuffix(".html") or "0"
        if not number.isdigit() or int(number) > PAGES:
            self.send_error(404)
            return
        following = range(int(number) + 1, min(int(number) + 11, PAGES + 1))
        links = " ".join(f"<a href=/{each}.html>第{each}篇文章的标题</a>" for each in following)
        title = f"第{number}篇文章的标题"
        body = f"<html><title>{title}</title><h1>{title}</h1>{_PARAGRAPH.format(number) * 4}{links}</html>".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Silence."""


ThreadingHTTPServer(("0.0.0.0", 8000), Site).serve_forever()
