"""Whatever a function's code raises, made a FunctionError in one place."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from local.errors import FunctionError

log = logging.getLogger("local")


@contextmanager
def crash_as_function_error(headline: str, *, refusal: str | None = None) -> Iterator[None]:
    """Raise a FunctionError for whatever is raised inside, and log its traceback under *headline*.

    What says *refusal* is no mistake, and not logged: the request's own line tells of it.
    `sys.exit()` and cancellations too: raised by a function, they must not end the gateway. A FunctionError passes.
    """
    try:
        yield
    except FunctionError:
        raise
    except BaseException as error:
        if str(error) != refusal:
            log.exception(headline)
        raise FunctionError(str(error), kind=type(error).__name__) from error
