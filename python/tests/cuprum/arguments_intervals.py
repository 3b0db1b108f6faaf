"""What every parameter of intervals does; see `arguments_entries`."""

from arguments_entries import refused, same

_OWN = "labels are never shared so that a write shows"
_NUMBERS = "[1, 7, 5, 4]"

INTERVAL_FUNCTIONS = {
    "cut": {
        "x": ("lib.cut(x=numbers, bins=2)", "lib.cut(x=v, bins=2)"),
        "bins": ("lib.cut(numbers, bins=2)", "lib.cut(numbers, bins=[0, 2, 4])"),
        "right": "lib.cut(numbers, [0, 2, 3], right=False)",
        "labels": [
            "lib.cut(numbers, 2, labels=['low', 'high'])",
            "lib.cut(numbers, 2, labels=False)",
        ],
        "retbins": "lib.cut(numbers, 2, retbins=True)",
        "precision": "lib.cut(v, 3, precision=1)",
        "include_lowest": "lib.cut(numbers, [-1, 0, 4], include_lowest=True)",
        "duplicates": "lib.cut(numbers, [-1, 0, 0, 4], duplicates='drop')",
        "ordered": "lib.cut(numbers, 2, labels=['a', 'b'], ordered=False)",
    },
    "qcut": {
        "x": ("lib.qcut(x=numbers, q=2)", "lib.qcut(x=whole.p, q=2)"),
        "q": ("lib.qcut(whole.p, q=2)", "lib.qcut(whole.p, q=[0, 0.25, 1])"),
        "labels": ["lib.qcut(whole.p, 2, labels=['low', 'high'])", "lib.qcut(whole.p, 2, labels=False)"],
        "retbins": "lib.qcut(whole.p, 2, retbins=True)",
        "precision": "lib.qcut(whole.p / 7, 2, precision=1)",
        "duplicates": "lib.qcut(lib.Series([1, 1, 1, 2]), 3, duplicates='drop')",
    },
    "interval_range": {
        "start": "lib.interval_range(start=1, end=3)",
        "end": "lib.interval_range(1, end=3)",
        "periods": "lib.interval_range(1, periods=3)",
        "freq": "lib.interval_range(1, 4, freq=1.5)",
        "name": "lib.interval_range(1, 3, name='n')",
        "closed": "lib.interval_range(1, 3, closed='left')",
    },
}

_MADE = "lib.IntervalIndex.from_tuples([(0, 2), (3, 3), (1, 3)])"
INTERVAL_INDEXES = {
    "IntervalIndex": {
        "IntervalIndex": {
            "data": "lib.IntervalIndex(data=[pd.Interval(0, 1)])",
            "closed": "lib.IntervalIndex([pd.Interval(0, 1)], closed='left')",
            "dtype": "lib.IntervalIndex([pd.Interval(0, 1)], dtype='interval[float64, right]')",
            "copy": same("lib.IntervalIndex([pd.Interval(0, 1)], copy=True)", _OWN),
            "name": "lib.IntervalIndex([pd.Interval(0, 1)], name='n')",
            "verify_integrity": same(
                "lib.IntervalIndex([pd.Interval(0, 1)], verify_integrity=False)", "bounds are always checked"
            ),
        },
        "from_arrays": {
            "left": (
                "lib.IntervalIndex.from_arrays(left=[0], right=[3])",
                "lib.IntervalIndex.from_arrays(left=[1], right=[3])",
            ),
            "right": (
                "lib.IntervalIndex.from_arrays([0], right=[3])",
                "lib.IntervalIndex.from_arrays([0], right=[2])",
            ),
            "closed": "lib.IntervalIndex.from_arrays([0], [1], closed='both')",
            "name": "lib.IntervalIndex.from_arrays([0], [1], name='n')",
            "copy": same("lib.IntervalIndex.from_arrays([0], [1], copy=True)", _OWN),
            "dtype": "lib.IntervalIndex.from_arrays([0], [1], dtype='interval[float64, right]')",
        },
        "from_breaks": {
            "breaks": (
                "lib.IntervalIndex.from_breaks(breaks=[0, 1])",
                "lib.IntervalIndex.from_breaks(breaks=[0, 1, 5])",
            ),
            "closed": "lib.IntervalIndex.from_breaks([0, 1], closed='neither')",
            "name": "lib.IntervalIndex.from_breaks([0, 1], name='n')",
            "copy": same("lib.IntervalIndex.from_breaks([0, 1], copy=True)", _OWN),
            "dtype": "lib.IntervalIndex.from_breaks([0, 1], dtype='interval[float64, right]')",
        },
        "from_tuples": {
            "data": (
                "lib.IntervalIndex.from_tuples(data=[(0, 1)])",
                "lib.IntervalIndex.from_tuples(data=[(0, 2), None])",
            ),
            "closed": "lib.IntervalIndex.from_tuples([(0, 1)], closed='left')",
            "name": "lib.IntervalIndex.from_tuples([(0, 1)], name='n')",
            "copy": same("lib.IntervalIndex.from_tuples([(0, 1)], copy=True)", _OWN),
            "dtype": "lib.IntervalIndex.from_tuples([(0, 1)], dtype='interval[float64, right]')",
        },
        "set_closed": {
            "closed": (f"{_MADE}.set_closed(closed='left')", f"{_MADE}.set_closed(closed='both')")
        },
        "to_tuples": {
            "na_tuple": "lib.IntervalIndex.from_tuples([(0.5, 1.5), None]).to_tuples(na_tuple=False).to_list()"
        },
        "contains": {"other": (f"{_MADE}.contains(other=2.5)", f"{_MADE}.contains(other=1.5)")},
        "overlaps": {
            "other": [
                (f"{_MADE}.overlaps(other=pd.Interval(2, 3))", f"{_MADE}.overlaps(other=pd.Interval(0, 1))"),
                refused(f"{_MADE}.overlaps(other={_MADE})", says="intervals"),
            ]
        },
        "get_loc": {"key": (f"{_MADE}.get_loc(key=2.5)", f"{_MADE}.get_loc(key=1.5)")},
    },
}
