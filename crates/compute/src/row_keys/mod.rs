//! Rows of any key columns as integers that are equal exactly when the rows are.
