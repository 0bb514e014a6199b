"""What the default receivers read from the environment."""

from pydantic import BaseModel, ConfigDict, Field


class ReceiverSettings(BaseModel):
    """What the receivers read from the environment; `template.yaml` sets each of these."""

    model_config = ConfigDict(frozen=True)

    service: str = Field("samcp", alias="POWERTOOLS_SERVICE_NAME")
    namespace: str = Field("samcp", alias="POWERTOOLS_METRICS_NAMESPACE")
    tracing: str = Field("PassThrough", alias="SAMCP_TRACING", description="`Active`: X-Ray is on.")
