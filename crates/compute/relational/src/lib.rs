//! Tables from tables: expressions, joins, filters, distinct rows.
//!
//! | module | subject |
//! |---|---|
//! | [`expression`] | formulas: typed trees over columns, one pass over memory. |
//! | [`join`] | pairs of rows with equal keys. |
//! | [`labeling`] | values labelled by the bins that they are in. |
//! | [`merge`] | sorted tables as one sorted table. |
//! | [`stream_compaction`] | keeping some rows: boolean masks, dropping nulls, distinct rows. |

pub mod expression;
pub mod join;
pub mod labeling;
pub mod merge;
pub mod stream_compaction;
