"""The product's settings with static files collected in a folder of a test's own."""

import os

from config.settings import *  # noqa: F403

STATIC_ROOT = os.environ["STATIC_ROOT"]
