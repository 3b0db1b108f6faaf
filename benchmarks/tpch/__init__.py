"""The 22 queries of TPC-H, for `benchmarks/tpch.py`: a file for each way of writing them."""
