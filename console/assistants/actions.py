"""Tools that change something: actions of console pages, within the role of an account, each a decision and a row of the audit."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from mcp.server.mcpserver import Context

from console.access.people import Person, Role
from console.assistants.tools import AskError
from console.frame.app_context import AppContext
from console.frame.decisions import carry_out, note_audit
from console.frame.page import ActionRefusedError, ConsolePage
from console.frame.params import ParamError, read_params
from console.frame.request_context import RequestContext
from console.frame.word_catalogue import Words
from console.pages import PAGES
from pipelines.stores.base import StoreError

Actor = Callable[[Mapping[str, str] | None], Person]
"""Who acts in a request with these headers; raises AskError for nobody."""


@dataclass(frozen=True, slots=True)
class Actions:
    """The actions open to an assistant if `scrapy mcp --allow-actions` grants them."""

    app_context: AppContext
    actor: Actor

    def start(
        self, context: Context, spider: str, topic: str = "", url: str = "", max_pages: int = 0
    ) -> dict[str, Any]:
        """Start a crawl: spider is site, metasearch or watch; url is a start page, several with commas; needs the role admin."""
        return self._act(context, "runs", "start", spider=spider, topic=topic, url=url, max_pages=max_pages or "")

    def stop(self, context: Context, job: str) -> dict[str, Any]:
        """Stop a job by its name; what it holds is kept for the next run. Needs the role admin."""
        return self._act(context, "runs", "stop", job=job)

    def mark(self, context: Context, topic: str, url: str, answer: str) -> dict[str, Any]:
        """Mark a page as an example of a topic: answer is yes or no. The topic learns from it. Needs the role analyst."""
        return self._act(context, "examples", "mark", topic=topic, url=url, answer=answer)

    def _act(self, context: Context, of: str, name: str, **given: object) -> dict[str, Any]:
        page = next(each for each in PAGES if each.name == of)
        ctx, action = self._request(context, page), next(each for each in page.actions if each.name == name)
        if not ctx.person.may(action.role):
            raise AskError(f"{ctx.person.name} is {ctx.person.role}; this needs the role {action.role}")
        try:
            form = read_params(action.fields, {name: str(value) for name, value in given.items()})
            outcome, key = carry_out(ctx, page, action, form)
        except ActionRefusedError as error:
            raise AskError(ctx.words(error.key, **error.values)) from None
        except (ParamError, StoreError) as error:
            raise AskError(str(error)) from None
        facts = {"action": f"{page.name}.{name}", "decision": key}
        note_audit(self.app_context.store, ctx.now, ctx.person.name, "assistant_acted", outcome.subject, facts)
        return {"decision": key, "subject": outcome.subject, "facts": dict(outcome.facts)}

    def _request(self, context: Context, page: ConsolePage) -> RequestContext:
        app, zone = self.app_context, ZoneInfo(self.app_context.config.zone)
        return RequestContext(app, self.actor(context.headers), Words("en"), zone, app.now(), page.path)

    def all(self) -> list[Callable[..., dict[str, Any]]]:
        return [self.start, self.stop, self.mark]


def account(app_context: AppContext, name: str) -> Actor:
    """On standard input and output: the account of this name, as it is at each act."""

    def actor(_: Mapping[str, str] | None) -> Person:
        row = app_context.people.get(name)
        if row is None:
            raise AskError(f"there is no active account {name!r}")
        return Person(row["name"], Role.named(row["role"]))

    return actor


def token_holder(app_context: AppContext) -> Actor:
    """Over HTTP: the account of the request's token, which must have the scope decide."""

    def actor(headers: Mapping[str, str] | None) -> Person:
        scheme, _, token = (headers or {}).get("authorization", "").partition(" ")
        person = app_context.sessions.program(token.strip()) if scheme.lower() == "bearer" else None
        if person is None or not person.may_decide:
            raise AskError("this token may only read")
        return person

    return actor
