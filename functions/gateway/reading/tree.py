"""What is done to a page's tree before its text is taken: hidden parts out, links absolute, code and tables marked."""

from itertools import islice
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

from functions.gateway.reading.hidden import hides

TABLE: Final = "\ue000"
CODE: Final = "\ue001"
"""First character of a `pre` that holds a finished table, or code. Private use: no text of a page keeps them."""

MAX_LINK_CHARACTERS: Final = 500
MAX_TABLE_CELLS: Final = 5_000

_NOT_TEXT: Final = "script,style,template,noscript,iframe,object,embed,svg,canvas,button,select,input,textarea,dialog"
_MAY_HIDE: Final = "[hidden],[style],[aria-hidden=true]"


def prepare(tree: Any, url: str) -> None:
    """Change *tree*, Resiliparse's, into one whose text is all for the reader.

    Args:
        tree: the page.
        url: where it came from, for its relative links.
    """
    base = _base_of(tree, url)
    _remove(node for node in tree.document.query_selector_all(_NOT_TEXT))
    _remove(node for node in tree.document.query_selector_all(_MAY_HIDE) if _is_hidden(node))
    for link in tree.document.query_selector_all("a[href]"):
        _resolve(link, base)
    for code in tree.document.query_selector_all("code,kbd,samp"):
        _mark_code(tree, code)
    for table in tree.document.query_selector_all("table"):
        _lay_out(tree, table)


def _remove(nodes: Any) -> None:
    for node in list(nodes):
        if node.parent is not None and node.tag not in {"html", "body"}:
            node.parent.remove_child(node)


def _is_hidden(node: Any) -> bool:
    return node.hasattr("hidden") or node.getattr("aria-hidden") == "true" or hides(node.getattr("style") or "")


def _base_of(tree: Any, url: str) -> str:
    element = tree.document.query_selector("base[href]")
    return (_join(url, element.getattr("href")) or url) if element is not None else url


def _resolve(link: Any, base: str) -> None:
    href = link.getattr("href").strip()
    absolute = "" if href.startswith("#") else _join(base, href)
    if absolute:
        link.setattr("href", absolute)
    else:
        link.delattr("href")


def _join(base: str, href: str) -> str:
    """Return *href*, absolute and without what would end a Markdown link; "" where no reader could follow it."""
    try:
        absolute = urljoin(base, href)
        scheme = urlsplit(absolute).scheme
    except ValueError:
        return ""
    if scheme not in {"https", "http", "mailto"} or len(absolute) > MAX_LINK_CHARACTERS:
        return ""
    return "".join(absolute.split()).replace("(", "%28").replace(")", "%29").replace("<", "%3C").replace(">", "%3E")


def _mark_code(tree: Any, code: Any) -> None:
    if code.closest("pre") is not None or "`" in code.text or "\n" in code.text or not code.text.strip():
        return
    code.prepend(tree.create_text_node("`"))
    code.append(tree.create_text_node("`"))


def _lay_out(tree: Any, table: Any) -> None:
    """Put a Markdown table in the place of *table*, unless it only lays out the page."""
    if table.query_selector("table,ul,ol,pre,h1,h2,h3,p + p") is not None or table.closest("pre") is not None:
        return
    rows = [_cells(row) for row in islice(table.query_selector_all("tr"), MAX_TABLE_CELLS)]
    width = max((len(row) for row in rows), default=0)
    if width < 2 or len(rows) < 2 or width * len(rows) > MAX_TABLE_CELLS:
        return
    head, *body = [row + [""] * (width - len(row)) for row in rows]
    lines = [_line(head), "|" + " --- |" * width, *(_line(row) for row in body)]
    pre = tree.create_element("pre")
    pre.append_child(tree.create_text_node(TABLE + "\n".join(lines)))
    table.parent.replace_child(pre, table)


def _cells(row: Any) -> list[str]:
    return [" ".join(cell.text.split()).replace("|", "\\|") for cell in row.query_selector_all("td,th")]


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
