//! Columns and tables end to end.
