"""A connection made by a SOCKS5 proxy, to which the name is left."""

import asyncio
import base64
import binascii
from typing import Any

from socksio import ProtocolError, socks5

_MOST = 512


async def connect(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str, port: int, authorization: bytes
) -> None:
    """From here on the streams lead to the host. `authorization` is a Basic header's value, or empty.

    Raises OSError if the proxy refuses, or does not speak SOCKS5.
    """
    speaking = socks5.SOCKS5Connection()
    methods = [socks5.SOCKS5AuthMethod.NO_AUTH_REQUIRED]
    if authorization:
        methods.append(socks5.SOCKS5AuthMethod.USERNAME_PASSWORD)
    try:
        chosen = await _say(speaking, reader, writer, socks5.SOCKS5AuthMethodsRequest(methods))
        if chosen.method == socks5.SOCKS5AuthMethod.USERNAME_PASSWORD:
            name, _, password = base64.b64decode(authorization.removeprefix(b"Basic ")).partition(b":")
            let_in = await _say(speaking, reader, writer, socks5.SOCKS5UsernamePasswordRequest(name, password))
            if not let_in.success:
                raise OSError("the proxy does not know us")
        wish = socks5.SOCKS5CommandRequest.from_address(socks5.SOCKS5Command.CONNECT, (host, port))
        answer = await _say(speaking, reader, writer, wish)
    except (ProtocolError, AttributeError, ValueError, binascii.Error) as error:
        raise OSError(f"the proxy does not speak SOCKS5 with us: {error}") from None
    if answer.reply_code != socks5.SOCKS5ReplyCode.SUCCEEDED:
        raise OSError("the proxy does not reach the host")


async def _say(
    speaking: socks5.SOCKS5Connection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: object
) -> Any:
    speaking.send(request)
    writer.write(speaking.data_to_send())
    return speaking.receive_data(await reader.read(_MOST))
