"""The commands of `python -m local`: what `make` calls.

Each imports what it needs when it runs: `run` must start within a second or two.
"""

import argparse
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from local.errors import LocalError

PROJECT = Path(__file__).parent.parent
"""The folder that holds template.yaml."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; what the user must change is said in a sentence on stderr."""
    options = _parser().parse_args(arguments)
    try:
        return _COMMANDS[options.command](options)
    except LocalError as error:
        print(error, file=sys.stderr)
        return 2


def _run(options: argparse.Namespace) -> int:
    from local import reload  # noqa: PLC0415

    print(f"Reading {options.template.name} and importing its functions ...", file=sys.stderr, flush=True)
    return reload.run(options.template.resolve(), options.port, ["--rie"] if options.rie else [])


def _serve(options: argparse.Namespace) -> int:
    from local.serve import serve  # noqa: PLC0415

    with socket.socket(fileno=options.fd) as listener:
        serve(options.template, listener, is_first=options.first)
    return 0


_COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "run": _run,
    "serve": _serve,
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m local", description="The local gateway.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="serve template.yaml on 127.0.0.1")
    run.add_argument("--port", type=int, default=3000)
    run.add_argument("--rie", action="store_true", help="run the built functions under the Runtime Interface Emulator")
    serve = commands.add_parser("serve", help="the process that `run` starts, and starts again when the code changes")
    serve.add_argument("--fd", type=int, required=True, help="the listening socket")
    serve.add_argument("--first", action="store_true", help="greet")
    serve.add_argument("--rie", action="store_true")
    for command in (run, serve):
        command.add_argument("--template", type=Path, default=PROJECT / "template.yaml")
    return parser
