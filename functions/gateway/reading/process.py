"""Starts the reading process and bounds it: a page can neither hold nor crash the function."""

import json
import os
import subprocess
import sys
from typing import Final

from pydantic import BaseModel, ValidationError

MAX_WALL_S: Final = 8.0
"""The process has 2 s of CPU, see `__main__`; a small function gives it a fraction of one."""


class UnreadablePageError(Exception):
    """The page costs too much to read, or breaks the parser."""


class ReadPage(BaseModel):
    """What the process found."""

    title: str
    markdown: str


def read_html(html: str, url: str, *, timeout_s: float = MAX_WALL_S) -> ReadPage:
    """Return the title and the Markdown of a page.

    Args:
        html: the page.
        url: for its relative links.
        timeout_s: the process is ended after this, or after `MAX_WALL_S`.

    Raises:
        UnreadablePageError: there is no reading it within the limits.
    """
    command = [sys.executable, "-S", "-P", "-m", "functions.gateway.reading"]
    # Nothing of ours is in its environment: no credentials for a page that breaks out of the parser.
    environment = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "PYTHONUTF8": "1"}
    page = json.dumps({"html": html, "url": url}).encode()
    try:
        ended = subprocess.run(  # noqa: S603 -- our own module; the page comes by stdin
            command,
            input=page,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd="/",
            timeout=min(timeout_s, MAX_WALL_S),
            check=True,
        )
        return ReadPage.model_validate_json(ended.stdout)
    except (subprocess.SubprocessError, OSError, ValidationError):
        raise UnreadablePageError from None
