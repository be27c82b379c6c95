"""Analysis steps configured by settings, replacing the default ones."""

from functools import partial
from pathlib import Path

from scrapy.settings import BaseSettings

from analysis.events import store as event_store
from analysis.events.weights import read_weights
from analysis.running import Steps


def steps_of(settings: BaseSettings) -> Steps:
    """The event step with the thresholds of EVENTS_WEIGHTS; raises WeightsError if the file is invalid."""
    weights = settings.get("EVENTS_WEIGHTS")
    return {event_store.JOB: partial(event_store.EventStep, settings=read_weights(Path(weights)))} if weights else {}
