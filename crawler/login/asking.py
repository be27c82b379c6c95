"""Whether an answer asks for a log-in in place of giving the page."""

from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from scrapy.http import Response

from crawler.config.sites import Login
from crawler.login.forms import FormError, find_login_form
from crawler.login.signs import has_password_field, leads_to_login, moved_by_script

_MOST_BYTES = 2_000_000


@dataclass(frozen=True, slots=True)
class AskingSigns:
    """What shows it at one site.

    Attributes:
        login: the site's own words for it.
        form_tells: False where a field for a password stands also on pages of those who are logged in.
    """

    login: Login
    form_tells: bool = True

    def of(self, response: Response) -> str:
        """Why, in some words; "" for a page."""
        if 300 <= response.status < 400:
            location = (response.headers.get("Location") or b"").decode("latin-1")
            return self._of_target(urljoin(response.url, location.strip()))
        if response.status == 401:
            return "HTTP 401"
        if response.status not in (200, 403):
            return ""
        if self.login.lost and contains(response, self.login.lost):
            return f"“{self.login.lost[:40]}”"
        if target := moved_by_script(response.body):
            return self._of_target(urljoin(response.url, target))
        return self.of_form(response)

    def _of_target(self, url: str) -> str:
        parts = urlsplit(url)
        page = urlsplit(self.login.page)
        is_page = bool(self.login.page) and (parts.netloc, parts.path) == (page.netloc, page.path)
        return f"sent to {parts.netloc}{parts.path[:60]}" if is_page or leads_to_login(url) else ""

    def of_form(self, response: Response) -> str:
        """The same by the page's form alone."""
        if not self.form_tells or not has_password_field(response.body):
            return ""
        try:
            found = find_login_form(response, self.login.fields)
        except FormError:
            return "a log-in form"
        return "a log-in form" if found else ""


def contains(response: Response, words: str) -> bool:
    """Whether the answer holds the words, in UTF-8 or a Chinese charset."""
    body = response.body[:_MOST_BYTES]
    return any(words.encode(charset, "replace") in body for charset in ("utf-8", "gb18030", "big5"))
