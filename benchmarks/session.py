"""One contestant's process, as the rounds see it: it starts, times a block when it is asked to, and ends."""

import json
import os
import subprocess
import threading
from pathlib import Path
from typing import Any, Final

from benchmarks.contestants import ROOT, Contestant

TIMEOUT_S: Final = 60
"""How long one answer of the process may take."""


class ContestantError(Exception):
    """The contestant does not start, answers wrong or stopped; the message is for its row."""


class Session:
    """A fresh process of the contestant's environment."""

    def __init__(self, contestant: Contestant, python: Path) -> None:
        """Start the process; `started` then says what that cost."""
        command = [str(python), "-P", "-m", "benchmarks.measure", contestant.name, "events/lab"]
        self._process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environ_of(contestant),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def started(self) -> dict[str, float]:
        """Return what the start cost.

        Raises:
            ContestantError: the contestant does not start or answers wrong.
        """
        return self._read()

    def time_block(self, case: str) -> float:
        """Return the microseconds of one call in a short block of them.

        Raises:
            ContestantError: the contestant stopped.
        """
        assert self._process.stdin is not None  # noqa: S101 -- a pipe, as we asked for
        try:
            self._process.stdin.write(f"{case}\n")
            self._process.stdin.flush()
        except OSError as error:
            raise ContestantError("it stopped") from error
        return float(self._read()["us"])

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None  # noqa: S101 -- a pipe, as we asked for
        watch = threading.Timer(TIMEOUT_S, self._process.kill)
        watch.start()
        try:
            line = self._process.stdout.readline()
        finally:
            watch.cancel()
        if not line:
            raise ContestantError("it did not start, or stopped")
        answer: dict[str, Any] = json.loads(line)
        if "problem" in answer:
            raise ContestantError(answer["problem"])
        return answer


def environ_of(contestant: Contestant) -> dict[str, str]:
    """Return the environment variables of a contestant's process: those of a Lambda function, none of this shell's."""
    return {
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join(str(ROOT / folder) for folder in (".", *contestant.source)),
        "AWS_LAMBDA_FUNCTION_NAME": "benchmark",
        "AWS_REGION": "us-east-1",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "POWERTOOLS_SERVICE_NAME": "lab",
        "POWERTOOLS_METRICS_NAMESPACE": "samcp",
    }
