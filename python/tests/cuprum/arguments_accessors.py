"""What every parameter of the accessors ``str``, ``cat``, ``list``, ``struct`` and ``dt`` does; see `arguments_entries`."""

from arguments_entries import ours, refused

_PATTERNS = {
    name: {
        "pat": (f"words.str.{name}(pat='a')", f"words.str.{name}(pat='[a-z]_.*')"),
        "case": f"text.str.{name}('[A-Z].*', case=False)",
        "flags": f"words.str.{name}('A.*', flags=2)",
        "na": f"text.str.{name}('a', na=True)",
    }
    for name in ("contains", "match", "fullmatch")
}
_PATTERNS["contains"]["regex"] = "words.str.contains('.', regex=False)"


def _berlin(*instants):
    return f"lib.Series(np.array({list(instants)}, 'M8[us]')).dt.tz_localize('UTC').dt.tz_convert('Europe/Berlin')"


# Clocks there show 02:00 twice and never after these.
_AUTUMN = _berlin("2013-10-26T23:40", "2013-10-27T00:40")
_SPRING = _berlin("2013-03-31T00:40", "2013-03-31T01:40")


_TWICE = "lib.Series(np.array(['2013-10-27T02:30', '2013-10-27T02:10'], 'M8[us]'))"


def _rounding(series):
    """Entries of the methods that round times or durations."""
    entries = {}
    for how in ("floor", "ceil", "round"):
        ambiguous = [refused(f"{series}.dt.{how}('h', ambiguous='infer')")]
        nonexistent = [refused(f"{series}.dt.{how}('h', nonexistent=1)")]
        if series == "times":
            ambiguous += [f"{_AUTUMN}.dt.{how}('2h', ambiguous={value})" for value in ("'NaT'", True, False)]
            nonexistent += [
                f"{_SPRING}.dt.{how}('2h', nonexistent={value!r})"
                for value in ("NaT", "shift_forward", "shift_backward")
            ]
        entries[how] = {
            "freq": (f"{series}.dt.{how}(freq='h')", f"{series}.dt.{how}(freq='D')"),
            "ambiguous": ambiguous,
            "nonexistent": nonexistent,
        }
    return entries


ACCESSORS = {
    "str": {
        **_PATTERNS,
        "cat": {
            "others": "text.str.cat(others=words)",
            "sep": "text.str.cat(sep='-')",
            "na_rep": "text.str.cat(words, na_rep='?')",
            "join": [
                "text.str.cat(words[1:], join='inner')",
                refused("text.str.cat(words, join='bogus')", ValueError),
            ],
        },
        "center": {
            "width": ("words.str.center(width=4)", "words.str.center(width=6)"),
            "fillchar": "words.str.center(6, fillchar='*')",
        },
        "ljust": {
            "width": ("words.str.ljust(width=4)", "words.str.ljust(width=6)"),
            "fillchar": "words.str.ljust(6, fillchar='*')",
        },
        "rjust": {
            "width": ("words.str.rjust(width=4)", "words.str.rjust(width=6)"),
            "fillchar": "words.str.rjust(6, fillchar='*')",
        },
        "pad": {
            "width": ("words.str.pad(width=4)", "words.str.pad(width=6)"),
            "side": "words.str.pad(6, side='both')",
            "fillchar": "words.str.pad(6, fillchar='*')",
        },
        "zfill": {"width": ("words.str.zfill(width=4)", "words.str.zfill(width=6)")},
        "count": {
            "pat": ("words.str.count(pat='_')", "words.str.count(pat='[a-c]')"),
            "flags": "words.str.count('z', flags=2)",
        },
        "startswith": {
            "pat": ("text.str.startswith(pat='a')", "text.str.startswith(pat=('a', 'b'))"),
            "na": "text.str.startswith('a', na=True)",
        },
        "endswith": {
            "pat": ("text.str.endswith(pat='a')", "text.str.endswith(pat=('a', 'b'))"),
            "na": "text.str.endswith('a', na=True)",
        },
        "extract": {
            "pat": ("words.str.extract(pat='(_)')", "words.str.extract(pat='([a-c])(_)')"),
            "flags": "words.str.extract('(z)', flags=2)",
            "expand": "words.str.extract('(?P<n>[a-c])', expand=False)",
        },
        "find": {
            "sub": ("words.str.find(sub='_')", "words.str.find(sub='b')"),
            "start": "words.str.find('_', start=2)",
            "end": "words.str.find('_', end=2)",
        },
        "rfind": {
            "sub": ("words.str.rfind(sub='_')", "words.str.rfind(sub='b')"),
            "start": "words.str.rfind('_', start=2)",
            "end": "words.str.rfind('_', end=2)",
        },
        "index": {
            "sub": (
                "lib.Series(['ab_', 'b_']).str.index(sub='_')",
                "lib.Series(['ab_', 'b_']).str.index(sub='b')",
            ),
            "start": "lib.Series(['_b_', '__']).str.index('_', start=1)",
            "end": refused(
                "lib.Series(['a_', '_']).str.index('_', end=1)", ValueError, "substring not found"
            ),
        },
        "rindex": {
            "sub": (
                "lib.Series(['ab_', 'b_']).str.rindex(sub='_')",
                "lib.Series(['ab_', 'b_']).str.rindex(sub='b')",
            ),
            "start": refused(
                "lib.Series(['_a', '_']).str.rindex('_', start=1)", ValueError, "substring not found"
            ),
            "end": "lib.Series(['_b_', '__']).str.rindex('_', end=1)",
        },
        "findall": {
            "pat": ("words.str.findall(pat='[a-z]').str.len()", "words.str.findall(pat='a').str.len()"),
            "flags": "words.str.findall('z', flags=2).str.len()",
        },
        "extractall": {
            "pat": ("words.str.extractall(pat='([a-z])')", "words.str.extractall(pat='(a)')"),
            "flags": "words.str.extractall('(z)', flags=2)",
        },
        "slice_replace": {
            "start": "words.str.slice_replace(start=1)",
            "stop": "words.str.slice_replace(stop=2)",
            "repl": "words.str.slice_replace(1, 2, repl='-')",
        },
        "translate": {
            "table": ("words.str.translate(table={97: 'x'})", "words.str.translate(table={98: None})"),
        },
        "get": {"i": ("words.str.get(i=0)", "words.str.get(i=-1)")},
        "join": {"sep": ("words.str.join(sep='-')", "words.str.join(sep='+')")},
        **{
            name: {"to_strip": f"words.str.{name}(to_strip='aZ c1z')"}
            for name in ("strip", "lstrip", "rstrip")
        },
        **{
            name: {
                "sep": f"words.str.{name}(sep='_')",
                "expand": f"words.str.{name}('_', expand=False).str.len()",
            }
            for name in ("partition", "rpartition")
        },
        "removeprefix": {
            "prefix": ("words.str.removeprefix(prefix='a')", "words.str.removeprefix(prefix='Z')")
        },
        "removesuffix": {
            "suffix": ("words.str.removesuffix(suffix='c')", "words.str.removesuffix(suffix='z')")
        },
        "repeat": {"repeats": ("words.str.repeat(repeats=2)", "words.str.repeat(repeats=3)")},
        "replace": {
            "pat": ("words.str.replace(pat='_', repl='-')", "words.str.replace(pat='a', repl='-')"),
            "repl": ("words.str.replace('_', repl='-')", "words.str.replace('_', repl='+')"),
            "n": "words.str.replace('_', '-', n=1)",
            "case": "words.str.replace('z', '-', case=False)",
            "flags": "words.str.replace('z', '-', flags=2)",
            "regex": "words.str.replace('[a-c]', '-', regex=True)",
        },
        "slice": {
            "start": "words.str.slice(start=1)",
            "stop": "words.str.slice(stop=2)",
            "step": "words.str.slice(step=2)",
        },
        "split": {
            "pat": "words.str.split(pat='_', expand=True)",
            "n": "words.str.split('_', n=1, expand=True)",
            "expand": "words.str.split('_', expand=True)",
            "regex": "words.str.split('a|b', regex=False, expand=True)",
        },
        "rsplit": {
            "pat": "words.str.rsplit(pat='_', expand=True)",
            "n": "words.str.rsplit('_', n=1, expand=True)",
            "expand": "words.str.rsplit('_', expand=True)",
            "regex": [
                ours("words.str.rsplit('[_]', n=1, regex=True)", "words.str.rsplit('_', n=1)"),
                refused("words.str.rsplit('a', regex='bogus')", ValueError),
            ],
        },
    },
    "cat": {
        "set_categories": {
            "new_categories": (
                "cats.cat.set_categories(new_categories=['a']).cat.codes",
                "cats.cat.set_categories(new_categories=['x', 'b']).cat.codes",
            ),
            "ordered": "cats.cat.set_categories(['a'], ordered=True).cat.ordered",
            "rename": "cats.cat.set_categories(['x', 'y', 'z'], rename=True).cat.codes",
        },
        **{
            name: {
                parameter: (
                    f"cats.cat.{name}({parameter}={one}).cat.categories",
                    f"cats.cat.{name}({parameter}={other}).cat.categories",
                )
            }
            for name, parameter, one, other in [
                ("add_categories", "new_categories", "'z'", "['z', 'y']"),
                ("remove_categories", "removals", "'a'", "['a', 'c']"),
                ("rename_categories", "new_categories", "['x', 'y', 'z']", "{'a': 'x'}"),
            ]
        },
        "reorder_categories": {
            "new_categories": (
                "cats.cat.reorder_categories(new_categories=['a', 'b', 'c']).cat.codes",
                "cats.cat.reorder_categories(new_categories=['a', 'c', 'b']).cat.codes",
            ),
            "ordered": "cats.cat.reorder_categories(['a', 'b', 'c'], ordered=True).cat.ordered",
        },
    },
    "list": {
        "get": {
            "index": ours("lib.Series([[1, 2], [3, 4]]).list.get(index=1)", "lib.Series([2, 4])"),
            "default": ours("lib.Series([[1, 2], [3]]).list.get(1, default=9)", "lib.Series([2, 9])"),
        },
        "contains": {
            "search_key": ours(
                "lib.Series([[1, 2], [3]]).list.contains(search_key=2)", "lib.Series([True, False])"
            )
        },
        "index": {
            "search_key": ours(
                "lib.Series([[1, 2], [3]]).list.index(search_key=2)", "lib.Series([1, -1], dtype='int32')"
            )
        },
        "sort_values": {
            "ascending": ours(
                "lib.Series([[1, 3], [2]]).list.sort_values(ascending=False).list.get(0)",
                "lib.Series([3, 2])",
            ),
            "inplace": refused("lib.Series([[1]]).list.sort_values(inplace=True)"),
            "kind": refused("lib.Series([[1]]).list.sort_values(kind='mergesort')"),
            "na_position": ours(
                "lib.Series([[2.5, None], [2.0]]).list.sort_values(na_position='first').list.get(-1)",
                "lib.Series([2.5, 2.0])",
            ),
            "ignore_index": ours(
                "lib.Series([[1]], index=['a']).list.sort_values(ignore_index=True).list.len()",
                "lib.Series([1], dtype='int32')",
            ),
        },
        "concat": {
            "dropna": ours(
                "lib.Series([[[1], None], [[2]]]).list.concat(dropna=False).isna()",
                "lib.Series([True, False])",
            )
        },
        "take": {
            "lists_indices": ours(
                "lib.Series([[1, 2], [3]]).list.take(lists_indices=[[1], [0]]).list.get(0)",
                "lib.Series([2, 3])",
            )
        },
        "astype": {
            "dtype": ours(
                "lib.Series([[1], [3]]).list.astype(dtype='float64').list.get(0)", "lib.Series([1.0, 3.0])"
            )
        },
    },
    "struct": {
        "field": {
            "key": ours("lib.Series([{'a': 1, 'b': 2}]).struct.field(key='b')", "lib.Series([2], name='b')")
        }
    },
    "td": {
        "as_unit": {"unit": ("lengths.dt.as_unit(unit='s')", "lengths.dt.as_unit(unit='ns')")},
        **_rounding("lengths"),
    },
    "dt": {
        "tz_localize": {
            "tz": ("times.dt.tz_localize(tz='UTC')", "times.dt.tz_localize(tz='Asia/Tokyo')"),
            "ambiguous": [
                "lib.Series(np.array(['2013-10-27T02:30'], 'M8[us]'))"
                ".dt.tz_localize('Europe/Berlin', ambiguous='NaT')",
                f"{_TWICE}.dt.tz_localize('Europe/Berlin', ambiguous='infer')",
                f"{_TWICE}.dt.tz_localize('Europe/Berlin', ambiguous=np.array([True, False]))",
                refused("times.dt.tz_localize('UTC', ambiguous=1.5)"),
                refused("times.dt.tz_localize('UTC', ambiguous=[1, 2, 3, 4, 5])", TypeError),
            ],
            "nonexistent": [
                "lib.Series(np.array(['2013-03-31T02:30'], 'M8[us]'))"
                f".dt.tz_localize('Europe/Berlin', nonexistent={how})"
                for how in ("'NaT'", "'shift_forward'", "'shift_backward'", "pd.Timedelta(hours=1)")
            ],
        },
        "tz_convert": {
            "tz": (
                "times.dt.tz_localize('UTC').dt.tz_convert(tz='Asia/Tokyo')",
                "times.dt.tz_localize('UTC').dt.tz_convert(tz=None)",
            )
        },
        "to_period": {
            "freq": [
                ("times.dt.to_period(freq='M')", "times.dt.to_period(freq='Q-MAR')"),
                refused("times.dt.to_period(freq='B')", ValueError, "B"),
            ]
        },
        "as_unit": {"unit": ("times.dt.as_unit(unit='s')", "times.dt.as_unit(unit='ns')")},
        **_rounding("times"),
        "day_name": {"locale": refused("times.dt.day_name(locale='de_DE')")},
        "month_name": {"locale": refused("times.dt.month_name(locale='de_DE')")},
        "strftime": {
            "date_format": ("times.dt.strftime(date_format='%Y')", "times.dt.strftime(date_format='%m')")
        },
    },
}
