"""`make key ARGS="..."`: the operator's commands for the keys of the gateway and the remote server.

    create --team T [--plan free] [--scope gateway]... [--note "..."]
    list   show ID   disable ID   enable ID   rotate ID [--grace SECONDS]   set-plan ID PLAN
    plans   set-plan-limits NAME [--calls-per-minute N] [--tokens-per-month N]
    teams   set-team NAME [--key-calls-per-minute N] [--key-tokens-per-month N]
            [--calls-per-minute N] [--tokens-per-month N]   remove-team NAME   policy FILE

A key is printed once, when it is made: nothing that is stored could show it again.
"""

import argparse
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from botocore.exceptions import BotoCoreError, ClientError

from governance.audit import time_text
from governance.errors import PolicyError, StoreError, UnknownKeyError
from governance.key_table import KeyTable
from governance.keys import MAX_SCOPES, SCOPE, KeyRecord, make_key
from governance.policies import Plan, PolicyFile, TeamPolicy, check_name
from local.key_limits import add_limits, change_of, limits_text, small_budget_warnings
from local.key_scopes import scope_warnings, servers_with_keys
from local.operator_table import OperatorError, OperatorParser, add_table_options, operator_table, unusable
from local.running import KEYS_TABLE

MAX_NOTE: Final = 200
MAX_GRACE_S: Final = 30 * 24 * 3600


def run(words: Sequence[str], *, table: Any = None, now_s: Callable[[], float] = time.time) -> list[str]:
    """Do what *words* say and return the lines to print.

    Args:
        words: the command line.
        table: the keys' table; None: the one that the options name.
        now_s: Unix time.

    Raises:
        OperatorError: it could not be done.
    """
    options = _parser().parse_args(list(words))
    if options.command is None:
        raise OperatorError(f'Name a command: {", ".join(_COMMANDS)}; as in make key ARGS="list".')
    options.now_s = now_s
    keys = KeyTable(table or operator_table(options, KEYS_TABLE))
    try:
        return list(_COMMANDS[options.command](keys, options))
    except UnknownKeyError as error:
        raise OperatorError("There is no key with this id: make key ARGS=list shows them.") from error
    except PolicyError as error:
        raise OperatorError(str(error)) from error
    except (StoreError, BotoCoreError, ClientError) as error:
        raise unusable(error) from error


def _create(keys: KeyTable, options: argparse.Namespace) -> Iterator[str]:
    check_name(options.team)
    _check_plan(keys, options.plan)
    scopes = tuple(dict.fromkeys(options.scope or ["gateway"]))
    if bad := [scope for scope in scopes if not re.fullmatch(SCOPE, scope)]:
        raise OperatorError(
            f"A scope is a server or a tool of one, as gateway or gateway:smart_fetch: {len(bad)} are not."
        )
    if len(scopes) > MAX_SCOPES:
        raise OperatorError(f"A key has {MAX_SCOPES} scopes at most.")
    new = make_key()
    record = KeyRecord(
        key_id=new.key_id,
        team=options.team,
        plan=options.plan,
        scopes=scopes,
        secret_hash=new.secret_hash,
        created_at=time_text(options.now_s()),
        note=options.note,
    )
    keys.create(record)
    yield new.key
    yield f"Key {new.key_id} of team {options.team}, plan {options.plan}, scopes {' '.join(scopes)}."
    yield "It is shown this once. Send it as `Authorization: Bearer KEY` or `X-API-Key: KEY`."
    if servers := servers_with_keys():
        yield from scope_warnings(scopes, servers)


def _list(keys: KeyTable, _options: argparse.Namespace) -> Iterator[str]:
    records, unreadable = keys.keys(), keys.unreadable_keys()
    for record in records:
        yield _line(record)
    for key_id in unreadable:
        yield f"{key_id}  is not valid, and opens nothing: its row in the table is none that this command writes"
    if not records and not unreadable:
        yield "There is no key yet: create --team NAME"


def _show(keys: KeyTable, options: argparse.Namespace) -> Iterator[str]:
    record = keys.get(options.key_id)
    limiting = keys.limiting(record)
    yield _line(record)
    yield f"  made {record.created_at}{f', {record.note}' if record.note else ''}"
    yield f"  plan {record.plan}: {limits_text(limiting.plan)}"
    yield f"  team {record.team}: {limits_text(limiting.team)}"
    if record.old is not None and record.old.until_s > options.now_s():
        yield f"  its former secret opens until {time_text(record.old.until_s)}"


def _enable(keys: KeyTable, options: argparse.Namespace) -> Iterator[str]:
    is_on = options.command == "enable"
    keys.set_enabled(options.key_id, is_enabled=is_on)
    yield f"{options.key_id} is {'enabled' if is_on else 'disabled'}: everywhere within a minute."


def _rotate(keys: KeyTable, options: argparse.Namespace) -> Iterator[str]:
    if not 0 <= options.grace <= MAX_GRACE_S:
        raise OperatorError(f"--grace is 0 to {MAX_GRACE_S} seconds.")
    new = make_key(options.key_id)
    until_s = int(options.now_s()) + options.grace if options.grace else 0
    keys.rotate(options.key_id, new.secret_hash, old_until_s=until_s)
    yield new.key
    yield "It is shown this once."
    yield f"The former one opens until {time_text(until_s)}." if until_s else "The former one stops within a minute."


def _set_plan(keys: KeyTable, options: argparse.Namespace) -> Iterator[str]:
    _check_plan(keys, options.plan)
    keys.set_plan(options.key_id, options.plan)
    yield f"{options.key_id} has plan {options.plan}: everywhere within a minute."


def _plans(keys: KeyTable, _options: argparse.Namespace) -> Iterator[str]:
    for name, plan in keys.plans().items():
        yield f"{name:<20} {limits_text(plan)}"


def _set_plan_limits(keys: KeyTable, options: argparse.Namespace) -> Iterator[str]:
    change = change_of(Plan, keys.plans().get(check_name(options.name)), options)
    keys.put_plan(options.name, change.limits)
    yield f"Plan {options.name}: {change}."
    yield from small_budget_warnings(change.limits)


def _teams(keys: KeyTable, _options: argparse.Namespace) -> Iterator[str]:
    teams = keys.teams()
    for name, policy in teams.items():
        yield f"{name:<20} {limits_text(policy)}"
    if not teams:
        yield "No team has a policy: each key has its plan's limits."


def _set_team(keys: KeyTable, options: argparse.Namespace) -> Iterator[str]:
    change = change_of(TeamPolicy, keys.teams().get(check_name(options.name)), options)
    keys.put_team(options.name, change.limits)
    yield f"Team {options.name}: {change}."
    yield from small_budget_warnings(change.limits)


def _remove_team(keys: KeyTable, options: argparse.Namespace) -> Iterator[str]:
    if not _may_have_policy(keys, check_name(options.name)):
        raise OperatorError("No team of this name has a policy: make key ARGS=teams shows them.")
    keys.remove_team(options.name)
    yield f"Team {options.name} has no policy any more: its keys have their plans' limits."


def _policy(keys: KeyTable, options: argparse.Namespace) -> Iterator[str]:
    try:
        text = Path(options.file).read_text("utf-8")
    except (OSError, ValueError) as error:
        raise OperatorError("The file could not be read: give the path of a JSON file with plans and teams.") from error
    policy = PolicyFile.parse(text)
    if not policy.plans and not policy.teams:
        yield "The file has no plans and no teams: nothing has changed."
    for name, plan in policy.plans.items():
        keys.put_plan(name, plan)
        yield f"Plan {name}: {limits_text(plan)}."
        yield from small_budget_warnings(plan)
    for name, team in policy.teams.items():
        keys.put_team(name, team)
        yield f"Team {name}: {limits_text(team)}."
        yield from small_budget_warnings(team)


_COMMANDS: Final[Mapping[str, Callable[[KeyTable, argparse.Namespace], Iterator[str]]]] = {
    "create": _create,
    "list": _list,
    "show": _show,
    "disable": _enable,
    "enable": _enable,
    "rotate": _rotate,
    "set-plan": _set_plan,
    "plans": _plans,
    "set-plan-limits": _set_plan_limits,
    "teams": _teams,
    "set-team": _set_team,
    "remove-team": _remove_team,
    "policy": _policy,
}


def _check_plan(keys: KeyTable, name: str) -> None:
    if not keys.has_plan(check_name(name)):
        raise OperatorError(f"There is no plan of that name: there are {', '.join(keys.plans())}.")


def _may_have_policy(keys: KeyTable, team: str) -> bool:
    try:
        return team in keys.teams()
    except StoreError:
        # A row that is no policy fails all of them: it must still be possible to remove it.
        return True


def _line(record: KeyRecord) -> str:
    state = "enabled" if record.is_enabled else "DISABLED"
    return f"{record.key_id}  {record.team:<16} {record.plan:<12} {state:<9} {' '.join(record.scopes)}"


def _note(text: str) -> str:
    if len(text) > MAX_NOTE:
        raise argparse.ArgumentTypeError(f"a note has {MAX_NOTE} characters at most")
    return text


def _parser() -> argparse.ArgumentParser:
    parser = OperatorParser(prog="make key ARGS=", description="Keys, plans and team policies.")
    add_table_options(parser)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=OperatorParser)
    create = commands.add_parser("create", help="make a key, and print it once")
    create.add_argument("--team", required=True)
    create.add_argument("--plan", default="free")
    create.add_argument("--scope", action="append", help="gateway, gateway:smart_fetch, remote ... (gateway)")
    create.add_argument(
        "--note", type=_note, default="", help=f"whose it is, what it is for, in {MAX_NOTE} characters; never a secret"
    )
    commands.add_parser("list", help="all keys")
    for name, text in {"show": "one key and its limits", "disable": "let it in no more", "enable": "let it in"}.items():
        commands.add_parser(name, help=text).add_argument("key_id")
    rotate = commands.add_parser("rotate", help="give a key a new secret, and print it once")
    rotate.add_argument("key_id")
    rotate.add_argument("--grace", type=int, default=0, help="seconds for which the former secret still opens (0)")
    set_plan = commands.add_parser("set-plan", help="give a key another plan")
    set_plan.add_argument("key_id")
    set_plan.add_argument("plan")
    commands.add_parser("plans", help="all plans and their limits")
    add_limits(commands.add_parser("set-plan-limits", help="store a plan, or change one"), Plan)
    commands.add_parser("teams", help="all team policies")
    add_limits(commands.add_parser("set-team", help="store a team's policy, or change it"), TeamPolicy)
    commands.add_parser("remove-team", help="forget a team's policy").add_argument("name")
    commands.add_parser("policy", help="store the plans and teams of a JSON file").add_argument("file")
    return parser
