"""What a model is told when another server's tool or resource could not be used."""

from mcp_types import INVALID_PARAMS, METHOD_NOT_FOUND
from mcpclient import MCPClientConfigurationError, MCPClientError, MCPClientPermissionError
from mcpclient.arguments import BAD_REQUEST


def sentence_for(error: MCPClientError, connection: str) -> str:
    """Return *error* as a sentence that a model can act on: ours, with nothing of the other server's text."""
    if error.code == BAD_REQUEST:
        return f"{connection}: {error.message} Send others."
    if isinstance(error, MCPClientConfigurationError):
        # It may name a secret or a setting, which is the operator's business.
        return f"the connection {connection} is not set up correctly: an operator must look at it."
    if isinstance(error, MCPClientPermissionError):
        return f"the connection {connection} does not allow this."
    said = error.message.removesuffix(".")
    if error.rpc_code == INVALID_PARAMS:
        return f"{connection}: {said}. Check the arguments against the tool's schema."
    if error.rpc_code == METHOD_NOT_FOUND:
        return f"{connection}: {said}. The server does not offer this any more."
    advice = "It may work later." if error.retryable else "Trying again will not help."
    return f"{connection}: {said}. {advice}"
