import gc
import logging
import os
import sys
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# Django REST framework imports these where it finds them, for what no page here does: up to 16 MB
# of every worker.
unused = ["requests", "pygments", "markdown"]
if not settings.DATABASES["default"]["ENGINE"].endswith("postgresql"):
    unused.append("psycopg")
sys.modules.update(dict.fromkeys(unused))  # type: ignore[arg-type]
application = import_module("clubs.http.middleware").ReadableOnly(get_wsgi_application())
import_module("tournaments.copies.worker").daily_start()

# A line of the log names no thread and no place in the code, and looking for those takes as long as
# writing it: this is how the documentation of logging says to leave them out. The server's own
# lines name the process.
logging.logThreads = logging.logMultiprocessing = False
logging._srcfile = None  # noqa: SLF001

# The time a thread with an answer from the database waits for a thread that computes. Python's
# default is ten times as long, at each of the twenty statements of a save.
sys.setswitchinterval(0.0005)

# What is loaded now lives as long as the process: scanning all of it for garbage delayed a request
# by 40 ms now and then. With the default threshold Python would also collect ten times during a
# page of 400 people, which takes a tenth of its time.
import_module(settings.ROOT_URLCONF)
for name in unused:
    del sys.modules[name]
gc.collect()
gc.freeze()
gc.set_threshold(10_000)
