"""The photo of the winners: its page at the desk, and the picture itself."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access.permissions import actor_of, desk_view
from clubs.files.pictures import MAX_PHOTO_BYTES
from clubs.http.pages import form_saved, typed
from clubs.models import Club, Member
from tournaments.evenings.pages import evening_view, find_evening, show_evening, to_evening
from tournaments.evenings.permissions import SHOW_PHOTO
from tournaments.models import Evening
from tournaments.photos.services import photo_people, photo_remove, photo_show
from tournaments.results.standing import photo_content, photo_of


class PhotoForm(forms.Form):
    """A photo, who is in it, and that they agree."""

    picture = forms.FileField(
        label=_("Photo"),
        help_text=_("PNG or JPEG, at most 12 MB. Where it was taken is not kept."),
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg"}),
        allow_empty_file=True,
    )
    people = forms.ModelMultipleChoiceField(
        queryset=Member.objects.none(),
        label=_("Who is in it?"),
        widget=forms.CheckboxSelectMultiple,
        help_text=_("If one of them is erased or hidden later, the photo goes too."),
        error_messages={"required": _("Tick who is in the photo.")},
    )
    agreed = forms.BooleanField(
        label=_("They agree that everybody can see this photo"),
        error_messages={"required": _("Ask them first, then tick this.")},
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        files: MultiValueDict[str, Any] | None = None,
        *,
        evening: Evening,
    ) -> None:
        super().__init__(data, files)
        self.fields["people"].queryset = photo_people(evening)  # type: ignore[attr-defined]


@desk_view(SHOW_PHOTO)
@require_http_methods(["GET", "HEAD", "POST"])
def photo_edit(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Show a photo of the winners on the page of the evening, or another one."""
    evening = find_evening(club, evening_slug)
    form = PhotoForm(typed(request), request.FILES or None, evening=evening)
    if form_saved(form, lambda: _show(request, evening, form)):
        messages.success(request, gettext("The photo is on the page of the evening."))
        return to_evening("photo_edit", evening)
    status = 422 if form.is_bound else 200
    return show_evening(
        request, "photos/edit.html", evening, status=status, form=form, photo=photo_of(evening)
    )


@desk_view(SHOW_PHOTO)
@require_POST
def photo_take_away(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Take the photo away; a repeat changes nothing."""
    evening = find_evening(club, evening_slug)
    photo_remove(evening=evening, actor=actor_of(request))
    messages.success(request, gettext("The photo is taken away."))
    return to_evening("photo_edit", evening)


@require_safe
@evening_view
def photo_jpeg(_request: HttpRequest, evening: Evening) -> HttpResponse:
    """The photo of a closed evening. Kept for minutes only: it can be taken away."""
    content = photo_content(evening)
    if content is None:
        raise Http404
    headers = {"Cache-Control": "private, max-age=300"}
    return HttpResponse(content, content_type="image/jpeg", headers=headers)


def _show(request: HttpRequest, evening: Evening, form: PhotoForm) -> None:
    photo_show(
        evening=evening,
        content=form.cleaned_data["picture"].read(MAX_PHOTO_BYTES + 1),
        people=[member.pk for member in form.cleaned_data["people"]],
        actor=actor_of(request),
    )
