"""Loopback ports for the programs that are started here."""

import socket
import threading


class Ports:
    """Hands out free ports, none to two holders at once: between being found and being used a port looks free."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: set[int] = set()

    def take(self) -> int:
        """Return a port that nobody listens on and nobody here holds."""
        with self._lock:
            while (port := _free_port()) in self._held:
                pass
            self._held.add(port)
            return port

    def give_back(self, port: int) -> None:
        """Let *port* be taken again."""
        with self._lock:
            self._held.discard(port)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
