//! Two operands in, one column out, element by element.
