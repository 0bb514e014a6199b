# samcp. `make` alone prints help. Each target sets up what it needs, in .venv and .venv-*: nothing global.
.DEFAULT_GOAL := help
SHELL := /bin/sh
PY := .venv/bin/python
export SAM_CLI_TELEMETRY := 0
export AWS_EC2_METADATA_DISABLED := true

.PHONY: help
help: ## Print this help.
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-24s %s\n", $$1, $$2}'

.PHONY: setup
setup:
	@requirements/install.sh .venv requirements/dev.txt editable

.PHONY: setup-sam
setup-sam:
	@requirements/install.sh .venv-sam requirements/sam.txt

.PHONY: run
run: setup ## Serve every route of template.yaml on 127.0.0.1:3000 (PORT=..., RIE=1 for the built functions, SAMPLES=1).
	@$(PY) -m local run $(if $(PORT),--port $(PORT)) $(if $(RIE),--rie) $(if $(SAMPLES),--samples) $(if $(PRINCIPAL),--principal $(PRINCIPAL))

.PHONY: connection
connection: setup ## Manage calls to other MCP servers: make connection ARGS="list" (add, show, test, approve, ...).
	@$(PY) -m local connection $(ARGS)

.PHONY: key
key: setup ## Manage the gateway's keys: make key ARGS="create --team me" (list, rotate, plans, teams, ...).
	@$(PY) -m local key $(ARGS)

.PHONY: activity
activity: setup ## Read the gateway's audit: make activity ARGS="--team me --totals" (filters, --csv FILE).
	@$(PY) -m local activity $(ARGS)

.PHONY: test
test: setup ## Run every test that needs no SAM, Node, Docker or AWS account.
	@$(PY) -m pytest

.PHONY: test-emulator
test-emulator: setup setup-sam ## Run the tests of the built functions under the real Lambda runtime.
	@$(PY) -m pytest tests/emulator

.PHONY: test-interop
test-interop: setup ## Run the conformance suite and real clients (ALL=1: every client and host, writes docs/interop.md).
	@$(PY) -m pytest tests/interop
	@$(PY) -m tests.interop $(if $(ALL),--all)

.PHONY: test-client-conformance
test-client-conformance: setup ## Run the conformance suite's client scenarios through MCPServerConnection.
	@$(PY) -m tests.interop.client_conformance

.PHONY: rehearse
rehearse: setup setup-sam ## Deploy the template with sam to an emulator on loopback, and call what was deployed.
	@requirements/install.sh .venv-rehearsal requirements/rehearsal.txt
	@$(PY) -m tests.rehearsal

.PHONY: lint
lint: setup ## Check style and the import contracts.
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/lint-imports

.PHONY: types
types: setup ## Check types, strictly, of source and tests.
	@.venv/bin/mypy

.PHONY: validate
validate: setup setup-sam ## Check template.yaml: sam validate, cfn-lint, cfn-lint on its translation.
	@$(PY) -m local validate

.PHONY: build
build: setup setup-sam ## Build the functions and layers for AWS into .aws-sam/build.
	@$(PY) -m local build $(if $(ARCHITECTURE),--architecture $(ARCHITECTURE))

.PHONY: invoke
invoke: setup setup-sam ## Run one event under the real runtime: make invoke EVENT=events/lab/tools_call.json
	@$(PY) -m local invoke $(or $(EVENT),$(error Say which event: make invoke EVENT=events/lab/tools_call.json))

.PHONY: stdio
stdio: setup ## Serve one server over stdin/stdout: make stdio SERVER=lab (or gateway).
	@$(PY) -m local stdio $(SERVER)

.PHONY: fuzz
fuzz: setup ## Attack the handler with 50,000 bodies, headers and events each (EXAMPLES=..., SEED=...).
	@$(PY) -m tests.fuzz --examples $(or $(EXAMPLES),50000) $(if $(SEED),--seed $(SEED))

.PHONY: bench
bench: setup ## Compare speed, start and size with the floor and the peers, in one run.
	@$(PY) -m benchmarks
	@$(PY) -m benchmarks.gateway

.PHONY: lock
lock: ## Write requirements/*.txt from their .in files (UPGRADE=1 takes newer versions).
	@requirements/lock.sh $(if $(UPGRADE),--upgrade)

.PHONY: check
check: lint types test validate ## Everything a change must pass before it is sent.

.PHONY: clean
clean: ## Remove what was built and installed here.
	rm -rf .aws-sam .cache .venv .venv-* .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
