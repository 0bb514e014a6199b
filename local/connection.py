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
from typing import Any, Final, NoReturn

import boto3
from botocore.exceptions import BotoCoreError, ClientError
from guardedhttp import Network, loopback_ports_of
from mcpclient import ConnectionSettings, MCPClientError, MCPServerConnection, SecretStore
from mcpclient.approvals import ApprovalTable
from mcpclient.catalog_table import CatalogTable
from mcpclient.connections import ConnectionTable
from mcpclient.review import Quarantine, approve, callable_tools

from local.connection_text import connection_lines, printable, tool_lines, whole_tool_lines
from local.errors import LocalError
from local.running import CONNECTIONS_TABLE, recall


class ConnectionCommandError(LocalError):
    """The command could not be done; says what the operator must change."""


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
        ConnectionCommandError: it could not be done.
    """
    options = _parser().parse_args(list(words))
    try:
        lines = list(_COMMANDS[options.command](desk or _desk(options), options))
    except MCPClientError as error:
        raise ConnectionCommandError(error.message) from error
    except (BotoCoreError, ClientError) as error:
        raise ConnectionCommandError(
            f"The table could not be used ({type(error).__name__}): is `make run` still running, or are your AWS "
            "credentials for the stack's account and region?"
        ) from error
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
    yield f"  settings: {connection.model_dump_json(exclude_defaults=True)}"
    if connection.auth.scheme != "none":
        yield f"  secret: {connection.secret_name}"
    if head is not None and head.version:
        catalog = desk.catalogs.catalog(connection.name, head.version) or {}
        yield f"  catalog version {head.version}; kept: {', '.join(map(str, desk.catalogs.versions(connection.name)))}"
        unknown = sorted(set(options.tool) - {tool["name"] for tool in catalog.get("tools", ())})
        if unknown:
            raise ConnectionCommandError(f"The server has no such tool: {', '.join(unknown)}.")
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
        raise ConnectionCommandError(f"{connection.name} was not discovered yet: wait for the schedule.")
    if options.version and options.version != head.version:
        raise ConnectionCommandError(f"The catalog is at version {head.version} now: look again with show.")
    unknown = sorted(set(options.tool) - head.offer.tools.keys())
    if unknown:
        raise ConnectionCommandError(f"The server has no such tool: {', '.join(unknown)}.")
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
        raise ConnectionCommandError("A header is given as 'Name: value'.")
    return name.strip(), value.strip()


def _desk(options: argparse.Namespace) -> Desk:
    """Return the desk of the table that *options*, the environment or a running `make run` name."""
    name = options.table or os.environ.get("SAMCP_CONNECTIONS_TABLE", "")
    if options.stack:
        name = _output(options.stack)
    ports: frozenset[int] = frozenset()
    if not name:
        variables = recall()
        if variables is None:
            raise ConnectionCommandError("Which table? Give --stack or --table, or start `make run` beside this.")
        os.environ.update(variables)
        name, ports = variables["SAMCP_CONNECTIONS_TABLE"], loopback_ports_of(variables)
    table = boto3.resource("dynamodb").Table(name)
    return Desk(
        ConnectionTable(table, loopback_ports=ports),
        ApprovalTable(table),
        CatalogTable(table),
        replace(Network(), loopback_ports=ports),
        lambda: boto3.client("secretsmanager"),
        ports,
    )


def _output(stack: str) -> str:
    try:
        stacks = boto3.client("cloudformation").describe_stacks(StackName=stack)["Stacks"]
    except (BotoCoreError, ClientError) as error:
        raise ConnectionCommandError(f"The stack {stack} could not be read ({type(error).__name__}).") from error
    outputs = {output["OutputKey"]: output["OutputValue"] for output in stacks[0].get("Outputs", ())}
    if CONNECTIONS_TABLE not in outputs:
        raise ConnectionCommandError(f"The stack {stack} has no output {CONNECTIONS_TABLE}: is it samcp's?")
    return str(outputs[CONNECTIONS_TABLE])


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Say what is wrong as the other commands do."""
        raise ConnectionCommandError(f"{message} ({self.format_usage().strip()})")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="make connection ARGS=", description="Connections to other MCP servers.")
    parser.add_argument("--stack", default="", help="the deployed stack's name")
    parser.add_argument("--table", default="", help="the table's name")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
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
