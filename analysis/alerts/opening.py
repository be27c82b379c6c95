"""The alert step, configured from settings."""

from collections.abc import Callable, Mapping

from scrapy.settings import BaseSettings

from analysis.alerts.rule_set import rule_set_of
from analysis.alerts.step import JOB, AlertOptions, AlertStep
from analysis.jobs import Step
from pipelines.lease import Lease
from pipelines.stores.base import Store

_CHECK_SECONDS = 60.0
"""Between two checks of the rules; rules about silent sites: every tenth check."""


def alert_options(settings: BaseSettings) -> AlertOptions:
    """Options from the settings; the rule file is read later."""
    return AlertOptions(
        lambda: rule_set_of(settings),
        _CHECK_SECONDS,
        settings.getbool("ALLOW_PRIVATE_ADDRESSES"),
        str(settings.get("CONSOLE_URL") or ""),
    )


def alert_steps(settings: BaseSettings) -> Mapping[str, Callable[[Store, Lease], Step]]:
    """The alert step by job name."""
    options = alert_options(settings)
    return {JOB: lambda store, lease: AlertStep(store, lease, options)}
