"""URI templates, matched backwards."""

import pytest

from mcpserver.uri_template import UriTemplate


@pytest.mark.parametrize(
    ("uri", "variables"),
    [
        ("notes://2026/7", {"year": "2026", "id": "7"}),
        ("notes://20%2F26/a%20b", {"year": "20/26", "id": "a b"}),
        ("notes://2026/", None),
        ("notes://2026/7/8", None),
        ("notes://2026/7?x=1", None),
        ("NOTES://2026/7", None),
        ("xnotes://2026/7", None),
    ],
)
def test_a_uri_gives_the_variables_that_made_it(uri: str, variables: dict[str, str] | None) -> None:
    """RFC 6570, level 1, backwards: a variable holds no slash, and is percent-decoded."""
    assert UriTemplate("notes://{year}/{id}").match(uri) == variables


def test_the_text_around_variables_is_literal() -> None:
    """A dot in a template is a dot."""
    assert UriTemplate("a.b://{x}").match("acb://1") is None


@pytest.mark.parametrize("template", ["notes://all", "notes://{", "notes://{a b}", "notes://{+path}", "notes://{x}}"])
def test_what_is_no_template_of_level_one_is_refused(template: str) -> None:
    """Our own choice: refused when the server is made, not when a host reads."""
    with pytest.raises(ValueError, match="URI template"):
        UriTemplate(template)
