"""What the tests of paper share: reading a PDF back, its words, its fonts, its QR codes."""

import re
import shutil
import subprocess
from io import BytesIO
from pathlib import Path

import zxingcpp
from PIL import Image
from pypdf import PdfReader

from tests.missing import missing

WORD = re.compile(
    r'<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*?)</word>'
)


def page_texts(content: bytes) -> list[str]:
    """The words of each page, with single spaces."""
    return [" ".join(page.extract_text().split()) for page in PdfReader(BytesIO(content)).pages]


def fonts(content: bytes) -> dict[str, bool]:
    """The fonts that the pages use, and whether each is embedded."""
    found = {}
    for page in PdfReader(BytesIO(content)).pages:
        for font in page["/Resources"]["/Font"].values():  # type: ignore[index]
            name = font.get_object()["/BaseFont"]
            found[name] = "/FontFile2" in font.get_object().get("/FontDescriptor", {})
    return found


def sizes(content: bytes) -> list[tuple[int, int]]:
    """How wide and high each page is, in whole points."""
    boxes = [page.mediabox for page in PdfReader(BytesIO(content)).pages]
    return [(int(box.width), int(box.height)) for box in boxes]


def smallest_type(content: bytes) -> tuple[float, str]:
    """The size in points of the smallest letters on any page, and the words in them."""
    found: list[tuple[float, str]] = []

    def visit(words: str, page: list[float], line: list[float], _font: object, size: float) -> None:
        if words.strip():
            found.append((round(size * abs(line[3] * page[3]), 2), words.strip()))

    for page in PdfReader(BytesIO(content)).pages:
        page.extract_text(visitor_text=visit)
    return min(found)


def words_off_the_page(content: bytes, folder: Path) -> list[str]:
    """Words that stand within 10 points of an edge of their page, or beyond it."""
    program = shutil.which("pdftotext") or missing("pdftotext", "poppler-utils")
    (folder / "paper.pdf").write_bytes(content)
    subprocess.run([program, "-bbox", folder / "paper.pdf", folder / "paper.html"], check=True)
    found = []
    for page in re.split(r"(?=<page )", (folder / "paper.html").read_text())[1:]:
        width, height = map(float, re.findall(r'(?:width|height)="([\d.]+)"', page)[:2])
        for left, top, right, bottom, word in WORD.findall(page):
            edges = (float(left), float(top), width - float(right), height - float(bottom))
            found += [word] if min(edges) < 10 else []
    return found


def codes(content: bytes, folder: Path, *, dpi: int = 110) -> list[list[str]]:
    """What the QR codes on each page say, read from the page as it is printed."""
    program = shutil.which("pdftoppm") or missing("pdftoppm", "poppler-utils")
    for old in folder.glob("page*.pgm"):
        old.unlink()
    (folder / "paper.pdf").write_bytes(content)
    subprocess.run(
        [program, "-r", str(dpi), "-gray", folder / "paper.pdf", folder / "page"], check=True
    )
    return [
        sorted(code.text for code in zxingcpp.read_barcodes(Image.open(file)))
        for file in sorted(folder.glob("page*.pgm"))
    ]
