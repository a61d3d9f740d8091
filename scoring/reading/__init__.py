"""Reading a photograph of a score sheet that we printed: where its boxes are, and what is in them.

No Django and no network: NumPy and OpenCV only, and those are loaded when a picture comes.
"""
