"""The body of an answer, counted while it is read."""

from collections.abc import AsyncIterator, Callable

import httpx2


class CountedStream(httpx2.AsyncByteStream):
    """Passes a body on, and shows each part to *count* before it is passed on."""

    def __init__(self, stream: httpx2.AsyncByteStream, count: Callable[[bytes], None]) -> None:
        self._stream = stream
        self._count = count

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._stream:
            self._count(part)
            yield part

    async def aclose(self) -> None:
        """Close the connection, or give it back."""
        await self._stream.aclose()
