"""Which line of a list has the headings, what its columns hold, and what its cells mean."""
