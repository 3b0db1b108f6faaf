//! Levels and codes: a `MultiIndex` as the different labels of every level and where each row has them.
//!
//! The columns of labels are what is stored and selected from; levels are kept beside them, and codes are
//! found when they are asked for.

use std::sync::Arc;

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, Table};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying::{OutOfBoundsPolicy, copy_if_else, gather_column};
use cuprum_compute::filling;
use cuprum_compute::join::{JoinKind, join};
use cuprum_compute::sorting::{NullOrder, Order, sorted_order};
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_rows};
use cuprum_compute::stream_compaction::drop_nulls;
use cuprum_compute::unary::cast;

use super::{Index, Labels};
use crate::types::{Dtype, TypedColumn};

impl Index {
    /// The different labels of a level: in the order that was given, else ascending; missing ones are none of
    /// them, but for those of groups, which come last. Rows that are selected from a `MultiIndex` keep its levels, with the labels that no row has any
    /// more.
    pub fn levels(&self, level: usize) -> Result<TypedColumn> {
        let Labels::Columns(levels) = &self.labels else { return different(&self.level(level)?) };
        let all = levels.origin.as_ref().unwrap_or(levels);
        let (Some(known), Some(column)) = (all.uniques.get(level), all.columns.get(level)) else {
            return Err(Error::out_of_range(format!(
                "level {level} of an index of {} levels",
                self.num_levels()
            )));
        };
        if let Some(known) = known.get() {
            return Ok(known.clone());
        }
        let found = different(column)?;
        Ok(known.get_or_init(|| found).clone())
    }

    /// For every row, where its label is among [`levels`](Self::levels), -1 for missing ones: in the smallest
    /// signed integers that hold it.
    pub fn codes(&self, level: usize) -> Result<Column> {
        let keys = |labels: &TypedColumn| Table::new(vec![labels.keys("codes")?.clone()]);
        let (labels, known) = (keys(&self.level(level)?)?, keys(&self.levels(level)?)?);
        let ctx = labels.context()?;
        let rows = cast(&join(&labels, &known, JoinKind::Left, true, &ctx)?.1, DataType::Int64, &ctx)?;
        // Rows without a partner are below 0, which one of them need not be −1.
        let absent = binary_operation(&rows, &Scalar::from(0i64), BinaryOperator::Less, &ctx)?;
        let codes = copy_if_else(&Scalar::from(-1i64), &rows, &absent, &ctx)?;
        let small = match known.num_rows() {
            0..0x7f => DataType::Int8,
            0x7f..0x7fff => DataType::Int16,
            0x7fff..0x7fff_ffff => DataType::Int32,
            _ => DataType::Int64,
        };
        cast(&codes, small, &ctx)
    }

    /// The same labels, with the missing ones of every level that has some as the last of its different labels.
    pub(crate) fn with_missing_labels(&self) -> Result<Self> {
        let level = |level: usize| -> Result<Option<TypedColumn>> {
            let labels = self.level(level)?;
            if labels.null_count()? == 0 {
                return Ok(None);
            }
            let known = self.levels(level)?;
            let beyond = filling::sequence(0, 1, known.len() + 1, &labels.context()?)?;
            known.take_or_null(&beyond).map(Some)
        };
        Ok(self.with_levels((0..self.num_levels()).map(level).collect::<Result<_>>()?))
    }

    /// Whether missing labels are known to be among the different ones of a level.
    pub(crate) fn has_missing_label(&self, level: usize) -> bool {
        let Labels::Columns(levels) = &self.labels else { return false };
        let all = levels.origin.as_ref().unwrap_or(levels);
        let known = all.uniques.get(level).and_then(|known| known.get());
        known.is_some_and(|known| known.data().is_ok_and(Column::has_nulls))
    }

    /// Some of the levels, by their numbers, in this order.
    pub fn select_levels(&self, levels: &[usize]) -> Result<Self> {
        let all = self.columns()?;
        let columns = levels.iter().map(|&level| all[level].clone()).collect();
        Self::from_columns(columns, levels.iter().map(|&level| self.names()[level].clone()).collect())
    }

    /// The same labels with other levels: `levels[i]`, where there is one, has all labels of level `i` once.
    pub fn with_levels(&self, given: Vec<Option<TypedColumn>>) -> Self {
        let Labels::Columns(levels) = &self.labels else { return self.clone() };
        let mut named = levels.like(levels.columns.clone());
        named.origin = None;
        for (slot, level) in named.uniques.iter_mut().zip(given) {
            slot.take();
            if let Some(level) = level {
                let _ = slot.set(level);
            }
        }
        self.relabelled(Labels::Columns(Arc::new(named)))
    }
}

/// The different elements that are not missing, ascending; of categories all, in their order.
fn different(column: &TypedColumn) -> Result<TypedColumn> {
    let ctx = column.context()?;
    if let Dtype::Categorical(kind) = column.dtype() {
        return kind.from_codes(&filling::sequence(0, 1, kind.categories().len(), &ctx)?);
    }
    column.ordered("levels")?;
    column.moved(|data| different_stored(data, &ctx))
}

fn different_stored(column: &Column, ctx: &Context) -> Result<Column> {
    let rows = distinct_rows(&Table::new(vec![column.clone()])?, Keep::First, true, ctx)?;
    let once = gather_column(column, &rows, OutOfBoundsPolicy::Check, ctx)?;
    let once = drop_nulls(&Table::new(vec![once])?, &[0], 1, true, ctx)?;
    let order = sorted_order(&once, &[Order::Ascending], NullOrder::Last, ctx)?;
    gather_column(&once.columns()[0], &order, OutOfBoundsPolicy::Check, ctx)
}
