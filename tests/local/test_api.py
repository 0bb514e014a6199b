"""What the local gateway refuses to serve, with a sentence that says why."""

from pathlib import Path

import pytest

from local.errors import TemplateError
from local.serve import prepare
from local.template import load_template
from tests.local.served import PROJECT, serving

SOURCE = (PROJECT / "template.yaml").read_text(encoding="utf-8")


def changed(tmp_path: Path, old: str, new: str) -> Path:
    """Return a copy of the fixture project's template with one piece replaced."""
    assert old in SOURCE
    (tmp_path / "template.yaml").write_text(SOURCE.replace(old, new), encoding="utf-8")
    (tmp_path / "rooms").symlink_to(PROJECT / "rooms")
    return tmp_path / "template.yaml"


def test_a_route_added_in_the_template_alone_is_served(tmp_path: Path) -> None:
    """The issue, 5."""
    added = "Post: {Type: Api, Properties: {RestApiId: !Ref Api, Path: /echo, Method: post}}"
    extra = added + "\n        New: {Type: Api, Properties: {RestApiId: !Ref Api, Path: /new/mcp, Method: post}}"
    with serving(changed(tmp_path, added, extra)) as server:
        assert server.event("POST", "/new/mcp")["resource"] == "/new/mcp"
        assert server.event("POST", "/live/new/mcp")["path"] == "/new/mcp"


def test_parameters_reach_routes_variables_and_environments(tmp_path: Path) -> None:
    """Conditions are evaluated with the parameters given."""
    with serving(parameters={"Stage": "next", "PublicUrl": "http://here"}) as server:
        event = server.event("POST", "/next/echo")
    assert (event["requestContext"]["stage"], event["stageVariables"]) == ("next", {"url": "http://here"})


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("                type: mock", "                type: http_proxy", "http_proxy"),
        ("""'{"statusCode": 405}'""", """'#set($a = 1){"statusCode": 405}'""", "statusCode"),
        ("""'{"path":"$context.resourcePath"}'""", """'$input.body'""", "Velocity"),
        (
            """{method.response.header.Allow: "'POST'"}""",
            "{method.response.header.Allow: integration.response.body}",
            "maps",
        ),
        ("DEFAULT_4XX: {", "DEFAULT_6XX: {", "DEFAULT_6XX"),
        (
            "Metadata: {BuildProperties: {ParentPackageMode: explicit, ParentPackages: rooms.guard}}",
            "Metadata: {}",
            "Parent",
        ),
        ("Identity: {Headers: [X-Key]}", "Identity: {QueryStrings: [key]}", "querystring.key"),
        ("BinaryMediaTypes: [image/png]", "Auth2: {}", "Auth2"),
        ("!If [IsPlain, ", "!If [IsFancy, ", "IsFancy"),
        ('!Sub "${Greeting}, ${AWS::Region}"', "!ImportValue greeting", "ImportValue"),
        ("!Ref PublicUrl", "!Ref Nowhere", "Nowhere"),
        ("Transform: AWS::Serverless-2016-10-31", "Transform: [", "YAML"),
        ("Resources:", "Things:", "Resources"),
    ],
)
def test_what_is_not_known_here_is_refused_with_a_sentence(tmp_path: Path, old: str, new: str, said: str) -> None:
    """Our own choice: a template that starts is served as AWS would serve it."""
    with pytest.raises(TemplateError, match=said):
        prepare(load_template(changed(tmp_path, old, new)))


def test_an_http_api_is_refused(tmp_path: Path) -> None:
    """Decision 1: REST APIs."""
    added = "  HttpApi: {Type: AWS::Serverless::HttpApi, Properties: {StageName: prod}}\n  Api:\n"
    with pytest.raises(TemplateError, match="ApiGatewayV2"):
        prepare(load_template(changed(tmp_path, "  Api:\n", added)))


def test_a_missing_template_is_a_sentence(tmp_path: Path) -> None:
    """Not a traceback."""
    with pytest.raises(TemplateError, match="cannot be read"):
        load_template(tmp_path / "template.yaml")


def test_a_kept_translation_is_used_until_the_template_changes(tmp_path: Path) -> None:
    """Importing the translator takes most of a start."""
    template, cache = changed(tmp_path, "MemorySize: 256", "MemorySize: 256"), tmp_path / "cache"
    first = load_template(template, cache=cache)
    assert load_template(template, cache=cache).body == first.body
    assert len(list(cache.iterdir())) == 1
    template.write_text(SOURCE.replace("MemorySize: 256", "MemorySize: 512"), encoding="utf-8")
    assert load_template(template, cache=cache).body != first.body
