"""Where things are on an A4 score sheet, in points."""

LEFT, RIGHT = 40.0, 555.0
TOP, BOTTOM = 818.0, 26.0
WIDTH = RIGHT - LEFT
