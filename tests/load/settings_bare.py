"""The settings of the bench without middleware but for the length of an answer: what Django and
gunicorn take by themselves."""

from tests.load.settings import *  # noqa: F403

MIDDLEWARE = ["django.middleware.common.CommonMiddleware"]
