"""The stylesheet keeps its promises: small, own, readable in light and in dark."""

import re
from pathlib import Path

import pytest

STATIC = Path(__file__).parents[2] / "clubs" / "static" / "clubs"
CSS = (STATIC / "klaverclub.css").read_text()
LARGEST = 19_950
FACES = {"atkinson-400": "atkinson", "atkinson-700": "atkinson", "fraunces-600": "fraunces-600"}
FONTS = [f"{name}.woff2" for face, usual in FACES.items() for name in (f"{face}-more", usual)]
USUAL = {f"{usual}.woff2" for usual in FACES.values()}
AA, AAA = 4.5, 7.0
GRAPHIC = 3.0
GROUNDS = ("paper", "card", "shade", "tint", "warn-tint", "danger-tint")


def tokens(selector: str) -> dict[str, str]:
    block = CSS.split(f"{selector} {{", 1)[1].split("}", 1)[0]
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))


LIGHT = tokens("  :root")
THEMES = {
    "light": LIGHT,
    "dark": LIGHT | tokens(':root[data-theme="dark"]'),
    "device": LIGHT | tokens(':root:not([data-theme="light"])'),
}


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2.2 defines it, 0 to 1."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The WCAG contrast ratio, 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_of_black_and_white_is_twenty_one() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


def test_stylesheet_is_small() -> None:
    assert len(CSS.encode()) <= LARGEST


def test_nothing_comes_from_elsewhere() -> None:
    sources = [CSS, *(path.read_text() for path in STATIC.glob("*.js"))]
    assert [re.findall(r"https?://|@import", source) for source in sources] == [[]] * 3
    assert re.findall(r'url\("?(.*?)"?\)', CSS) == [f"fonts/{name}" for name in FONTS]


def test_the_typefaces_are_here_small_and_free() -> None:
    sizes = {name: (STATIC / "fonts" / name).stat().st_size for name in FONTS}
    assert sum(sizes.values()) <= 40_350
    assert sum(sizes[name] for name in USUAL) <= 12_950
    licences = [path.read_text() for path in (STATIC / "fonts").glob("OFL-*.txt")]
    assert ["SIL Open Font License" in licence for licence in licences] == [True, True]


def test_following_the_device_and_choosing_dark_look_the_same() -> None:
    assert THEMES["device"] == THEMES["dark"]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("text", ["ink", "soft", "baize", "red", "danger", "warn"])
def test_text_and_numbers_are_readable_for_weak_eyes(theme: str, ground: str, text: str) -> None:
    colours = THEMES[theme]
    assert contrast(colours[text], colours[ground]) >= AAA


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("text", "ground"), [("on-baize", "baize"), ("on-felt", "felt"), ("card", "danger")]
)
def test_words_on_coloured_grounds_are_readable(theme: str, text: str, ground: str) -> None:
    colours = THEMES[theme]
    assert contrast(colours[text], colours[ground]) >= AA


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("line", ["edge", "focus"])
@pytest.mark.parametrize("ground", GROUNDS)
def test_borders_of_controls_can_be_seen(theme: str, line: str, ground: str) -> None:
    colours = THEMES[theme]
    assert contrast(colours[line], colours[ground]) >= GRAPHIC
