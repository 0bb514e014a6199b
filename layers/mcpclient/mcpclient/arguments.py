"""What a caller wants sent: whether JSON, and the SDK, can carry it. Found out later it would look like bad answers."""

import json
from collections.abc import Mapping
from typing import Any, Final

from pydantic_core import to_json

from mcpclient.errors import MCPClientConfigurationError

BAD_REQUEST: Final = "bad_request"
"""The code of an error that is the caller's: nothing was sent, and nothing is known of the server."""


def check_arguments(tool_name: str, arguments: Mapping[str, Any] | None) -> None:
    """Check that a call of *tool_name* can be sent.

    Raises:
        MCPClientConfigurationError: it cannot, code `bad_request`: lone surrogates, NaN or infinity, more than 250
            levels, values or names of no JSON type.
    """
    try:
        # Each finds what the other lets pass: NaN and foreign types; surrogates and the SDK's limit of depth.
        json.dumps(arguments, allow_nan=False)
        to_json({"params": {"name": tool_name, "arguments": arguments}})
    except (RecursionError, TypeError, ValueError):
        pass
    else:
        return
    raise MCPClientConfigurationError(
        "The arguments cannot be sent: they must be JSON, text that UTF-8 can hold, at most 250 levels deep.",
        code=BAD_REQUEST,
    )
