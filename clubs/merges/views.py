"""The pages on which guests are merged into members, and merges are undone."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access.permissions import MANAGE_MEMBERS, actor_of, desk_view
from clubs.http.pages import ConfirmedAction, confirm, form_saved, show, typed
from clubs.merges.services import guest_merge, likely_same, merge_preview, merge_undo
from clubs.models import Club, Member, MemberMerge


class MemberChoiceForm(forms.Form):
    """Which member a guest turns out to be."""

    member = forms.ModelChoiceField(
        Member.objects.none(),
        label=gettext_lazy("Which member is this?"),
        empty_label=gettext_lazy("Choose a name"),
    )

    def __init__(self, *args: Any, guest: Member, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = Member.objects.of(guest.club).filter(erased_at=None).exclude(pk=guest.pk)
        self.fields["member"].queryset = others.by_surname()  # type: ignore[attr-defined]


SECTION = "members"
read_or_write = require_http_methods(["GET", "HEAD", "POST"])


@desk_view(MANAGE_MEMBERS)
@require_safe
def merge_list(request: HttpRequest, club: Club) -> HttpResponse:
    """The likely duplicates, and the merges so far."""
    merges = MemberMerge.objects.filter(club=club).select_related("member")
    couples = likely_same(club)
    return show(request, "merges/merges.html", club, SECTION, merges=merges, couples=couples)


@desk_view(MANAGE_MEMBERS)
@read_or_write
def member_merge(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Choose the member for a guest, preview what will move, and merge on a POST."""
    guest = get_object_or_404(club.members.filter(kind=Member.Kind.GUEST), pk=pk)
    form = MemberChoiceForm(typed(request) or request.GET or None, guest=guest)
    member = form.cleaned_data["member"] if form.is_valid() else None
    if (
        member
        and request.method == "POST"
        and form_saved(
            form, lambda: guest_merge(guest=guest, member=member, actor=actor_of(request))
        )
    ):
        words = {"guest": guest.name, "member": member.desk_name}
        messages.success(request, _("%(guest)s is now %(member)s.") % words)
        return redirect("member_edit", club.slug, member.pk)
    preview = merge_preview(guest=guest, member=member) if member else None
    return show(
        request,
        "merges/member_merge.html",
        club,
        SECTION,
        form=form,
        guest=guest,
        member=member,
        preview=preview,
    )


@desk_view(MANAGE_MEMBERS)
@read_or_write
def merge_part(request: HttpRequest, club: Club, uuid: str) -> HttpResponse:
    """Undo a merge, after a confirmation."""
    merges = MemberMerge.objects.filter(club=club, undone_at=None).select_related("member")
    merge = get_object_or_404(merges, uuid=uuid)

    def act() -> HttpResponse:
        guest = merge_undo(merge=merge, actor=actor_of(request))
        words = {"guest": guest.name, "member": merge.member.desk_name}
        messages.success(request, _("%(guest)s and %(member)s are two people again.") % words)
        return redirect("member_edit", club.slug, guest.pk)

    return confirm(request, club, SECTION, _confirmation(merge, act))


def _confirmation(merge: MemberMerge, act: Callable[[], HttpResponse]) -> ConfirmedAction:
    list_url = reverse("merge_list", args=[merge.club.slug])
    words = {
        "guest": merge.guest["name"],
        "member": merge.member.desk_name,
        "date": date_format(merge.merged_at, "j F Y"),
    }
    return ConfirmedAction(
        title=_("Are %(guest)s and %(member)s two people after all?") % words,
        text=_(
            "Then %(guest)s is on the list of guests again, with every evening, result and"
            " agreement from before %(date)s. What %(member)s played later stays with %(member)s."
        )
        % words,
        yes=_("Yes, two people"),
        back_url=list_url,
        act=act,
        next_url=list_url,
        safe=True,
    )
