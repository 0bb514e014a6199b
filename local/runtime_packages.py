"""What Lambda's own Python runtime carries: its client and boto3. A folder of links to them stands in for /var/runtime.

The built functions must find nothing else of this project's environment: it is the artefact that is tried out.
"""

import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

_CARRIED = ("awslambdaric", "boto3")
_NAME = re.compile(r"[A-Za-z0-9._-]+")


def link_runtime_packages(folder: Path) -> Path:
    """Fill *folder* with links to the runtime's packages, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    for source in _locations():
        link = folder / source.name
        if not link.is_symlink() or link.readlink() != source:
            link.unlink(missing_ok=True)
            link.symlink_to(source)
    return folder


def _locations() -> set[Path]:
    found: set[Path] = set()
    for name in _with_requirements(_CARRIED):
        files = distribution(name).files or ()
        tops = {file.parts[0] for file in files if file.parts[0] not in {"..", "__pycache__"}}
        found |= {Path(str(distribution(name).locate_file(top))) for top in tops}
    return found


def _with_requirements(names: tuple[str, ...]) -> set[str]:
    """Return the distributions and everything they require that is installed."""
    seen: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        try:
            requirements = distribution(name).requires or []
        except PackageNotFoundError:
            continue
        seen.add(name)
        waiting += [match[0] for text in requirements if "extra ==" not in text and (match := _NAME.match(text))]
    return seen
