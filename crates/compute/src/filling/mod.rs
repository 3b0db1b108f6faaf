//! Columns from a rule: sequences, repetition.
