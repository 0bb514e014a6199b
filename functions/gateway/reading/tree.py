"""What is done to a page's tree before its text is taken: hidden parts out, links absolute, code and tables marked."""

from itertools import islice
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

from resiliparse.parse.html import ELEMENT

from functions.gateway.reading.hidden import hides

TABLE: Final = "\ue000"
"""First character of a `pre` that holds a finished table. Private use: no text of a page keeps it."""

BULLET: Final = "\u2043\u2043"
"""Begins a list item that has no number. No private use here: the extractor takes those for icons and drops them."""

MAX_LINK_CHARACTERS: Final = 500
MAX_TABLE_CELLS: Final = 5_000
MENU_PART: Final = 0.6

_NOT_TEXT: Final = frozenset(
    {
        *("script", "style", "template", "noscript", "iframe", "object", "embed", "svg", "canvas"),
        *("button", "select", "input", "textarea", "dialog"),
    }
)
_CODE: Final = frozenset({"code", "kbd", "samp"})


def prepare(tree: Any, url: str) -> None:
    """Change *tree*, Resiliparse's, into one whose text is all for the reader.

    Args:
        tree: the page.
        url: where it came from, for its relative links.
    """
    base = _base_of(tree, url)
    # One walk, and the nodes in a list: its collections are live, and looking through one takes quadratic time.
    nodes = [node for node in tree.document if node.type == ELEMENT]
    for node in nodes:
        if node.tag in _NOT_TEXT or _is_hidden(node):
            _remove(node)
    for node in nodes:
        if node.tag == "a":
            _resolve(node, base)
        elif node.tag in _CODE:
            _mark_code(tree, node)
    for node in nodes:
        if node.tag == "table":
            _lay_out(tree, node)
        elif node.tag == "ul" and not _is_menu(node):
            _number(tree, node)


def _remove(node: Any) -> None:
    if node.parent is not None and node.tag not in {"html", "body"}:
        node.parent.remove_child(node)


def _is_hidden(node: Any) -> bool:
    style = node.getattr("style")
    return bool(style and hides(style)) or node.hasattr("hidden") or node.getattr("aria-hidden") == "true"


def _base_of(tree: Any, url: str) -> str:
    element = tree.document.query_selector("base[href]")
    return (_join(url, element.getattr("href")) or url) if element is not None else url


def _resolve(link: Any, base: str) -> None:
    href = (link.getattr("href") or "").strip()
    absolute = "" if href[:1] in {"", "#"} else _join(base, href)
    if absolute:
        link.setattr("href", absolute)
    elif link.hasattr("href"):
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
    rows = _rows(table)
    width = max((len(row) for row in rows), default=0)
    if width < 2 or len(rows) < 2 or width * len(rows) > MAX_TABLE_CELLS:
        return
    head, *body = [row + [""] * (width - len(row)) for row in rows]
    lines = [_line(head), "|" + " --- |" * width, *(_line(row) for row in body)]
    pre = tree.create_element("pre")
    pre.append_child(tree.create_text_node(TABLE + "\n".join(lines)))
    table.parent.replace_child(pre, table)


def _is_menu(ul: Any) -> bool:
    """Tell whether *ul* is but links, and nothing says that it belongs to the text."""
    if ul.closest("article,main,table") is not None:
        return False
    words = sum(len(part) for part in (ul.text or "").split())
    linked = sum(len(node.text) for node in ul if node.type == ELEMENT and node.tag == "a")
    return linked > MENU_PART * words


def _number(tree: Any, ul: Any) -> None:
    """Make *ul* a numbered list with marks: the extractor takes each bulleted one near the page's root for a menu."""
    ol = tree.create_element("ol")
    for child in list(ul.child_nodes):
        if child.type == ELEMENT and child.tag == "li":
            child.prepend(tree.create_text_node(BULLET))
        ol.append_child(child)
    ul.parent.replace_child(ol, ul)


def _rows(table: Any) -> list[list[str]]:
    rows: list[list[str]] = []
    for node in islice(table, 4 * MAX_TABLE_CELLS):
        if node.type == ELEMENT and node.tag == "tr":
            rows.append([])
        elif node.type == ELEMENT and node.tag in {"td", "th"} and rows:
            rows[-1].append(" ".join(node.text.split()).replace("|", "\\|"))
    return rows


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
