"""Files: what reads them, and what the writing methods of frames call."""

from cuprum.io.avro import read_avro
from cuprum.io.csv import read_csv, read_fwf, read_table
from cuprum.io.feather import read_feather
from cuprum.io.json import json_normalize, read_json
from cuprum.io.parquet import read_parquet, read_parquet_metadata

__all__ = [
    "json_normalize",
    "read_avro",
    "read_csv",
    "read_feather",
    "read_fwf",
    "read_json",
    "read_parquet",
    "read_parquet_metadata",
    "read_table",
]
