"""What all tests share: property-test settings and real browsers that tolerate no fault."""

import gc
import os
import shutil
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from typing import Any, Literal
from urllib.parse import urlsplit

import hypothesis
import pytest
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from django.core.cache import caches
from django.core.management.commands import flush
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response, sync_playwright
from pytest_django.live_server_helper import LiveServer

from clubs.management import catalogues
from tests.missing import missing
from tests.tampering import triggers_lift

# The gate tries the same examples each time, so it never fails by chance; a soak looks further.
hypothesis.settings.register_profile("gate", deadline=None, max_examples=16, derandomize=True)
hypothesis.settings.register_profile("full", deadline=None, max_examples=50)
hypothesis.settings.register_profile("soak", deadline=None, max_examples=2000)
hypothesis.settings.load_profile("gate")

CASES = 3
"""So many cases of a test with a database are tried in the gate."""

Device = dict[str, Any]
PHONE: Device = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
DESKTOP: Device = {"viewport": {"width": 1280, "height": 800}}
CHROMIUM_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-quic",
    # A service worker fetches its script itself, whatever the context says of certificates.
    "--ignore-certificate-errors",
]

# The shell without a window opens a phone in a quarter of a second, the whole Chromium in a second.
BROWSERS = "chromium-headless-shell", "chromium", "chromium-browser"

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# Only what is wrong comes back: the rest is most of the answer, and nobody reads it. No rule in use
# needs style sheets or sound to be loaded once more. The page is the same in the dark, so that only
# what colours decide is looked at again.
RUN_AXE = """rules => axe.run({
    resultTypes: ["violations"], preload: false, ...(rules.length ? { runOnly: rules } : {}),
}).then(result => result.violations)"""
RULES_OF_COLOUR = ["color-contrast", "link-in-text-block"]

OpenPage = Callable[[], Page]
Flush = Callable[..., object]


def pytest_configure() -> None:
    """Build the translations first: they are not in git."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        for source in catalogues.outdated():
            catalogues.build(source)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test of pages or services with many cases, the gate tries a few, spread over all.

    The others are left to `make test-all`, unless `each_case` says that each stands for something
    of its own. Tests without a database cost next to nothing, and try all.
    """
    cases: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("django_db") and not _tries_each_case(item):
            cases[item.nodeid.partition("[")[0]].append(item)
    for alike in cases.values():
        spread = {round(n * (len(alike) - 1) / (CASES - 1)) for n in range(CASES)}
        for place, item in enumerate(alike):
            if len(alike) > CASES and place not in spread:
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


@pytest.fixture(scope="session", autouse=True)
def real_flush() -> Iterator[Flush]:
    """Empties the database as `manage.py flush` does, which the triggers refuse.

    In its place the flush after a test that commits lifts them; it ends as a migration does, and
    that puts them back.
    """
    real = flush.Command.handle

    def past_triggers(command: flush.Command, **options: Any) -> object:
        triggers_lift(options["database"])
        return real(command, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flush.Command, "handle", past_triggers)
        yield lambda: real(flush.Command(), database="default", verbosity=0, interactive=False)


@pytest.fixture(autouse=True)
def empty_caches() -> None:
    """Each test makes anew what a server caches."""
    for cache in caches.all():
        cache.clear()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, one for the whole run of a worker."""
    installed = next(filter(None, map(shutil.which, BROWSERS)), None)
    program = installed or missing("Chromium", "chromium-headless-shell")
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # Playwright keeps an event loop on this thread, which Django would take for async code.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        with playwright.chromium.launch(executable_path=program, args=CHROMIUM_OPTIONS) as browser:
            yield browser


@pytest.fixture
def open_phone(chromium: Browser, live_server: LiveServer) -> Iterator[OpenPage]:
    """Opens as many separate phones as a test wants, each with its own cookies."""
    yield from opener(chromium, live_server.url, PHONE)


@pytest.fixture
def open_desktop(chromium: Browser, live_server: LiveServer) -> Iterator[OpenPage]:
    """Opens as many separate computers as a test wants, each with its own cookies."""
    yield from opener(chromium, live_server.url, DESKTOP)


@pytest.fixture
def phone(open_phone: OpenPage) -> Page:
    return open_phone()


@pytest.fixture
def desktop(open_desktop: OpenPage) -> Page:
    return open_desktop()


@pytest.fixture
def axe() -> Callable[[Page], None]:
    """Fails with axe's report when the page, in light or in dark, has what keeps somebody out."""
    return _check_with_axe


def _check_with_axe(page: Page) -> None:
    """In both schemes on the page as it is now: a load of its own for each takes twice as long."""
    page.wait_for_load_state()
    page.evaluate(AXE_SCRIPT)
    reports = []
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        violations = page.evaluate(RUN_AXE, [] if scheme == "light" else RULES_OF_COLOUR)
        if violations:
            report = AxeResults({"violations": violations}).generate_report()
            reports.append(f"In {scheme}: {report}")
    page.emulate_media(color_scheme="light")
    assert reports == []


def opener(browser: Browser, address: str, device: Device) -> Iterator[OpenPage]:
    """A function that opens a page; afterwards whatever the browser complained of is a failure."""
    faults: list[str] = []
    contexts = []

    def open_page() -> Page:
        context = browser.new_context(base_url=address, locale="nl-NL", **device)
        context.set_default_timeout(10_000)
        contexts.append(context)
        context.on("page", lambda page: _watch(page, urlsplit(address).netloc, faults))
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


def _watch(page: Page, host: str, faults: list[str]) -> None:
    """Note script errors, console errors, failing files and requests to any other host.

    A refusal (status 4xx) of a page or a write is an answer that a test may want, and so is a
    connection that the test took away; they are no faults. Neither is a request that htmx gives
    up because a newer one takes its place, or because the page is left.
    """
    wanted = (
        "responded with a status of 4",
        "net::ERR_INTERNET_DISCONNECTED",
        "htmx:sendAbort",
        "htmx:sendError",
        "htmx:afterRequest",
    )

    def on_console(message: ConsoleMessage) -> None:
        if message.type == "error" and not any(words in message.text for words in wanted):
            faults.append(f"console: {message.text}")

    def on_request(request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in {"data", "blob"} and parts.netloc != host:
            faults.append(f"request to elsewhere: {request.url}")

    def on_response(response: Response) -> None:
        static = urlsplit(response.url).path.startswith("/static/")
        if response.status >= 500 or (static and response.status >= 400):
            faults.append(f"{response.status}: {response.url}")

    page.on("console", on_console)
    page.on("pageerror", lambda error: faults.append(f"script: {error}"))
    page.on("request", on_request)
    page.on("response", on_response)
