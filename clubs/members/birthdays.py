"""Whose birthday it is, today and in the week to come."""

import datetime as dt
from typing import NamedTuple

from django.db.models import Q

from clubs.models import Club

DAYS = 7
"""How many days after today are looked at."""


class Birthday(NamedTuple):
    """Somebody's birthday; `day` is this year's."""

    name: str
    day: dt.date


def birthdays(club: Club, today: dt.date) -> list[Birthday]:
    """The birthdays of active people today and in the next week, in order. One query.

    Whoever was born on 29 February has theirs on 1 March of other years.
    """
    days = [today + dt.timedelta(days=ahead) for ahead in range(DAYS + 1)]
    day_of = {key: day for day in days for key in _keys(day)}
    wanted = Q()
    for month, number in day_of:
        wanted |= Q(birthday__month=month, birthday__day=number)
    people = club.members.active().filter(wanted).by_surname()
    found = [
        Birthday(person.desk_name, day_of[person.birthday.month, person.birthday.day])
        for person in people
        if person.birthday
    ]
    return sorted(found, key=lambda birthday: birthday.day)


def _keys(day: dt.date) -> list[tuple[int, int]]:
    """The months and days of birth that are kept on this day."""
    keys = [(day.month, day.day)]
    leap = (day - dt.timedelta(days=1)).day == 29
    if keys == [(3, 1)] and not leap:
        keys.append((2, 29))
    return keys
