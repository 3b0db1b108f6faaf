//! Parts, rounding, parsing and printing of times.
