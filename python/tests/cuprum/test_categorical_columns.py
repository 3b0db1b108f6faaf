"""Column labels that are categories, beside pandas."""

import pandas as pd
import pytest
from oracle import agree, ours

SIZES = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
SOLD = pd.DataFrame(
    {
        "shop": ["x", "y", "x", "y", "x"],
        "size": pd.Series(["low", "high", "mid", "mid", "low"], dtype=SIZES),
        "n": [1.0, 2.0, 3.0, 4.0, 5.0],
        "month": pd.Series([1, 2, 1, 2, 3], dtype="int32"),
        "price": [0.5, 0.25, 0.5, 0.75, 1.0],
    }
)
MADE = {
    "crosstab": "lib.crosstab(df['shop'], df['size'])",
    "pivot_table": "df.pivot_table(index='shop', columns='size', values='n', observed=False)",
    "pivot_table, several values": "df.pivot_table(index='shop', columns='size', values=['n', 'price'], observed=True)",
    "pivot": "df.drop_duplicates(['shop', 'size']).pivot(index='shop', columns='size', values='n')",
    "unstack": "df.groupby(['shop', 'size'], observed=False)['n'].sum().unstack()",
    "unstack of a frame": "df.groupby(['shop', 'size'], observed=False)[['n', 'price']].sum().unstack()",
    "T": "df.drop_duplicates('size').set_index('size')[['n', 'price']].T",
}
USED = [
    "made",
    "made.columns",
    "made.sort_index(axis=1)",
    "made.sort_index(axis=1, ascending=False)",
    "made + 1",
    "-made",
    "made / made",
    "made - made.head(1)",
    "made.add(made, fill_value=0)",
    "made > made.T.T",
    "made.fillna(0)",
    "made.round(1)",
    "made.head(1)",
    "made[made.columns[::-1]]",
    "made.iloc[:, 1:]",
    "made.loc[:, made.columns[0]]",
    "made.T",
    "made.T.sort_index().index",
    "made.sum()",
    "made.sum(axis=1)",
    "made.cumsum(axis=1)",
    "made.apply(lambda c: c / c.sum())",
    "made.isna()",
    "made.where(made > 1)",
    "made.astype('float64')",
    "made.copy()",
    "made.div(made.sum(axis=1), axis=0)",
    "made.stack()",
    "made.melt(ignore_index=False)",
    "made.rename(columns=str)",
]


@pytest.mark.parametrize("used", USED)
@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
def test_categories_stay_those_of_column_labels(made, used):
    if "melt" in used and made in (MADE["pivot_table, several values"], MADE["unstack of a frame"]):
        pytest.skip("pandas calls the level without a name NaN")

    def code(lib, df):
        frame = eval(made, {"lib": lib, "df": df})
        return eval(used, {"lib": lib, "made": frame})

    agree(code, df=SOLD)


def test_columns_of_other_labels_forget_categories():
    # pandas refuses the new labels.
    made = ours(SOLD).pivot_table(index="shop", columns="size", values="n", observed=False)
    made["total"] = made.sum(axis=1)
    assert made.columns.tolist() == ["low", "mid", "high", "total"]
    assert str(made.columns.dtype) == "str"
    assert made.drop(columns="total").columns.dtype == "category"
    assert made.reset_index().columns.tolist() == ["shop", "low", "mid", "high", "total"]


@pytest.mark.parametrize(
    "code",
    [
        "lib.DataFrame([[1, 2]], columns=lib.CategoricalIndex(['b', 'a'], categories=['b', 'a'], name='c')).columns",
        "lib.DataFrame([[1, 2]], columns=pd.CategoricalIndex(['b', 'a'], categories=['b', 'a'])).sort_index(axis=1)",
        "lib.DataFrame([[1, 2]]).set_axis(lib.CategoricalIndex(['b', 'a'], categories=['b', 'a']), axis=1)",
        "lib.DataFrame({'a': [1], 'b': [2]})[['b']].columns",
        "lib.DataFrame([[1, 2]], columns=pd.Index([1, 2], dtype='int8')).columns",
        "df.groupby(['shop', 'month'])['n'].sum().unstack().columns",
        "df.groupby(['shop', 'month'])['n'].sum().unstack().T",
    ],
)
def test_types_of_column_labels(code):
    agree(code, df=SOLD)
