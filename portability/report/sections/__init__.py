"""Sections of the report, one module each; each declares ``SECTION``."""
