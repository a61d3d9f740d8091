"""What is said when somebody comes whose name is on the list already."""

from collections.abc import Sequence

from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from clubs.models import Member


def namesakes_words(named: Sequence[Member], member: Member) -> str:
    """Who of these people had the name of this member before, and how lists show them now."""
    others = [other for other in named if other.pk != member.pk]
    words = _("There is already a %(name)s. On lists they now stand as %(shown)s.")
    return words % {
        "name": get_text_list([_described(other) for other in others], _("and")),
        "shown": get_text_list([person.desk_name for person in named], _("and")),
    }


def _described(member: Member) -> str:
    facts = [_("no. %(n)s") % {"n": member.number}] if member.number else []
    facts += [text for text in (member.addition, member.town) if text]
    return f"{member.name} ({', '.join(facts)})" if facts else member.name
