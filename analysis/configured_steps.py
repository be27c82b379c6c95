"""Steps of the analysis as settings want them, in the place of those that are used otherwise."""

from functools import partial
from pathlib import Path

from scrapy.settings import BaseSettings

from analysis import happenings
from analysis.events.weights import read_weights
from analysis.running import Steps


def steps_of(settings: BaseSettings) -> Steps:
    """Events by the limits of EVENTS_WEIGHTS; WeightsError if these cannot be used."""
    weights = settings.get("EVENTS_WEIGHTS")
    return {happenings.JOB: partial(happenings.EventStep, settings=read_weights(Path(weights)))} if weights else {}
