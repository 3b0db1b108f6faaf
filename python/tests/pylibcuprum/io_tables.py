"""Tables and options that the tests of `pylibcuprum.io` share: made of settings, read as lists of Python."""

import pyarrow as pa

from pylibcuprum import Table
from pylibcuprum.io.types import TableInputMetadata

TABLE = pa.table(
    {
        "a": [1, None, 3, 4],
        "b": ["w", "x", None, "zé"],
        "c": [0.5, 1.5, None, -0.0],
        "l": [[1, 2], [], None, [None]],
        "s": [{"x": 1, "y": "p"}, {"x": None, "y": "q"}, None, {"x": 4, "y": None}],
    }
)


# Names of children as `TABLE` has them.
NAMES = [("a", []), ("b", []), ("c", []), ("l", [("o", []), ("e", [])]), ("s", [("x", []), ("y", [])])]


def named(table=TABLE):
    """What says the names of the columns, and of fields, of a table of Arrow."""
    described = TableInputMetadata(Table.from_arrow(table))
    for field, column in zip(table.schema, described.column_metadata, strict=True):
        column.set_name(field.name)
        if pa.types.is_struct(field.type):
            for i in range(field.type.num_fields):
                column.child(i).set_name(field.type.field(i).name)
    return described


def made(options, settings):
    """Options of a builder to which settings were told; of the options themselves where they have the method."""
    builder, later = options, []
    for name, value in settings:
        if hasattr(builder, name):
            builder = getattr(builder, name)(value)
        else:
            later.append((name, value))
    options = builder.build()
    for name, value in later:
        assert getattr(options, name)(value) is None
    return options


def content(read):
    return dict(zip(read.column_names(), [c.to_arrow().to_pylist() for c in read.columns], strict=True))
