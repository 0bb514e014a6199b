"""The machine that a run was made on, in words that say nothing about whose it is."""

import os
import platform
import re
from pathlib import Path


def describe_machine() -> dict[str, str]:
    """Return what a reader needs to judge the figures."""
    return {
        "CPU": _cpu_model(),
        "cores": str(os.cpu_count()),
        "kernel": f"{platform.system()} {version_number(platform.release())} {platform.machine()}",
        "Python": platform.python_version(),
    }


def version_number(release: str) -> str:
    """Return the numbers that *release* begins with: what follows names who built it, or for which cloud."""
    found = re.match(r"\d+(\.\d+)*", release)
    return found[0] if found else "of unknown version"


def load_average() -> str:
    """Return how many processes wanted to run over the last minute, "unknown" where the platform does not say."""
    try:
        return f"{os.getloadavg()[0]:.1f}"
    except OSError:
        return "unknown"


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or "unknown"
