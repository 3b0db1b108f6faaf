"""What every parameter of the methods does that take another object with labels of its own."""

from arguments_entries import refused, same
from arguments_shared import OLD

_OTHER = "lib.DataFrame({'v': [1.0, 20.0, 30.0], 'x': [4.0, 5.0, 6.0]}, index=[1, 2, 9])"
_SERIES = "lib.Series([1.0, 20.0, 30.0], index=[1, 2, 9])"
_BY_N = "lib.Series([1.0, 2.0], index=[2, 3])"
_GAPS = "lib.DataFrame({'v': [1.0, None, 3.0], 'w': [4.0, 5.0, None]})"
_NUMBERS = "lib.Series([1.0, None, 3.0], name='n')"
_CHANGED = "sold.assign(v=sold.v.where(sold.w != sold.w.max(), 99))"
_LARGER = "lambda a, b: a.where(a > b, b)"


def _align(frame, other):
    """Entries of `align`, each of whose results is asked for the one and for the other object."""
    whole = f"{frame}.align({other}"
    return {
        "other": [(f"{whole})[0]", f"{frame}.align({frame})[0]"), refused(f"{frame}.align(1)", TypeError)],
        "join": [
            *(f"{whole}, join='{join}')[{side}]" for join in ("inner", "left", "right") for side in (0, 1)),
            refused(f"{whole}, join='cross')", ValueError),
        ],
        "level": [f"deep['v'].align({_BY_N}, level='n')[{side}]" for side in (0, 1)],
        "copy": same(f"{whole}, copy=True)[0]", OLD),
        "fill_value": [f"{whole}, fill_value=-1)[{side}]" for side in (0, 1)],
    }


def _compare(left, right):
    """Entries of `compare` of two objects with the same labels."""
    whole = f"{left}.compare({right}"
    return {
        "other": [
            (f"{whole})", f"{left}.compare(other={left}.shift(1))"),
            refused(f"{left}.compare({left}[:2])", ValueError),
            refused(f"{left}.compare(1)", TypeError),
        ],
        "align_axis": [
            f"{whole}, align_axis=0)",
            f"{whole}, align_axis='index')",
            refused(f"{whole}, align_axis='x')", ValueError),
        ],
        "keep_shape": f"{whole}, keep_shape=True)",
        "keep_equal": f"{whole}, keep_shape=True, keep_equal=True)",
        "result_names": [
            f"{whole}, result_names=('l', 'r'))",
            refused(f"{whole}, result_names=['l', 'r'])", TypeError),
        ],
    }


COMBINED_FRAMES = {
    "align": _align(_GAPS, _OTHER)
    | {
        "axis": [
            *(f"{_GAPS}.align({_OTHER}, axis={axis})[{side}]" for axis in (0, 1) for side in (0, 1)),
            f"{_GAPS}.align({_SERIES}, axis=0)[1]",
            f"{_GAPS}.align({_SERIES}, axis=0)[0]",
            f"{_GAPS}.align(lib.Series([1, 2], index=['w', 'z']), axis=1, join='inner')[0]",
            refused(f"{_GAPS}.align({_SERIES})", ValueError),
        ]
    },
    "compare": _compare("sold", _CHANGED),
    "combine_first": {"other": (f"{_GAPS}.combine_first({_OTHER})", f"{_GAPS}.combine_first({_GAPS} * 2)")},
    "combine": {
        "other": (f"{_GAPS}.combine({_OTHER}, {_LARGER})", f"{_GAPS}.combine({_GAPS} * -2, {_LARGER})"),
        "func": (f"{_GAPS}.combine({_OTHER}, {_LARGER})", f"{_GAPS}.combine({_OTHER}, lambda a, b: a + b)"),
        "fill_value": f"{_GAPS}.combine({_OTHER}, {_LARGER}, fill_value=-5.0)",
        "overwrite": f"{_GAPS}.combine({_OTHER}[['v']], lambda a, b: b, overwrite=False)",
    },
    "update": {
        "other": (
            f"(lambda f: (f.update({_OTHER}), f)[1])({_GAPS})",
            f"(lambda f: (f.update({{'w': [None, 8.0, 9.0]}}), f)[1])({_GAPS})",
        ),
        "join": refused(f"(lambda f: f.update({_OTHER}, join='outer'))({_GAPS})"),
        "overwrite": f"(lambda f: (f.update({_OTHER}, overwrite=False), f)[1])({_GAPS})",
        "filter_func": f"(lambda f: (f.update({_OTHER}, filter_func=lambda s: s > 2), f)[1])({_GAPS})",
        "errors": [
            refused(f"(lambda f: f.update({_OTHER}, errors='raise'))({_GAPS})", ValueError),
            refused(f"(lambda f: f.update({_OTHER}, errors='skip'))({_GAPS})", ValueError),
        ],
    },
}

COMBINED_SERIES = {
    "align": _align(_NUMBERS, _SERIES)
    | {
        "axis": [
            refused(f"{_NUMBERS}.align({_SERIES}, axis=1)", ValueError),
        ]
    },
    "compare": _compare("sold.v", f"{_CHANGED}.v"),
    "combine_first": {"other": (f"{_NUMBERS}.combine_first({_SERIES})", f"{_NUMBERS}.combine_first(sold.v)")},
    "combine": {
        "other": (f"{_NUMBERS}.combine({_SERIES}, max)", f"{_NUMBERS}.combine(2.0, max)"),
        "func": (f"{_NUMBERS}.combine({_SERIES}, max)", f"{_NUMBERS}.combine({_SERIES}, min)"),
        "fill_value": f"{_NUMBERS}.combine({_SERIES}, max, fill_value=7.0)",
    },
    "update": {
        "other": [
            (
                f"(lambda s: (s.update({_SERIES}), s)[1])({_NUMBERS})",
                f"(lambda s: (s.update({{2: 8.0, 7: 9.0}}), s)[1])({_NUMBERS})",
            ),
            (
                f"(lambda s: (s.update([5.0, None]), s)[1])({_NUMBERS})",
                f"(lambda s: (s.update([None, 6.0]), s)[1])({_NUMBERS})",
            ),
        ],
    },
}
