//! Reading and writing CSV.
