"""What goes out into the world: the story of an evening, the card of a player, and the metadata of
a page that chat programs show as a link preview."""

from urllib.parse import quote

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.http import urlencode

from clubs.http.network import absolute_url, is_private
from clubs.models import Club
from scoring.display.words import pit_word
from tournaments.models import Evening, Release
from tournaments.results.link_previews import LinkPreview
from tournaments.story.queries import evening_story, names_for
from tournaments.story.texts import card_of, card_preview, last_release, story_sentences

register = template.Library()


@register.simple_tag
def story_of(evening: Evening, release: Release | None) -> list[str]:
    """The sentences of a published evening."""
    facts = evening_story(evening, release)
    people = {person for fact in facts for person in (*fact.people, *fact.others)}
    return story_sentences(facts, names_for(evening.club, people), pit_word(evening.club))


@register.simple_tag(takes_context=True)
def player_preview(context: Context) -> LinkPreview | None:
    """The preview of a player's evening, with their card; none before it is published, or where
    they have no line in the result."""
    evening, own = context["evening"], context["own"]
    release = last_release(evening) if own else None
    if release is None:
        return None
    member = context["member"]
    card = card_of(evening, release, member, own)
    return card_preview(evening, member, card)


@register.inclusion_tag("tournaments/story/share.html")
def share_links(
    club: Club, path: str, title: str, words: str, picture: str = ""
) -> dict[str, object]:
    """Buttons that share the page at this path; `words` say what it is, and `picture` is the path
    of a picture of it."""
    url = absolute_url(club, path)
    return {
        "url": url,
        "title": title,
        "words": words,
        "whatsapp": f"https://wa.me/?text={quote(f'{words} {url}')}",
        "is_private": is_private(url),
        "picture": picture,
    }


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
