"""Every test begins with plain loggers: the default receivers set up the process's, as they do on Lambda."""

import logging
from collections.abc import Iterator

import pytest

from mcpserver.receivers import LIBRARY_LOGGERS


@pytest.fixture(autouse=True)
def _plain_loggers() -> Iterator[None]:
    loggers = [logging.getLogger(name) for name in LIBRARY_LOGGERS]
    before = [(logger.handlers, logger.propagate, logger.level, logger.filters) for logger in loggers]
    for logger in loggers:
        logger.handlers, logger.propagate, logger.filters = [], True, []
        logger.setLevel(logging.NOTSET)
    yield
    for logger, (handlers, propagate, level, filters) in zip(loggers, before, strict=True):
        logger.handlers, logger.propagate, logger.filters = handlers, propagate, filters
        logger.setLevel(level)
