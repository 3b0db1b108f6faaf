//! Reading and writing Parquet.
