"""The context object that Lambda hands to a handler.

Source: AWS Lambda Developer Guide, "Using the Lambda context object to retrieve Python function information".
"""

import time
from dataclasses import dataclass

from local.function import Function


@dataclass(frozen=True)
class LambdaContext:
    """One invocation's context; attribute names are Lambda's."""

    function_name: str
    invoked_function_arn: str
    memory_limit_in_mb: str
    aws_request_id: str
    deadline_s: float
    """On the monotonic clock."""
    function_version: str = "1"
    log_group_name: str = "/samcp/local"
    log_stream_name: str = "local"
    identity: None = None
    client_context: None = None
    tenant_id: None = None

    def get_remaining_time_in_millis(self) -> int:
        """Return how long the function may still run."""
        return max(0, int((self.deadline_s - time.monotonic()) * 1000))


def context_for(function: Function, invoked_arn: str, request_id: str) -> LambdaContext:
    """Return the context of an invocation that starts now."""
    return LambdaContext(
        function_name=function.name,
        invoked_function_arn=invoked_arn,
        memory_limit_in_mb=str(function.memory_mb),
        aws_request_id=request_id,
        deadline_s=time.monotonic() + function.timeout_s,
    )
