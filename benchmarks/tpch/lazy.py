"""The queries as lazy frames of Polars, in the order of the text of the specification: its optimiser moves conditions.

`scan` gives the lazy frame of a table. Money and quantities become `Float64`, as in `frames.py`: there products of
decimals have other digits than those of the specification.
"""

from datetime import date

import polars as pl
from polars import col


def floats(*names):
    """Return columns as numbers of 64 bits."""
    return col(*names).cast(pl.Float64)


def revenue():
    """Return what a line brings."""
    return col("l_extendedprice") * (1 - col("l_discount"))


def q1(scan):
    return (
        scan("lineitem")
        .with_columns(floats("l_quantity", "l_extendedprice", "l_discount", "l_tax"))
        .filter(col("l_shipdate") <= date(1998, 9, 2))
        .with_columns(disc_price=revenue())
        .with_columns(charge=col("disc_price") * (1 + col("l_tax")))
        .group_by("l_returnflag", "l_linestatus")
        .agg(
            sum_qty=col("l_quantity").sum(),
            sum_base_price=col("l_extendedprice").sum(),
            sum_disc_price=col("disc_price").sum(),
            sum_charge=col("charge").sum(),
            avg_qty=col("l_quantity").mean(),
            avg_price=col("l_extendedprice").mean(),
            avg_disc=col("l_discount").mean(),
            count_order=pl.len(),
        )
        .sort("l_returnflag", "l_linestatus")
    )


def q2(scan):
    europe = (
        scan("part")
        .join(
            scan("partsupp").with_columns(floats("ps_supplycost")), left_on="p_partkey", right_on="ps_partkey"
        )
        .join(scan("supplier").with_columns(floats("s_acctbal")), left_on="ps_suppkey", right_on="s_suppkey")
        .join(scan("nation"), left_on="s_nationkey", right_on="n_nationkey")
        .join(scan("region"), left_on="n_regionkey", right_on="r_regionkey")
        .filter(col("r_name") == "EUROPE")
    )
    brass = europe.filter((col("p_size") == 15) & col("p_type").str.ends_with("BRASS"))
    cheapest = brass.group_by("p_partkey").agg(col("ps_supplycost").min())
    return (
        brass.join(cheapest, on=["p_partkey", "ps_supplycost"])
        .select("s_acctbal", "s_name", "n_name", "p_partkey", "p_mfgr", "s_address", "s_phone", "s_comment")
        .sort("s_acctbal", "n_name", "s_name", "p_partkey", descending=[True, False, False, False])
        .head(100)
    )


def q3(scan):
    return (
        scan("customer")
        .join(scan("orders"), left_on="c_custkey", right_on="o_custkey")
        .join(
            scan("lineitem").with_columns(floats("l_extendedprice", "l_discount")),
            left_on="o_orderkey",
            right_on="l_orderkey",
        )
        .filter(col("c_mktsegment") == "BUILDING")
        .filter(col("o_orderdate") < date(1995, 3, 15))
        .filter(col("l_shipdate") > date(1995, 3, 15))
        .with_columns(revenue=revenue())
        .group_by("o_orderkey", "o_orderdate", "o_shippriority")
        .agg(col("revenue").sum())
        .select(col("o_orderkey").alias("l_orderkey"), "revenue", "o_orderdate", "o_shippriority")
        .sort("revenue", "o_orderdate", descending=[True, False])
        .head(10)
    )


def q4(scan):
    late = scan("lineitem").filter(col("l_commitdate") < col("l_receiptdate"))
    return (
        scan("orders")
        .filter((col("o_orderdate") >= date(1993, 7, 1)) & (col("o_orderdate") < date(1993, 10, 1)))
        .join(late, left_on="o_orderkey", right_on="l_orderkey", how="semi")
        .group_by("o_orderpriority")
        .agg(order_count=pl.len())
        .sort("o_orderpriority")
    )


def q5(scan):
    return (
        scan("customer")
        .join(scan("orders"), left_on="c_custkey", right_on="o_custkey")
        .join(
            scan("lineitem").with_columns(floats("l_extendedprice", "l_discount")),
            left_on="o_orderkey",
            right_on="l_orderkey",
        )
        .join(scan("supplier"), left_on=["l_suppkey", "c_nationkey"], right_on=["s_suppkey", "s_nationkey"])
        .join(scan("nation"), left_on="c_nationkey", right_on="n_nationkey")
        .join(scan("region"), left_on="n_regionkey", right_on="r_regionkey")
        .filter(col("r_name") == "ASIA")
        .filter((col("o_orderdate") >= date(1994, 1, 1)) & (col("o_orderdate") < date(1995, 1, 1)))
        .with_columns(revenue=revenue())
        .group_by("n_name")
        .agg(col("revenue").sum())
        .sort("revenue", descending=True)
    )


def q6(scan):
    return (
        scan("lineitem")
        .with_columns(floats("l_quantity", "l_extendedprice", "l_discount"))
        .filter((col("l_shipdate") >= date(1994, 1, 1)) & (col("l_shipdate") < date(1995, 1, 1)))
        .filter(col("l_discount").is_between(0.05, 0.07))
        .filter(col("l_quantity") < 24)
        .select(revenue=(col("l_extendedprice") * col("l_discount")).sum())
    )


def q7(scan):
    nation = scan("nation")
    return (
        scan("supplier")
        .join(
            scan("lineitem").with_columns(floats("l_extendedprice", "l_discount")),
            left_on="s_suppkey",
            right_on="l_suppkey",
        )
        .join(scan("orders"), left_on="l_orderkey", right_on="o_orderkey")
        .join(scan("customer"), left_on="o_custkey", right_on="c_custkey")
        .join(
            nation.select("n_nationkey", supp_nation="n_name"), left_on="s_nationkey", right_on="n_nationkey"
        )
        .join(
            nation.select("n_nationkey", cust_nation="n_name"), left_on="c_nationkey", right_on="n_nationkey"
        )
        .filter(
            ((col("supp_nation") == "FRANCE") & (col("cust_nation") == "GERMANY"))
            | ((col("supp_nation") == "GERMANY") & (col("cust_nation") == "FRANCE"))
        )
        .filter(col("l_shipdate").is_between(date(1995, 1, 1), date(1996, 12, 31)))
        .with_columns(l_year=col("l_shipdate").dt.year(), volume=revenue())
        .group_by("supp_nation", "cust_nation", "l_year")
        .agg(revenue=col("volume").sum())
        .sort("supp_nation", "cust_nation", "l_year")
    )


def q8(scan):
    nation = scan("nation")
    return (
        scan("part")
        .join(
            scan("lineitem").with_columns(floats("l_extendedprice", "l_discount")),
            left_on="p_partkey",
            right_on="l_partkey",
        )
        .join(scan("supplier"), left_on="l_suppkey", right_on="s_suppkey")
        .join(scan("orders"), left_on="l_orderkey", right_on="o_orderkey")
        .join(scan("customer"), left_on="o_custkey", right_on="c_custkey")
        .join(nation.select("n_nationkey", "n_regionkey"), left_on="c_nationkey", right_on="n_nationkey")
        .join(scan("region"), left_on="n_regionkey", right_on="r_regionkey")
        .join(nation.select("n_nationkey", "n_name"), left_on="s_nationkey", right_on="n_nationkey")
        .filter(col("r_name") == "AMERICA")
        .filter(col("o_orderdate").is_between(date(1995, 1, 1), date(1996, 12, 31)))
        .filter(col("p_type") == "ECONOMY ANODIZED STEEL")
        .with_columns(o_year=col("o_orderdate").dt.year(), volume=revenue())
        .with_columns(brazil=pl.when(col("n_name") == "BRAZIL").then(col("volume")).otherwise(0.0))
        .group_by("o_year")
        .agg(mkt_share=col("brazil").sum() / col("volume").sum())
        .sort("o_year")
    )


def q9(scan):
    return (
        scan("part")
        .join(
            scan("lineitem").with_columns(floats("l_quantity", "l_extendedprice", "l_discount")),
            left_on="p_partkey",
            right_on="l_partkey",
        )
        .join(scan("supplier"), left_on="l_suppkey", right_on="s_suppkey")
        .join(
            scan("partsupp").with_columns(floats("ps_supplycost")),
            left_on=["l_suppkey", "p_partkey"],
            right_on=["ps_suppkey", "ps_partkey"],
        )
        .join(scan("orders"), left_on="l_orderkey", right_on="o_orderkey")
        .join(scan("nation"), left_on="s_nationkey", right_on="n_nationkey")
        .filter(col("p_name").str.contains("green", literal=True))
        .with_columns(
            o_year=col("o_orderdate").dt.year(),
            amount=revenue() - col("ps_supplycost") * col("l_quantity"),
        )
        .group_by(nation="n_name", o_year="o_year")
        .agg(sum_profit=col("amount").sum())
        .sort("nation", "o_year", descending=[False, True])
    )


def q10(scan):
    return (
        scan("customer")
        .with_columns(floats("c_acctbal"))
        .join(scan("orders"), left_on="c_custkey", right_on="o_custkey")
        .join(
            scan("lineitem").with_columns(floats("l_extendedprice", "l_discount")),
            left_on="o_orderkey",
            right_on="l_orderkey",
        )
        .join(scan("nation"), left_on="c_nationkey", right_on="n_nationkey")
        .filter((col("o_orderdate") >= date(1993, 10, 1)) & (col("o_orderdate") < date(1994, 1, 1)))
        .filter(col("l_returnflag") == "R")
        .with_columns(revenue=revenue())
        .group_by("c_custkey", "c_name", "c_acctbal", "c_phone", "n_name", "c_address", "c_comment")
        .agg(col("revenue").sum())
        .select("c_custkey", "c_name", "revenue", "c_acctbal", "n_name", "c_address", "c_phone", "c_comment")
        .sort("revenue", descending=True)
        .head(20)
    )


def q11(scan, scale):
    german = (
        scan("partsupp")
        .with_columns(floats("ps_supplycost"))
        .join(scan("supplier"), left_on="ps_suppkey", right_on="s_suppkey")
        .join(scan("nation"), left_on="s_nationkey", right_on="n_nationkey")
        .filter(col("n_name") == "GERMANY")
        .with_columns(value=col("ps_supplycost") * col("ps_availqty"))
    )
    limit = german.select(limit=col("value").sum() * 0.0001 / scale)
    return (
        german.group_by("ps_partkey")
        .agg(col("value").sum())
        .join(limit, how="cross")
        .filter(col("value") > col("limit"))
        .select("ps_partkey", "value")
        .sort("value", descending=True)
    )


def q12(scan):
    urgent = col("o_orderpriority").is_in(["1-URGENT", "2-HIGH"])
    return (
        scan("orders")
        .join(scan("lineitem"), left_on="o_orderkey", right_on="l_orderkey")
        .filter(col("l_shipmode").is_in(["MAIL", "SHIP"]))
        .filter(col("l_commitdate") < col("l_receiptdate"))
        .filter(col("l_shipdate") < col("l_commitdate"))
        .filter((col("l_receiptdate") >= date(1994, 1, 1)) & (col("l_receiptdate") < date(1995, 1, 1)))
        .group_by("l_shipmode")
        .agg(high_line_count=urgent.sum(), low_line_count=(~urgent).sum())
        .sort("l_shipmode")
    )


def q13(scan):
    orders = scan("orders").filter(~col("o_comment").str.contains("special.*requests"))
    return (
        scan("customer")
        .join(orders, left_on="c_custkey", right_on="o_custkey", how="left")
        .group_by("c_custkey")
        .agg(c_count=col("o_orderkey").count())
        .group_by("c_count")
        .agg(custdist=pl.len())
        .sort("custdist", "c_count", descending=True)
    )


def q14(scan):
    promotion = pl.when(col("p_type").str.starts_with("PROMO")).then(revenue()).otherwise(0.0)
    return (
        scan("lineitem")
        .with_columns(floats("l_extendedprice", "l_discount"))
        .join(scan("part"), left_on="l_partkey", right_on="p_partkey")
        .filter((col("l_shipdate") >= date(1995, 9, 1)) & (col("l_shipdate") < date(1995, 10, 1)))
        .select(promo_revenue=100.0 * promotion.sum() / revenue().sum())
    )


def q15(scan):
    revenues = (
        scan("lineitem")
        .with_columns(floats("l_extendedprice", "l_discount"))
        .filter((col("l_shipdate") >= date(1996, 1, 1)) & (col("l_shipdate") < date(1996, 4, 1)))
        .group_by("l_suppkey")
        .agg(total_revenue=revenue().sum())
    )
    return (
        scan("supplier")
        .join(revenues, left_on="s_suppkey", right_on="l_suppkey")
        .filter(col("total_revenue") == col("total_revenue").max())
        .select("s_suppkey", "s_name", "s_address", "s_phone", "total_revenue")
        .sort("s_suppkey")
    )


def q16(scan):
    complained = scan("supplier").filter(col("s_comment").str.contains("Customer.*Complaints"))
    return (
        scan("partsupp")
        .join(scan("part"), left_on="ps_partkey", right_on="p_partkey")
        .filter(col("p_brand") != "Brand#45")
        .filter(~col("p_type").str.starts_with("MEDIUM POLISHED"))
        .filter(col("p_size").is_in([49, 14, 23, 45, 19, 3, 36, 9]))
        .join(complained, left_on="ps_suppkey", right_on="s_suppkey", how="anti")
        .group_by("p_brand", "p_type", "p_size")
        .agg(supplier_cnt=col("ps_suppkey").n_unique())
        .sort("supplier_cnt", "p_brand", "p_type", "p_size", descending=[True, False, False, False])
    )


def q17(scan):
    lineitem = scan("lineitem").with_columns(floats("l_quantity", "l_extendedprice"))
    averages = lineitem.group_by("l_partkey").agg(average=col("l_quantity").mean())
    return (
        lineitem.join(scan("part"), left_on="l_partkey", right_on="p_partkey")
        .filter(col("p_brand") == "Brand#23")
        .filter(col("p_container") == "MED BOX")
        .join(averages, on="l_partkey")
        .filter(col("l_quantity") < 0.2 * col("average"))
        .select(avg_yearly=col("l_extendedprice").sum() / 7.0)
    )


def q18(scan):
    lineitem = scan("lineitem").with_columns(floats("l_quantity"))
    large = lineitem.group_by("l_orderkey").agg(col("l_quantity").sum()).filter(col("l_quantity") > 300)
    return (
        scan("customer")
        .join(scan("orders").with_columns(floats("o_totalprice")), left_on="c_custkey", right_on="o_custkey")
        .join(lineitem, left_on="o_orderkey", right_on="l_orderkey")
        .join(large, left_on="o_orderkey", right_on="l_orderkey", how="semi")
        .group_by("c_name", "c_custkey", "o_orderkey", "o_orderdate", "o_totalprice")
        .agg(col("l_quantity").sum())
        .sort("o_totalprice", "o_orderdate", descending=[True, False])
        .head(100)
    )


def q19(scan):
    def kind(brand, containers, least, size):
        return (
            (col("p_brand") == brand)
            & col("p_container").is_in(containers)
            & col("l_quantity").is_between(least, least + 10)
            & col("p_size").is_between(1, size)
            & col("l_shipmode").is_in(["AIR", "AIR REG"])
            & (col("l_shipinstruct") == "DELIVER IN PERSON")
        )

    return (
        scan("lineitem")
        .with_columns(floats("l_quantity", "l_extendedprice", "l_discount"))
        .join(scan("part"), left_on="l_partkey", right_on="p_partkey")
        .filter(
            kind("Brand#12", ["SM CASE", "SM BOX", "SM PACK", "SM PKG"], 1, 5)
            | kind("Brand#23", ["MED BAG", "MED BOX", "MED PKG", "MED PACK"], 10, 10)
            | kind("Brand#34", ["LG CASE", "LG BOX", "LG PACK", "LG PKG"], 20, 15)
        )
        .select(revenue=revenue().sum())
    )


def q20(scan):
    forest = scan("part").filter(col("p_name").str.starts_with("forest"))
    quantities = (
        scan("lineitem")
        .with_columns(floats("l_quantity"))
        .filter((col("l_shipdate") >= date(1994, 1, 1)) & (col("l_shipdate") < date(1995, 1, 1)))
        .group_by("l_partkey", "l_suppkey")
        .agg(col("l_quantity").sum())
    )
    stocked = (
        scan("partsupp")
        .join(forest, left_on="ps_partkey", right_on="p_partkey", how="semi")
        .join(quantities, left_on=["ps_partkey", "ps_suppkey"], right_on=["l_partkey", "l_suppkey"])
        .filter(col("ps_availqty") > 0.5 * col("l_quantity"))
    )
    return (
        scan("supplier")
        .join(scan("nation"), left_on="s_nationkey", right_on="n_nationkey")
        .join(stocked, left_on="s_suppkey", right_on="ps_suppkey", how="semi")
        .filter(col("n_name") == "CANADA")
        .select("s_name", "s_address")
        .sort("s_name")
    )


def q21(scan):
    lineitem = scan("lineitem")
    late = lineitem.filter(col("l_receiptdate") > col("l_commitdate"))
    suppliers = lineitem.group_by("l_orderkey").agg(suppliers=col("l_suppkey").n_unique())
    late_suppliers = late.group_by("l_orderkey").agg(late_suppliers=col("l_suppkey").n_unique())
    return (
        scan("supplier")
        .join(late, left_on="s_suppkey", right_on="l_suppkey")
        .join(scan("orders"), left_on="l_orderkey", right_on="o_orderkey")
        .join(scan("nation"), left_on="s_nationkey", right_on="n_nationkey")
        .join(suppliers, on="l_orderkey")
        .join(late_suppliers, on="l_orderkey")
        .filter(col("o_orderstatus") == "F")
        .filter(col("suppliers") > 1)
        .filter(col("late_suppliers") == 1)
        .filter(col("n_name") == "SAUDI ARABIA")
        .group_by("s_name")
        .agg(numwait=pl.len())
        .sort("numwait", "s_name", descending=[True, False])
        .head(100)
    )


def q22(scan):
    customer = (
        scan("customer")
        .with_columns(floats("c_acctbal"))
        .with_columns(cntrycode=col("c_phone").str.slice(0, 2))
        .filter(col("cntrycode").is_in(["13", "31", "23", "29", "30", "18", "17"]))
    )
    average = customer.filter(col("c_acctbal") > 0).select(average=col("c_acctbal").mean())
    return (
        customer.join(average, how="cross")
        .filter(col("c_acctbal") > col("average"))
        .join(scan("orders"), left_on="c_custkey", right_on="o_custkey", how="anti")
        .group_by("cntrycode")
        .agg(numcust=pl.len(), totacctbal=col("c_acctbal").sum())
        .sort("cntrycode")
    )


QUERIES = {number: globals()[f"q{number}"] for number in range(1, 23)}
