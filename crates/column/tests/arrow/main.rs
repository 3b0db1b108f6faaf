//! Arrow in and out.

mod arrays;
mod c_data;
mod fuzz;
mod raw;
