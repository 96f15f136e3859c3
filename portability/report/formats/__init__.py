"""File formats of the report, one module each; each declares ``FORMAT``."""
