"""Cuts the two typefaces to what names and pages need, for the web and for paper."""
