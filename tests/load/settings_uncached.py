"""The settings of the bench with nothing kept between two requests."""

from config.settings import *  # noqa: F403

_NOTHING = {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}
CACHES = {"default": _NOTHING, "small": _NOTHING, "refusals": _NOTHING}
MIDDLEWARE = [one for one in MIDDLEWARE if not one.endswith(".SharedMiddleware")]  # noqa: F405
