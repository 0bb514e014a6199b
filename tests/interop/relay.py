"""A relay on loopback that copies every byte between a client and our server, and keeps them.

It changes nothing, so that what a client reads is what the gateway sent. What it kept tells which protocol version was
spoken, whether progress was asked for, and, where a cell of the table is not green, what was said.
"""

import re
import socket
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final, Self
from urllib.parse import urlsplit

_BUFFER_BYTES: Final = 65_536
_MODERN: Final = re.compile(rb'"io\.modelcontextprotocol/protocolVersion"\s*:\s*"([0-9-]+)"')
_HANDSHAKE: Final = re.compile(rb'"protocolVersion"\s*:\s*"([0-9-]+)"')
_CALL: Final = re.compile(rb'"method"\s*:\s*"tools/call"')


class Relay:
    """One client's way to the server at *address*; `url` is where it listens."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._server = (parts.hostname or "", parts.port or 80)
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._exchanges: list[tuple[bytearray, bytearray]] = []
        self._sockets: list[socket.socket] = []
        self._has_ended = False

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True, name="relay").start()
        return self

    def __exit__(self, *_: object) -> None:
        self._has_ended = True
        for each in (self._listener, *self._sockets):
            with suppress(OSError):
                # Closing alone does not wake a thread that waits on it.
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(self._server)
            except OSError:
                client.close()
                continue
            self._sockets += [client, server]
            if self._has_ended:
                return
            sent, received = bytearray(), bytearray()
            self._exchanges.append((sent, received))
            for source, target, kept in ((client, server, sent), (server, client, received)):
                threading.Thread(target=_copy, args=(source, target, kept), daemon=True, name="relay").start()

    @property
    def sent(self) -> bytes:
        """Everything that the client sent."""
        return b"\n".join(bytes(sent) for sent, _ in list(self._exchanges))

    @property
    def received(self) -> bytes:
        """Everything that the client got."""
        return b"\n".join(bytes(received) for _, received in list(self._exchanges))

    def protocol_version(self) -> str:
        """Return the version that the calls were made in, "" if there was none."""
        sent, received = self.sent, self.received
        if _CALL.search(sent) and (modern := _MODERN.findall(sent)):
            return bytes(modern[-1]).decode()
        agreed = _HANDSHAKE.findall(received)
        return bytes(agreed[-1]).decode() if agreed else ""

    def count_progress(self) -> int | None:
        """Return how many progress notifications the client got, None if it asked for none."""
        if b'"progressToken"' not in self.sent:
            return None
        return self.received.count(b'"notifications/progress"')

    def save(self, file: Path) -> None:
        """Write what was said, connection by connection."""
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("wb") as output:
            for number, (sent, received) in enumerate(list(self._exchanges), 1):
                output.write(b"==== connection %d, sent\n%b\n" % (number, bytes(sent)))
                output.write(b"---- connection %d, received\n%b\n" % (number, bytes(received)))


def _copy(source: socket.socket, target: socket.socket, kept: bytearray) -> None:
    with suppress(OSError):
        while data := source.recv(_BUFFER_BYTES):
            kept += data
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
