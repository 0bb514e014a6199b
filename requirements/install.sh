#!/bin/sh
# Make a virtual environment from one lock, with hashes checked, and say what happens meanwhile.
# Usage: requirements/install.sh VENV LOCK [editable]
# Nothing outside VENV and .venv-uv is touched. Run again, it only does what has changed since.
set -eu
venv=$1 lock=$2 editable=${3:-}
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
# A moved folder needs a new environment: its programs name the python of the old place.
here=$(printf '%s' "$root" | cksum | cut -d' ' -f1)
stamp="$venv/.installed-$here-$(cksum < "$lock" | cut -d' ' -f1)${editable:+-$(cksum < "$root/pyproject.toml" | cut -d' ' -f1)}"
[ -e "$stamp" ] && exit 0

# All that is said goes to stderr: `make stdio` runs this too, and its stdout is the protocol's.
exec >&2

fail() { printf '%s\n' "$@"; exit 1; }

# A pyenv shim exists for versions that are not selected: only a python that runs counts. The last is uv's, if it was asked.
find_python() {
    for candidate in python3.13 python3 python "$root"/.venv-uv/pythons/cpython-3.13*/bin/python3.13; do
        if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info[:2] != (3, 13))' >/dev/null 2>&1; then
            command -v "$candidate"; return
        fi
    done
    return 1
}

# No Python 3.13 here: uv, in an environment of its own, fetches one into the project's folder.
provide_python() {
    echo "No python3.13 here: asking uv for one ..."
    any=$(command -v python3 || command -v python || true)
    [ -n "$any" ] || fail "samcp needs Python 3.13, or any python3 with pip to fetch it: neither is here." \
        "Install Python 3.13 (python.org, your system's packages, pyenv or uv) and run make again."
    { "$any" -m venv "$root/.venv-uv" && "$root/.venv-uv/bin/python" -m pip install --quiet --require-hashes -r "$root/requirements/uv.txt"; } ||
        fail "samcp needs Python 3.13. None was found, and uv, which could provide it, did not install." \
            "Install Python 3.13 (python.org, your system's packages, pyenv or uv) and run make again."
    UV_PYTHON_INSTALL_DIR="$root/.venv-uv/pythons" UV_CACHE_DIR="$root/.venv-uv/cache" "$root/.venv-uv/bin/uv" --quiet python install --no-bin 3.13 ||
        fail "samcp needs Python 3.13. None was found, and uv could not fetch one (is the network closed?)." \
            "Install Python 3.13 (python.org, your system's packages, pyenv or uv) and run make again."
}

python=$(find_python) || { provide_python; python=$(find_python); } || fail "The Python that uv fetched does not run here."
echo "Setting up $(basename "$venv") from $lock: about a minute the first time, two on a slow disk (.venv has 450 MB) ..."
ls "$venv"/.installed-"$here"-* >/dev/null 2>&1 && "$venv/bin/python" -c '' 2>/dev/null || "$python" -m venv --clear "$venv"
install_lock() { "$venv/bin/python" -m pip install -qq --disable-pip-version-check --no-deps --require-hashes -r "$lock"; }
# Twice: an index that stumbles once is more common than one that is gone.
install_lock || { echo "Trying once more ..."; install_lock; } ||
    fail "The packages of $lock did not install: see the lines above. A package index must be reachable."
if [ -n "$editable" ]; then
    "$venv/bin/python" -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e "$root"
fi
rm -f "$venv"/.installed-*
touch "$stamp"
