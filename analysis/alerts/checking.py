"""The check of `scrapy doctor` for alerts."""

import os
from urllib.parse import urlsplit

from scrapy.settings import BaseSettings

from analysis.alerts.rule_set import FILE, rule_set_of
from analysis.delivery.channels import EmailChannel, missing_secrets
from analysis.delivery.message import DeliveryError
from analysis.delivery.post import checked_addresses
from crawler.checks import Finding
from crawler.config.yaml_file import DeclarationError


def alerts(settings: BaseSettings) -> list[Finding]:
    """Check that the rule file is valid, its secrets are set and its receivers are allowed; no findings without a file."""
    try:
        rule_set = rule_set_of(settings)
    except DeclarationError as error:
        return [Finding("fault", "Alerts", str(error), "Correct the file; docs/insight.md explains each key.")]
    if not rule_set.rules and not rule_set.channels:
        return []
    found = [Finding("ok", "Alerts", f"{len(rule_set.rules)} rules and {len(rule_set.channels)} channels in {FILE}")]
    for name, channel in rule_set.channels.items():
        if missing := missing_secrets(channel):
            advice = "Set it in the environment of `scrapy analysis run`."
            found.append(Finding("warning", "Alerts", f"the channel {name} needs {', '.join(missing)}", advice))
            continue
        host, port = (channel.host, channel.port) if isinstance(channel, EmailChannel) else _host(channel)
        try:
            if host:
                checked_addresses(host, port, allow_private=settings.getbool("ALLOW_PRIVATE_ADDRESSES"))
        except DeliveryError as error:
            found.append(Finding("warning", "Alerts", f"{name}: {error}", f"Try it with `scrapy alerts test {name}`."))
    if silent := [name for name, rule in rule_set.rules.items() if not rule_set.channels_of(rule)]:
        found.append(Finding("ok", "Alerts", f"without a channel, seen in the console only: {', '.join(silent)}"))
    return found


def _host(channel: object) -> tuple[str, int]:
    variable = getattr(channel, "url_from", None)
    url = os.environ.get(variable, "") if variable else str(getattr(channel, "server", ""))
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or 443
