"""Mangum runs an ASGI application's lifespan once per event; a session manager can be started only once.

So the lifespan is entered here, on the loop that Mangum then uses, and held for as long as the instance lives.
"""

import asyncio
from typing import Any

from mangum import Mangum


def handler_with_held_lifespan(app: Any) -> Mangum:
    """Return the handler of *app*, whose lifespan has begun and never ends."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    started = asyncio.Event()

    async def hold() -> None:
        async with app.router.lifespan_context(app):
            started.set()
            await asyncio.Event().wait()

    task = loop.create_task(hold())
    loop.run_until_complete(started.wait())
    handler = Mangum(app, lifespan="off")
    handler.lifespan_task = task  # a task that nobody holds may be collected
    return handler
