import gc
import os
import sys
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from clubs.http.middleware import ReadableOnly

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = ReadableOnly(get_wsgi_application())

# A thread that has its answer from the database waits this long at most for one that works things
# out: by itself Python lets it wait ten times as long, at each of twenty statements a save has.
sys.setswitchinterval(0.0005)

# What is loaded now stays as long as the process: looking through all of it for garbage held a
# request up for 40 ms, every so often. And a page of 400 people is no garbage while it is made:
# Python would look ten times at what is being written, and takes a tenth of its time for that.
import_module(settings.ROOT_URLCONF)
gc.collect()
gc.freeze()
gc.set_threshold(10_000)
