"""Say which servers the tests would use: `python -m tests.servers`."""

from pathlib import Path

from tests.servers.finding import NoServerError, given_mongo, given_redis, mongo_server, redis_server

if __name__ == "__main__":
    for name, given, find in (("Redis", given_redis(), redis_server), ("MongoDB", given_mongo(), mongo_server)):
        try:
            print(f"{name}: {'the environment' if given else find(Path('unused')).origin}")
        except NoServerError as error:
            print(f"{name}: {error}")
