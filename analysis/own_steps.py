"""Steps of the analysis as settings want them, in the place of those that are used otherwise."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from scrapy.settings import BaseSettings

from analysis import happenings, search
from analysis.events.weights import read_weights
from analysis.jobs import Step
from analysis.running import Steps
from analysis.search.opensearch import OpenSearchIndex, address
from analysis.search.opensearch_client import Client
from pipelines.lease import Lease
from pipelines.stores.base import Store


def steps_of(settings: BaseSettings) -> Steps:
    """Events by the limits of EVENTS_WEIGHTS, search in OPENSEARCH_URL; WeightsError and StoreError if these cannot be used."""
    weights, found = settings.get("EVENTS_WEIGHTS"), dict[str, Callable[[Store, Lease], Step]]()
    if weights:
        found[happenings.JOB] = partial(happenings.EventStep, settings=read_weights(Path(weights)))
    if address():
        found[search.JOB] = partial(OpenSearchIndex, client=Client(address()))
    return found
