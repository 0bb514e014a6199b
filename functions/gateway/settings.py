"""What the gateway room reads from its environment."""

from pydantic import BaseModel, ConfigDict, Field, PositiveInt


class Settings(BaseModel):
    """What `gateway` reads from its environment. `template.yaml` sets each of these."""

    model_config = ConfigDict(frozen=True)

    counters_table: str = Field(alias="SAMCP_COUNTERS_TABLE", min_length=1)
    audit_table: str = Field(alias="SAMCP_AUDIT_TABLE", min_length=1)
    memory_table: str = Field(alias="SAMCP_MEMORY_TABLE", min_length=1)
    audit_days: PositiveInt = Field(400, alias="SAMCP_AUDIT_DAYS", description="How long an audit row is kept.")
