//! Access to elements: operands with their validity, chunks of one type, strings, and bytes of a width.

mod chunks;
mod operand;
mod strings;
mod times;
mod wide;
mod widths;

pub use chunks::{CHUNK, FillMorsel, Input, Outgoing, PIECE, chunk_buffer, convert};
pub use operand::OperandView;
pub use operand::{MovedOperand, Operand};
pub use strings::Texts;
pub use times::{duration_sum, time_scalar};
pub use wide::{each, each_pair, each_pair_plain, each_triple, widened};
pub use widths::{columns_at_once, dispatch_width, typed_slice, uninit_elements};
