"""What every parameter of the methods does that cuDF has and pandas has not, and of `attrs`' kin; see `arguments_entries`."""

from arguments_entries import ours, refused, same

_ONE_KIND = "every type here holds missing elements"
_JSON = """lib.Series(['{"a": [{"b": "x"}, {"c": 1}]}'])"""


def _converting(subject):
    """Entries of `convert_dtypes`."""
    changes = ("infer_objects", "convert_string", "convert_boolean", "convert_floating")
    return {
        **{name: same(f"{subject}.convert_dtypes({name}=False)", _ONE_KIND) for name in changes},
        "convert_integer": ours(
            f"{subject}.convert_dtypes(convert_integer=False)", f"{subject}.astype('float64')"
        ),
        "dtype_backend": refused(f"{subject}.convert_dtypes(dtype_backend='bogus')", ValueError),
    }


def _serializing(subject, kind):
    """Entries of the methods that make an object of a header and frames."""
    entries = {}
    for prefix in ("", "host_", "device_"):
        name = f"{prefix}deserialize"
        call = f"lib.{kind}.{name}(header={subject}.serialize()[0], frames={subject}.serialize()[1])"
        entries[name] = {
            "header": [
                ours(call, subject),
                refused(f"lib.{kind}.{name}({{}}, [])", ValueError),
            ],
            "frames": [
                ours(call, subject),
                refused(f"lib.{kind}.{name}({subject}.serialize()[0], [])", ValueError),
            ],
        }
    return entries


def _to_cupy(whole, missing):
    """Entries of `to_cupy`: of numbers, and of such with a missing one."""
    return {
        "to_cupy": {
            "dtype": ours(f"as_cupy(lambda: {whole}.to_cupy(dtype='float32')).dtype", "np.dtype('float32')"),
            "copy": refused(f"as_cupy(lambda: {whole}.to_cupy(copy='bogus'))", TypeError),
            "na_value": ours(f"np.isnan(as_cupy(lambda: {missing}.to_cupy(na_value=0))).any()", "np.False_"),
        }
    }


def _hashing(subject):
    return {
        "hash_values": {
            "method": [
                ours(f"{subject}.hash_values(method='md5').str.len()", "pd.Series([32] * 4, index=n.index)"),
                refused(f"{subject}.hash_values(method='bogus')", ValueError),
            ],
            "seed": [
                ours(f"{subject}.hash_values(seed=7).ne({subject}.hash_values()).all()", "np.True_"),
                refused(f"{subject}.hash_values('md5', seed=7)", ValueError),
            ],
        },
        "set_flags": {
            "copy": same(f"{subject}.set_flags(copy=True)", "memory is shared until it is written to"),
            "allows_duplicate_labels": refused(f"{subject}.set_flags(allows_duplicate_labels=False)"),
        },
        "tile": {"count": ours(f"{subject}.tile(count=2)", f"pd.concat([{subject}, {subject}])")},
    }


_TWO = "lib.DataFrame({'a': [1, 1, 2], 'b': [3, 5, 1]})"

CUDF_FRAMES = {
    **_hashing("n"),
    **_serializing("n", "DataFrame"),
    **_to_cupy("whole", "n"),
    "convert_dtypes": _converting("lib.DataFrame({'a': [1.0, 2.0], 'b': [3.0, 1.0]})"),
    "argsort": {
        "by": ours("whole.argsort(by='q')", "np.array([0, 2, 3, 1])"),
        "axis": refused("whole.argsort(axis=1)"),
        "kind": refused("whole.argsort(kind='bogus')", ValueError),
        "order": refused("whole.argsort(order='p')"),
        "ascending": ours("whole.argsort(ascending=False)", "np.array([1, 0, 3, 2])"),
        "na_position": ours("n.argsort('p', na_position='first')", "np.array([1, 2, 3, 0])"),
    },
    "searchsorted": {
        "values": [
            ours(
                f"{_TWO}.searchsorted(values=lib.DataFrame({{'a': [1], 'b': [4]}}))",
                "np.array([1], dtype='int32')",
            ),
            refused(f"{_TWO}.searchsorted(lib.DataFrame({{'a': [1]}}))", ValueError),
        ],
        "side": ours(f"{_TWO}.searchsorted({_TWO}, side='right')", "np.array([1, 2, 3], dtype='int32')"),
        "ascending": ours(
            f"{_TWO}.iloc[::-1].searchsorted({_TWO}, ascending=False)", "np.array([2, 1, 0], dtype='int32')"
        ),
        "na_position": ours(
            "lib.DataFrame({'a': [NAN, 1.0]}).searchsorted(lib.DataFrame({'a': [NAN, 1.0]}), na_position='first')",
            "np.array([0, 1], dtype='int32')",
        ),
    },
    "repeat": {
        "repeats": [
            ours("whole.repeat(repeats=2)", "whole.loc[list('aabbccdd')]"),
            ours("whole.repeat(repeats=[0, 1, 2, 0])", "whole.loc[list('bcc')]"),
        ],
        "axis": refused("whole.repeat(2, axis=0)", ValueError),
    },
    "to_struct": {"name": ours("whole.to_struct(name='s').name", "'s'")},
    "to_pylibcudf": {
        "copy": refused("whole.to_pylibcudf(copy='bogus')", ValueError),
    },
    "from_pylibcudf": {
        "table": [
            ours(
                "lib.DataFrame.from_pylibcudf(table=whole.to_pylibcudf()[0])",
                "pd.DataFrame(whole.to_numpy())",
            ),
            refused("lib.DataFrame.from_pylibcudf(1)", TypeError),
        ],
        "metadata": ours(
            "lib.DataFrame.from_pylibcudf(whole.to_pylibcudf()[0], metadata=whole.to_pylibcudf()[1])", "whole"
        ),
    },
    "partition_by_hash": {
        "columns": ours("len(sold.partition_by_hash(columns=['k'], nparts=3))", "3"),
        "nparts": [
            ours("len(sold.partition_by_hash(['k'], nparts=4))", "4"),
            refused("sold.partition_by_hash(['k'], 0)", ValueError),
        ],
        "keep_index": ours("whole.partition_by_hash('p', 1, keep_index=False)[0].index", "pd.RangeIndex(4)"),
    },
    "scatter_by_map": {
        "map_index": ours("[len(part) for part in whole.scatter_by_map(map_index=[0, 1, 1, 1])]", "[1, 3]"),
        "map_size": [
            ours("[len(part) for part in whole.scatter_by_map([0, 1, 1, 1], map_size=3)]", "[1, 3, 0]"),
            refused("whole.scatter_by_map([0, 1, 1, 1], map_size=1)", ValueError),
        ],
        "keep_index": ours("whole.scatter_by_map([0] * 4, keep_index=False)[0].index", "pd.RangeIndex(4)"),
        "debug": refused("whole.scatter_by_map([0] * 4, debug='bogus')", ValueError),
    },
}

CUDF_SERIES = {
    **_hashing("v"),
    **_serializing("v", "Series"),
    **_to_cupy("numbers", "v"),
    "convert_dtypes": _converting("lib.Series([1.0, 2.0])"),
    "digitize": {
        "bins": [
            ours("numbers.digitize(bins=[0, 3]).to_list()", "[2, 0, 1, 2, 1]"),
            refused("numbers.digitize([3, 0])", ValueError),
        ],
        "right": ours("numbers.digitize([0, 3], right=True).to_list()", "[1, 0, 1, 1, 0]"),
    },
    "to_pylibcudf": {"copy": refused("numbers.to_pylibcudf(copy='bogus')", ValueError)},
    "from_pylibcudf": {
        "col": [
            ours("lib.Series.from_pylibcudf(col=numbers.to_pylibcudf()[0])", "numbers.rename(None)"),
            refused("lib.Series.from_pylibcudf(1)", TypeError),
        ],
        "metadata": [
            ours("lib.Series.from_pylibcudf(v.to_pylibcudf()[0], metadata=v.to_pylibcudf()[1])", "v"),
            refused("lib.Series.from_pylibcudf(v.to_pylibcudf()[0], metadata={'bogus': 1})", ValueError),
        ],
    },
}

CUDF_INDEXES = {
    **_serializing("letters", "Index"),
    **_to_cupy("lib.Index([1, 2])", "lib.Index([1.0, NAN])"),
    "find_label_range": {
        "loc": ours("lib.Index(['a', 'b', 'c']).find_label_range(loc=slice('b', None))", "slice(1, 3, 1)")
    },
    "from_arrow": {
        "obj": ours("lib.Index.from_arrow(obj=letters.to_arrow())", "letters.rename(None)"),
    },
    "to_pylibcudf": {"copy": refused("letters.to_pylibcudf(copy='bogus')", ValueError)},
    "from_pylibcudf": {
        "col": ours("lib.Index.from_pylibcudf(col=letters.to_pylibcudf()[0])", "letters.rename(None)"),
        "metadata": ours(
            "lib.Index.from_pylibcudf(letters.to_pylibcudf()[0], metadata=letters.to_pylibcudf()[1])",
            "letters",
        ),
    },
}

_LINES = "lib.Series(['one\\ttwo-three  four.  Five ' * 3])"

_SKETCH = "lib.Series(['abcdef'])"
_ONE = "np.array([1], 'u4')"

CUDF_TEXTS = {
    "tokenize": {
        "delimiter": [
            ours("words.str.tokenize(delimiter='_').iloc[:2].to_list()", "['a', 'b']"),
            ours("words.str.tokenize(delimiter=['_b', ' ']).iloc[:2].to_list()", "['a', '_c']"),
            refused("words.str.tokenize(1)", TypeError),
        ]
    },
    "token_count": {"delimiter": ours("words.str.token_count(delimiter='_').to_list()", "[3, 2, 0, 2, 1]")},
    "detokenize": {
        "indices": ours("lib.Series(['a', 'b']).str.detokenize(indices=[1, 0]).to_list()", "['b', 'a']"),
        "separator": ours(
            "lib.Series(['a', 'b']).str.detokenize([0, 0], separator='+').to_list()", "['a+b']"
        ),
    },
    "get_json_object": {
        "json_path": [
            ours(f"{_JSON}.str.get_json_object(json_path='$.a[0].b').to_list()", "['x']"),
            refused(f"{_JSON}.str.get_json_object('$$')", ValueError),
            refused(f"{_JSON}.str.get_json_object(1)", TypeError),
        ],
        "allow_single_quotes": ours(
            """lib.Series(["{'a': 1}"]).str.get_json_object('$.a', allow_single_quotes=True).to_list()""",
            "['1']",
        ),
        "strip_quotes_from_single_strings": ours(
            f"{_JSON}.str.get_json_object('$.a[0].b', strip_quotes_from_single_strings=False).to_list()",
            """['"x"']""",
        ),
        "missing_fields_as_nulls": ours(
            f"{_JSON}.str.get_json_object('$.a[*].b', missing_fields_as_nulls=True).to_list()",
            """['["x",null]']""",
        ),
    },
    "ngrams": {
        "n": [
            ours("lib.Series(['a', 'b', 'c']).str.ngrams(n=3).to_list()", "['a_b_c']"),
            refused("words.str.ngrams(1)", ValueError),
        ],
        "separator": ours("lib.Series(['a', 'b']).str.ngrams(separator='+').to_list()", "['a+b']"),
    },
    "character_ngrams": {
        "n": ours("lib.Series(['abc']).str.character_ngrams(n=3).to_list()", "['abc']"),
        "as_list": ours(
            "lib.Series(['abc', 'd']).str.character_ngrams(as_list=True).to_list()", "[['ab', 'bc'], []]"
        ),
    },
    "ngrams_tokenize": {
        "n": ours("lib.Series(['a b c']).str.ngrams_tokenize(n=3).to_list()", "['a_b_c']"),
        "delimiter": ours("lib.Series(['a b-c']).str.ngrams_tokenize(delimiter='-').to_list()", "['a b_c']"),
        "separator": ours("lib.Series(['a b']).str.ngrams_tokenize(separator='+').to_list()", "['a+b']"),
    },
    "replace_tokens": {
        "targets": [
            ours(
                "lib.Series(['a b']).str.replace_tokens(targets=['b'], replacements='x').to_list()", "['a x']"
            ),
            refused("words.str.replace_tokens('a', ['b'])", TypeError),
        ],
        "replacements": [
            ours(
                "lib.Series(['a b']).str.replace_tokens(['a', 'b'], replacements=['x', 'y']).to_list()",
                "['x y']",
            ),
            refused("words.str.replace_tokens(['a'], ['b', 'c'])", ValueError),
            refused("words.str.replace_tokens(['a'], {'b'})", TypeError),
        ],
        "delimiter": ours(
            "lib.Series(['a-b']).str.replace_tokens(['b'], 'x', delimiter='-').to_list()", "['a-x']"
        ),
    },
    "filter_tokens": {
        "min_token_length": ours(
            "lib.Series(['ab c']).str.filter_tokens(min_token_length=2).to_list()", "['ab ']"
        ),
        "replacement": ours(
            "lib.Series(['ab c']).str.filter_tokens(2, replacement='-').to_list()", "['ab -']"
        ),
        "delimiter": ours("lib.Series(['ab;c d']).str.filter_tokens(3, delimiter=';').to_list()", "[';c d']"),
    },
    "edit_distance": {
        "targets": [
            ours("lib.Series(['ab', 'c']).str.edit_distance(targets='abc').to_list()", "[1, 2]"),
            ours("lib.Series(['ab', 'c']).str.edit_distance(['b', None]).to_list()", "[1, 1]"),
            refused("words.str.edit_distance(['a'])", ValueError),
        ]
    },
    "jaccard_index": {
        "input": ours(
            "lib.Series(['brown fox']).str.jaccard_index(input=['brown cat'], width=5).to_list()", "[0.25]"
        ),
        "width": [
            ours("lib.Series(['abc']).str.jaccard_index(['abd'], width=4).to_list()", "[0.0]"),
            refused("words.str.jaccard_index(words, 1)", ValueError),
        ],
    },
    "minhash": {
        "seed": ours(
            f"{_SKETCH}.str.minhash(seed=1, a={_ONE}, b={_ONE}, width=4).to_list()", "[[1125021124]]"
        ),
        "a": [
            ours(f"{_SKETCH}.str.minhash(0, a={_ONE} * 2, b={_ONE}, width=4).to_list()", "[[230147929]]"),
            refused(f"{_SKETCH}.str.minhash(0, np.array([1], 'i4'), {_ONE}, 4)", ValueError),
        ],
        "b": [
            ours(f"{_SKETCH}.str.minhash(0, a={_ONE}, b={_ONE} * 2, width=4).to_list()", "[[115073966]]"),
            refused(f"{_SKETCH}.str.minhash(0, {_ONE}, [1.0], 4)", ValueError),
        ],
        "width": ours(f"{_SKETCH}.str.minhash(0, {_ONE}, {_ONE}, width=2).to_list()", "[[543259559]]"),
    },
    "is_vowel": {
        "position": ours("lib.Series(['toy', 'ab']).str.is_vowel(position=[1, 1]).to_list()", "[True, False]")
    },
    "is_consonant": {
        "position": ours("lib.Series(['toy']).str.is_consonant(position=-1).to_list()", "[True]")
    },
    "encode": {
        "encoding": (
            "lib.Series(['ä']).str.encode(encoding='utf-8')",
            "lib.Series(['ä']).str.encode(encoding='latin-1')",
        ),
        "errors": "lib.Series(['ä']).str.encode('ascii', errors='replace')",
    },
    "normalize": {
        "form": ("lib.Series(['é']).str.normalize(form='NFC')", "lib.Series(['é']).str.normalize(form='NFD')")
    },
    "get_dummies": {
        "sep": "words.str.get_dummies(sep='_')",
        "dtype": "words.str.get_dummies('_', dtype='int8')",
    },
    "wrap": {
        "width": (f"{_LINES}.str.wrap(width=7)", f"{_LINES}.str.wrap(width=12)"),
        **{
            name: f"{_LINES}.str.wrap(9, {name}={value})"
            for name, value in [
                ("expand_tabs", False),
                ("drop_whitespace", False),
                ("initial_indent", "'> '"),
                ("subsequent_indent", "'> '"),
                ("max_lines", 2),
            ]
        },
        "tabsize": "lib.Series(['a\\tb']).str.wrap(12, tabsize=3)",
        "replace_whitespace": "lib.Series(['a\\nb c']).str.wrap(12, replace_whitespace=False)",
        "break_on_hyphens": "lib.Series(['one two-three']).str.wrap(9, break_on_hyphens=False)",
        "fix_sentence_endings": "lib.Series(['one. Two']).str.wrap(20, fix_sentence_endings=True)",
        "break_long_words": "lib.Series(['one twothree']).str.wrap(4, break_long_words=False)",
        "placeholder": f"{_LINES}.str.wrap(9, max_lines=2, placeholder='+')",
    },
    "filter_alphanum": {
        "repl": ours("words.str.filter_alphanum(repl='-').to_list()", "['a-b-c', '-x-y-', '', 'Z-z', 'ab1']"),
        "keep": ours("words.str.filter_alphanum(keep=False).to_list()", "['__', ' _ ', '', '_', '']"),
    },
    "filter_characters": {
        "table": ours("words.str.filter_characters(table={'a': 'b'}).to_list()", "['ab', '', '', '', 'ab']"),
        "keep": ours(
            "words.str.filter_characters({'a': 'z'}, keep=False).to_list()", "['__', ' _ ', '', 'Z_', '1']"
        ),
        "repl": ours(
            "words.str.filter_characters({'a': 'z'}, repl='-').to_list()",
            "['a-b-c', '-x-y-', '', '--z', 'ab-']",
        ),
    },
    "find_multiple": {
        "patterns": [
            ours(
                "words.str.find_multiple(patterns=['_', 'b']).to_list()",
                "[[1, 2], [2, -1], [-1, -1], [1, -1], [-1, 1]]",
            ),
            refused("words.str.find_multiple([])", TypeError),
        ]
    },
    "insert": {
        "start": ours("words.str.insert(start=1, repl='+').iloc[0]", "'a+_b_c'"),
        "repl": ours("words.str.insert(0, repl='+').iloc[0]", "'+a_b_c'"),
    },
    "istimestamp": {
        "format": ours(
            "lib.Series(['2013-01-31', '31.01.2013']).str.istimestamp(format='%d.%m.%Y').to_list()",
            "[False, True]",
        )
    },
    "like": {
        "pat": ours("words.str.like(pat='%b%').to_list()", "[True, False, False, False, True]"),
        "esc": ours("words.str.like('Z!_z', esc='!').to_list()", "[False, False, False, True, False]"),
    },
    "replace_with_backrefs": {
        "pat": ours(r"words.str.replace_with_backrefs(pat='(a)(_)', repl=r'\2\1').iloc[0]", "'_ab_c'"),
        "repl": ours(r"words.str.replace_with_backrefs('(a)(_)', repl=r'\2').iloc[0]", "'_b_c'"),
    },
    "slice_from": {
        "starts": ours(
            "words.str.slice_from(starts=[1] * 5, stops=[2] * 5).to_list()", "['_', 'x', '', '_', 'b']"
        ),
        "stops": ours("words.str.slice_from([1] * 5, stops=[-1] * 5).iloc[0]", "'_b_c'"),
    },
    "split_part": {
        "delimiter": ours("words.str.split_part(delimiter='_').to_list()", "['a', ' x', '', 'Z', 'ab1']"),
        "index": [
            ours("words.str.split_part('_', index=1).iloc[0]", "'b'"),
            refused("words.str.split_part('_', index=-1)", ValueError),
        ],
    },
}
