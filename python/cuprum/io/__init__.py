"""Files: what reads them, and what the writing methods of frames call."""

from cuprum.io import sql as sql
from cuprum.io.avro import read_avro
from cuprum.io.csv import read_csv, read_fwf, read_table
from cuprum.io.excel import ExcelFile, read_excel
from cuprum.io.feather import read_feather
from cuprum.io.json import read_json
from cuprum.io.normalized import json_normalize
from cuprum.io.orc import read_orc
from cuprum.io.parquet import read_parquet, read_parquet_metadata
from cuprum.io.text import read_text
from cuprum.io.through_pandas import (
    read_clipboard,
    read_hdf,
    read_html,
    read_pickle,
    read_sas,
    read_spss,
    read_sql,
    read_sql_query,
    read_sql_table,
    read_stata,
    read_xml,
    to_pickle,
)

__all__ = [
    "ExcelFile",
    "json_normalize",
    "read_avro",
    "read_clipboard",
    "read_csv",
    "read_excel",
    "read_feather",
    "read_fwf",
    "read_hdf",
    "read_html",
    "read_json",
    "read_orc",
    "read_parquet",
    "read_parquet_metadata",
    "read_pickle",
    "read_sas",
    "read_spss",
    "read_sql",
    "read_sql_query",
    "read_sql_table",
    "read_stata",
    "read_table",
    "read_text",
    "read_xml",
    "to_pickle",
]
