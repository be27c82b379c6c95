"""Doors to a server: with TLS in front of it, or as the members of a MongoDB replica set that has one memory.

A MongoDB client learns a replica set from what each member says of itself. Two doors to one server that say so are a
replica set to it, whose primary can be moved at will; what a member does in such a move (answer NotWritablePrimary, end
its connections) is done here, everything else is the server's.
"""

import contextlib
import socket
import ssl
import struct
import threading
from collections.abc import Callable
from typing import Any, Self
from urllib.parse import urlsplit

import bson

from testbed.servers.certificates import Certificates

_NOT_PRIMARY = {"ok": 0.0, "code": 10107, "codeName": "NotWritablePrimary", "errmsg": "not primary"}
_HEADER = struct.Struct("<iiii")
_MESSAGE, _QUERY = 2013, 2004


class Door:
    """Passes bytes between clients and a server, both ways.

    Attributes:
        address: where clients knock, with the scheme of the server's address.
    """

    def __init__(self, address: str, certificates: Certificates | None = None) -> None:
        parts = urlsplit(address)
        self._target = (parts.hostname or "", parts.port or 0)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self.address = f"{parts.scheme}://127.0.0.1:{self.port}/"
        self._context: ssl.SSLContext | None = None
        if certificates:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(certificates.certificate, certificates.key)
        self._open: set[socket.socket] = set()

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()
        self.end_connections()

    def end_connections(self) -> None:
        """All that are open now."""
        for each in list(self._open):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, plain: socket.socket) -> None:
        with plain, contextlib.suppress(OSError):
            client = self._context.wrap_socket(plain, server_side=True) if self._context else plain
            with client, socket.create_connection(self._target) as server:
                self._open |= {client, server}
                try:
                    self._between(client, server)
                finally:
                    self._open -= {client, server}

    def _between(self, client: socket.socket, server: socket.socket) -> None:
        """One request, one answer, as long as both are there; both sides speak MongoDB's protocol."""
        while request := _message(client):
            server.sendall(request)
            client.sendall(_message(server))


class Member(Door):
    """One member of a replica set; `is_primary` says whether it takes writes now."""

    def __init__(self, address: str, name: str) -> None:
        super().__init__(address)
        self._name = name
        self.hosts: list[str] = []
        self.election = 1
        self.is_primary = False
        self.refused = 0

    @property
    def host(self) -> str:
        """As the set knows it."""
        return f"127.0.0.1:{self.port}"

    def _between(self, client: socket.socket, server: socket.socket) -> None:
        while request := _message(client):
            command = _document(request)
            name = next(iter(command)).lower()
            if name in ("hello", "ismaster"):
                server.sendall(request)
                client.sendall(_changed(_message(server), self._introduce))
            elif not self.is_primary:
                self.refused += 1
                client.sendall(_reply(request, _NOT_PRIMARY))
            else:
                server.sendall(request)
                client.sendall(_message(server))

    def _introduce(self, said: dict[str, Any]) -> dict[str, Any]:
        said.pop("topologyVersion", None)
        # without the id of a session a client does not retry by itself: what is tried here is that the store does
        said.pop("logicalSessionTimeoutMinutes", None)
        own = {
            "setName": self._name,
            "hosts": self.hosts,
            "me": self.host,
            "setVersion": 1,
            "secondary": not self.is_primary,
        }
        if self.is_primary:
            own["electionId"] = bson.ObjectId(f"{self.election:024x}")
        return said | own | {"isWritablePrimary": self.is_primary, "ismaster": self.is_primary}


class ReplicaSet:
    """Two members in front of one server.

    Attributes:
        address: for clients, with the set's name.
    """

    def __init__(self, address: str, name: str = "rs0") -> None:
        self.members = [Member(address, name), Member(address, name)]
        for member in self.members:
            member.hosts = [each.host for each in self.members]
        self.members[0].is_primary = True
        self.address = f"mongodb://{','.join(self.members[0].hosts)}/?replicaSet={name}"

    def __enter__(self) -> Self:
        for member in self.members:
            member.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        for member in self.members:
            member.__exit__()

    def step_down(self) -> None:
        """From now on nobody is primary; open connections stay, and get refusals."""
        for member in self.members:
            member.is_primary = False

    def elect(self, place: int) -> None:
        """That member is primary; the connections of the others end."""
        newest = max(member.election for member in self.members) + 1
        for number, member in enumerate(self.members):
            member.is_primary = number == place
            if member.is_primary:
                member.election = newest
            else:
                member.end_connections()


def _message(source: socket.socket) -> bytes:
    """One whole message, empty where there is none any more."""
    head = _exactly(source, 16)
    return head + _exactly(source, _HEADER.unpack(head)[0] - 16) if head else b""


def _exactly(source: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        part = source.recv(count - len(data))
        if not part:
            return b""
        data += part
    return data


def _document(message: bytes) -> dict[str, Any]:
    """The command in a request of either kind."""
    start = message.index(b"\x00", 20) + 9 if _HEADER.unpack_from(message)[3] == _QUERY else 21
    size = struct.unpack_from("<i", message, start)[0]
    return bson.decode(message[start : start + size])


def _reply(request: bytes, document: dict[str, Any]) -> bytes:
    body = b"\0\0\0\0\0" + bson.encode(document)
    return _HEADER.pack(16 + len(body), 0, _HEADER.unpack_from(request)[1], _MESSAGE) + body


def _changed(message: bytes, change: Callable[[dict[str, Any]], dict[str, Any]]) -> bytes:
    """The same answer with another document; answers to the old kind of request have twenty bytes before it."""
    length, number, to, kind = _HEADER.unpack_from(message)
    start = 21 if kind == _MESSAGE else 36
    body = message[16:start] + bson.encode(change(bson.decode(message[start:length])))
    return _HEADER.pack(16 + len(body), number, to, kind) + body
