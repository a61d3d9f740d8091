"""What the tests of paper share: reading a PDF back, its words, its fonts, its QR codes."""

import os
import shutil
import subprocess
from io import BytesIO
from pathlib import Path
from typing import NoReturn

import pytest
import zxingcpp
from PIL import Image
from pypdf import PdfReader


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


def codes(content: bytes, folder: Path) -> list[list[str]]:
    """What the QR codes on each page say, read from the page as it is printed."""
    program = shutil.which("pdftoppm") or _missing()
    (folder / "paper.pdf").write_bytes(content)
    subprocess.run(
        [program, "-r", "110", "-png", folder / "paper.pdf", folder / "page"], check=True
    )
    return [
        sorted(code.text for code in zxingcpp.read_barcodes(Image.open(file)))
        for file in sorted(folder.glob("page*.png"))
    ]


def _missing() -> NoReturn:
    message = "No pdftoppm here (Debian: apt-get install poppler-utils)."
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)
