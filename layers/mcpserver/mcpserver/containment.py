"""The one place where any exception at all is caught: a crash of ours never reaches a client."""

import logging
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mcpserver.errors import ServerSetupError, ToolStoppedError


@dataclass(frozen=True, slots=True)
class Crash:
    """An exception that nobody expected."""

    error: BaseException

    def log(self, logger: logging.Logger, message: str, **extra: Any) -> None:
        """Log the exception's class and where it came from, but not its text.

        The text of a foreign exception often quotes an argument or a secret; class, file and line find the bug.
        """
        stack = traceback.extract_tb(self.error.__traceback__)
        frames = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in stack]
        if isinstance(self.error, ServerSetupError):
            extra["reason"] = str(self.error)
        logger.error(message, extra={"error": type(self.error).__qualname__, "traceback": frames, **extra})


def contain[T](action: Callable[[], T]) -> T | Crash:
    """Return what *action* returns, or the `Crash` that it ended in."""
    try:
        return action()
    except (ToolStoppedError, KeyboardInterrupt):
        raise
    # A tool's sys.exit() is a crash too, and so is whatever else it or its tasks end in.
    except BaseException as error:  # noqa: BLE001 -- the layer's single broad except
        return Crash(error)
