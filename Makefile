# make run    start the server; PORT=8080 unless told otherwise
# make test   run all tests
# make cluster   start a whole cluster on this machine: PostgreSQL, Redis, three nodes and nginx, in .cluster
#
# Both install what they need first, into this folder where possible, and say what they are doing.

PORT ?= 8080
SERVE ?=
CLUSTER ?=
BENCH ?=

.PHONY: run cluster test lint docs bench lock wheel

run: .venv/ready web/dist/index.html
	@.venv/bin/croupier serve --port $(PORT) $(SERVE)

cluster: .venv/ready-for-tests web/dist/index.html
	scripts/install-services
	.venv/bin/python -m services --port $(PORT) $(CLUSTER)

test: .venv/ready-for-tests web/dist/index.html
	scripts/install-chromium
	scripts/install-services
	.venv/bin/pytest -n 4 --dist worksteal $(TESTS) || { [ $$? = 1 ] && scripts/once-more; }

lint: .venv/ready-for-tests web/node_modules/.package-lock.json
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/lint-imports
	cd web && npm run check

# What others install: dist/croupier-….whl, with the page in it.
wheel: .venv/ready web/dist/index.html
	PATH="$(CURDIR)/.cache/tools/bin:$$PATH" uv build --wheel --quiet
	@ls dist/*.whl

# The documentation as a site, in site/. (With --quiet, no warning would count. The theme's own is known: docs/architecture.md.)
docs: .venv/ready-for-tests
	@NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --strict

# Beside peers in the same run, which are installed outside this folder; BENCH=--quick for a look.
bench: .venv/ready-for-tests
	.venv/bin/python -m benchmarks $(BENCH)

# The versions of everything, for this system and others, from what pyproject.toml asks for.
lock: .venv/ready
	PATH="$(CURDIR)/.cache/tools/bin:$$PATH" uv pip compile --quiet --universal --generate-hashes --group dev \
		--no-header --no-annotate pyproject.toml --output-file requirements.lock

.venv/ready: pyproject.toml requirements.lock scripts/install-python
	@scripts/install-python
	@touch $@

.venv/ready-for-tests: pyproject.toml requirements.lock scripts/install-python
	@scripts/install-python --group dev
	@touch $@ .venv/ready

web/node_modules/.package-lock.json: web/package.json web/client/package.json web/table/package.json web/package-lock.json
	@scripts/install-node
	@touch $@

web/dist/index.html: web/node_modules/.package-lock.json $(wildcard src/croupier/games/*/cards.json docs/games/*.md) $(shell find web/src web/client web/table web/public web/*.html web/*.ts web/*.js web/tsconfig.json -type f -not -path 'web/client/dist/*' 2>/dev/null)
	@scripts/build-page
	@touch $@
