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
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import watchfiles

from local.errors import PortTakenError

REFUSED = 2
"""Exit code of a serving process that cannot use the template."""

_LOOK_EVERY_MS = 100
_WATCHED = ("functions", "layers")
_STOP_WITHIN_S = 5


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
        try:
            for changed in _changes(template, stop):
                if changed:
                    print(f"{changed} changed: starting again ...", file=sys.stderr, flush=True)
                    _end(process)
                    process, has_restarted = _start(template, listener, options), True
                elif process and process.poll() is not None:
                    if process.returncode == REFUSED and not has_restarted:
                        return REFUSED
                    print("Not serving: the next change starts it again.", file=sys.stderr, flush=True)
                    process = None
        finally:
            _end(process)
    return 0


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
