#!/bin/sh
# Write each folder's package-lock.json from its package.json: hashes, no address of any host.
# Usage: tests/interop/npm/lock.sh [--upgrade]
set -eu
cd "$(dirname "$0")"
command -v npm >/dev/null || { echo "No npm here: the locks of tests/interop/npm stay as they are." >&2; exit 0; }
for folder in */; do
    [ "${1:-}" = --upgrade ] && rm -f "$folder/package-lock.json"
    (cd "$folder" && npm install --package-lock-only --omit-lockfile-registry-resolved=true --no-audit --no-fund --loglevel=error)
    # Whom to thank is no part of what is installed, and names hosts.
    node -e '
        const { readFileSync, writeFileSync } = require("node:fs");
        const lock = JSON.parse(readFileSync(process.argv[1], "utf8"));
        for (const entry of Object.values(lock.packages)) delete entry.funding;
        writeFileSync(process.argv[1], JSON.stringify(lock, null, 2) + "\n");
    ' "$folder/package-lock.json"
done
