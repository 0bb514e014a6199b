"""The local gateway, as `make run` starts it, on a free port."""

import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from tests.interop.processes import CACHE, ROOT, end_group

START_WITHIN_S: Final = 180
STOP_WITHIN_S: Final = 20


class GatewayError(Exception):
    """The local gateway did not start."""


@contextmanager
def serving(template: Path) -> Iterator[str]:
    """Serve *template* and give its address (`http://127.0.0.1:PORT`); stop it afterwards.

    Raises:
        GatewayError: it ended, or said nothing in time; its log is under `.cache/interop/logs/`.
    """
    log = CACHE / "logs" / f"{template.parent.name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "local", "run", "--port", "0", "--template", str(template)]
    with log.open("wb") as file:
        process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=file, stderr=file, start_new_session=True
        )
        try:
            yield _address(process, log)
        finally:
            # It ends its serving process, which has a session of its own, only if it is asked to end.
            process.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                process.wait(STOP_WITHIN_S)
            end_group(process)


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    deadline_s = time.monotonic() + START_WITHIN_S
    while time.monotonic() < deadline_s:
        found = re.search(r"^Serving .* on (http://[0-9.:]+)", log.read_text(errors="replace"), re.MULTILINE)
        if found:
            return found[1]
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise GatewayError(f"the local gateway did not start: see {log.relative_to(ROOT)}")
