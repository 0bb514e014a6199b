"""What the authorizer reads from its environment."""

from pydantic import BaseModel, ConfigDict, Field, NonNegativeFloat


class Settings(BaseModel):
    """What `authorizer` reads from its environment. `template.yaml` sets both."""

    model_config = ConfigDict(frozen=True)

    table: str = Field(alias="SAMCP_KEYS_TABLE", min_length=1)
    max_age_s: NonNegativeFloat = Field(
        60, le=60, alias="SAMCP_KEYS_MAX_AGE_S", description="How late a change of a key is noticed."
    )
