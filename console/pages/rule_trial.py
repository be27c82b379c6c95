"""Rules for one site: what is read of a stored page, and where from; a rule by example, tried and saved."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from console.access.people import Role
from console.frame.page import Action, ActionOutcome, ActionRefusedError, ConsolePage, Param
from console.frame.request_context import RequestContext
from crawler.checks.rules_by_example import declared, fields_of, proposed, read_by, save_rule
from crawler.config.sites import read_sites
from crawler.config.yaml_file import DeclarationError, settings_folder
from extractors.links.urls import canonical_url, host_of, url_key
from extractors.page import Page, SiteRules
from pipelines.exporting import source_bytes
from pipelines.stores.tables import SOURCES

_WORDS = ("title", "author", "time")
_MAX_LINES, _MAX_TEXT_CHARS = 10, 2_000


def _view(ctx: RequestContext) -> Mapping[str, Any]:
    url = ctx.params.get("url", "")
    return {"url": url, "tried": _tried(ctx, url, {}) if url else None}


def _tried(ctx: RequestContext, url: str, form: Mapping[str, Any]) -> dict[str, Any] | None:
    """The fields of a stored page as read without and with a rule of these words; None if the page is not stored."""
    rules, page = _rules(ctx, url), _page(ctx, url, None)
    if page is None:
        return None
    read = _page(ctx, url, rules) or page
    like = [line.strip() for line in (form.get("like") or "").splitlines() if line.strip()][:_MAX_LINES]
    words = {name: form[name].strip() for name in _WORDS if (form.get(name) or "").strip()}
    rule = proposed(page, like, words) if like or words else {}
    missing = [name for name in (*(["body"] if like else []), *words) if name not in rule]
    return {
        "host": host_of(url).removeprefix("www."),
        "rules": f"{rules.name}: {rules}" if rules else "",
        "fields": _shown(read),
        "like": "\n".join(like),
        "words": words,
        "missing": missing,
        "rule": declared(rule) if rule else "",
        "proposed": _shown(read_by(page, "rule", rule)) if rule else [],
        "selectors": rule,
    }


def _rules(ctx: RequestContext, url: str) -> SiteRules | None:
    try:
        return read_sites(ctx.app.settings).rules(host_of(url))
    except DeclarationError as error:
        raise ActionRefusedError("rule_trial.wrong", 400, fault=str(error)) from None


def _page(ctx: RequestContext, url: str, rules: SiteRules | None) -> Page | None:
    row = ctx.app.store.get(SOURCES, url_key(canonical_url(url) or url))
    return Page(source_bytes(row), url, charset=row["charset"] or "", rules=rules) if row else None


def _shown(page: Page) -> list[dict[str, str]]:
    return [
        {"name": name, "origin": origin, "value": value[:_MAX_TEXT_CHARS]} for name, origin, value in fields_of(page)
    ]


def _try(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    tried = _tried(ctx, form["url"].strip(), form)
    if tried is None:
        raise ActionRefusedError("rule_trial.not_stored", 404)
    return ActionOutcome(form["url"], shown={"url": form["url"].strip(), "tried": tried})


def _save(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    tried = _tried(ctx, form["url"].strip(), form)
    if tried is None or not tried["selectors"]:
        raise ActionRefusedError("rule_trial.nothing", 409)
    try:
        save_rule(Path(str(settings_folder(ctx.app.settings))), tried["host"], tried["selectors"])
    except DeclarationError as error:
        raise ActionRefusedError("rule_trial.wrong", 409, fault=str(error)) from None
    return ActionOutcome(tried["host"], {"rule": tried["rule"]})


_FIELDS = (
    Param("url", required=True, says="the address of a stored page"),
    Param("like", "lines", says="words of its text, a line each: best its first and its last"),
    *(Param(name, says=f"the {name} as the page shows it") for name in _WORDS),
)
PAGE = ConsolePage(
    name="rule_trial",
    path="/sites/rules",
    view=_view,
    role=Role.ANALYST,
    params=(Param("url", says="the address of a stored page"),),
    actions=(Action("try", _try, fields=_FIELDS, is_view=True), Action("save", _save, Role.ADMIN, _FIELDS)),
    is_costly=True,
)
