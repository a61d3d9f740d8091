"""A browser with the project's scripts and no server: asked what a script makes of something."""

import mimetypes
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from django.contrib.staticfiles import finders
from playwright.sync_api import Browser, Page, Route

Changes = Mapping[str, tuple[str, str]]
"""By the name of a file: a text in it and what stands there instead."""

OpenPhone = Callable[[Changes], Page]


def workbench(browser: Browser) -> Iterator[OpenPhone]:
    """Yields what opens a page from which the static files can be read, with changes in them."""
    contexts = []

    def open_phone(changes: Changes) -> Page:
        context = browser.new_context()
        contexts.append(context)
        context.route("**/*", lambda route: _serve(route, changes))
        page = context.new_page()
        page.goto("http://phone.test/")
        return page

    yield open_phone
    for context in contexts:
        context.close()


def _serve(route: Route, changes: Changes) -> None:
    name = route.request.url.partition("/static/")[2]
    found = finders.find(name) if name else None
    if not found:
        route.fulfill(content_type="text/html", body="<!doctype html><title>phone</title>")
        return
    text = Path(str(found)).read_text()
    if name in changes:
        before, after = changes[name]
        assert text.count(before) == 1
        text = text.replace(before, after)
    route.fulfill(content_type=mimetypes.guess_type(name)[0], body=text)
