"""`manage.py league`: a league's fixtures, table, roll-over or ranking."""

from tournaments.leagues.core import json_io
from tournaments.management.shared import ProblemCommand


class Command(ProblemCommand):
    help = "Read fixtures, a table, a roll-over or a ranking as a JSON object and write the answer."
    answer = staticmethod(json_io.answer)
