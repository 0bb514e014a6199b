"""What every function gets here, whatever the template says."""

from collections.abc import Mapping

from local.intrinsics import REGION

LOCAL_VARIABLES: Mapping[str, str] = {
    "AWS_ACCESS_KEY_ID": "local",
    "AWS_SECRET_ACCESS_KEY": "local",
    "AWS_DEFAULT_REGION": REGION,
    "AWS_REGION": REGION,
    "AWS_EC2_METADATA_DISABLED": "true",
    "POWERTOOLS_TRACE_DISABLED": "true",
    "SAMCP_ALLOWED_HOSTS": "127.0.0.1,localhost,::1",
    "SAMCP_ALLOWED_ORIGINS": "http://127.0.0.1:*,http://localhost:*",
}
"""No real account, no tracing, and no web page but a local one (MCP basic/transports, security warning)."""
