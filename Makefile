# Debian's own Python where it is new enough and has pip: it is built with optimisations that others
# often lack, and everything here takes a seventh less. Another one: make run PYTHON=python3.13
PYTHON ?= $(shell /usr/bin/python3 -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' \
                  2>/dev/null && echo /usr/bin/python3 || echo python3)
PORT ?= 8000
export PORT
# Three processes would each compile all tests, every time, where the environment forbids to keep it.
export PYTHONDONTWRITEBYTECODE =

VENV := .venv
MANAGE := $(VENV)/bin/python manage.py
# One more than there are cores: some tests wait, for a server or for what a browser does.
WORKERS = $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
PYTEST = $(VENV)/bin/python -m pytest -n $(WORKERS) --maxprocesses 4 --dist worksteal

.PHONY: run password test test-all soak check lint coverage audit lock messages dist deb bench bench-rules bench-photo slips \
        mutations system-packages
.DELETE_ON_ERROR:

# Serve the demo to this machine and to phones in the hall; or your own clubs, once there are any.
run: $(VENV)/run.stamp
	$(MANAGE) compilemessages --verbosity 0
	$(MANAGE) migrate --verbosity 0
	$(MANAGE) demo || echo "Going on with what is there."
	$(MANAGE) collectstatic --no-input --verbosity 0
	$(MANAGE) addresses
	$(VENV)/bin/gunicorn config.wsgi --bind 0.0.0.0:$(PORT) --workers 2 --threads 4 --no-control-socket

# Somebody forgot the password: a link to choose a new one, printed here. With an address:
# make password EMAIL=anna@example.org
password:
	@$(MANAGE) password_link $(EMAIL)

# The gate: on SQLite everything with real browsers, and beside it, in one process more, on PostgreSQL
# what databases can differ in. What that says comes in between, all of it only if something failed.
test: $(VENV)/test.stamp system-packages
	@(TEST_DATABASE=postgres $(VENV)/bin/python -m pytest -m "(both or postgres) and not soak and not full" \
	    $$(grep -rlE --include=*.py "mark.(both|postgres)" tests) > $(VENV)/postgres.log 2>&1; result=$$?; echo; \
	  if [ $$result = 0 ]; then echo "PostgreSQL: $$(tail -1 $(VENV)/postgres.log)"; \
	  else cat $(VENV)/postgres.log; fi; exit $$result) & postgres=$$!; \
	$(PYTEST); result=$$?; wait $$postgres && exit $$result

# The full cross product, before a release: every test with a database on both, and what the gate
# leaves out because something in it would fail as well, with twice the examples of each property.
test-all: $(VENV)/test.stamp system-packages
	TEST_DATABASE=postgres $(PYTEST) -m "not soak" --hypothesis-profile=full
	$(PYTEST) -m "not soak" --hypothesis-profile=full

# The full cross product, what takes long by nature, and every property with eighty times the examples.
soak: test-all
	TEST_DATABASE=postgres $(PYTEST) -m soak tests/load
	$(PYTEST) -m "soak or hypothesis" --hypothesis-profile=soak

# Everything but the tests: what can be seen without running anything, the rules' coverage, and
# whether a library has a known hole.
check: lint coverage audit

# Style, types, layers, migrations, translations.
lint: $(VENV)/dev.stamp system-packages
	$(MANAGE) compilemessages --verbosity 0
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(VENV)/bin/djlint --quiet --lint templates
	git ls-files -z 'templates/*.html' | xargs -0 -r $(VENV)/bin/djade --check --target-version 5.2
	$(MANAGE) makemigrations --check --dry-run
	if command -v xgettext >/dev/null; then $(MANAGE) makemessages --check; fi

# Every line and every branch of the rules is tried by their own tests.
coverage: $(VENV)/dev.stamp
	$(VENV)/bin/coverage run --source=scoring/rules -m pytest --quiet tests/scoring/rules scoring/rules
	$(VENV)/bin/coverage report --fail-under=100

# Known holes in the pinned libraries; where nobody can be asked it says so.
audit: $(VENV)/test.stamp
	$(VENV)/bin/python -m tools.audit

# Pin anew what pyproject.toml asks for.
lock: $(VENV)/dev.stamp
	for extra in run postgres test dev; do \
	  $(VENV)/bin/uv pip compile pyproject.toml --quiet --upgrade --universal --python-version 3.11 \
	    --generate-hashes --no-emit-index-url --no-header \
	    $$([ $$extra = run ] || echo --extra $$extra) --output-file requirements/$$extra.txt || exit 1; \
	done

# Read new texts into the Dutch catalogues, ready to be translated, and build them.
messages: $(VENV)/dev.stamp system-packages
	$(MANAGE) makemessages
	$(MANAGE) compilemessages

# The sdist and the wheel, from what git has: byte for byte the same from the same commit.
dist: $(VENV)/test.stamp
	$(VENV)/bin/python -m tools.dist

# A package for the Debian that this machine runs, with all libraries.
deb: $(VENV)/test.stamp
	$(VENV)/bin/python -m tools.deb

# Pages, standings and saves of a club of 400 after a season, on both databases, in one table beside
# what they must be and beside the floor of this machine.
bench: $(VENV)/test.stamp system-packages
	$(MANAGE) compilemessages --verbosity 0
	$(VENV)/bin/python -m tests.load.bench

# How fast the rules are beside a plain reference, and how well and how fast the draw mixes.
bench-rules: $(VENV)/test.stamp
	$(VENV)/bin/python -m tests.load.rules_bench
	$(VENV)/bin/python -m tests.load.draw_bench

# How well score sheets are read from photographs and scans: two hundred of them, half an hour.
bench-photo: $(VENV)/test.stamp system-packages
	$(VENV)/bin/python -m tests.load.photo_bench

# Which slips of scorekeepers the rules catch.
slips: $(VENV)/test.stamp
	$(VENV)/bin/python -m tests.scoring.rules.slips

# Thirty faults, put into the product one at a time: does the gate notice each of them?
mutations: $(VENV)/test.stamp system-packages
	$(VENV)/bin/python -m tests.load.mutations

$(VENV)/%.stamp: requirements/%.txt | $(VENV)/bin/python
	$(PYTHON) -m pip --python $(VENV) install --quiet --disable-pip-version-check --no-input \
	  --require-hashes -r $<
	@touch $@

# Without pip inside: Debian's bare python3 has no ensurepip.
$(VENV)/bin/python:
	$(PYTHON) -m venv --without-pip $(VENV)

system-packages:
	@missing=""; \
	command -v chromium-headless-shell >/dev/null || missing="$$missing chromium-headless-shell"; \
	command -v chromium >/dev/null || missing="$$missing chromium"; \
	command -v pdftoppm >/dev/null || missing="$$missing poppler-utils"; \
	command -v xgettext >/dev/null || missing="$$missing gettext"; \
	command -v curl >/dev/null || missing="$$missing curl"; \
	PATH="$$PATH:/usr/sbin"; \
	command -v nginx >/dev/null || missing="$$missing nginx-light"; \
	command -v caddy >/dev/null || missing="$$missing caddy"; \
	command -v openssl >/dev/null || missing="$$missing openssl"; \
	command -v systemd-analyze >/dev/null || missing="$$missing systemd"; \
	ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || missing="$$missing postgresql"; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  export DEBIAN_FRONTEND=noninteractive; \
	  apt-get update -qq </dev/null && \
	  apt-get install -y -qq --no-install-recommends $$missing </dev/null >/dev/null && exit 0; \
	fi; \
	echo "Some tests will be slower or skipped; to run them all: apt-get install$$missing"
