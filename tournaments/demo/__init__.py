"""The demo: a club in a running season with one evening half played, made through the services.

What it consists of stands in `fixtures/demo`. The same database comes out whenever it is made, but
that its dates count from today.
"""

from tournaments.demo.club import demo_club, demo_make, demo_password

__all__ = ["demo_club", "demo_make", "demo_password"]
