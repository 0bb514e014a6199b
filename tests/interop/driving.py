"""Take every step with one client or host, and say what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from tests.interop.environments import NODE, Environment, InstallError, NodeEnvironment
from tests.interop.observations import Cell, Observations, Verdict, judge
from tests.interop.processes import CACHE, Finished
from tests.interop.relay import Relay

EXCHANGES: Final = CACHE / "exchanges"
"""What each client said and was told, for whoever looks into a cell that is not green."""


class Subject(Protocol):
    """A client or a host."""

    @property
    def title(self) -> str:
        """Its row."""

    @property
    def environment(self) -> Environment:
        """What must be installed for it."""

    def observe(self, relay: Relay, path: str) -> tuple[Finished, Observations]:
        """Take every step against the server at *path* behind *relay*."""


@dataclass(frozen=True, slots=True)
class ClientResult:
    """What came of one client or host."""

    title: str
    package: str
    version: str
    install_s: float | None = None
    protocol_version: str = ""
    cells: Mapping[str, Cell] = field(default_factory=dict)
    """step -> verdict; empty where it did not run."""
    note: str = ""
    """Why it did not run."""

    def has(self, verdict: Verdict) -> bool:
        """Tell whether a step has *verdict*."""
        return any(cell.verdict is verdict for cell in self.cells.values())


def drive(subject: Subject, address: str, path: str) -> ClientResult:
    """Take every step with *subject* against the server at *address* + *path*, once more if it runs out of time."""
    environment = subject.environment
    try:
        if isinstance(environment, NodeEnvironment):
            NODE.provide()
        install_s = environment.provide()
        result = _take_steps(subject, address, path, install_s)
        if result.has(Verdict.TIMED_OUT):
            result = _take_steps(subject, address, path, install_s)
    except InstallError as error:
        return ClientResult(subject.title, environment.package, environment.version(), note=str(error))
    except OSError as error:
        return ClientResult(
            subject.title, environment.package, environment.version(), note=f"no start: {error.strerror}"
        )
    return result


def _take_steps(subject: Subject, address: str, path: str, install_s: float | None) -> ClientResult:
    with Relay(address) as relay:
        finished, observations = subject.observe(relay, path)
    EXCHANGES.mkdir(parents=True, exist_ok=True)
    relay.save(EXCHANGES / f"{subject.title}.http.txt")
    (EXCHANGES / f"{subject.title}.output.txt").write_text(finished.output + finished.errors, "utf-8")
    named = (subject.title, subject.environment.package, subject.environment.version(), install_s)
    if not observations and finished.code is not None:
        last = finished.errors.strip().splitlines()[-1:]
        return ClientResult(*named, note=f"it did not start: {''.join(last)[:160]}")
    cells = judge(observations, is_out_of_time=finished.code is None)
    return ClientResult(*named, relay.protocol_version(), cells)
