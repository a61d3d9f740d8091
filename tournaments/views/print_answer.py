"""A PDF as an answer."""

from django.http import HttpResponse
from django.utils.http import content_disposition_header
from django.utils.text import slugify

from clubs.models import Club


def pdf_answer(content: bytes, club: Club, *words: str) -> HttpResponse:
    """The PDF, shown by the browser and not kept, under a name of the club and these words."""
    name = "-".join(slugify(part) for part in (club.name, *words)) + ".pdf"
    disposition = content_disposition_header(as_attachment=False, filename=name)
    response = HttpResponse(
        content,
        content_type="application/pdf",
        headers={"Content-Disposition": disposition or "inline", "Cache-Control": "no-store"},
    )
    # A browser shows a PDF in a page of its own, whose styles and plug-in our policy forbids.
    response._csp_exempt = True  # type: ignore[attr-defined]  # noqa: SLF001
    return response
