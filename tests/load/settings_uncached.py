"""The settings of the bench with nothing kept between two requests."""

from tests.load.settings import *  # noqa: F403

CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
