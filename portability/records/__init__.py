"""What was measured: run folders -> records -> cells."""

from __future__ import annotations

from portability.records.cells import cells
from portability.records.collect import build_record, collect
from portability.records.schema import RECORD_SCHEMA, check_record
from portability.records.store import Store

__all__ = ["RECORD_SCHEMA", "Store", "build_record", "cells", "check_record", "collect"]
