"""Compare what engines answer: the names, the rows, and the order where the query fixes it."""

import math
from datetime import datetime
from decimal import Decimal

# The columns that each result is sorted by, of those with more than one row.
ORDERS = {
    1: ["l_returnflag", "l_linestatus"],
    2: ["s_acctbal", "n_name", "s_name", "p_partkey"],
    3: ["revenue", "o_orderdate"],
    4: ["o_orderpriority"],
    5: ["revenue"],
    7: ["supp_nation", "cust_nation", "l_year"],
    8: ["o_year"],
    9: ["nation", "o_year"],
    10: ["revenue"],
    11: ["value"],
    12: ["l_shipmode"],
    13: ["custdist", "c_count"],
    15: ["s_suppkey"],
    16: ["supplier_cnt", "p_brand", "p_type", "p_size"],
    18: ["o_totalprice", "o_orderdate"],
    20: ["s_name"],
    21: ["numwait", "s_name"],
    22: ["cntrycode"],
}


def columns(result):
    """Return a result of any of the libraries as a dict of lists of Python values."""
    if hasattr(result, "to_pydict"):  # pyarrow
        data = result.to_pydict()
    elif hasattr(result, "to_pandas"):  # Cuprum, Polars
        data = result.to_pandas().to_dict("list")
    else:
        data = result.to_dict("list")
    return {name: [_plain(value) for value in values] for name, values in data.items()}


def _plain(value):
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, datetime):
        return value.date()
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    return value.item() if hasattr(value, "item") else value


def difference(query, expected, found):
    """Return how two results of a query differ, as a text; None where they are the same."""
    if list(expected) != list(found):
        return f"columns {list(expected)} and {list(found)}"
    if query not in ORDERS:
        expected, found = _with_zero(expected), _with_zero(found)
    rows, found_rows = (list(zip(*data.values(), strict=True)) for data in (expected, found))
    if len(rows) != len(found_rows):
        return f"{len(rows)} and {len(found_rows)} rows"
    for name in ORDERS.get(query, []):
        for row, (one, other) in enumerate(zip(expected[name], found[name], strict=True)):
            if not _same(one, other):
                return f"sorted by {name}, row {row}: {one!r} and {other!r}"
    for one, other in zip(sorted(rows, key=_key), sorted(found_rows, key=_key), strict=True):
        if not all(map(_same, one, other)):
            return f"rows {one} and {other}"
    return None


def _with_zero(data):
    """Return the sum of a result, which is missing in SQL where there is nothing to add."""
    return {name: [value or 0.0 for value in values] for name, values in data.items()}


def _same(one, other):
    if isinstance(one, float) or isinstance(other, float):
        if one is None or other is None:
            return one is other
        return math.isclose(one, other, rel_tol=1e-9)
    return one == other


def _key(row):
    """Sort rows by all that is exact, then by numbers, which may differ in their last digits."""
    exact = [str(value) for value in row if not isinstance(value, float)]
    return exact, [value for value in row if isinstance(value, float)]
