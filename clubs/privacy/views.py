"""A person's stored data: shown, exported, or erased for ever."""

import io
import json
import zipfile
from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clubs.access.permissions import MANAGE_MEMBERS, READ_MEMBERS, actor_of, desk_view
from clubs.http.pages import form_saved, show, typed
from clubs.members.forms import EraseForm
from clubs.models import Club, Member
from clubs.privacy.dossier import DossierSection, dossier_of, dossier_take
from clubs.privacy.erasing import (
    WIPED_LATER,
    erased_rows_wipe,
    erasing_obstacles,
    member_erase,
    texts_that_stay,
)

SECTION = "members"
read_or_write = require_http_methods(["GET", "HEAD", "POST"])


@desk_view(READ_MEMBERS)
@read_or_write
def member_data(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Everything stored about somebody; a POST exports it as a ZIP."""
    member = get_object_or_404(club.members.select_related("club"), pk=pk)
    if request.method == "POST":
        return _zip(member, dossier_take(member=member, actor=actor_of(request)))
    sections = dossier_of(member)
    return show(
        request, "privacy/member_data.html", club, SECTION, member=member, sections=sections
    )


@desk_view(MANAGE_MEMBERS)
@read_or_write
def member_erase_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Explain what goes and what stays, have the name typed, then erase somebody for ever."""
    member = get_object_or_404(club.members.filter(erased_at=None), pk=pk)
    form = EraseForm(typed(request), name=member.name)
    if form_saved(form, lambda: member_erase(member=member, actor=actor_of(request))):
        messages.success(request, _("The details of %(name)s are erased.") % {"name": member.name})
        if not erased_rows_wipe():
            messages.warning(request, _(WIPED_LATER))
        return redirect("member_list", club.slug)
    member.club = club
    why_not = erasing_obstacles(member)
    return show(
        request,
        "privacy/member_erase.html",
        club,
        SECTION,
        form=form,
        member=member,
        why_not=why_not,
        stays=texts_that_stay(member),
    )


def _zip(member: Member, sections: Sequence[DossierSection]) -> HttpResponse:
    """The data twice: as a page to read, and as JSON for programs."""
    name = slugify(_("Personal data %(name)s") % {"name": member.name}, allow_unicode=True)
    now = timezone.localtime()
    page = {"member": member, "club": member.club, "sections": sections, "now": now}
    contents = {
        "club": member.club.name,
        "made_at": now.isoformat(timespec="seconds"),
        "kept": {section.key: section.lines for section in sections},
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            f"{name}.html", render_to_string("clubs/privacy/member_data_file.html", page)
        )
        archive.writestr(f"{name}.json", json.dumps(contents, ensure_ascii=False, indent=1))
    disposition = content_disposition_header(as_attachment=True, filename=f"{name}.zip")
    return HttpResponse(
        packed.getvalue(),
        content_type="application/zip",
        headers={"Content-Disposition": disposition or "attachment", "Cache-Control": "no-store"},
    )
