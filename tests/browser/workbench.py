"""A browser with the project's scripts and no server: asked what a script makes of something."""

import mimetypes
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from django.contrib.staticfiles import finders
from playwright.sync_api import Browser, Page, Route

Change = tuple[str, str, str]
"""The name of a static file, a text in it, and what stands there instead."""


def workbench(browser: Browser, changes: Mapping[str, Change] | None = None) -> Iterator[Page]:
    """Yields a page that can import the static files from `/static/…`, and from
    `/<name>/static/…` with the change of that name in them."""
    context = browser.new_context()
    context.route("**/*", lambda route: _serve(route, changes or {}))
    page = context.new_page()
    page.goto("http://phone.test/")
    yield page
    context.close()


def _serve(route: Route, changes: Mapping[str, Change]) -> None:
    variant, _, name = urlsplit(route.request.url).path.partition("/static/")
    path = finders.find(name) if name else None
    if not path:
        route.fulfill(content_type="text/html", body="<!doctype html><title>phone</title>")
        return
    text = Path(str(path)).read_text()
    if variant:
        changed_file, before, after = changes[variant.removeprefix("/")]
        if name == changed_file:
            assert text.count(before) == 1
            text = text.replace(before, after)
    route.fulfill(content_type=mimetypes.guess_type(name)[0], body=text)
