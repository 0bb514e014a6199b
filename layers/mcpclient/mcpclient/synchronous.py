"""Waiting for a coroutine where the caller is not one."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any


def run_sync[T](coroutine: Coroutine[Any, Any, T]) -> T:
    """Run *coroutine* to its end and return what it returns, also inside a running event loop.

    Inside a loop it runs on one of its own, in a thread: the caller's loop waits meanwhile.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    context = copy_context()
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="run_sync") as pool:
        return pool.submit(context.run, asyncio.run, coroutine).result()
