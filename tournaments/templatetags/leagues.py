"""Match days in words, in templates."""

from django import template
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _

from clubs.text.names import name_key
from tournaments.models import MatchDay

register = template.Library()


@register.filter
def day_name(day: MatchDay) -> str:
    """Its number, and its date if it has one."""
    words = _("match day %(n)s") % {"n": day.number}
    return f"{words}, {_date(day)}" if day.date else words


@register.filter
def day_where(day: MatchDay) -> str:
    """When and where it is, and who hosts; not the place where the name of the host says it."""
    when = _date(day) if day.date else _("The date is not known yet")
    if day.date and day.starts_at:
        when += f", {time_format(day.starts_at, 'H:i')}"
    name = day.host.name if day.host else ""
    host = _("%(name)s hosts") % {"name": name} if name else _("central")
    is_said = f"{name_key(name)} ".startswith(f"{name_key(day.place)} ")
    return " · ".join([when, host, *([day.place] if day.place and not is_said else [])])


def _date(day: MatchDay) -> str:
    return date_format(day.date, "l j F Y") if day.date else ""
