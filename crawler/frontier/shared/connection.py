"""The frontier's client of Redis."""

from redis import Redis
from scrapy.settings import BaseSettings

from crawler import redis_client
from crawler.frontier.base import FrontierError


def connect(settings: BaseSettings) -> Redis:
    """As `crawler.redis_client.connect`; FrontierError for settings that make no sense."""
    try:
        return redis_client.connect(settings)
    except redis_client.RedisSettingsError as error:
        raise FrontierError(str(error)) from error
