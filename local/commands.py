"""The commands of `python -m local`: what `make` calls.

Each imports what it needs when it runs: `run` must start soon.
"""

import argparse
import functools
import os
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from local.errors import LocalError

PROJECT = Path(__file__).parent.parent
"""The folder that holds template.yaml."""


_OPERATOR_COMMANDS: Mapping[str, str] = {
    "connection": "add, approve and look at connections",
    "key": "make keys, and set plans and team policies",
    "activity": "read the gateway's audit rows",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; what the user must change is said in a sentence on stderr."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words and words[0] in _OPERATOR_COMMANDS:
        # Their words are another parser's: argparse would take a leading `--stack` for an option of this one.
        options = argparse.Namespace(command=words[0], words=words[1:])
    else:
        options = _parser().parse_args(words)
    try:
        return _COMMANDS[options.command](options)
    except LocalError as error:
        print(error, file=sys.stderr)
        return 2


def _run(options: argparse.Namespace) -> int:
    from local import reload  # noqa: PLC0415 - for this command only

    _say(f"Reading {options.template.name} and importing its functions ...")
    handed_on = ["--rie"] * options.rie + ["--samples"] * options.samples + [f"--principal={options.principal}"]
    return reload.run(options.template.resolve(), options.port, handed_on)


def _serve(options: argparse.Namespace) -> int:
    from local.runtime import InProcessRuntime  # noqa: PLC0415 - for this command only
    from local.serve import Options, RuntimeMaker, serve  # noqa: PLC0415 - for this command only

    make_runtime: RuntimeMaker = InProcessRuntime
    if options.rie:
        from local.built_functions import emulator_runtime  # noqa: PLC0415 - for this command only

        make_runtime = functools.partial(emulator_runtime, options.template)
    with socket.socket(fileno=options.fd) as listener:
        serve(options.template, listener, Options(make_runtime, options.first, options.samples, options.principal))
    return 0


def _validate(options: argparse.Namespace) -> int:
    from local.sam import validate  # noqa: PLC0415 - for this command only

    are_passed = True
    for check in validate(options.template.resolve()):
        print(f"{'passed' if check.is_passed else 'FAILED'}  {check.name}", flush=True)
        if not check.is_passed:
            print(check.output)
            are_passed = False
    return 0 if are_passed else 1


def _build(options: argparse.Namespace) -> int:
    from local.artefact import build_artefacts  # noqa: PLC0415 - for this command only
    from local.sam import ARTEFACTS_FOR_AWS  # noqa: PLC0415 - for this command only

    _say(f"Building the functions and layers of {options.template.name} for AWS ...")
    template = options.template.resolve()
    sizes = build_artefacts(template, template.parent / ARTEFACTS_FOR_AWS, options.architecture)
    print(f"{'MB unzipped':<26} without .pyc   with")
    for size in sizes:
        print(f"{size.name:<26} {size.bytes_of_source / 1e6:>12.1f} {size.bytes_with_bytecode / 1e6:>6.1f}")
    print(f"In {ARTEFACTS_FOR_AWS}. Next: .venv-sam/bin/sam deploy --config-env dev")
    return 0


def _invoke(options: argparse.Namespace) -> int:
    from local.built_functions import emulator_runtime  # noqa: PLC0415 - for this command only
    from local.invoke import invoke  # noqa: PLC0415 - for this command only
    from local.template import load_template  # noqa: PLC0415 - for this command only

    path = options.template.resolve()
    template = load_template(path, cache=path.parent / ".cache" / "template")
    invocation = invoke(options.event, template, functools.partial(emulator_runtime, path))
    print(invocation.answer)
    print(*invocation.reports, sep="\n", file=sys.stderr)
    return 0 if invocation.is_answered else 1


def _stdio(options: argparse.Namespace) -> int:
    from local.stdio import serve_room  # noqa: PLC0415 - for this command only

    serve_room(options.room, PROJECT / "template.yaml")
    return 0


def _connection(options: argparse.Namespace) -> int:
    from local.connection import run  # noqa: PLC0415 - for this command only

    return _print_all(run(options.words))


def _key(options: argparse.Namespace) -> int:
    from local.key import run  # noqa: PLC0415 - for this command only

    return _print_all(run(options.words))


def _activity(options: argparse.Namespace) -> int:
    from local.activity import run  # noqa: PLC0415 - for this command only

    return _print_all(run(options.words))


def _print_all(lines: Sequence[str]) -> int:
    """Print *lines*, as many as somebody reads: `| head` has enough of them at its tenth."""
    try:
        for line in lines:
            print(line)
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes once more at its end, and would complain then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


_COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "run": _run,
    "serve": _serve,
    "validate": _validate,
    "build": _build,
    "invoke": _invoke,
    "stdio": _stdio,
    "connection": _connection,
    "key": _key,
    "activity": _activity,
}


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= 65_535):
        raise argparse.ArgumentTypeError("a port is a number from 1 to 65535, or 0 for any that is free")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m local", description="The local gateway.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="serve template.yaml on 127.0.0.1")
    run.add_argument("--port", type=_port, default=3000)
    serve = commands.add_parser("serve", help="the process that `run` starts, and starts again when the code changes")
    serve.add_argument("--fd", type=int, required=True, help="the listening socket")
    serve.add_argument("--first", action="store_true", help="greet")
    for command in (run, serve):
        command.add_argument("--rie", action="store_true", help="run the built functions under the emulator")
        command.add_argument("--samples", action="store_true", help="two MCP servers on loopback, to be called")
        command.add_argument("--principal", default="", help="who calls where no authorizer is; nobody if left out")
    validate = commands.add_parser("validate", help="check template.yaml in three ways")
    build = commands.add_parser("build", help="build the functions and layers for AWS")
    build.add_argument("--architecture", choices=["arm64", "x86_64"], help="the template's default if left out")
    invoke = commands.add_parser("invoke", help="run one event under the Runtime Interface Emulator")
    invoke.add_argument("event", type=Path, help="events/<room>/<case>.json")
    for command in (run, serve, validate, build, invoke):
        command.add_argument("--template", type=Path, default=PROJECT / "template.yaml", help=argparse.SUPPRESS)
    stdio = commands.add_parser("stdio", help="serve one server over stdin and stdout")
    stdio.add_argument("room", nargs="?", default="", help="a folder of functions/")
    for name, text in _OPERATOR_COMMANDS.items():
        commands.add_parser(name, help=text)
    return parser
