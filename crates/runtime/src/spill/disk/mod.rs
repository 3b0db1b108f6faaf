//! The last tier: bytes on disk.
//!
//! One file per process and directory. It has no name, so the kernel removes it with the process,
//! however that ends, and no other process can open it by accident. Spilled memory lies in [`Extent`]s of
//! that file; dropping one gives its space back to the disk. Every block of an extent
//! has a checksum in memory, and no byte is handed out before the checksum of its block was seen to
//! be right: a disk that lies, a file that somebody truncates and a forked process that reads what
//! its parent has overwritten give an error and never other data.
//!
//! | file | subject |
//! |---|---|
//! | [`file`](mod@file) | the file, and whose it is |
//! | [`extent`] | blocks and their checksums: the interface |
//! | [`region`] | a piece of the file: bytes in and out, given back when dropped |
//! | [`space`] | which pieces of the file are free |
//! | [`workers`] | transfers on several threads |

mod extent;
mod file;
mod region;
mod space;
#[cfg(test)]
mod tests;
mod workers;

pub(crate) use extent::Extent;
pub(crate) use file::SpillFile;
