//! A column to one value.
