"""What all tests share: property-test settings and real browsers that tolerate no fault."""

import gc
import os
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any, Literal

import hypothesis
import pytest
import time_machine
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.cache import caches
from django.core.management.commands import flush
from django.core.signals import setting_changed
from django.db import connection
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.test.client import ClientHandler
from django.utils import timezone
from django.utils.translation.reloader import translation_file_changed
from playwright.sync_api import Browser, Page, expect, sync_playwright
from pytest_django import DjangoAssertNumQueries, DjangoDbBlocker
from pytest_django.live_server_helper import LiveServer

from clubs.management.shared import build, outdated, sources
from tests.devices import DESKTOP, KEEPING_PHONE, PATIENCE, PHONE, Devices, OpenPage
from tests.flushing import rows_delete
from tests.missing import missing
from tests.other_databases import SHARED_FOLDER, migrated_file, migrated_template
from tournaments.results.views import live

# The gate tries the same examples each time, so it never fails by chance; a soak looks further.
hypothesis.settings.register_profile("gate", deadline=None, max_examples=16, derandomize=True)
hypothesis.settings.register_profile("full", deadline=None, max_examples=50)
hypothesis.settings.register_profile("soak", deadline=None, max_examples=2000)
hypothesis.settings.load_profile("gate")

CHROMIUM_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-quic",
    # A service worker fetches its script itself, whatever the context says of certificates.
    "--ignore-certificate-errors",
    # A page of a test lives for seconds: making its scripts fast costs more than it saves.
    "--js-flags=--no-opt,--no-maglev",
    "--in-process-gpu",
    "--disable-site-isolation-trials",
]

# The shell without a window opens a phone in a quarter of a second, the whole Chromium in a second.
BROWSERS = "chromium-headless-shell", "chromium", "chromium-browser"

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# Only what is wrong comes back: the rest is most of the answer, and nobody reads it. No rule in use
# needs style sheets or sound to be loaded once more, and no page has a frame. What colours decide
# comes after.
RUN_AXE = """rules => axe.run({
    resultTypes: ["violations"], preload: false, iframes: false,
    rules: {
        ...Object.fromEntries(rules.map(rule => [rule, { enabled: false }])),
        // At a table everything is tapped: WCAG 2.2, which axe leaves out by itself.
        "target-size": { enabled: document.body.classList.contains("at-table") },
    },
}).then(result => result.violations)"""
RULES_OF_COLOUR = ["color-contrast", "link-in-text-block"]
# These rules are most of the work, and pages show the same few combinations of letters and ground
# over and over: one element of each combination is looked at, on the first page that has it.
RUN_AXE_ON_COLOURS = """async ([rules, passed]) => {
    const looks = new Map();
    const styleOf = element => {
        const { color, backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
        return [color, backgroundColor, backgroundImage, opacity].join();
    };
    const grounds = new Map();
    const groundOf = element => {
        if (!element) return "";
        if (!grounds.has(element)) {
            const own = styleOf(element);
            const above = groundOf(element.parentElement);
            grounds.set(element, above.startsWith(own) ? above : `${own} ${above}`);
        }
        return grounds.get(element);
    };
    const hasText = ({ childNodes }) =>
        [...childNodes].some(node => node.nodeType === 3 && node.data.trim());
    for (const element of document.body.querySelectorAll("*")) {
        const isField = element.matches("input, select, textarea");
        if (!(isField || hasText(element)) || !element.checkVisibility()) continue;
        const { fontSize, fontWeight, textDecorationLine, position } = getComputedStyle(element);
        const states = [":disabled", "a", "button"].map(state => element.matches(state));
        const look = [fontSize, fontWeight, textDecorationLine, position, ...states];
        const key = `${look.join()} ${groundOf(element)}`;
        if (!looks.has(key)) looks.set(key, element);
    }
    for (const key of passed) looks.delete(key);
    if (looks.size === 0) return { violations: [], keys: [] };
    const { violations } = await axe.run({ include: [...looks.values()] }, {
        resultTypes: ["violations"], preload: false, iframes: false, runOnly: rules,
    });
    return { violations, keys: [...looks.keys()] };
}"""

Flush = Callable[..., object]


def pytest_configure(config: pytest.Config) -> None:
    """Build the translations first: they are not in git.

    Setting up Django has read the old ones already, so they are dropped; also where another run,
    beside this one, has just built them.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ:
        os.environ[SHARED_FOLDER] = tempfile.mkdtemp(prefix="klaverclub-shared-")
        config.add_cleanup(partial(shutil.rmtree, os.environ[SHARED_FOLDER], ignore_errors=True))
        for source in outdated():
            build(source)
        translation_file_changed(None, sources()[0].with_suffix(".mo"))


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """What is collected stays: the garbage collector would look at it again and again."""
    gc.disable()
    _import_tests(session.config)
    try:
        return (yield)
    finally:
        gc.enable()


def _import_tests(config: pytest.Config) -> None:
    """Each process begins elsewhere, so that in a fresh clone each compiles a part of the tests for
    all: that takes longer than the rest of collecting them. What is wrong is found by pytest."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return
    worker, count = os.environ["PYTEST_XDIST_WORKER"], os.environ["PYTEST_XDIST_WORKER_COUNT"]
    paths = [config.rootpath / arg.partition("::")[0] for arg in config.args]
    files = sorted({file for path in paths for file in (path, *path.rglob("test_*.py"))})
    names = [
        ".".join(file.relative_to(config.rootpath).with_suffix("").parts)
        for file in files
        if file.suffix == ".py"
    ]
    first = len(names) * int(worker.removeprefix("gw")) // int(count)
    for name in names[first:] + names[:first]:
        with suppress(Exception, pytest.skip.Exception):
            import_module(name)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test of pages or services with many cases, the gate tries the first and the last.

    The others are left to `make test-all`, unless `each_case` says that each stands for something
    of its own. Tests without a database cost next to nothing, and try all.
    """
    cases: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("django_db") and not _tries_each_case(item):
            cases[item.nodeid.partition("[")[0]].append(item)
    for alike in cases.values():
        for item in alike[1:-1]:
            item.add_marker("full")


def _tries_each_case(item: pytest.Item) -> bool:
    return any(item.get_closest_marker(name) for name in ("each_case", "browser", "soak", "full"))


def pytest_collection_finish() -> None:
    """What was collected stays to the end: the garbage collector need not look at it again."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """No doctests in the tests themselves: looking for them takes as long as finding the tests."""
    collectors = yield
    return [collector for collector in collectors if type(collector) is pytest.Module]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, django_db_blocker: DjangoDbBlocker
) -> None:
    """Every process copies its database from the one that the first of them has migrated."""
    test: dict[str, Any] = connection.settings_dict["TEST"]
    with django_db_blocker.unblock():
        if connection.vendor == "sqlite":
            shutil.copyfile(migrated_file(), test["NAME"])
        else:
            test["TEMPLATE"] = migrated_template()


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """A file that was copied is used as it is; it goes with its folder."""
    return connection.vendor == "sqlite"


@pytest.fixture(scope="session", autouse=True)
def real_flush() -> Iterator[Flush]:
    """Empties the database as `manage.py flush` does, which the triggers refuse.

    In its place the flush after a test that commits deletes rows past them.
    """
    real = flush.Command.handle

    def past_triggers(_command: flush.Command, **options: Any) -> None:
        rows_delete(options["database"])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flush.Command, "handle", past_triggers)
        yield lambda: real(flush.Command(), database="default", verbosity=0, interactive=False)


@pytest.fixture(scope="session", autouse=True)
def one_chain_of_middleware() -> Iterator[None]:
    """The test clients share what takes their requests: each would load all middleware anew. It may
    have read the settings, so when a test changes one it is loaded again."""
    load = ClientHandler.load_middleware
    loaded: dict[str, object] = {}

    def load_once(handler: ClientHandler, is_async: bool = False) -> None:
        if loaded:
            vars(handler).update(loaded)
            return
        before = {*vars(handler)}
        load(handler, is_async)
        loaded.update({name: vars(handler)[name] for name in {*vars(handler)} - before})

    def forget(**_changed: object) -> None:
        loaded.clear()

    setting_changed.connect(forget)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ClientHandler, "load_middleware", load_once)
        yield
    setting_changed.disconnect(forget)


@pytest.fixture(autouse=True)
def empty_caches() -> None:
    """Each test makes anew what a server caches, and the answers that it keeps for everybody: those
    of a test that commits, or has another database, are at addresses that the next one has too."""
    for cache in caches.all():
        cache.clear()
    live._shared.clear()  # noqa: SLF001 -- a server has no need to empty it


@pytest.fixture
def still_clock() -> Iterator[None]:
    """The clock stands still: with each new minute, quarter or hour the limits of `clubs/limits`
    begin anew, in the middle of a test."""
    with time_machine.travel(timezone.now(), tick=False):
        yield


@pytest.fixture(name="django_assert_num_queries")
def queries_counted_in_one_minute(
    still_clock: None, django_assert_num_queries: DjangoAssertNumQueries
) -> DjangoAssertNumQueries:
    """The first request of a minute that counts writes a row."""
    return django_assert_num_queries


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, one for the whole run of a worker."""
    installed = next(filter(None, map(shutil.which, BROWSERS)), None)
    program = installed or missing("Chromium", "chromium-headless-shell")
    expect.set_options(timeout=PATIENCE)
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # Playwright keeps an event loop on this thread, which Django would take for async code.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        with playwright.chromium.launch(executable_path=program, args=CHROMIUM_OPTIONS) as browser:
            yield browser


@pytest.fixture(scope="session")
def devices(chromium: Browser, live_server: LiveServer) -> Iterator[Devices]:
    """The phones and computers of a worker: what one test leaves, the next one uses again.

    The server lets them keep the static files; by itself a browser keeps a file a tenth of its age,
    which in a fresh clone is nothing.
    """
    serve = StaticFilesHandler.serve

    def serve_to_keep(handler: StaticFilesHandler, request: HttpRequest) -> HttpResponseBase:
        response = serve(handler, request)
        response["Cache-Control"] = "max-age=3600"
        return response

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StaticFilesHandler, "serve", serve_to_keep)
        devices = Devices(chromium, live_server.url)
        yield devices
        devices.close()


@pytest.fixture
def open_phone(devices: Devices) -> Iterator[OpenPage]:
    """Opens as many separate phones as a test wants, each with its own cookies."""
    yield from devices.opener(PHONE)


@pytest.fixture
def open_desktop(devices: Devices) -> Iterator[OpenPage]:
    """Opens as many separate computers as a test wants, each with its own cookies."""
    yield from devices.opener(DESKTOP)


@pytest.fixture
def open_keeping_phone(devices: Devices) -> Iterator[OpenPage]:
    """Opens phones that keep a table's page to open it without the network."""
    yield from devices.opener(KEEPING_PHONE)


@pytest.fixture
def phone(open_phone: OpenPage) -> Page:
    return open_phone()


@pytest.fixture
def desktop(open_desktop: OpenPage) -> Page:
    return open_desktop()


@pytest.fixture
def keeping_phone(open_keeping_phone: OpenPage) -> Page:
    return open_keeping_phone()


@pytest.fixture(scope="session")
def passed_looks() -> set[str]:
    """The combinations of letters and ground of which axe had nothing to say."""
    return set()


@pytest.fixture
def axe(passed_looks: set[str]) -> Callable[[Page], None]:
    """Fails with axe's report when the page, in light or in dark, has what keeps somebody out."""
    return lambda page: _check_with_axe(page, passed_looks)


def _check_with_axe(page: Page, passed_looks: set[str]) -> None:
    """In both schemes on the page as it is now: a load of its own for each takes twice as long."""
    page.wait_for_load_state()
    page.evaluate(AXE_SCRIPT)
    reports = [_report(page.evaluate(RUN_AXE, RULES_OF_COLOUR))]
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        answer = page.evaluate(RUN_AXE_ON_COLOURS, [RULES_OF_COLOUR, sorted(passed_looks)])
        reports.append(_report(answer["violations"], f"In {scheme}: "))
        if not answer["violations"]:
            passed_looks.update(answer["keys"])
    page.emulate_media(color_scheme="light")
    assert [report for report in reports if report] == []


def _report(violations: list[Any], where: str = "") -> str:
    report = AxeResults({"violations": violations}).generate_report()
    return f"{where}{report}" if violations else ""
