"""Paper: the score sheet as a PDF, and what other PDFs are drawn with."""

from scoring.pdf.head import Heading, Partners, PhoneCode
from scoring.pdf.paper import Paper
from scoring.pdf.reading import sheet_views
from scoring.pdf.sheet import PaperSheet, sheets_pdf
from scoring.pdf.spare import SpareView

__all__ = [
    "Heading",
    "Paper",
    "PaperSheet",
    "Partners",
    "PhoneCode",
    "SpareView",
    "sheet_views",
    "sheets_pdf",
]
