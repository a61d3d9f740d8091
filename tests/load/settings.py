"""The product's settings with two addresses more, the floors that pages are measured against; and
without the limits of one address, from which all is measured."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "tests.load.urls"
WORK_SECONDS = {"pages": 10**6, "heavy": 10**6, "at_once": 10**6}
TABLE_WRITES = {"link": 10**6, "address": 10**6}
