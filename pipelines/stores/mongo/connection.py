"""Connects to MongoDB, checks the schema version, and makes indexes."""

import contextlib
from dataclasses import dataclass
from typing import Any, Self

from pymongo import AsyncMongoClient
from pymongo import timeout as longest
from pymongo.asynchronous.collection import AsyncCollection
from pymongo.errors import (
    BulkWriteError,
    ConfigurationError,
    DocumentTooLarge,
    DuplicateKeyError,
    InvalidURI,
    NetworkTimeout,
    OperationFailure,
    PyMongoError,
    ServerSelectionTimeoutError,
)
from pymongo.uri_parser import parse_uri

from pipelines.stores.base import StoreBrokenError, StoreError, Table
from pipelines.stores.mongo.mongo_documents import Document

SCHEMA_VERSION = 1
_DEFAULT_OPTIONS = {
    "w": "majority",
    "journal": True,
    "serverSelectionTimeoutMS": 10_000,
    "connectTimeoutMS": 10_000,
    "socketTimeoutMS": 30_000,
    "appname": "topicrawl",
}
_META = "topicrawl"
_INDEX_SECONDS = 24 * 3600.0
"""An index over millions of documents takes longer than `socketTimeoutMS`."""


@dataclass(frozen=True, slots=True)
class MongoAddress:
    """A parsed connection string.

    Attributes:
        uri: as given.
        location: hosts and database, without user and password.
        database: `topicrawl` if the address names none.
        options: our default options that the address does not set.
    """

    uri: str
    location: str
    database: str
    options: dict[str, Any]

    @classmethod
    def parse(cls, address: str) -> Self:
        """StoreError for an address that cannot be used."""
        try:
            parsed = parse_uri(address)
        except (InvalidURI, ConfigurationError, ValueError) as error:
            raise StoreError(
                f"The MongoDB address is invalid: {error}; write mongodb://user:password@host:27017/database, with "
                "user and password percent-encoded"
            ) from None
        given = {str(name).lower() for name in parsed["options"]}
        if parsed["options"].get("w") == 0:
            raise StoreError("Remove w=0 from the MongoDB address: with it, no write is confirmed.")
        name = str(parsed["database"] or "topicrawl")
        hosts = ",".join(f"{host}:{port}" if port else str(host) for host, port in parsed["nodelist"])
        options = {key: value for key, value in _DEFAULT_OPTIONS.items() if key.lower() not in given}
        return cls(address, f"mongodb://{hosts}/{name}", name, options)


async def connect(address: MongoAddress, tables: list[Table]) -> AsyncMongoClient[Document]:
    """StoreError or PyMongoError if the database cannot be used."""
    client: AsyncMongoClient[Document] = AsyncMongoClient(address.uri, **address.options)
    try:
        await _check_version(client[address.database][_META], address.location)
        sorts_by_key = "version" in await client.server_info()
        for table in tables:
            await _make_indexes(client[address.database][table.name], table, sorts_by_key=sorts_by_key)
    except BaseException:
        await client.close()
        raise
    return client


async def _check_version(meta: AsyncCollection[Document], location: str) -> None:
    found = await meta.find_one({"_id": "schema"})
    if found and found["version"] > SCHEMA_VERSION:
        raise StoreError(
            f"The database {location} cannot be used: its schema is version {found['version']}, "
            "made by a newer topicrawl: update topicrawl, or use another database."
        )
    if found and found["version"] == SCHEMA_VERSION:
        return
    with contextlib.suppress(DuplicateKeyError):  # another node is writing the version at the same time
        await meta.update_one({"_id": "schema"}, {"$set": {"version": SCHEMA_VERSION}}, upsert=True)


async def _make_indexes(collection: AsyncCollection[Document], table: Table, *, sorts_by_key: bool) -> None:
    """Every index.

    sorts_by_key: whether the server can index `_id` beside other fields; small substitutes, which report no version, cannot.
    """
    known = await collection.index_information()
    for names in indexes_of(table):
        columns = names if sorts_by_key else tuple(column for column in names if column != "_id")
        name, keys = "_".join(columns), [(column, 1) for column in columns]
        if known.get(name, {}).get("key") != keys:
            with longest(_INDEX_SECONDS):
                await collection.create_index(keys, name=name)


def indexes_of(table: Table) -> list[tuple[str, ...]]:
    """The fields of each index. A single key ends every index: lists are in the order of a column and then of the key, and without
    the key in the index the server would sort all documents."""
    if len(table.key) > 1:
        return [table.key, *table.indexes]
    found = ([name for name in names if name != table.key[0]] for names in table.indexes)
    return [(*names, "_id") for names in found]


def explained(error: Exception, location: str) -> StoreError:
    """The error as a sentence with a remedy; StoreBrokenError unless it concerns a single document."""
    if isinstance(error, (BulkWriteError, DocumentTooLarge)) or not isinstance(error, PyMongoError):
        return StoreError(f"The database {location} cannot store a row: {error}.")
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        reason, remedy = (
            "its certificate is not trusted",
            "set tlsCAFile=PATH in the address to its authority's certificate",
        )
    elif isinstance(error, ServerSelectionTimeoutError):
        reason, remedy = "no server answers", "check that it runs and that STORE names its address"
    elif isinstance(error, NetworkTimeout):
        reason, remedy = (
            "its server is connected but does not answer in time",
            "check that it is not overloaded, or set socketTimeoutMS in the address",
        )
    elif isinstance(error, OperationFailure) and error.code in (13, 18):
        reason, remedy = (
            "it rejects the user or the password",
            "check both in STORE, and the user's rights on this database",
        )
    elif isinstance(error, OperationFailure) and error.code in (85, 86):
        reason, remedy = f"an index differs from ours ({error})", "drop that index and start again"
    else:
        return StoreBrokenError(f"The database {location} cannot be used: {error}.")
    return StoreBrokenError(f"The database {location} cannot be used: {reason}: {remedy}.")
