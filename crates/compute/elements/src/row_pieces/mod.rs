//! Row pieces: any number of pieces for each row, one row's after the other's, as lists have elements.

mod cpu;
pub mod cuda;

pub use cpu::*;
