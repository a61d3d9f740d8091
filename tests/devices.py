"""Browsers that tolerate no fault, used again by test after test."""

import time
from collections.abc import Callable, Iterator
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Error,
    FloatRect,
    Locator,
    Page,
    Request,
    Response,
)

Options = dict[str, Any]
OpenPage = Callable[[], Page]

DESKTOP: Final[Options] = {"viewport": {"width": 1280, "height": 800}}
KEEPING_PHONE: Final[Options] = {
    "viewport": {"width": 390, "height": 844},
    "is_mobile": True,
    "has_touch": True,
}
# The worker that keeps a table's page fetches every file a second time.
PHONE: Final[Options] = {**KEEPING_PHONE, "service_workers": "block"}

PATIENCE: Final = 30_000
HAS_CLOCK_OF_TEST: Final = "() => '__pwClock' in globalThis"


class Device:
    """A browser with cookies of its own, and what it complained of."""

    def __init__(self, browser: Browser, address: str, options: Options) -> None:
        self.address, self.options = address, options
        self.faults: list[str] = []
        self.context = browser.new_context(base_url=address, locale="nl-NL", **options)
        self.context.set_default_timeout(PATIENCE)
        self.context.on("page", lambda page: _watch(page, urlsplit(address).netloc, self.faults))
        self.page = self.context.new_page()

    def wash(self) -> bool:
        """Forget what a test left, except the static files; false where that cannot be."""
        try:
            for page in self.context.pages:
                if page is not self.page:
                    page.close()
            if self.page.is_closed():
                self.page = self.context.new_page()
            self._wash()
            return not self.page.evaluate(HAS_CLOCK_OF_TEST)
        except Error:
            return False

    def _wash(self) -> None:
        context, page = self.context, self.page
        page.unroute_all()
        context.set_offline(False)
        if page.url.startswith(self.address):
            page.evaluate("sessionStorage.clear()")
        page.goto("about:blank", timeout=5_000)
        session = context.new_cdp_session(page)
        session.send("Storage.clearDataForOrigin", {"origin": self.address, "storageTypes": "all"})
        session.detach()
        context.clear_cookies()
        context.clear_permissions()
        page.emulate_media(media="null", color_scheme="light")
        if page.viewport_size != self.options["viewport"]:
            page.set_viewport_size(self.options["viewport"])


class Devices:
    """Browsers of which each is handed to one test at a time.

    A new one fetches all static files anew, which is half the cost of opening a page. Once a test
    is over, its browser is washed. Where that does not make it as new, since the test set its
    clock, the next test gets another.
    """

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser, self._address = browser, address
        self._idle: dict[str, list[Device]] = {}

    def opener(self, options: Options) -> Iterator[OpenPage]:
        """A function that opens a page; what a browser complained of is a failure afterwards."""
        taken: list[Device] = []

        def open_page() -> Page:
            idle = self._idle.get(str(options))
            device = idle.pop() if idle else Device(self._browser, self._address, options)
            taken.append(device)
            return device.page

        yield open_page
        faults = [fault for device in taken for fault in device.faults]
        for device in taken:
            self._give_back(device)
        assert faults == []

    def close(self) -> None:
        for devices in self._idle.values():
            for device in devices:
                device.context.close()

    def _give_back(self, device: Device) -> None:
        if device.options != KEEPING_PHONE and device.wash():
            device.faults.clear()
            self._idle.setdefault(str(device.options), []).append(device)
        else:
            device.context.close()


def box_of(element: Locator) -> FloatRect:
    """Where an element stands. While a page puts a new one in its place it stands nowhere."""
    until = time.monotonic() + PATIENCE / 1000
    while (box := element.bounding_box()) is None:
        assert time.monotonic() < until
        time.sleep(0.02)
    return box


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
