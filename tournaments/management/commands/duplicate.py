"""`manage.py duplicate`: a movement of duplicate klaverjas, or what its results are worth."""

from tournaments.duplicate.core import json_io
from tournaments.management.shared import ProblemCommand


class Command(ProblemCommand):
    help = "Read a movement or the results of boards as a JSON object and write the answer as one."
    answer = staticmethod(json_io.answer)
