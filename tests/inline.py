"""What a page may not have under our content policy: anything inline, anything from elsewhere."""

from html.parser import HTMLParser
from urllib.parse import urlsplit

OURS = "", "testserver"
LOADED = {
    "script": ("src",),
    "link": ("href",),
    "img": ("src", "srcset"),
    "form": ("action",),
    "button": ("formaction",),
    "input": ("formaction", "src"),
    "use": ("href", "xlink:href"),
    "image": ("href", "xlink:href"),
}
NEVER = {"base", "iframe", "object", "embed", "frame", "applet"}


class Reader(HTMLParser):
    """Reads one page: `faults` are what the policy forbids, `links` where it leads."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.links: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        inline = [name for name in values if name == "style" or name.startswith("on")]
        inline += [name for name in values if name.startswith(("hx-on", "hx-vars"))]
        loaded = [values[name] for name in LOADED.get(tag, ()) if name in values]
        if values.get("rel") == "canonical":
            loaded = []
        elsewhere = [address for address in loaded if not _is_ours(address)]
        odd = values.get("href", "").strip().lower().startswith(("javascript:", "data:"))
        is_script = tag == "script" and "src" not in values and "json" not in values.get("type", "")
        never = tag in NEVER and not _is_own_frame(tag, values)
        if inline or elsewhere or odd or is_script or never or tag == "style":
            self.faults.append(self.get_starttag_text() or tag)
        if tag == "a" and "href" in values:
            self.links.append(values["href"])


def _is_own_frame(tag: str, values: dict[str, str]) -> bool:
    """The page that a club shows on other websites, which organisers see on ours."""
    return tag == "iframe" and urlsplit(values.get("src", "")).path.endswith("/frame/")


def _is_ours(address: str) -> bool:
    parts = urlsplit(address)
    return parts.netloc in OURS and parts.scheme in ("", "http", "https")
