"""Mistakes that mypy finds, each with the code of its error (see `test_type_checking.py`); nobody runs this."""

import cuprum

df = cuprum.DataFrame({"a": [1, 2], "b": ["x", "y"]})

df.hed()  # attr-defined
df.merge(df, how="lefft")  # arg-type
cuprum.read_csv(3.5)  # call-overload
df.groupby("a").meen()  # attr-defined
df["b"].str.upperr()  # attr-defined
df.drop_duplicates(keep="frist")  # call-overload
cuprum.concat(5)  # call-overload
df.to_csv("a.csv", sep=5)  # call-overload

df["a"].meen()  # attr-defined
df["a"].dt.yaer  # attr-defined
df.columns.str.upperr()  # attr-defined
df.iloc[:2].meen()  # attr-defined
df.rolling(2).meen()  # attr-defined
df.rolling(2)["a"].meen()  # attr-defined
df.resample("D").meen()  # attr-defined
df.groupby("a")["b"].meen()  # attr-defined
cuprum.concatt([df])  # attr-defined
df.to_csv().head()  # attr-defined
df.sort_values("a", inplace=True).head()  # attr-defined
df["a"].mean().head()  # attr-defined
cuprum.read_csv("a.csv", chunksize=2).head()  # attr-defined
df.sort_values("a", na_position="frist")  # call-overload
df.sort_values("a", ascendin=False)  # call-overload
df["a"].rank(method="averag")  # arg-type
df.join(df, how="lefft")  # arg-type
df.merge(df, validate="one_to_two")  # arg-type
df.sum(axis=2)  # call-overload
df.sum(skipnaa=False)  # call-overload
df.dropna(how="some")  # call-overload
df.to_dict(orient="rows")  # call-overload
df["a"].between(1, 2, inclusive="all")  # arg-type
df["a"].quantile(0.5, interpolation="lin")  # call-overload
df.rolling(2, closed="inside")  # call-overload
df.resample("D", label="middle")  # arg-type
df.to_parquet("a.parquet", compression="zip")  # call-overload
cuprum.read_csv("a.csv", skip_rows=1)  # call-overload
cuprum.read_csv("a.csv", on_bad_lines="drop")  # call-overload
cuprum.to_datetime(df["b"], errors="drop")  # call-overload
cuprum.to_numeric(df["b"], downcast="int8")  # call-overload
cuprum.date_range("2000", periods=2, inclusive="all")  # arg-type
cuprum.cut(df["a"], 3, duplicates="keep")  # call-overload
df.iloc["a"]  # call-overload
cuprum.read_excel("a.xlsx").heda()  # attr-defined
next(cuprum.read_sql("select 1", "sqlite://", chunksize=2)).heda()  # attr-defined
