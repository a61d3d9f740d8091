"""What kind of device a browser says it is: its name and its system, for a list that people read.

Only what tells one's own devices apart. Others imitate these names; nothing depends on them.
"""

import re
from typing import NamedTuple

_BROWSERS = (
    ("Edge", r"\bEdg(e|A|iOS)?/"),
    ("Opera", r"\b(OPR|OPT|Opera)/"),
    ("Samsung Internet", r"\bSamsungBrowser/"),
    ("Firefox", r"\b(Firefox|FxiOS)/"),
    ("Chrome", r"\b(Chrome|CriOS|HeadlessChrome)/"),
    ("Safari", r"\bSafari/"),
)
_SYSTEMS = (
    ("iPhone", r"\biPhone\b"),
    ("iPad", r"\biPad\b"),
    ("Android", r"\bAndroid\b"),
    ("Windows", r"\bWindows\b"),
    ("ChromeOS", r"\bCrOS\b"),
    ("Mac", r"\bMac OS X\b|\bMacintosh\b"),
    ("Linux", r"\bLinux\b"),
)


class Device(NamedTuple):
    """A browser and the system it runs on; empty where it does not say."""

    browser: str
    system: str


def device_of(user_agent: str) -> Device:
    """The browser and the system that a `User-Agent` names.

    >>> device_of("Mozilla/5.0 (Windows NT 10.0; rv:145.0) Gecko/20100101 Firefox/145.0")
    Device(browser='Firefox', system='Windows')
    """
    said = user_agent[:500]
    return Device(_first(_BROWSERS, said), _first(_SYSTEMS, said))


def _first(known: tuple[tuple[str, str], ...], said: str) -> str:
    return next((name for name, pattern in known if re.search(pattern, said)), "")
