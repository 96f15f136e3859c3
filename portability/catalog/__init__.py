"""What there is: apps, models, studies, systems, toolchains, and the probe of this machine."""

from portability.catalog._catalog import LOCALHOST, Catalog
from portability.catalog._data import DATA_FOLDERS, data_folder
from portability.catalog._doctor import doctor
from portability.catalog._probe import probe
from portability.catalog._toolchains import ToolchainFile

__all__ = [
    "DATA_FOLDERS",
    "LOCALHOST",
    "Catalog",
    "ToolchainFile",
    "data_folder",
    "doctor",
    "probe",
]
