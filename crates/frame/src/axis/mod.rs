//! Operands along an axis: the other side of an operation of frames, matched with it once and by position.
//!
//! An [`Operand`] is one value, values along the rows or the columns (by position or by label), one row of a frame, or
//! a whole frame. Operations that take one ask it for the operand of each column, and know of labels nothing
//! more.
//!
//! | file | subject |
//! |---|---|
//! | `operand` | [`Operand`], resolved against a frame |
//! | `places` | labels of an axis found among others, by position where both are the same |
//! | `conditions` | `where`, `mask` and `between` |
//! | `limits` | `clip` |
//! | `missing` | `fillna` |
//! | `operators` | arithmetic, comparisons, logic |
//! | `joined_labels` | `align`: the labels of two frames joined |
//! | `combine` | `combine_first` and `update` |
//! | `compare` | `compare` |
//!
//! **Repeated labels**: operands whose labels are those of the frame, in the same order, are matched by position, so
//! labels may repeat. Otherwise labels of the frame may repeat, each of them being found alike, and those of the operand
//! may not: they are refused with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) ("duplicate labels").
//! Where the result has the labels of either side (operators, `align`, `combine_first`), a label that repeats pairs each
//! of its places with each of the other side.
//!
//! ```
//! use cuprum::axis::{Axis, Operand};
//! use cuprum::prelude::*;
//! # fn main() -> cuprum::Result<()> {
//! let frame = cuprum::df! { "a" => [1.0, 5.0], "b" => [7.0, 2.0] }?;
//! let most = cuprum::df! { "b" => [3.0], "a" => [4.0] }?;
//! let limited = frame.clip_with(Operand::Missing, Operand::Row(&most))?;
//! assert_eq!(limited.column("a")?.get(1)?.as_f64(), Some(4.0));
//! assert_eq!(limited.column("b")?.get(0)?.as_f64(), Some(3.0));
//! # Ok(())
//! # }
//! ```

mod combine;
mod compare;
pub mod conditions;
mod joined_labels;
mod limits;
mod missing;
mod operand;
mod operators;
mod places;

pub use combine::{Aligned, UpdateOptions};
pub use compare::CompareOptions;
pub(crate) use joined_labels::{JoinOrder, joined};
pub use missing::Fill;
pub use operand::{Axis, Operand};
pub use operators::OperatorOptions;
