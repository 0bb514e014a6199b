"""Starts the reading process and bounds it: a page can neither hold nor crash the function."""

import json
import os
import re
import subprocess
import sys
from itertools import islice
from typing import Final

from pydantic import BaseModel, ValidationError

MAX_WALL_S: Final = 8.0
"""The process has 2 s of CPU, see `__main__`; a small function gives it a fraction of one."""


MAX_TAGS: Final = 30_000
"""What is read of a page: several times a long article, and under a second of CPU. The rest of it is left."""

_TAG: Final = re.compile("<")


class UnreadablePageError(Exception):
    """The page costs too much to read, or breaks the parser."""


class ReadPage(BaseModel):
    """What the process found."""

    title: str
    markdown: str
    is_cut: bool = False
    """The page has more tags than are read."""


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
    # No credentials in its environment. It is the same user: this bounds cost and crashes, it is no sandbox.
    environment = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "PYTHONUTF8": "1"}
    beyond = next(islice(_TAG.finditer(html), MAX_TAGS, None), None)
    page = json.dumps({"html": html[: beyond.start()] if beyond else html, "url": url}).encode()
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
        read = ReadPage.model_validate_json(ended.stdout)
    except (subprocess.SubprocessError, OSError, ValidationError):
        raise UnreadablePageError from None
    return read.model_copy(update={"is_cut": beyond is not None})
