"""What every function gets on this machine, whatever the template says."""

from collections.abc import Mapping
from pathlib import Path

from local.intrinsics import REGION

ACCOUNT_VARIABLES: Mapping[str, str] = {
    "AWS_ACCESS_KEY_ID": "local",
    "AWS_SECRET_ACCESS_KEY": "local",
    "AWS_DEFAULT_REGION": REGION,
    "AWS_REGION": REGION,
    "AWS_EC2_METADATA_DISABLED": "true",
    "POWERTOOLS_TRACE_DISABLED": "true",
}
"""No real account, and no tracing."""

SEARCH_VARIABLES: Mapping[str, str] = {
    # smart_search finds this project's own documentation, without a network.
    "SAMCP_GATEWAY_INDEX_FOLDER": str(Path(__file__).parent.parent),
    "SAMCP_GATEWAY_WIKIPEDIA_URL": "",
}
"""No engine of the internet."""

LOCAL_VARIABLES: Mapping[str, str] = {
    **ACCOUNT_VARIABLES,
    **SEARCH_VARIABLES,
    "SAMCP_ALLOWED_HOSTS": "127.0.0.1,localhost,::1",
    "SAMCP_ALLOWED_ORIGINS": "http://127.0.0.1:*,http://localhost:*,http://[::1]:*",
    # An approval is noticed at once.
    "SAMCP_CATALOG_MAX_AGE_S": "0",
}
"""Behind a local port also: no web page but a local one. Source: MCP basic/transports, security warning."""
