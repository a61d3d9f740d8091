"""The product's settings with two addresses more: the floors that pages are measured against."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "tests.load.urls"
