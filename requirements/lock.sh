#!/bin/sh
# Write every lock from its .in file: hashes, no index host. Usage: requirements/lock.sh [--upgrade]
# One resolution: dev.txt comes first, each layer's list is taken from it.
set -eu
cd "$(dirname "$0")/.."
requirements/install.sh .venv-uv-lock requirements/uv.txt
compile() {
    out=$1; shift
    .venv-uv-lock/bin/uv pip compile --quiet --generate-hashes --no-emit-index-url --no-header --no-annotate \
        --python-version 3.13 --universal --output-file "$out" "$@"
}
upgrade=${1:-}
compile requirements/uv.txt requirements/uv.in $upgrade
compile requirements/dev.txt requirements/dev.in $upgrade
compile requirements/sam.txt requirements/sam.in $upgrade
compile requirements/rehearsal.txt requirements/rehearsal.in $upgrade
for room in gateway lab; do
    compile "requirements/function-$room.txt" "requirements/function-$room.in" --constraint requirements/dev.txt
    cp "requirements/function-$room.txt" "functions/$room/requirements.txt"
done
for layer in guardedhttp mcpclient mcpserver tracing; do
    compile "requirements/layer-$layer.txt" "requirements/layer-$layer.in" --constraint requirements/dev.txt
    cp "requirements/layer-$layer.txt" "layers/$layer/requirements.txt"
done
# The floor and the peers of `make bench`: the same Pydantic as ours, whatever else they ask for.
for bench in floor awslabs mcp_mangum fastmcp_mangum run_mcp_servers plot; do
    compile "requirements/bench-$bench.txt" "requirements/bench-$bench.in" --constraint requirements/layer-mcpserver.txt $upgrade
done
# The clients of `make test-interop`, and the Node.js ones beside it.
for client in mcp1 fastmcp4 fastmcp2 openai_agents pydantic_ai langchain; do
    compile "requirements/interop-$client.txt" "requirements/interop-$client.in" $upgrade
done
tests/interop/npm/lock.sh $upgrade
