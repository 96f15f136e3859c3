"""Engines: they fill run folders.  The run folder is the contract; see ``launch``."""
