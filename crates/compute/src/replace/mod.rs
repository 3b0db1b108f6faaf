//! Replacing nulls and values.
