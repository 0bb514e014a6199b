"""What the discovery room reads from its environment."""

from collections.abc import Mapping
from typing import Self

from guardedhttp import loopback_ports_of
from guardedhttp.loopback import LoopbackPorts
from pydantic import BaseModel, ConfigDict, Field


class Settings(BaseModel):
    """What `discovery` reads from its environment. `template.yaml` sets the names."""

    model_config = ConfigDict(frozen=True)

    table: str = Field(alias="SAMCP_CONNECTIONS_TABLE", min_length=1)
    queue_url: str = Field(alias="SAMCP_DISCOVERY_QUEUE", min_length=1)
    service: str = Field("discovery", alias="POWERTOOLS_SERVICE_NAME")
    namespace: str = Field("samcp", alias="POWERTOOLS_METRICS_NAMESPACE")
    loopback_ports: LoopbackPorts = Field(frozenset(), description="A developer's; empty on Lambda.")

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> Self:
        """Return the settings that *environment* holds."""
        return cls.model_validate({**environment, "loopback_ports": loopback_ports_of(environment)})
