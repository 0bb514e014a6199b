"""ministack on a loopback port: an emulator of AWS that takes a real `sam deploy`."""

import os
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from local.ports import Ports

ROOT: Final = Path(__file__).parents[2]

CREDENTIALS: Final[Mapping[str, str]] = {
    "AWS_ACCESS_KEY_ID": "local",
    "AWS_SECRET_ACCESS_KEY": "local",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
    "SAM_CLI_TELEMETRY": "0",
}

START_S: Final = 60.0


class RehearsalError(Exception):
    """The rehearsal could not go on; says where it stopped."""


@contextmanager
def emulator() -> Iterator[str]:
    """Run the emulator until the block ends, and give its URL. It listens on loopback only."""
    port = Ports().take()
    own = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "PYTHON"))}
    settings = {
        "BIND_HOST": "127.0.0.1",
        "MINISTACK_HOST": "127.0.0.1",
        "GATEWAY_PORT": str(port),
        "IOT_MTLS_ENABLED": "0",
        "SFTP_ENABLED": "0",
    }
    log = ROOT / ".cache" / "rehearsal.log"
    log.parent.mkdir(exist_ok=True)
    with log.open("wb") as output:
        process = subprocess.Popen(
            [str(ROOT / ".venv-rehearsal" / "bin" / "ministack")],
            env={**own, **CREDENTIALS, **settings},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            url = f"http://127.0.0.1:{port}"
            _wait(url, process)
            yield url
        finally:
            # It ends the workers that run the functions when it is asked to.
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    end_s = time.monotonic() + START_S
    while time.monotonic() < end_s:
        if process.poll() is not None:
            raise RehearsalError("The emulator has ended: see .cache/rehearsal.log.")
        try:
            urllib.request.urlopen(url, timeout=2).close()  # noqa: S310 -- loopback
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise RehearsalError("The emulator does not answer: see .cache/rehearsal.log.")


def deploy(url: str, template: Path, stack: str, architecture: str) -> None:
    """Run `sam deploy` of a built *template*.

    Raises:
        RehearsalError: it failed.
    """
    command = [
        *(str(ROOT / ".venv-sam" / "bin" / "sam"), "deploy", "--template", str(template), "--stack-name", stack),
        *("--resolve-s3", "--capabilities", "CAPABILITY_IAM", "--no-confirm-changeset", "--no-progressbar"),
        *("--config-env", "rehearsal", "--region", "us-east-1", "--parameter-overrides"),
        f"Architecture={architecture}",
    ]
    own = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "PYTHON"))}
    environment = {**own, **CREDENTIALS, "AWS_ENDPOINT_URL": url}
    ended = subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if ended.returncode:
        raise RehearsalError(f"sam deploy has failed:\n{ended.stdout[-3000:]}")
