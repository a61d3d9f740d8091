"""The screen in the hall: what it shows by itself, and how the desk steers it."""
