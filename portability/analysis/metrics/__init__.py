"""Metrics over platforms, one module per family; each declares ``METRICS``."""
