"""The reading process: a page on stdin, its title and Markdown on stdout, both JSON. Started for one page.

The kernel ends it where the page costs too much: some nestings make any HTML parser take minutes.
"""

import json
import resource
import sys
from typing import Any, Final

from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.html import HTMLTree

from functions.gateway.plain_text import plain, plain_line
from functions.gateway.reading.markdown import markdown_of
from functions.gateway.reading.tree import prepare

MAX_CPU_S: Final = 2
MAX_MEMORY_BYTES: Final = 1 << 30
MAX_TITLE_CHARACTERS: Final = 200
MAX_MARKDOWN_CHARACTERS: Final = 1_000_000

SMALL_CHARACTERS: Final = 200
"""A main part that is smaller than this was not found: the page may be a list, or a form."""

_OFTEN_BOILERPLATE: Final = ["nav", "header", "footer", "aside", "form"]


def read(html: str, url: str) -> dict[str, Any]:
    """Return the page's `title` and `markdown`."""
    tree = HTMLTree.parse(html)
    title = plain_line(tree.title or "", MAX_TITLE_CHARACTERS)
    prepare(tree, url)
    markdown = _extract(tree, main_content=True)
    if len(markdown) < SMALL_CHARACTERS:
        whole = _extract(tree, main_content=False, skip_elements=_OFTEN_BOILERPLATE)
        markdown = max(markdown, whole, key=len)
    return {"title": title, "markdown": markdown}


def _extract(tree: HTMLTree, **options: Any) -> str:
    reduced = extract_plain_text(tree, preserve_formatting="minimal_html", links=True, hidden_elements=False, **options)
    return plain(markdown_of(reduced)[:MAX_MARKDOWN_CHARACTERS])


def main() -> None:
    """Read one page."""
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_S, MAX_CPU_S))
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    page = json.load(sys.stdin)
    json.dump(read(page["html"], page["url"]), sys.stdout)


if __name__ == "__main__":
    main()
