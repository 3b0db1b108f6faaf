"""Frames of many columns beside pandas: runs of columns of one type are worked on as one."""

import numpy as np
import pandas as pd
import pytest
from oracle import Pair, agree, ours

import cuprum


def many(rows, *, missing=True):
    """Columns of floats, integers, truth values, texts and floats, twenty of each."""
    random = np.random.default_rng(rows)
    floats = random.standard_normal((rows, 20)).round(2)
    if missing:
        floats[random.random((rows, 20)) < 0.2] = np.nan
    kinds = {
        "f": floats,
        "i": random.integers(-3, 4, (rows, 20)),
        "b": random.random((rows, 20)) < 0.5,
        "g": -floats[:, ::-1],
    }
    columns = {f"{kind}{i}": values[:, i] for kind, values in kinds.items() for i in range(20)}
    return pd.DataFrame(columns)


NUMBERS = "df.filter(regex='^[fig]')"


@pytest.mark.parametrize("rows", [0, 1, 5, 2000])
@pytest.mark.parametrize(
    "code",
    [
        "df.isna()",
        "df.notna()",
        f"{NUMBERS} + 1",
        f"1 - {NUMBERS}",
        f"{NUMBERS} * 2.5",
        f"{NUMBERS} > 0",
        f"{NUMBERS} == 0",
        f"{NUMBERS} / 0",
        f"{NUMBERS} // 2",
        f"0 % {NUMBERS}",
        f"{NUMBERS} ** 2",
        f"-{NUMBERS}",
        f"{NUMBERS}.abs()",
        f"{NUMBERS}.round(1)",
        f"{NUMBERS} + {NUMBERS}",
        f"{NUMBERS} < -{NUMBERS}",
        "df.filter(like='f') / df.filter(like='f').abs()",
        "df.filter(like='i') // df.filter(like='i')",
        "df.filter(like='f').fillna(0)",
        f"{NUMBERS}.astype('float32')",
        f"{NUMBERS}.T",
        "df.drop(columns=['f3', 'i19', 'b0'])",
        "df.loc[:, ['g3', 'f1', 'b2']]",
        "df.reindex(columns=['g3', 'f1', 'x'])",
        "df.filter(like='g').stack()",
        "lib.concat([df, df])",
        "df.where(df > 0)",
        "df.merge(df[['i0', 'f1', 'b2']], on='i0', how='left')",
        "df.merge(df[['i0', 'f1', 'b2']], on=['i0', 'f1'])",
        "df.select_dtypes(['bool', 'int64'])",
        "df.filter(like='f').to_numpy().ravel()",
        f"{NUMBERS}.to_numpy().ravel()",
        "df.filter(like='i').to_numpy('float32').ravel()",
        "df.filter(like='b').to_numpy().ravel()",
        "df.filter(like='f').sum()",
        "df.filter(like='g').mean()",
        "df.filter(like='f').min()",
        "df.filter(like='f').max()",
        "df.filter(like='f').count()",
        "df.filter(like='f').prod()",
        "df.filter(like='f').std()",
        "df.filter(like='f').var()",
        "df.filter(like='f').any()",
        "df.filter(like='f').all()",
        "df.filter(like='f').median()",
        "df.filter(like='f').sum(skipna=False)",
        "df.filter(like='f').astype('float32').max()",
        "df.filter(like='f').astype('float32').min()",
        "df.filter(like='i').sum()",
        "df.filter(like='i').mean()",
        "df.filter(like='i').max()",
        "df.filter(like='i').all()",
        "df.filter(like='i').astype('int8').sum()",
        "df.filter(like='i').astype('int8').min()",
        "df.filter(like='b').sum()",
        "df.copy()",
        "df.equals(df.copy())",
        "df.equals(df.assign(g19=1.0))",
        "df.filter(like='f').equals(df.filter(like='f') + 0)",
        "df.filter(like='i').equals(df.filter(like='i').astype('float64'))",
        "lib.DataFrame(np.arange(60.0).reshape(3, 20)) + 1",
        "lib.DataFrame(np.asfortranarray(np.arange(60).reshape(3, 20)), columns=list('abcdefghijklmnopqrst'))",
        "lib.DataFrame(np.array([['2020-01-01', 'NaT']], dtype='M8[s]'))",
        "lib.DataFrame(np.array([['a', 'bc'], ['d', 'e']]))",
        "lib.DataFrame(np.ma.masked_less(np.arange(6.0).reshape(2, 3), 2))",
        "lib.DataFrame(np.empty((0, 3)))",
        "lib.DataFrame(np.empty((3, 0)))",
    ],
)
def test_many_columns(code, rows):
    if rows == 0 and "stack" in code:
        return
    if "skipna" in code and rows == 0:
        return
    agree(code, df=Pair(ours(many(rows)), many(rows)), kept=[..., *(f"i{n}" for n in range(20))])


def test_an_error_of_one_column_is_that_of_the_frame():
    frame = ours(many(3))
    with pytest.raises(TypeError):
        _ = frame.filter(like="f") + "x"
    with pytest.raises(ValueError, match="missing or infinite"):
        frame.filter(like="f").to_numpy("int64")


def test_what_is_written_to_one_column_leaves_the_others():
    matrix = np.arange(60.0).reshape(3, 20)
    frame, theirs = cuprum.DataFrame(matrix), pd.DataFrame(matrix.copy())
    made, made_of_theirs = frame + 1, theirs + 1
    values = frame.to_numpy()
    assert not values.flags.writeable
    for one in (frame, theirs, made, made_of_theirs):
        one.iloc[1, 2] = -1.0
        one.iloc[:, 3] = 7.0
    pd.testing.assert_frame_equal(frame.to_pandas(), theirs)
    pd.testing.assert_frame_equal(made.to_pandas(), made_of_theirs)
    assert (values == np.arange(60.0).reshape(3, 20)).all()
    assert (matrix == values).all()
    copied = frame.to_numpy(copy=True)
    copied[0, 0] = 5.0
    assert frame.iloc[0, 0] == 0.0


def test_an_array_that_is_written_to_later():
    for order in "CF":
        matrix = np.array(np.arange(6.0).reshape(2, 3), order=order)
        frame = cuprum.DataFrame(matrix)
        matrix[0, 0] = 9.0
        assert frame.iloc[0, 0] == 0.0
