"""Make the tables of TPC-H as Parquet, once for each scale."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

TABLES = ["customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier"]


def cache_folder():
    """Return where tables are kept: outside of the repository."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cuprum-tpch"


def generator():
    """Return the path of tpchgen-cli, None where it is missing; pip puts it beside Python."""
    beside = Path(sys.executable).with_name("tpchgen-cli")
    return str(beside) if beside.exists() else shutil.which("tpchgen-cli")


def made(scale, money="decimal", cache=None):
    """Return the folder of the tables, which are made where they are missing.

    Files are those of tpchgen-cli with its defaults: snappy, groups of rows of 7 MB before compression, money as
    decimals of 15 digits. `money="double"` writes them once more with numbers of 64 bits.
    """
    folder = Path(cache or cache_folder()) / f"scale-{scale:g}"
    if not _whole(folder):
        program = generator()
        if program is None:
            raise SystemExit("tpchgen-cli is missing: pip install tpchgen-cli")
        folder.mkdir(parents=True, exist_ok=True)
        options = ["--quiet", "--overwrite", "--scale-factor", f"{scale:g}", "--output-dir", str(folder)]
        subprocess.run([program, "parquet", *options], check=True)
    if money == "decimal":
        return folder
    doubles = folder.with_name(f"{folder.name}-double")
    if not _whole(doubles):
        doubles.mkdir(parents=True, exist_ok=True)
        for table in TABLES:
            _with_doubles(folder / f"{table}.parquet", doubles / f"{table}.parquet")
    return doubles


def _whole(folder):
    return all((folder / f"{table}.parquet").exists() for table in TABLES)


def _with_doubles(source, target):
    """Write a file once more, with the same groups of rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = pq.ParquetFile(source)
    fields = [pa.field(field.name, _plain(field.type), field.nullable) for field in file.schema_arrow]
    unfinished = target.with_suffix(".unfinished")
    with pq.ParquetWriter(unfinished, pa.schema(fields), compression="snappy") as writer:
        for group in range(file.num_row_groups):
            rows = file.read_row_group(group)
            writer.write_table(rows.cast(pa.schema(fields)), row_group_size=len(rows))
    unfinished.rename(target)


def _plain(kind):
    import pyarrow as pa

    if pa.types.is_decimal(kind):
        return pa.float64()
    return pa.string() if kind == pa.string_view() else kind
