//! One column in, one column out, element by element: casts, null tests, mathematics.
