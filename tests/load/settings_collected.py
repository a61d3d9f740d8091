"""The product's settings with static files collected in a folder of a test's own."""

import os
from pathlib import Path

from config.settings import *  # noqa: F403

STATIC_ROOT = Path(os.environ["STATIC_ROOT"])
