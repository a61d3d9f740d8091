"""The metadata of a page that chat programs show as a link preview."""

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.http import urlencode

from clubs.http.network import absolute_url
from clubs.models import Club
from tournaments.results.link_previews import LinkPreview

register = template.Library()

CANONICAL = "standing", "release", "season", "evening"
"""The query parameters that make an address another page."""


@register.inclusion_tag("tournaments/results/unfurl.html", takes_context=True)
def unfurl(
    context: Context, title: str = "", description: str = "", preview: LinkPreview | None = None
) -> dict[str, object]:
    """Title, description, address and picture of the page: those of this `preview` or that in the
    context, else these words with the club's picture."""
    club: Club = context["club"]
    preview = preview or context.get("preview")
    request = context["request"]
    query = {name: request.GET[name] for name in CANONICAL if request.GET.get(name)}
    path = request.path + (f"?{urlencode(query)}" if query else "")
    return {
        "club": club,
        "title": preview.title if preview else title,
        "description": preview.description if preview else description,
        "address": absolute_url(club, path),
        "picture": absolute_url(club, _picture(club, preview)),
    }


def _picture(club: Club, preview: LinkPreview | None) -> str:
    """The address of the picture, which changes whenever the picture does."""
    if preview is None:
        return reverse("club_card", args=[club.slug])
    return f"{preview.picture}{'&' if '?' in preview.picture else '?'}v={preview.version}"
