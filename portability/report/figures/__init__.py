"""Kinds of figures, one module each; each declares ``FIGURE``."""
