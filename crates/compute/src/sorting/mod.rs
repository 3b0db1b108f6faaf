//! Sorting rows: order, sort, top rows.
