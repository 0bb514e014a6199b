"""What the remote room reads from its environment."""

from collections.abc import Mapping
from typing import Self

from guardedhttp import loopback_ports_of
from guardedhttp.loopback import LoopbackPorts
from pydantic import BaseModel, ConfigDict, Field, NonNegativeFloat


class Settings(BaseModel):
    """What `remote` reads from its environment. `template.yaml` sets the table."""

    model_config = ConfigDict(frozen=True)

    table: str = Field(alias="SAMCP_CONNECTIONS_TABLE", min_length=1)
    max_age_s: NonNegativeFloat = Field(
        10, alias="SAMCP_CATALOG_MAX_AGE_S", description="How late an approval or a quarantine is noticed."
    )
    loopback_ports: LoopbackPorts = Field(frozenset(), description="A developer's; empty on Lambda.")

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> Self:
        """Return the settings that *environment* holds."""
        return cls.model_validate({**environment, "loopback_ports": loopback_ports_of(environment)})
