//! Columns from columns of as many rows: operators, casts, copying, filling.
//!
//! | module | subject |
//! |---|---|
//! | [`binaryop`] | two operands in, one column out, element by element. |
//! | [`copying`] | moving rows: gather, scatter, copy-if-else. |
//! | [`filling`] | columns from a rule: sequences, repetition. |
//! | [`reshape`] | the same values in another shape: interleaved, transposed, one column for each category. |
//! | [`transform`] | functions of users, written in CUDA C++, over elements. |
//! | [`unary`] | one column in, one column out, element by element: casts, null tests, mathematics. |

pub mod binaryop;
pub mod copying;
pub mod filling;
pub mod reshape;
pub mod transform;
pub mod unary;
