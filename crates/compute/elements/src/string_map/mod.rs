//! A function of every row of a column of texts, and columns of texts that are made row by row.

mod cpu;
pub mod cuda;

pub use cpu::*;
