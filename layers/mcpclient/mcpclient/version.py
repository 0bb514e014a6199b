"""The release, as other servers see it."""

from typing import Final

CLIENT_NAME: Final = "samcp"

CLIENT_VERSION: Final = "0.1.0"
"""The release of samcp; a test compares it with `mcpserver.SERVER_VERSION`."""
