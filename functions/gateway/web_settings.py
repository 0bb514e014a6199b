"""What `smart_fetch` and `smart_search` read from the gateway's environment."""

from pydantic import BaseModel, ConfigDict, Field


class WebSettings(BaseModel):
    """Pages, their cache and engines; "" is off. `template.yaml` sets all but the folder: that is for `make run`."""

    model_config = ConfigDict(frozen=True)

    page_table: str = Field("", alias="SAMCP_GATEWAY_PAGE_TABLE", description="DynamoDB table of the page cache.")
    page_ttl_s: int = Field(300, alias="SAMCP_GATEWAY_PAGE_TTL_S", ge=0, le=86_400, description="0: nothing is kept.")
    wikipedia_url: str = Field(
        "https://en.wikipedia.org/w/api.php",
        alias="SAMCP_GATEWAY_WIKIPEDIA_URL",
        description="The Action API of a MediaWiki. It needs no key.",
    )
    brave_secret: str = Field("", alias="SAMCP_GATEWAY_BRAVE_SECRET", description="Name of the secret with its key.")
    tavily_secret: str = Field("", alias="SAMCP_GATEWAY_TAVILY_SECRET", description="Name of the secret with its key.")
    index_folder: str = Field(
        "", alias="SAMCP_GATEWAY_INDEX_FOLDER", description="Folder whose Markdown is searched offline."
    )
    index_url: str = Field(
        "",
        alias="SAMCP_GATEWAY_INDEX_URL",
        description="Where the folder is on the web, with a slash at its end.",
    )
