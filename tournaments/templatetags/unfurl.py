"""What a page says of itself to whoever shares its address."""

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.http import urlencode

from clubs.http.network import absolute_url
from clubs.models import Club
from tournaments.results.link_previews import LinkPreview

register = template.Library()

KEPT = "standing", "release", "season", "evening"
"""What of an address makes it another page."""


@register.inclusion_tag("tournaments/results/unfurl.html", takes_context=True)
def unfurl(context: Context, title: str = "", description: str = "") -> dict[str, object]:
    """Title, description, address and picture of the page: those of its `preview` where the view
    gave one; else these words, with the picture of the club."""
    club: Club = context["club"]
    preview: LinkPreview | None = context.get("preview")
    request = context["request"]
    asked = {name: request.GET[name] for name in KEPT if request.GET.get(name)}
    path = request.path + (f"?{urlencode(asked)}" if asked else "")
    return {
        "club": club,
        "title": preview.title if preview else title,
        "description": preview.description if preview else description,
        "address": absolute_url(club, path),
        "picture": absolute_url(club, _picture(club, preview)),
    }


def _picture(club: Club, preview: LinkPreview | None) -> str:
    """The address of the picture: another one whenever it shows something else."""
    if preview is None:
        return reverse("club_card", args=[club.slug])
    return f"{preview.picture}{'&' if '?' in preview.picture else '?'}v={preview.version}"
