"""`make bench`: one table of how fast the product is, on both databases, beside its floors.

`database` runs in a process of its own per database: it makes a club of 400 with a season of
144,000 deals, serves it with two gunicorn workers, and asks each module of measures for its `Row`s.
"""
