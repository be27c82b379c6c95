"""Connections through a SOCKS5 proxy, which resolves the name of the host."""

import asyncio
import base64
import binascii
from typing import Any

from socksio import ProtocolError, socks5

_MAX_ANSWER_BYTES = 512


async def connect(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str, port: int, authorization: bytes
) -> None:
    """Connect open streams to a host. `authorization` is the value of a Basic header, or empty.

    Raises OSError if the proxy refuses, or is not a SOCKS5 proxy.
    """
    protocol = socks5.SOCKS5Connection()
    methods = [socks5.SOCKS5AuthMethod.NO_AUTH_REQUIRED]
    if authorization:
        methods.append(socks5.SOCKS5AuthMethod.USERNAME_PASSWORD)
    try:
        chosen = await _exchange(protocol, reader, writer, socks5.SOCKS5AuthMethodsRequest(methods))
        if chosen.method == socks5.SOCKS5AuthMethod.USERNAME_PASSWORD:
            name, _, password = base64.b64decode(authorization.removeprefix(b"Basic ")).partition(b":")
            login = await _exchange(protocol, reader, writer, socks5.SOCKS5UsernamePasswordRequest(name, password))
            if not login.success:
                raise OSError("the proxy refused name and password")
        command = socks5.SOCKS5CommandRequest.from_address(socks5.SOCKS5Command.CONNECT, (host, port))
        answer = await _exchange(protocol, reader, writer, command)
    except (ProtocolError, AttributeError, ValueError, binascii.Error) as error:
        raise OSError(f"the proxy did not answer in SOCKS5: {error}") from None
    if answer.reply_code != socks5.SOCKS5ReplyCode.SUCCEEDED:
        raise OSError("the proxy cannot reach the host")


async def _exchange(
    protocol: socks5.SOCKS5Connection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: object
) -> Any:
    protocol.send(request)
    writer.write(protocol.data_to_send())
    return protocol.receive_data(await reader.read(_MAX_ANSWER_BYTES))
