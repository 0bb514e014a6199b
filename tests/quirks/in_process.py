"""The fixture gateway without a socket: what it answers, logs and counts for one body.

The default receivers write to stdout, as on Lambda: log lines and embedded metrics, one JSON object a line.
"""

import io
import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from itertools import count
from typing import Any, Final

from mcpserver import MCPServerBase, http_handler
from mcpserver.receivers import LIBRARY_LOGGERS, connect_default_receivers
from tests.mcpserver.posts import JSON_HEADERS, read, rest_event
from tests.quirks.app import SmartGateway

_numbers: Final = count(1)


@dataclass(frozen=True, slots=True)
class Handled:
    """One answer and what was written while it was made."""

    status: int
    answer: Any
    """The JSON, None where the body is empty."""
    stdout: str

    @property
    def logged(self) -> list[str]:
        """What the log says was normalised: "method kind"."""
        return [change for line in self._lines() for change in line.get("normalised") or []]

    @property
    def quirks_logged(self) -> set[str]:
        """The quirks among them."""
        return {change.partition(":")[0].split(" ")[-1] for change in self.logged}

    @property
    def counted(self) -> dict[str, float]:
        """The metric `Normalised`, by quirk."""
        return {
            line["quirk"]: line["Normalised"]
            for line in self._lines()
            if "Normalised" in line and self._is_metric(line, "Normalised")
        }

    def _lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.stdout.splitlines() if line]

    @staticmethod
    def _is_metric(line: Mapping[str, Any], name: str) -> bool:
        """Tell whether CloudWatch would read *name* of *line*. Source: CloudWatch embedded metric format, `_aws`."""
        directives = line.get("_aws", {}).get("CloudWatchMetrics", [])
        return any(metric["Name"] == name for directive in directives for metric in directive["Metrics"])


def handle(
    body: str,
    headers: Mapping[str, str] | None = None,
    *,
    server: MCPServerBase | None = None,
    disabled: tuple[Any, ...] = (),
) -> Handled:
    """Send *body* to a fixture gateway of its own, or to *server*; *headers* replace the usual ones."""
    with _standing_loggers(), redirect_stdout(io.StringIO()) as stdout:
        answering = server or SmartGateway(disabled)
        # A Powertools logger keeps the stream of its first use: each gets a name of its own.
        service = f"quirks-{next(_numbers)}"
        connect_default_receivers(answering, {"POWERTOOLS_SERVICE_NAME": service})
        handler = http_handler(answering, default_receivers=False)
        response = handler(rest_event(body, headers or JSON_HEADERS), None)
    return Handled(response["statusCode"], read(response), stdout.getvalue())


@contextmanager
def _standing_loggers() -> Iterator[None]:
    """Give the library's loggers back as they were: the receivers lend them their stream."""
    before = {name: (logging.getLogger(name).handlers[:], logging.getLogger(name).level) for name in LIBRARY_LOGGERS}
    propagates = {name: logging.getLogger(name).propagate for name in LIBRARY_LOGGERS}
    try:
        yield
    finally:
        for name, (handlers, level) in before.items():
            logger = logging.getLogger(name)
            logger.handlers[:], logger.propagate = handlers, propagates[name]
            logger.setLevel(level)
