"""Starts the serving process again whenever the code or the template changes.

The listening socket belongs to this process and is handed down: callers wait while a new one starts.
"""

import errno
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import watchfiles

from local.errors import PortTakenError

REFUSED = 2
"""Exit code of a serving process that cannot use the template."""

_LOOK_EVERY_MS = 100
_WATCHED = ("functions", "layers")
_STOP_WITHIN_S = 5

MAX_RESTARTS = 3
WITHIN_S = 30.0
"""A serving process that dies is started again, so often within so long: what dies at once would for ever."""


def run(template: Path, port: int, options: list[str]) -> int:
    """Serve until Ctrl-C or SIGTERM and return the exit code; *options* go to the serving process.

    Raises:
        PortTakenError: another program listens on *port*.
    """
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with listen(port) as listener:
        process: subprocess.Popen[bytes] | None = _start(template, listener, ["--first", *options])
        has_restarted = False
        restarts = Restarts()
        try:
            for changed in _changes(template, stop):
                if changed:
                    _say(f"{changed} changed: starting again ...")
                    _end(process)
                    process, has_restarted, restarts = _start(template, listener, options), True, Restarts()
                elif process and process.poll() is not None:
                    if process.returncode == REFUSED and not has_restarted:
                        return REFUSED
                    is_crash = process.returncode != REFUSED
                    # What it has started is still there.
                    _end(process)
                    process = None
                    wait_s = restarts.take(time.monotonic()) if is_crash else None
                    if wait_s is None:
                        often = f"it has ended {MAX_RESTARTS + 1} times within {WITHIN_S:g} s, " if is_crash else ""
                        _say(f"Not serving: {often}the next change starts it again.")
                    else:
                        _say(f"The serving process has ended: starting again in {wait_s:g} s ...")
                elif restarts.is_due(time.monotonic()):
                    process, has_restarted = _start(template, listener, options), True
        finally:
            _end(process)
    return 0


@dataclass(slots=True)
class Restarts:
    """When a serving process that has died is started again: after 0.5, 1 and 2 s, and then not any more."""

    taken_s: list[float] = field(default_factory=list)
    """When, on a clock that only grows."""
    due_s: float | None = None

    def take(self, now_s: float) -> float | None:
        """Return after how many seconds to start again; None: it has died too often."""
        self.taken_s = [taken_s for taken_s in self.taken_s if now_s - taken_s < WITHIN_S]
        if len(self.taken_s) == MAX_RESTARTS:
            return None
        wait_s = 0.5 * (1 << len(self.taken_s))
        self.taken_s.append(now_s)
        self.due_s = now_s + wait_s
        return wait_s

    def is_due(self, now_s: float) -> bool:
        """Tell, once, that the time has come."""
        if self.due_s is None or now_s < self.due_s:
            return False
        self.due_s = None
        return True


def listen(port: int) -> socket.socket:
    """Return a socket that listens on loopback only.

    Raises:
        PortTakenError: another program has the port.
    """
    try:
        listener = socket.create_server(("127.0.0.1", port), backlog=128)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        raise PortTakenError(
            f"Port {port} is taken: end what listens there, or choose another: make run PORT={port + 1}"
        ) from error
    # Accepted sockets inherit it. Without it a small answer waits 40 ms for the client's delayed acknowledgement.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _start(template: Path, listener: socket.socket, options: list[str]) -> subprocess.Popen[bytes]:
    command = [
        sys.executable,
        "-m",
        "local",
        "serve",
        "--template",
        str(template),
        "--fd",
        str(listener.fileno()),
        *options,
    ]
    # A session of its own: Ctrl-C reaches this process alone, which then ends that one by closing its standard input.
    # Its end closes the pipe even if it is killed, so nothing is ever left behind.
    return subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=[listener.fileno()], start_new_session=True)


def _end(process: subprocess.Popen[bytes] | None) -> None:
    if process is None or process.stdin is None:
        return
    with suppress(BrokenPipeError):
        process.stdin.close()
    try:
        process.wait(_STOP_WITHIN_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    # What it started (emulators) shares its group, and ends with it even if it was killed.
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _changes(template: Path, stop: threading.Event) -> Iterator[str]:
    """Yield the name of a file that changed, or "" now and then while nothing did."""
    folders = [template.parent / name for name in _WATCHED if (template.parent / name).is_dir()]
    seen_ns = _modified_ns(template)
    watcher = watchfiles.watch(
        *folders,
        stop_event=stop,
        rust_timeout=_LOOK_EVERY_MS,
        yield_on_timeout=True,
        raise_interrupt=False,
        debounce=400,
    )
    for changes in watcher:
        # Editors put a new file in the old one's place, which a watch on the file itself would miss.
        modified_ns = _modified_ns(template)
        if modified_ns != seen_ns:
            seen_ns = modified_ns
            yield template.name
        else:
            yield next((str(Path(path).relative_to(template.parent)) for _, path in changes), "")


def _modified_ns(path: Path) -> int:
    return path.stat().st_mtime_ns if path.exists() else 0
