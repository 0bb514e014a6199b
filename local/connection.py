"""`make connection ARGS="..."`: the operator's commands for connections to other MCP servers.

    add NAME URL [--auth bearer] [--tool 'read_*'] ...   list   show NAME [--tool T]   test NAME
    approve NAME [--tool T]... [--flagged]   enable NAME   disable NAME   remove NAME

They work on a deployed stack's table (--stack or --table), or on the embedded one of a running `make run`. A secret is
only ever named: whoever may read it is another matter, and another command's.
"""

import argparse
import asyncio
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import boto3
from botocore.exceptions import BotoCoreError, ClientError
from guardedhttp import Network, loopback_ports_of
from mcpclient import ConnectionSettings, MCPClientError, MCPServerConnection, SecretStore
from mcpclient.approvals import ApprovalTable
from mcpclient.catalog_table import CatalogTable
from mcpclient.connections import ConnectionTable
from mcpclient.review import Quarantine, approve, callable_tools
from mcpclient.settings import ConnectionLimits

from local.connection_text import connection_lines, printable, settings_text, tool_lines, whole_tool_lines
from local.operator_table import OperatorError, OperatorParser, add_table_options, operator_table, unusable
from local.running import CONNECTIONS_TABLE


@dataclass(frozen=True, slots=True)
class Desk:
    """What the commands work on."""

    connections: ConnectionTable
    approvals: ApprovalTable
    catalogs: CatalogTable
    network: Network
    secrets: Callable[[], Any]
    """Makes a Secrets Manager client."""
    ports: frozenset[int]


def run(words: Sequence[str], *, desk: Desk | None = None) -> list[str]:
    """Do what *words* say and return the lines to print.

    Raises:
        OperatorError: it could not be done.
    """
    options = _parser().parse_args(list(words))
    try:
        lines = list(_COMMANDS[options.command](desk or _desk(options), options))
    except MCPClientError as error:
        raise OperatorError(error.message) from error
    except (BotoCoreError, ClientError) as error:
        raise unusable(error) from error
    return lines


def _add(desk: Desk, options: argparse.Namespace) -> Iterator[str]:
    auth: dict[str, Any] = {"scheme": options.auth}
    for option, member in (("auth_header", "header"), ("issuer", "issuer"), ("scope", "scope")):
        if getattr(options, option):
            auth[member] = getattr(options, option)
    stored = {
        "name": options.name,
        "url": options.url,
        "transport": options.transport,
        "auth": auth,
        "headers": dict(map(_header, options.header)),
        "timeout_s": options.timeout,
        "allowed_tools": options.tool,
        "allowed_resources": options.resource,
        "limits": dict(map(_limit, options.limit)),
        "owner": options.owner,
    }
    connection = ConnectionSettings.parse(stored, loopback_ports=desk.ports)
    desk.connections.put(connection, replace=options.replace)
    yield f"Added {connection.name}."
    if options.auth != "none":
        yield f"Its credential is read from the secret {connection.secret_name}: create it in Secrets Manager."
    yield f"Nothing of it can be called before its discovery and: approve {connection.name}"


def _list(desk: Desk, _options: argparse.Namespace) -> Iterator[str]:
    heads, approvals = desk.catalogs.heads(), desk.approvals.all()
    connections, invalid = desk.connections.list_all()
    for found in connections:
        approval = approvals.get(found.name)
        current = approval if approval and approval.url == found.url else None
        yield from connection_lines(found, heads.get(found.name), current)
    for name in invalid:
        yield f"{printable(name)}  is not valid, and not used: remove it, or add it again with --replace"
    if not connections and not invalid:
        yield "There is no connection yet: add NAME URL"


def _show(desk: Desk, options: argparse.Namespace) -> Iterator[str]:
    connection = desk.connections.get(options.name)
    approval = desk.approvals.get(connection.name, url=connection.url)
    head = desk.catalogs.head(connection.name)
    yield from connection_lines(connection, head, approval)
    yield f"  settings: {settings_text(connection)}"
    if connection.auth.scheme != "none":
        yield f"  secret: {connection.secret_name}"
    if head is not None and head.version:
        catalog = desk.catalogs.catalog(connection.name, head.version) or {}
        yield f"  catalog version {head.version}; kept: {', '.join(map(str, desk.catalogs.versions(connection.name)))}"
        unknown = sorted(set(options.tool) - {tool["name"] for tool in catalog.get("tools", ())})
        if unknown:
            raise OperatorError(f"The server has no such tool: {', '.join(unknown)}.")
        yield from whole_tool_lines(catalog, options.tool) if options.tool else tool_lines(catalog, head, approval)


def _test(desk: Desk, options: argparse.Namespace) -> Iterator[str]:
    connection = desk.connections.get(options.name)
    remote = MCPServerConnection(
        connection.model_copy(update={"enabled": True}), network=desk.network, secrets=SecretStore(desk.secrets)
    )
    started_s = time.monotonic()
    catalog = asyncio.run(remote.discover())
    took_ms = (time.monotonic() - started_s) * 1000
    yield f"{connection.name} answers in {took_ms:.0f} ms: MCP {catalog.protocol_version}, {len(catalog.tools)} tools."


def _approve(desk: Desk, options: argparse.Namespace) -> Iterator[str]:
    connection = desk.connections.get(options.name)
    head = desk.catalogs.head(connection.name)
    if head is None or not head.version or head.url != connection.url:
        raise OperatorError(f"{connection.name} was not discovered yet: wait for the schedule.")
    if options.version and options.version != head.version:
        raise OperatorError(f"The catalog is at version {head.version} now: look again with show.")
    unknown = sorted(set(options.tool) - head.offer.tools.keys())
    if unknown:
        raise OperatorError(f"The server has no such tool: {', '.join(unknown)}.")
    held = desk.approvals.get(connection.name, url=connection.url)
    approval = approve(
        head.offer, held, head.quarantine, url=connection.url, only=options.tool, with_flagged=options.flagged
    )
    desk.approvals.put(connection.name, approval)
    can_call = callable_tools(head.offer, approval, Quarantine())
    yield f"Approved {len(can_call)} of {len(head.offer.tools)} tools of {connection.name}, version {head.version}."
    left = sorted(head.offer.flags.keys() & head.offer.tools.keys() - can_call)
    if left:
        yield f"Hidden text, so not approved without --flagged: {len(left)} tools (show lists them)."


def _enable(desk: Desk, options: argparse.Namespace) -> Iterator[str]:
    is_on = options.command == "enable"
    connection = desk.connections.get(options.name)
    desk.connections.put(connection.model_copy(update={"enabled": is_on}))
    yield f"{connection.name} is {'enabled' if is_on else 'disabled'}."


def _remove(desk: Desk, options: argparse.Namespace) -> Iterator[str]:
    desk.approvals.remove(options.name)
    desk.catalogs.remove(options.name)
    desk.connections.remove(options.name)
    yield f"Removed {options.name}, its catalog and its approval. Its secret, if it has one, stays."


_COMMANDS: Final[Mapping[str, Callable[[Desk, argparse.Namespace], Iterator[str]]]] = {
    "add": _add,
    "list": _list,
    "show": _show,
    "test": _test,
    "approve": _approve,
    "enable": _enable,
    "disable": _enable,
    "remove": _remove,
}


def _header(text: str) -> tuple[str, str]:
    name, separator, value = text.partition(":")
    if not separator:
        raise OperatorError("A header is given as 'Name: value'.")
    return name.strip(), value.strip()


def _limit(text: str) -> tuple[str, int]:
    name, _, number = text.partition("=")
    if name not in ConnectionLimits.model_fields or not (number.isascii() and number.isdigit()):
        names = ", ".join(ConnectionLimits.model_fields)
        raise OperatorError(f"A limit is given as NAME=NUMBER; the names are {names}.")
    return name, int(number)


def _desk(options: argparse.Namespace) -> Desk:
    """Return the desk of the table that *options*, the environment or a running `make run` name."""
    table = operator_table(options, CONNECTIONS_TABLE)
    # A deployed stack knows no developer's ports.
    ports = frozenset[int]() if options.stack or options.table else loopback_ports_of(os.environ)
    return Desk(
        ConnectionTable(table, loopback_ports=ports),
        ApprovalTable(table),
        CatalogTable(table),
        replace(Network(), loopback_ports=ports),
        lambda: boto3.client("secretsmanager"),
        ports,
    )


def _parser() -> argparse.ArgumentParser:
    parser = OperatorParser(prog="make connection ARGS=", description="Connections to other MCP servers.")
    add_table_options(parser)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=OperatorParser)
    add = commands.add_parser("add", help="store a connection")
    add.add_argument("name")
    add.add_argument("url")
    add.add_argument("--transport", default="streamable-http", help="streamable-http, or sse for an older server")
    add.add_argument("--auth", default="none", help="none, bearer, header, basic or oauth")
    add.add_argument("--auth-header", default="", help="with --auth header: its name")
    add.add_argument("--issuer", default="", help="with --auth oauth: the authorization server")
    add.add_argument("--scope", default="", help="with --auth oauth")
    add.add_argument("--header", action="append", default=[], help="'Name: value', never a secret")
    add.add_argument("--timeout", type=float, default=20, help="seconds that one whole call may take")
    add.add_argument("--tool", action="append", default=[], help="pattern of allowed tools; all if left out")
    add.add_argument("--resource", action="append", default=[], help="pattern of allowed resources; none if left out")
    add.add_argument("--limit", action="append", default=[], help="NAME=NUMBER, as tools=100 or bytes_per_answer=65536")
    add.add_argument("--owner", default="")
    add.add_argument("--replace", action="store_true", help="overwrite one of that name")
    commands.add_parser("list", help="all connections and how they are")
    for name, text in {
        "show": "one connection, its tools and what has changed",
        "test": "ask its server now",
        "enable": "let it be called",
        "disable": "let nobody call it",
        "remove": "forget it, its catalog and its approval",
    }.items():
        command = commands.add_parser(name, help=text)
        command.add_argument("name")
        if name == "show":
            command.add_argument("--tool", action="append", default=[], help="all that the server says of this one")
    approving = commands.add_parser("approve", help="let what was discovered be called")
    approving.add_argument("name")
    approving.add_argument("--tool", action="append", default=[], help="only this one")
    approving.add_argument("--flagged", action="store_true", help="also what holds hidden text")
    approving.add_argument("--version", type=int, default=0, help="refuse if the catalog has changed since")
    return parser
