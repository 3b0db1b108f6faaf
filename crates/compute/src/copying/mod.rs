//! Moving rows: gather, scatter, copy-if-else.
