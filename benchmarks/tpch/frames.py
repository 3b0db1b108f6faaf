"""The queries as a user of pandas writes them, for pandas and Cuprum: `pd` is either.

Each query reads the columns that it needs, joins its tables in the order of the text of the specification, and filters
what is joined; no condition was moved by hand. Money and quantities are decimals in the files and become `float64`, as
is usual with pandas, where decimals are Python objects. Days stay what `read_parquet` gives and are compared with
`datetime.date`. One statement does one thing, so that `--trace` can time it.
"""

from datetime import date


def q1(pd, folder):
    lineitem = pd.read_parquet(
        folder / "lineitem.parquet",
        columns=[
            "l_returnflag",
            "l_linestatus",
            "l_quantity",
            "l_extendedprice",
            "l_discount",
            "l_tax",
            "l_shipdate",
        ],
    )
    lineitem = lineitem.astype(
        {
            "l_quantity": "float64",
            "l_extendedprice": "float64",
            "l_discount": "float64",
            "l_tax": "float64",
        }
    )
    shipped = lineitem[lineitem["l_shipdate"] <= date(1998, 9, 2)]
    shipped = shipped.assign(disc_price=shipped["l_extendedprice"] * (1 - shipped["l_discount"]))
    shipped = shipped.assign(charge=shipped["disc_price"] * (1 + shipped["l_tax"]))
    groups = shipped.groupby(["l_returnflag", "l_linestatus"], as_index=False).agg(
        sum_qty=("l_quantity", "sum"),
        sum_base_price=("l_extendedprice", "sum"),
        sum_disc_price=("disc_price", "sum"),
        sum_charge=("charge", "sum"),
        avg_qty=("l_quantity", "mean"),
        avg_price=("l_extendedprice", "mean"),
        avg_disc=("l_discount", "mean"),
        count_order=("l_quantity", "count"),
    )
    return groups.sort_values(["l_returnflag", "l_linestatus"])


def q2(pd, folder):
    part = pd.read_parquet(folder / "part.parquet", columns=["p_partkey", "p_mfgr", "p_type", "p_size"])
    supplier = pd.read_parquet(
        folder / "supplier.parquet",
        columns=["s_suppkey", "s_name", "s_address", "s_nationkey", "s_phone", "s_acctbal", "s_comment"],
    )
    partsupp = pd.read_parquet(
        folder / "partsupp.parquet", columns=["ps_partkey", "ps_suppkey", "ps_supplycost"]
    )
    nation = pd.read_parquet(folder / "nation.parquet", columns=["n_nationkey", "n_name", "n_regionkey"])
    region = pd.read_parquet(folder / "region.parquet", columns=["r_regionkey", "r_name"])
    supplier = supplier.astype({"s_acctbal": "float64"})
    partsupp = partsupp.astype({"ps_supplycost": "float64"})
    joined = part.merge(partsupp, left_on="p_partkey", right_on="ps_partkey")
    joined = joined.merge(supplier, left_on="ps_suppkey", right_on="s_suppkey")
    joined = joined.merge(nation, left_on="s_nationkey", right_on="n_nationkey")
    joined = joined.merge(region, left_on="n_regionkey", right_on="r_regionkey")
    europe = joined[joined["r_name"] == "EUROPE"]
    brass = europe[(europe["p_size"] == 15) & europe["p_type"].str.endswith("BRASS")]
    cheapest = brass.groupby("p_partkey", as_index=False)["ps_supplycost"].min()
    brass = brass.merge(cheapest, on=["p_partkey", "ps_supplycost"])
    brass = brass[
        ["s_acctbal", "s_name", "n_name", "p_partkey", "p_mfgr", "s_address", "s_phone", "s_comment"]
    ]
    brass = brass.sort_values(
        ["s_acctbal", "n_name", "s_name", "p_partkey"], ascending=[False, True, True, True]
    )
    return brass.head(100)


def q3(pd, folder):
    customer = pd.read_parquet(folder / "customer.parquet", columns=["c_custkey", "c_mktsegment"])
    orders = pd.read_parquet(
        folder / "orders.parquet", columns=["o_orderkey", "o_custkey", "o_orderdate", "o_shippriority"]
    )
    lineitem = pd.read_parquet(
        folder / "lineitem.parquet",
        columns=["l_orderkey", "l_extendedprice", "l_discount", "l_shipdate"],
    )
    lineitem = lineitem.astype({"l_extendedprice": "float64", "l_discount": "float64"})
    joined = customer.merge(orders, left_on="c_custkey", right_on="o_custkey")
    joined = joined.merge(lineitem, left_on="o_orderkey", right_on="l_orderkey")
    joined = joined[joined["c_mktsegment"] == "BUILDING"]
    joined = joined[joined["o_orderdate"] < date(1995, 3, 15)]
    joined = joined[joined["l_shipdate"] > date(1995, 3, 15)]
    joined = joined.assign(revenue=joined["l_extendedprice"] * (1 - joined["l_discount"]))
    groups = joined.groupby(["l_orderkey", "o_orderdate", "o_shippriority"], as_index=False)["revenue"].sum()
    groups = groups[["l_orderkey", "revenue", "o_orderdate", "o_shippriority"]]
    groups = groups.sort_values(["revenue", "o_orderdate"], ascending=[False, True])
    return groups.head(10)


def q4(pd, folder):
    orders = pd.read_parquet(
        folder / "orders.parquet", columns=["o_orderkey", "o_orderdate", "o_orderpriority"]
    )
    lineitem = pd.read_parquet(
        folder / "lineitem.parquet", columns=["l_orderkey", "l_commitdate", "l_receiptdate"]
    )
    orders = orders[(orders["o_orderdate"] >= date(1993, 7, 1)) & (orders["o_orderdate"] < date(1993, 10, 1))]
    late = lineitem[lineitem["l_commitdate"] < lineitem["l_receiptdate"]]
    orders = orders[orders["o_orderkey"].isin(late["l_orderkey"])]
    groups = orders.groupby("o_orderpriority", as_index=False).agg(order_count=("o_orderkey", "count"))
    return groups.sort_values("o_orderpriority")


def q5(pd, folder):
    customer = pd.read_parquet(folder / "customer.parquet", columns=["c_custkey", "c_nationkey"])
    orders = pd.read_parquet(folder / "orders.parquet", columns=["o_orderkey", "o_custkey", "o_orderdate"])
    lineitem = pd.read_parquet(
        folder / "lineitem.parquet", columns=["l_orderkey", "l_suppkey", "l_extendedprice", "l_discount"]
    )
    supplier = pd.read_parquet(folder / "supplier.parquet", columns=["s_suppkey", "s_nationkey"])
    nation = pd.read_parquet(folder / "nation.parquet", columns=["n_nationkey", "n_name", "n_regionkey"])
    region = pd.read_parquet(folder / "region.parquet", columns=["r_regionkey", "r_name"])
    lineitem = lineitem.astype({"l_extendedprice": "float64", "l_discount": "float64"})
    joined = customer.merge(orders, left_on="c_custkey", right_on="o_custkey")
    joined = joined.merge(lineitem, left_on="o_orderkey", right_on="l_orderkey")
    joined = joined.merge(
        supplier, left_on=["l_suppkey", "c_nationkey"], right_on=["s_suppkey", "s_nationkey"]
    )
    joined = joined.merge(nation, left_on="s_nationkey", right_on="n_nationkey")
    joined = joined.merge(region, left_on="n_regionkey", right_on="r_regionkey")
    joined = joined[joined["r_name"] == "ASIA"]
    joined = joined[(joined["o_orderdate"] >= date(1994, 1, 1)) & (joined["o_orderdate"] < date(1995, 1, 1))]
    joined = joined.assign(revenue=joined["l_extendedprice"] * (1 - joined["l_discount"]))
    groups = joined.groupby("n_name", as_index=False)["revenue"].sum()
    return groups.sort_values("revenue", ascending=False)


def q6(pd, folder):
    lineitem = pd.read_parquet(
        folder / "lineitem.parquet", columns=["l_quantity", "l_extendedprice", "l_discount", "l_shipdate"]
    )
    lineitem = lineitem.astype(
        {"l_quantity": "float64", "l_extendedprice": "float64", "l_discount": "float64"}
    )
    lineitem = lineitem[
        (lineitem["l_shipdate"] >= date(1994, 1, 1)) & (lineitem["l_shipdate"] < date(1995, 1, 1))
    ]
    lineitem = lineitem[lineitem["l_discount"].between(0.05, 0.07)]
    lineitem = lineitem[lineitem["l_quantity"] < 24]
    revenue = (lineitem["l_extendedprice"] * lineitem["l_discount"]).sum()
    return pd.DataFrame({"revenue": [revenue]})


def q7(pd, folder):
    supplier = pd.read_parquet(folder / "supplier.parquet", columns=["s_suppkey", "s_nationkey"])
    lineitem = pd.read_parquet(
        folder / "lineitem.parquet",
        columns=["l_orderkey", "l_suppkey", "l_extendedprice", "l_discount", "l_shipdate"],
    )
    orders = pd.read_parquet(folder / "orders.parquet", columns=["o_orderkey", "o_custkey"])
    customer = pd.read_parquet(folder / "customer.parquet", columns=["c_custkey", "c_nationkey"])
    nation = pd.read_parquet(folder / "nation.parquet", columns=["n_nationkey", "n_name"])
    lineitem = lineitem.astype({"l_extendedprice": "float64", "l_discount": "float64"})
    n1 = nation.rename(columns={"n_nationkey": "n1_nationkey", "n_name": "supp_nation"})
    n2 = nation.rename(columns={"n_nationkey": "n2_nationkey", "n_name": "cust_nation"})
    joined = supplier.merge(lineitem, left_on="s_suppkey", right_on="l_suppkey")
    joined = joined.merge(orders, left_on="l_orderkey", right_on="o_orderkey")
    joined = joined.merge(customer, left_on="o_custkey", right_on="c_custkey")
    joined = joined.merge(n1, left_on="s_nationkey", right_on="n1_nationkey")
    joined = joined.merge(n2, left_on="c_nationkey", right_on="n2_nationkey")
    joined = joined[
        ((joined["supp_nation"] == "FRANCE") & (joined["cust_nation"] == "GERMANY"))
        | ((joined["supp_nation"] == "GERMANY") & (joined["cust_nation"] == "FRANCE"))
    ]
    joined = joined[joined["l_shipdate"].between(date(1995, 1, 1), date(1996, 12, 31))]
    joined = joined.assign(
        l_year=pd.to_datetime(joined["l_shipdate"]).dt.year,
        volume=joined["l_extendedprice"] * (1 - joined["l_discount"]),
    )
    groups = joined.groupby(["supp_nation", "cust_nation", "l_year"], as_index=False).agg(
        revenue=("volume", "sum")
    )
    return groups.sort_values(["supp_nation", "cust_nation", "l_year"])


def q8(pd, folder):
    part = pd.read_parquet(folder / "part.parquet", columns=["p_partkey", "p_type"])
    supplier = pd.read_parquet(folder / "supplier.parquet", columns=["s_suppkey", "s_nationkey"])
    lineitem = pd.read_parquet(
        folder / "lineitem.parquet",
        columns=["l_orderkey", "l_partkey", "l_suppkey", "l_extendedprice", "l_discount"],
    )
    orders = pd.read_parquet(folder / "orders.parquet", columns=["o_orderkey", "o_custkey", "o_orderdate"])
    customer = pd.read_parquet(folder / "customer.parquet", columns=["c_custkey", "c_nationkey"])
    nation = pd.read_parquet(folder / "nation.parquet", columns=["n_nationkey", "n_name", "n_regionkey"])
    region = pd.read_parquet(folder / "region.parquet", columns=["r_regionkey", "r_name"])
    lineitem = lineitem.astype({"l_extendedprice": "float64", "l_discount": "float64"})
    n1 = nation[["n_nationkey", "n_regionkey"]].rename(columns={"n_nationkey": "n1_nationkey"})
    n2 = nation[["n_nationkey", "n_name"]].rename(columns={"n_nationkey": "n2_nationkey"})
    joined = part.merge(lineitem, left_on="p_partkey", right_on="l_partkey")
    joined = joined.merge(supplier, left_on="l_suppkey", right_on="s_suppkey")
    joined = joined.merge(orders, left_on="l_orderkey", right_on="o_orderkey")
    joined = joined.merge(customer, left_on="o_custkey", right_on="c_custkey")
    joined = joined.merge(n1, left_on="c_nationkey", right_on="n1_nationkey")
    joined = joined.merge(region, left_on="n_regionkey", right_on="r_regionkey")
    joined = joined.merge(n2, left_on="s_nationkey", right_on="n2_nationkey")
    joined = joined[joined["r_name"] == "AMERICA"]
    joined = joined[joined["o_orderdate"].between(date(1995, 1, 1), date(1996, 12, 31))]
    joined = joined[joined["p_type"] == "ECONOMY ANODIZED STEEL"]
    joined = joined.assign(
        o_year=pd.to_datetime(joined["o_orderdate"]).dt.year,
        volume=joined["l_extendedprice"] * (1 - joined["l_discount"]),
    )
    joined = joined.assign(brazil=joined["volume"].where(joined["n_name"] == "BRAZIL", 0.0))
    groups = joined.groupby("o_year", as_index=False).agg(brazil=("brazil", "sum"), volume=("volume", "sum"))
    groups = groups.assign(mkt_share=groups["brazil"] / groups["volume"])
    return groups[["o_year", "mkt_share"]].sort_values("o_year")


def q9(pd, folder):
    part = pd.read_parquet(folder / "part.parquet", columns=["p_partkey", "p_name"])
    supplier = pd.read_parquet(folder / "supplier.parquet", columns=["s_suppkey", "s_nationkey"])
    lineitem = pd.read_parquet(
        folder / "lineitem.parquet",
        columns=["l_orderkey", "l_partkey", "l_suppkey", "l_quantity", "l_extendedprice", "l_discount"],
    )
    partsupp = pd.read_parquet(
        folder / "partsupp.parquet", columns=["ps_partkey", "ps_suppkey", "ps_supplycost"]
    )
    orders = pd.read_parquet(folder / "orders.parquet", columns=["o_orderkey", "o_orderdate"])
    nation = pd.read_parquet(folder / "nation.parquet", columns=["n_nationkey", "n_name"])
    lineitem = lineitem.astype(
        {"l_quantity": "float64", "l_extendedprice": "float64", "l_discount": "float64"}
    )
    partsupp = partsupp.astype({"ps_supplycost": "float64"})
    joined = part.merge(lineitem, left_on="p_partkey", right_on="l_partkey")
    joined = joined.merge(supplier, left_on="l_suppkey", right_on="s_suppkey")
    joined = joined.merge(partsupp, left_on=["l_suppkey", "l_partkey"], right_on=["ps_suppkey", "ps_partkey"])
    joined = joined.merge(orders, left_on="l_orderkey", right_on="o_orderkey")
    joined = joined.merge(nation, left_on="s_nationkey", right_on="n_nationkey")
    joined = joined[joined["p_name"].str.contains("green")]
    joined = joined.assign(
        o_year=pd.to_datetime(joined["o_orderdate"]).dt.year,
        amount=joined["l_extendedprice"] * (1 - joined["l_discount"])
        - joined["ps_supplycost"] * joined["l_quantity"],
    )
    groups = joined.groupby(["n_name", "o_year"], as_index=False).agg(sum_profit=("amount", "sum"))
    groups = groups.rename(columns={"n_name": "nation"})
    return groups.sort_values(["nation", "o_year"], ascending=[True, False])


def q10(pd, folder):
    customer = pd.read_parquet(
        folder / "customer.parquet",
        columns=["c_custkey", "c_name", "c_address", "c_nationkey", "c_phone", "c_acctbal", "c_comment"],
    )
    orders = pd.read_parquet(folder / "orders.parquet", columns=["o_orderkey", "o_custkey", "o_orderdate"])
    lineitem = pd.read_parquet(
        folder / "lineitem.parquet", columns=["l_orderkey", "l_extendedprice", "l_discount", "l_returnflag"]
    )
    nation = pd.read_parquet(folder / "nation.parquet", columns=["n_nationkey", "n_name"])
    customer = customer.astype({"c_acctbal": "float64"})
    lineitem = lineitem.astype({"l_extendedprice": "float64", "l_discount": "float64"})
    joined = customer.merge(orders, left_on="c_custkey", right_on="o_custkey")
    joined = joined.merge(lineitem, left_on="o_orderkey", right_on="l_orderkey")
    joined = joined.merge(nation, left_on="c_nationkey", right_on="n_nationkey")
    joined = joined[(joined["o_orderdate"] >= date(1993, 10, 1)) & (joined["o_orderdate"] < date(1994, 1, 1))]
    joined = joined[joined["l_returnflag"] == "R"]
    joined = joined.assign(revenue=joined["l_extendedprice"] * (1 - joined["l_discount"]))
    groups = joined.groupby(
        ["c_custkey", "c_name", "c_acctbal", "c_phone", "n_name", "c_address", "c_comment"], as_index=False
    )["revenue"].sum()
    groups = groups[
        ["c_custkey", "c_name", "revenue", "c_acctbal", "n_name", "c_address", "c_phone", "c_comment"]
    ]
    groups = groups.sort_values("revenue", ascending=False)
    return groups.head(20)


def q11(pd, folder, scale):
    partsupp = pd.read_parquet(
        folder / "partsupp.parquet", columns=["ps_partkey", "ps_suppkey", "ps_availqty", "ps_supplycost"]
    )
    supplier = pd.read_parquet(folder / "supplier.parquet", columns=["s_suppkey", "s_nationkey"])
    nation = pd.read_parquet(folder / "nation.parquet", columns=["n_nationkey", "n_name"])
    partsupp = partsupp.astype({"ps_supplycost": "float64"})
    joined = partsupp.merge(supplier, left_on="ps_suppkey", right_on="s_suppkey")
    joined = joined.merge(nation, left_on="s_nationkey", right_on="n_nationkey")
    joined = joined[joined["n_name"] == "GERMANY"]
    joined = joined.assign(value=joined["ps_supplycost"] * joined["ps_availqty"])
    limit = joined["value"].sum() * 0.0001 / scale
    groups = joined.groupby("ps_partkey", as_index=False)["value"].sum()
    groups = groups[groups["value"] > limit]
    return groups.sort_values("value", ascending=False)


def q12(pd, folder):
    orders = pd.read_parquet(folder / "orders.parquet", columns=["o_orderkey", "o_orderpriority"])
    lineitem = pd.read_parquet(
        folder / "lineitem.parquet",
        columns=["l_orderkey", "l_shipdate", "l_commitdate", "l_receiptdate", "l_shipmode"],
    )
    joined = orders.merge(lineitem, left_on="o_orderkey", right_on="l_orderkey")
    joined = joined[joined["l_shipmode"].isin(["MAIL", "SHIP"])]
    joined = joined[joined["l_commitdate"] < joined["l_receiptdate"]]
    joined = joined[joined["l_shipdate"] < joined["l_commitdate"]]
    joined = joined[
        (joined["l_receiptdate"] >= date(1994, 1, 1)) & (joined["l_receiptdate"] < date(1995, 1, 1))
    ]
    urgent = joined["o_orderpriority"].isin(["1-URGENT", "2-HIGH"])
    joined = joined.assign(
        high_line_count=urgent.astype("int64"),
        low_line_count=(~urgent).astype("int64"),
    )
    groups = joined.groupby("l_shipmode", as_index=False)[["high_line_count", "low_line_count"]].sum()
    return groups.sort_values("l_shipmode")


def q13(pd, folder):
    customer = pd.read_parquet(folder / "customer.parquet", columns=["c_custkey"])
    orders = pd.read_parquet(folder / "orders.parquet", columns=["o_orderkey", "o_custkey", "o_comment"])
    orders = orders[~orders["o_comment"].str.contains("special.*requests")]
    joined = customer.merge(orders, how="left", left_on="c_custkey", right_on="o_custkey")
    counts = joined.groupby("c_custkey", as_index=False).agg(c_count=("o_orderkey", "count"))
    groups = counts.groupby("c_count", as_index=False).agg(custdist=("c_custkey", "count"))
    return groups.sort_values(["custdist", "c_count"], ascending=[False, False])


def q14(pd, folder):
    lineitem = pd.read_parquet(
        folder / "lineitem.parquet", columns=["l_partkey", "l_extendedprice", "l_discount", "l_shipdate"]
    )
    part = pd.read_parquet(folder / "part.parquet", columns=["p_partkey", "p_type"])
    lineitem = lineitem.astype({"l_extendedprice": "float64", "l_discount": "float64"})
    joined = lineitem.merge(part, left_on="l_partkey", right_on="p_partkey")
    joined = joined[(joined["l_shipdate"] >= date(1995, 9, 1)) & (joined["l_shipdate"] < date(1995, 10, 1))]
    revenue = joined["l_extendedprice"] * (1 - joined["l_discount"])
    promotion = revenue[joined["p_type"].str.startswith("PROMO")]
    share = 100.0 * promotion.sum() / revenue.sum()
    return pd.DataFrame({"promo_revenue": [share]})


def q15(pd, folder):
    supplier = pd.read_parquet(
        folder / "supplier.parquet", columns=["s_suppkey", "s_name", "s_address", "s_phone"]
    )
    lineitem = pd.read_parquet(
        folder / "lineitem.parquet", columns=["l_suppkey", "l_extendedprice", "l_discount", "l_shipdate"]
    )
    lineitem = lineitem.astype({"l_extendedprice": "float64", "l_discount": "float64"})
    lineitem = lineitem[
        (lineitem["l_shipdate"] >= date(1996, 1, 1)) & (lineitem["l_shipdate"] < date(1996, 4, 1))
    ]
    lineitem = lineitem.assign(total_revenue=lineitem["l_extendedprice"] * (1 - lineitem["l_discount"]))
    revenue = lineitem.groupby("l_suppkey", as_index=False)["total_revenue"].sum()
    joined = supplier.merge(revenue, left_on="s_suppkey", right_on="l_suppkey")
    joined = joined[joined["total_revenue"] == revenue["total_revenue"].max()]
    joined = joined[["s_suppkey", "s_name", "s_address", "s_phone", "total_revenue"]]
    return joined.sort_values("s_suppkey")


def q16(pd, folder):
    partsupp = pd.read_parquet(folder / "partsupp.parquet", columns=["ps_partkey", "ps_suppkey"])
    part = pd.read_parquet(folder / "part.parquet", columns=["p_partkey", "p_brand", "p_type", "p_size"])
    supplier = pd.read_parquet(folder / "supplier.parquet", columns=["s_suppkey", "s_comment"])
    joined = partsupp.merge(part, left_on="ps_partkey", right_on="p_partkey")
    joined = joined[joined["p_brand"] != "Brand#45"]
    joined = joined[~joined["p_type"].str.startswith("MEDIUM POLISHED")]
    joined = joined[joined["p_size"].isin([49, 14, 23, 45, 19, 3, 36, 9])]
    complained = supplier[supplier["s_comment"].str.contains("Customer.*Complaints")]
    joined = joined[~joined["ps_suppkey"].isin(complained["s_suppkey"])]
    groups = joined.groupby(["p_brand", "p_type", "p_size"], as_index=False).agg(
        supplier_cnt=("ps_suppkey", "nunique")
    )
    return groups.sort_values(
        ["supplier_cnt", "p_brand", "p_type", "p_size"], ascending=[False, True, True, True]
    )


def q17(pd, folder):
    lineitem = pd.read_parquet(
        folder / "lineitem.parquet", columns=["l_partkey", "l_quantity", "l_extendedprice"]
    )
    part = pd.read_parquet(folder / "part.parquet", columns=["p_partkey", "p_brand", "p_container"])
    lineitem = lineitem.astype({"l_quantity": "float64", "l_extendedprice": "float64"})
    joined = lineitem.merge(part, left_on="l_partkey", right_on="p_partkey")
    joined = joined[joined["p_brand"] == "Brand#23"]
    joined = joined[joined["p_container"] == "MED BOX"]
    averages = lineitem.groupby("l_partkey", as_index=False).agg(average=("l_quantity", "mean"))
    joined = joined.merge(averages, on="l_partkey")
    joined = joined[joined["l_quantity"] < 0.2 * joined["average"]]
    yearly = joined["l_extendedprice"].sum() / 7.0
    return pd.DataFrame({"avg_yearly": [yearly]})


def q18(pd, folder):
    customer = pd.read_parquet(folder / "customer.parquet", columns=["c_custkey", "c_name"])
    orders = pd.read_parquet(
        folder / "orders.parquet", columns=["o_orderkey", "o_custkey", "o_totalprice", "o_orderdate"]
    )
    lineitem = pd.read_parquet(folder / "lineitem.parquet", columns=["l_orderkey", "l_quantity"])
    orders = orders.astype({"o_totalprice": "float64"})
    lineitem = lineitem.astype({"l_quantity": "float64"})
    quantities = lineitem.groupby("l_orderkey", as_index=False)["l_quantity"].sum()
    large = quantities[quantities["l_quantity"] > 300]
    joined = customer.merge(orders, left_on="c_custkey", right_on="o_custkey")
    joined = joined.merge(lineitem, left_on="o_orderkey", right_on="l_orderkey")
    joined = joined[joined["o_orderkey"].isin(large["l_orderkey"])]
    groups = joined.groupby(
        ["c_name", "c_custkey", "o_orderkey", "o_orderdate", "o_totalprice"], as_index=False
    )["l_quantity"].sum()
    groups = groups.sort_values(["o_totalprice", "o_orderdate"], ascending=[False, True])
    return groups.head(100)


def q19(pd, folder):
    lineitem = pd.read_parquet(
        folder / "lineitem.parquet",
        columns=[
            "l_partkey",
            "l_quantity",
            "l_extendedprice",
            "l_discount",
            "l_shipinstruct",
            "l_shipmode",
        ],
    )
    part = pd.read_parquet(folder / "part.parquet", columns=["p_partkey", "p_brand", "p_size", "p_container"])
    lineitem = lineitem.astype(
        {"l_quantity": "float64", "l_extendedprice": "float64", "l_discount": "float64"}
    )
    joined = lineitem.merge(part, left_on="l_partkey", right_on="p_partkey")
    joined = joined[
        (
            (joined["p_brand"] == "Brand#12")
            & joined["p_container"].isin(["SM CASE", "SM BOX", "SM PACK", "SM PKG"])
            & joined["l_quantity"].between(1, 11)
            & joined["p_size"].between(1, 5)
            & joined["l_shipmode"].isin(["AIR", "AIR REG"])
            & (joined["l_shipinstruct"] == "DELIVER IN PERSON")
        )
        | (
            (joined["p_brand"] == "Brand#23")
            & joined["p_container"].isin(["MED BAG", "MED BOX", "MED PKG", "MED PACK"])
            & joined["l_quantity"].between(10, 20)
            & joined["p_size"].between(1, 10)
            & joined["l_shipmode"].isin(["AIR", "AIR REG"])
            & (joined["l_shipinstruct"] == "DELIVER IN PERSON")
        )
        | (
            (joined["p_brand"] == "Brand#34")
            & joined["p_container"].isin(["LG CASE", "LG BOX", "LG PACK", "LG PKG"])
            & joined["l_quantity"].between(20, 30)
            & joined["p_size"].between(1, 15)
            & joined["l_shipmode"].isin(["AIR", "AIR REG"])
            & (joined["l_shipinstruct"] == "DELIVER IN PERSON")
        )
    ]
    revenue = (joined["l_extendedprice"] * (1 - joined["l_discount"])).sum()
    return pd.DataFrame({"revenue": [revenue]})


def q20(pd, folder):
    supplier = pd.read_parquet(
        folder / "supplier.parquet", columns=["s_suppkey", "s_name", "s_address", "s_nationkey"]
    )
    nation = pd.read_parquet(folder / "nation.parquet", columns=["n_nationkey", "n_name"])
    partsupp = pd.read_parquet(
        folder / "partsupp.parquet", columns=["ps_partkey", "ps_suppkey", "ps_availqty"]
    )
    part = pd.read_parquet(folder / "part.parquet", columns=["p_partkey", "p_name"])
    lineitem = pd.read_parquet(
        folder / "lineitem.parquet", columns=["l_partkey", "l_suppkey", "l_quantity", "l_shipdate"]
    )
    lineitem = lineitem.astype({"l_quantity": "float64"})
    forest = part[part["p_name"].str.startswith("forest")]
    partsupp = partsupp[partsupp["ps_partkey"].isin(forest["p_partkey"])]
    lineitem = lineitem[
        (lineitem["l_shipdate"] >= date(1994, 1, 1)) & (lineitem["l_shipdate"] < date(1995, 1, 1))
    ]
    quantities = lineitem.groupby(["l_partkey", "l_suppkey"], as_index=False)["l_quantity"].sum()
    partsupp = partsupp.merge(
        quantities, left_on=["ps_partkey", "ps_suppkey"], right_on=["l_partkey", "l_suppkey"]
    )
    partsupp = partsupp[partsupp["ps_availqty"] > 0.5 * partsupp["l_quantity"]]
    joined = supplier.merge(nation, left_on="s_nationkey", right_on="n_nationkey")
    joined = joined[joined["s_suppkey"].isin(partsupp["ps_suppkey"])]
    joined = joined[joined["n_name"] == "CANADA"]
    return joined[["s_name", "s_address"]].sort_values("s_name")


def q21(pd, folder):
    supplier = pd.read_parquet(folder / "supplier.parquet", columns=["s_suppkey", "s_name", "s_nationkey"])
    lineitem = pd.read_parquet(
        folder / "lineitem.parquet", columns=["l_orderkey", "l_suppkey", "l_commitdate", "l_receiptdate"]
    )
    orders = pd.read_parquet(folder / "orders.parquet", columns=["o_orderkey", "o_orderstatus"])
    nation = pd.read_parquet(folder / "nation.parquet", columns=["n_nationkey", "n_name"])
    late = lineitem[lineitem["l_receiptdate"] > lineitem["l_commitdate"]]
    suppliers = lineitem.groupby("l_orderkey", as_index=False).agg(suppliers=("l_suppkey", "nunique"))
    late_suppliers = late.groupby("l_orderkey", as_index=False).agg(late_suppliers=("l_suppkey", "nunique"))
    joined = supplier.merge(late, left_on="s_suppkey", right_on="l_suppkey")
    joined = joined.merge(orders, left_on="l_orderkey", right_on="o_orderkey")
    joined = joined.merge(nation, left_on="s_nationkey", right_on="n_nationkey")
    joined = joined.merge(suppliers, on="l_orderkey")
    joined = joined.merge(late_suppliers, on="l_orderkey")
    joined = joined[joined["o_orderstatus"] == "F"]
    joined = joined[joined["suppliers"] > 1]
    joined = joined[joined["late_suppliers"] == 1]
    joined = joined[joined["n_name"] == "SAUDI ARABIA"]
    groups = joined.groupby("s_name", as_index=False).agg(numwait=("l_orderkey", "count"))
    groups = groups.sort_values(["numwait", "s_name"], ascending=[False, True])
    return groups.head(100)


def q22(pd, folder):
    customer = pd.read_parquet(folder / "customer.parquet", columns=["c_custkey", "c_phone", "c_acctbal"])
    orders = pd.read_parquet(folder / "orders.parquet", columns=["o_custkey"])
    customer = customer.astype({"c_acctbal": "float64"})
    customer = customer.assign(cntrycode=customer["c_phone"].str[:2])
    customer = customer[customer["cntrycode"].isin(["13", "31", "23", "29", "30", "18", "17"])]
    average = customer.loc[customer["c_acctbal"] > 0, "c_acctbal"].mean()
    customer = customer[customer["c_acctbal"] > average]
    customer = customer[~customer["c_custkey"].isin(orders["o_custkey"])]
    groups = customer.groupby("cntrycode", as_index=False).agg(
        numcust=("c_acctbal", "count"), totacctbal=("c_acctbal", "sum")
    )
    return groups.sort_values("cntrycode")


QUERIES = {number: globals()[f"q{number}"] for number in range(1, 23)}
