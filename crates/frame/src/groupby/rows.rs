//! What group-by gives for every row: its number, its neighbours, its rank and running totals.
//!
//! Results have the rows and labels of the frame; rows in no group are missing there.

use cuprum_column::null_mask;
use cuprum_column::{Column, Context, Device, Error, HostUVec, Native, Result, dispatch_storage};
use cuprum_compute::copying::NarrowRows;
use cuprum_compute::reduce::{Aggregation, CumulativeOp};
use cuprum_compute::replace::FillDirection;
use cuprum_compute::unary::cast;

use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame, resolve_slice};
use crate::groupby::GroupBy;
use crate::label::Label;
use crate::operations::rank::{RankOptions, rank_within};
use crate::series::Series;
use crate::types::TypedColumn;

/// The rows that are in groups: group after group in the order of results, ascending in each.
#[derive(Debug)]
pub(super) struct GroupedRows {
    rows: Vec<u32>,
    /// Where each group starts in `rows`, and the end of the last one.
    starts: Vec<usize>,
}

impl GroupedRows {
    /// Sorts the rows by `place[ids[row]]`, which is below `places`, counting.
    pub(super) fn new(ids: &[u32], place: &[usize], places: usize) -> Self {
        let mut starts = vec![0; places + 1];
        let place_of = |id: u32| place.get(id as usize).copied();
        for place in ids.iter().filter_map(|&id| place_of(id)) {
            starts[place + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let mut rows = vec![0; starts[places]];
        for (row, &id) in ids.iter().enumerate() {
            if let Some(place) = place_of(id) {
                rows[next[place]] = row as u32;
                next[place] += 1;
            }
        }
        Self { rows, starts }
    }

    fn groups(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.windows(2).map(|ends| &self.rows[ends[0]..ends[1]])
    }
}

/// No row: outside of every column, so that [`gather_column`] makes it null.
const NONE: u32 = u32::MAX;

impl GroupBy {
    /// The rows that are in groups, group after group in the order of results, and how many each has.
    pub fn rows_by_group(&self) -> Result<(Column, Vec<usize>)> {
        let grouped = self.grouped_rows()?;
        let sizes = grouped.groups().map(<[u32]>::len).collect();
        Ok((Column::from_slice(&grouped.rows, &self.keys.context()?)?, sizes))
    }

    /// True for the rows at `start..stop` of their group, with Python's meaning of negative ends.
    pub fn rows_at(&self, start: Option<i64>, stop: Option<i64>) -> Result<Column> {
        let mut chosen = vec![false; self.frame.num_rows()];
        for group in self.grouped_rows()?.groups() {
            let (first, count, _) = resolve_slice(start, stop, None, group.len())?;
            for &row in &group[first..first + count] {
                chosen[row as usize] = true;
            }
        }
        Column::from_bools(&chosen, &self.keys.context()?)
    }

    /// The number of every row in its group, from 0; counted from the last one if not `ascending`.
    pub fn cumcount(&self, ascending: bool) -> Result<Series> {
        let mut numbers = vec![None; self.frame.num_rows()];
        for group in self.grouped_rows()?.groups() {
            for (i, &row) in group.iter().enumerate() {
                numbers[row as usize] = Some(if ascending { i } else { group.len() - 1 - i } as i64);
            }
        }
        let numbers = Column::from_options(&numbers, &self.keys.context()?)?;
        Series::new(numbers, None, self.frame.index().clone())
    }

    /// Elements `periods` rows further down in their group (up, for negative); missing where there
    /// was none.
    pub fn shift(&self, inputs: &[Label], periods: i64) -> Result<DataFrame> {
        self.gather_within(inputs, |_, group, sources| {
            for (i, &row) in group.iter().enumerate() {
                let from = usize::try_from((i as i64).saturating_sub(periods)).ok();
                sources[row as usize] = from.and_then(|i| group.get(i)).copied().unwrap_or(NONE);
            }
        })
    }

    /// Missing elements replaced by the nearest element before or after them in their group.
    pub fn fill_from_neighbours(&self, inputs: &[Label], direction: FillDirection) -> Result<DataFrame> {
        self.gather_within(inputs, |missing, group, sources| {
            let mut last = NONE;
            let mut fill = |row: u32| {
                if !missing[row as usize] {
                    last = row;
                }
                sources[row as usize] = last;
            };
            match direction {
                FillDirection::Forward => group.iter().copied().for_each(&mut fill),
                FillDirection::Backward => group.iter().rev().copied().for_each(&mut fill),
            }
        })
    }

    /// The rank of every element in its group; see [`mod@crate::operations::rank`].
    pub fn rank(&self, inputs: &[Label], options: RankOptions) -> Result<DataFrame> {
        let ids = self.groups()?.grouping.ids.to_host()?;
        let view = ids.view()?;
        let ids = NarrowRows::new("ids", &view, &Context::beside(Device::Cpu)?)?;
        self.map_inputs(inputs, |column| {
            TypedColumn::computed(rank_within(column.ordered("rank")?, Some(&ids), options))
        })
    }

    /// Running sums, products, minima or maxima of every group; missing elements stay missing and
    /// are skipped. Types as of [`cumulative`](cuprum_compute::reduce::cumulative).
    pub fn cumulative(&self, inputs: &[Label], op: CumulativeOp) -> Result<DataFrame> {
        let grouping = &self.groups()?.grouping;
        let ids = grouping.ids.to_host()?;
        let view = ids.view()?;
        let ids = NarrowRows::new("ids", &view, &Context::beside(Device::Cpu)?)?;
        self.map_inputs(inputs, |column| {
            let data = column.values(format_args!("cumulative {op:?}"))?;
            let totals = cumulative(data, op, &ids, grouping.num_groups);
            TypedColumn::computed(totals.map_err(|e| e.context("running totals")))
        })
    }

    fn map_inputs(
        &self,
        inputs: &[Label],
        f: impl Fn(&TypedColumn) -> Result<TypedColumn>,
    ) -> Result<DataFrame> {
        let chosen = self.frame.select(inputs)?;
        let ctx = self.keys.context()?;
        let columns = chosen.accessor().iter().map(|(label, column)| {
            ctx.check()?;
            f(column).map_err(|e| e.context(format!("column '{label}'")))
        });
        chosen.replace_columns(columns.collect::<Result<_>>()?)
    }

    /// Every element taken from another row of its group: `f` gets what is missing in the column and
    /// the rows of a group, and sets the source of each.
    fn gather_within(&self, inputs: &[Label], f: impl Fn(&[bool], &[u32], &mut [u32])) -> Result<DataFrame> {
        let ctx = self.keys.context()?;
        let grouped = self.grouped_rows()?;
        self.map_inputs(inputs, |column| {
            let missing = column.missing()?.to_host()?;
            let missing: Vec<bool> = missing.view()?.values::<u8>()?.iter().map(|&m| m != 0).collect();
            let mut sources = vec![NONE; column.len()];
            for group in grouped.groups() {
                f(&missing, group, &mut sources);
            }
            column.take_or_null(&Column::from_slice(&sources, &ctx)?)
        })
    }
}

fn cumulative(column: &Column, op: CumulativeOp, ids: &[u32], num_groups: usize) -> Result<Column> {
    let of = column.data_type();
    let data_type = match op {
        CumulativeOp::Sum => Aggregation::Sum.result_type(of)?,
        CumulativeOp::Product => Aggregation::Product.result_type(of)?,
        CumulativeOp::Min | CumulativeOp::Max => of,
    };
    if !(data_type.is_numeric() || data_type.is_chrono()) {
        return Err(Error::data_type(format!("cumulative {op:?} does not take {of}")));
    }
    let ctx = Context::beside(Device::Cpu)?;
    let here = column.context()?;
    let column = cast(&column.to_host()?, data_type, &ctx)?;
    let values = dispatch_storage!(data_type, T => {
        let combine: fn(T, T) -> T = match op {
            CumulativeOp::Sum => sum,
            CumulativeOp::Product => product,
            CumulativeOp::Min => |a, b| if b < a { b } else { a },
            CumulativeOp::Max => |a, b| if b > a { b } else { a },
        };
        let values = scan::<T>(&column, ids, num_groups, combine)?;
        Column::new(data_type, HostUVec::from_slice(&values, &ctx)?, None)?
    }, else => unreachable!("numbers and times only"));
    let view = column.view()?;
    let valid = view.validity();
    let inside = |row: usize| ids[row] != u32::MAX && valid.is_none_or(|bits| bits.get(row));
    values.with_mask(Some(null_mask::from_fn(column.len(), &ctx, inside)?), &ctx)?.to_device(&here)
}

/// The combination of the elements of the row's group up to each row; missing elements as they are.
fn scan<T: Native>(
    column: &Column,
    ids: &[u32],
    num_groups: usize,
    combine: fn(T, T) -> T,
) -> Result<Vec<T>> {
    let view = column.view()?;
    let (mut values, valid) = (view.values::<T>()?.to_vec(), view.validity());
    let mut totals: Vec<Option<T>> = vec![None; num_groups];
    for (row, value) in values.iter_mut().enumerate() {
        let present = !value.is_nan() && valid.is_none_or(|bits| bits.get(row));
        let Some(total) = totals.get_mut(ids[row] as usize).filter(|_| present) else { continue };
        *value = total.map_or(*value, |t| combine(t, *value));
        *total = Some(*value);
    }
    Ok(values)
}

fn sum<T: Native>(a: T, b: T) -> T {
    if T::IS_FLOAT {
        T::from_f64(a.as_f64() + b.as_f64())
    } else {
        T::from_i64(a.as_i64().wrapping_add(b.as_i64()))
    }
}

fn product<T: Native>(a: T, b: T) -> T {
    if T::IS_FLOAT {
        T::from_f64(a.as_f64() * b.as_f64())
    } else {
        T::from_i64(a.as_i64().wrapping_mul(b.as_i64()))
    }
}
