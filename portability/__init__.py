"""Measure in which programming model a scientific code runs well on every GPU.

The rooms follow the data: ``words`` (what things are), ``catalog`` (files and this machine ->
words), ``plan`` (a study -> experiments and builds), ``build``, ``run``, ``records`` (run folders
-> records -> cells), ``analysis`` (cells -> metrics), ``report`` and ``cli``.  A room imports only
from rooms named before it; nothing runs at import time.
"""

__version__ = "0.1.0"
