//! Aggregation on the CPU: which statistics a column needs, one pass for them, and the results.

use std::cmp::Ordering;
use std::collections::HashMap;

use cuprum_column::{
    Buffer, Column, Context, DataType, Error, HostUVec, Result, StringsView, TimeUnit, dispatch_storage,
    null_mask, strings,
};
use cuprum_runtime::primitives::Bits;
use cuprum_runtime::{Device, spill};

use super::grouping::Grouping;
use super::result_type::result_type;
use super::{distinct_values, select};
use crate::accumulation::cpu::accumulators::{Accumulators, fold_later, in_runs, slices};
use crate::accumulation::cpu::block::{Accumulable, Unit, Widen};
use crate::accumulation::cpu::grouped::Grouped;
use crate::accumulation::cpu::layout::AccumulationLayout;
use crate::accumulation::cpu::layout_tuning::LayoutTuning;
use crate::accumulation::cpu::load::{blocks, blocks_of};
use crate::accumulation::cpu::moved_values::Mover;
use crate::accumulation::cpu::passes::{self, AnyStatistics};
use crate::accumulation::cpu::segments::Segments;
use crate::accumulation::cpu::wants::{Wants, is_wide, wanted, wants};
use crate::aggregation::Aggregation;
use cuprum_elements::row_numbers::NarrowRows;
use cuprum_keys::equality::cpu::hash_table::NONE;
use cuprum_keys::flatten::is_flattened;
use cuprum_keys::group_csr::Fetch;

/// The state that all columns of a request share.
struct Job<'a> {
    grouping: Grouped<'a>,
    layout: AccumulationLayout<'a>,
    /// Rows of every group, once they are asked for.
    sizes: Option<Segments<'a, HostUVec<u32>>>,
    /// The number of rows to list or to group at a time, where memory is limited.
    rows_at_once: Option<usize>,
    ctx: &'a Context,
}

/// See [`super::aggregate`].
pub(super) fn aggregate_groups(
    grouping: &Grouping,
    requests: &[(&Column, Aggregation)],
    ctx: &Context,
) -> Result<Vec<Column>> {
    let nested = |(column, _): &(&Column, Aggregation)| is_flattened(column);
    let exact = |(column, how): &(&Column, Aggregation)| match how {
        Aggregation::Sum | Aggregation::Mean | Aggregation::Min | Aggregation::Max => {
            column.data_type().is_decimal()
        }
        // No accumulator takes elements of 128 bits.
        Aggregation::Count
        | Aggregation::Size
        | Aggregation::NUnique
        | Aggregation::First
        | Aggregation::Last => matches!(column.data_type(), DataType::Decimal128(_)),
        _ => false,
    };
    let by_list = |how: Aggregation| matches!(how, Aggregation::Median | Aggregation::Quantile(_));
    let tuning = LayoutTuning::within(spill::budget(Device::Cpu), grouping.num_rows());
    // Rows that are in parts have numbers only where somebody looks at them. The number of groups is anybody's to change.
    let parted =
        grouping.parted().filter(|parted| tuning.listed.is_none() && parted.len() == grouping.num_groups);
    let by_row = |request: &(&Column, Aggregation)| {
        exact(request) || nested(request) || request.1 == Aggregation::NUnique
    };
    let by_row = requests.iter().any(by_row);
    let coded = grouping
        .coded()
        .filter(|_| !by_row && tuning.listed.is_none() && grouping.num_groups <= tuning.chunks_up_to);
    let listed = parted.is_none() || requests.iter().any(|request| by_list(request.1));
    let none = Column::empty(DataType::Int32);
    let ids = if by_row || (coded.is_none() && listed) { grouping.ids(ctx)? } else { &none };
    let ids = ids.view()?;
    let ids = NarrowRows::new("grouping.ids", &ids, ctx)?;
    let grouped = Grouped { ids: &ids, groups: grouping.num_groups, parted, coded };
    if !requests.iter().any(|request| exact(request) || nested(request)) {
        return aggregate(grouped, requests, tuning, ctx);
    }
    let others: Vec<_> =
        requests.iter().filter(|request| !exact(request) && !nested(request)).copied().collect();
    let mut others = aggregate(grouped, &others, tuning, ctx)?.into_iter();
    let result = |request: &(&Column, Aggregation)| {
        if nested(request) {
            return super::nested::aggregate(grouped, request.0, request.1, tuning, ctx);
        }
        if exact(request) {
            if request.1 == Aggregation::NUnique {
                return distinct_values::distinct(grouped, request.0, None, ctx);
            }
            return super::decimals::aggregate(&ids, grouping.num_groups, request.0, request.1, ctx);
        }
        others.next().ok_or_else(|| Error::logic("a result for each request"))
    };
    requests.iter().map(result).collect()
}

pub(super) fn aggregate(
    grouping: Grouped<'_>,
    requests: &[(&Column, Aggregation)],
    tuning: LayoutTuning,
    ctx: &Context,
) -> Result<Vec<Column>> {
    let layout = AccumulationLayout::new(grouping, tuning, ctx)?;
    let mut columns: Vec<(&Column, Vec<(usize, Aggregation)>)> = Vec::new();
    // Positions in `columns`, by one buffer of the column, to find those of the same memory.
    let mut alike: HashMap<(usize, usize, usize), Vec<usize>> = HashMap::new();
    for (i, (column, how)) in requests.iter().enumerate() {
        let data = column.data().or_else(|| column.children().iter().rev().find_map(Column::data));
        let known =
            alike.entry((data.map_or(0, Buffer::allocation_id), column.offset(), column.len())).or_default();
        match known.iter().find(|&&at| column.is_same_memory(columns[at].0)) {
            Some(&at) => columns[at].1.push((i, *how)),
            None => {
                known.push(columns.len());
                columns.push((column, vec![(i, *how)]));
            }
        }
    }
    let passed = passes::statistics(&columns, &layout, tuning.listed, ctx)?;
    let mut job = Job { grouping, layout, sizes: None, rows_at_once: tuning.listed, ctx };
    let mut results: Vec<Option<Column>> = vec![None; requests.len()];
    for ((column, together), passed) in columns.into_iter().zip(passed) {
        let done = match column.data_type() {
            DataType::String => job.strings(column, &together)?,
            data_type => dispatch_storage!(data_type, T => job.fixed::<T>(column, &together, passed)?,
                else => Vec::new()),
        };
        for ((i, _), result) in together.iter().zip(done) {
            results[*i] = Some(result);
        }
    }
    results.into_iter().map(|r| r.ok_or_else(|| Error::logic("a request without a result"))).collect()
}

/// Passes the values of a unit's rows block by block: groups and widened values.
type Load<'l, N> = dyn Fn(&Unit<'_>, &mut dyn FnMut(&[u32], &[N])) + Sync + 'l;

/// The state that all requests on one column share, whatever its stored type.
struct ColumnJob<'c, 'a, N: Accumulable> {
    data_type: DataType,
    /// Whether any value may be missing; else sizes are counts.
    missing: bool,
    /// Integers are summed exactly, in 128 bits, for their mean.
    wide: bool,
    stats: Segments<'a, Accumulators<N>>,
    load: &'c Load<'c, f64>,
    mover: &'c Mover<'c>,
    fetch: &'c Fetch<'c, N>,
    column: &'c Column,
}

impl<'a> Job<'a> {
    fn groups(&self) -> usize {
        self.grouping.groups
    }

    fn count_sizes(&mut self) -> Result<()> {
        if self.sizes.is_none() {
            let sizes = self.layout.run(
                self.ctx,
                None,
                &|groups| HostUVec::zeroed(groups, self.ctx),
                &|unit, sizes| {
                    if in_runs(unit.ids) {
                        for run in unit.ids.chunk_by(|a, b| a == b) {
                            if let Some(size) = sizes.get_mut(run[0] as usize) {
                                *size += run.len() as u32;
                            }
                        }
                        return;
                    }
                    for id in unit.ids {
                        if let Some(size) = sizes.get_mut(*id as usize) {
                            *size += 1;
                        }
                    }
                },
                &|sizes, later| fold_later(sizes, &slices(later), |a, b| a + b),
            )?;
            self.sizes = Some(sizes);
        }
        Ok(())
    }

    /// One pass over the values.
    fn statistics<N: Accumulable>(
        &self,
        load: &Load<'_, N>,
        mover: &Mover<'_>,
        wants: Wants,
    ) -> Result<Segments<'a, Accumulators<N>>> {
        self.layout.run(
            self.ctx,
            (wants != Wants::default()).then_some(mover),
            &|groups| Accumulators::new(wants, groups, self.ctx),
            &|unit, accumulators| {
                if wants != Wants::default() {
                    load(unit, &mut |ids, values| accumulators.update(ids, values));
                }
            },
            &|accumulators, later| accumulators.merge(&later.iter().collect::<Vec<_>>()),
        )
    }

    /// Sums of deviations from the means, which are those of the groups in the layout's order, and of their squares:
    /// the second pass of the variance.
    fn deviations(
        &self,
        load: &Load<'_, f64>,
        mover: &Mover<'_>,
        means: &[f64],
    ) -> Result<Segments<'a, HostUVec<[f64; 2]>>> {
        self.layout.run(
            self.ctx,
            Some(mover),
            &|groups| HostUVec::zeroed(groups, self.ctx),
            &|unit, sums| {
                let means = &means[unit.groups.clone()];
                load(unit, &mut |ids, values| {
                    for (id, value) in ids.iter().zip(values) {
                        let g = *id as usize;
                        if let (Some(mean), Some(sums)) = (means.get(g), sums.get_mut(g)) {
                            let deviation = value - mean;
                            sums[0] += deviation;
                            sums[1] += deviation * deviation;
                        }
                    }
                });
            },
            &|sums, later| fold_later(sums, &slices(later), |a, b| [a[0] + b[0], a[1] + b[1]]),
        )
    }

    /// The results of requests on a column, the values of which may have been passed already.
    fn fixed<T: Widen>(
        &mut self,
        column: &Column,
        requests: &[(usize, Aggregation)],
        passed: Option<Segments<'a, AnyStatistics>>,
    ) -> Result<Vec<Column>> {
        let view = column.view()?;
        let values = view.values::<T>()?;
        let missing = T::IS_FLOAT || column.has_nulls();
        let (wide, wanted) = (is_wide::<T>(), wanted::<T>(column, requests));
        let own = (values, view.validity());
        let passes_of = |(_, aggregation): &(usize, Aggregation)| match aggregation {
            Aggregation::Var { .. } | Aggregation::Std { .. } | Aggregation::Sem { .. } => 1,
            _ => 0,
        };
        let passes = 1 + requests.iter().map(passes_of).sum::<usize>();
        let mover = Mover::new(passes, |to, ctx| to.moved(move |row| values[row], view.validity(), ctx));
        let mut stats = match passed {
            Some(passed) => passed.typed()?,
            None => {
                let load: &Load<'_, T::Number> = &|unit, f| blocks::<T, T::Number>(unit, own, f);
                self.statistics::<T::Number>(load, &mover, wanted)?
            }
        };
        if self.rows_at_once.is_some() {
            stats.parts_mut().iter_mut().try_for_each(|part| part.settle(self.ctx))?;
        }
        let job = ColumnJob {
            data_type: column.data_type(),
            missing,
            wide,
            stats,
            load: &|unit, f| blocks::<T, f64>(unit, own, f),
            mover: &mover,
            fetch: &|rows, out| {
                for (slot, row) in out.iter_mut().zip(rows) {
                    *slot = T::Number::from_native(values[*row as usize]);
                }
            },
            column,
        };
        self.finish(&job, requests)
    }

    /// The results of the requests on a column from its statistics.
    fn finish<N: Accumulable>(
        &mut self,
        job: &ColumnJob<'_, '_, N>,
        requests: &[(usize, Aggregation)],
    ) -> Result<Vec<Column>> {
        let counts_rows = |a: Aggregation| match a {
            Aggregation::Size => true,
            Aggregation::Count
            | Aggregation::Mean
            | Aggregation::Var { .. }
            | Aggregation::Std { .. }
            | Aggregation::Sem { .. } => !job.missing,
            _ => false,
        };
        if requests.iter().any(|(_, a)| counts_rows(*a)) {
            self.count_sizes()?;
        }
        let (ctx, groups, stats, wide) = (self.ctx, self.groups(), &job.stats, job.wide);
        let counts = Counts { sizes: self.sizes.as_ref(), stats, missing: job.missing };
        let mut results = Vec::with_capacity(requests.len());
        for (_, aggregation) in requests {
            let to = result_type(job.data_type, *aggregation)?;
            // The vector of one statistic.
            macro_rules! gathered {
                ($field:ident) => {
                    HostUVec::from_fn(groups, ctx, |g| {
                        let (part, i) = stats.get(g);
                        part.$field[i]
                    })?
                };
            }
            let optional = |values: HostUVec<Option<N>>| {
                let mask = null_mask::from_fn(groups, ctx, |g| values[g].is_some())?;
                let values = HostUVec::from_fn(groups, ctx, |g| values[g].unwrap_or(N::ZERO))?;
                narrow(to, &values, Some(mask), ctx)
            };
            let of_bits = |bits: HostUVec<u64>| {
                let values = HostUVec::from_fn(groups, ctx, |g| N::of_bits(bits[g]))?;
                narrow(to, &values, counts.mask(groups, 0, ctx)?, ctx)
            };
            let mean = |g: usize| {
                let (part, i) = stats.get(g);
                let sum = if wide { part.wide_sum[i] as f64 } else { part.sum_of(i).to_f64() };
                sum / f64::from(counts.get(g))
            };
            results.push(match *aggregation {
                Aggregation::Sum if to.is_duration() && wide => {
                    let sums = gathered!(wide_sum);
                    // The least value is how a missing time is stored elsewhere.
                    let unfit = |sum: &&i128| i64::try_from(**sum).map_or(true, |sum| sum == i64::MIN);
                    if let Some(sum) = sums.iter().find(unfit) {
                        return Err(Error::overflow(format!("{sum} does not fit {to}")));
                    }
                    narrow(to, &HostUVec::from_fn(groups, ctx, |g| sums[g] as i64)?, None, ctx)?
                }
                Aggregation::Sum => {
                    let sums = HostUVec::from_fn(groups, ctx, |g| {
                        let (part, i) = stats.get(g);
                        part.sum_of(i)
                    })?;
                    narrow(to, &sums, None, ctx)?
                }
                Aggregation::Product => narrow(to, &gathered!(product), None, ctx)?,
                Aggregation::Min => narrow(to, &gathered!(min), counts.mask(groups, 0, ctx)?, ctx)?,
                Aggregation::Max => narrow(to, &gathered!(max), counts.mask(groups, 0, ctx)?, ctx)?,
                Aggregation::BitAnd => of_bits(gathered!(bit_and))?,
                Aggregation::BitOr => of_bits(gathered!(bit_or))?,
                Aggregation::BitXor => of_bits(gathered!(bit_xor))?,
                Aggregation::First => optional(gathered!(first))?,
                Aggregation::Last => optional(gathered!(last))?,
                Aggregation::Any => {
                    let any = gathered!(any);
                    Column::new(to, HostUVec::from_fn(groups, ctx, |g| u8::from(any[g]))?, None)?
                }
                Aggregation::All => {
                    let all = gathered!(all);
                    Column::new(to, HostUVec::from_fn(groups, ctx, |g| u8::from(all[g]))?, None)?
                }
                Aggregation::Size => self.size_column()?,
                Aggregation::Count => {
                    Column::from_values(HostUVec::from_fn(groups, ctx, |g| i64::from(counts.get(g)))?)
                }
                Aggregation::Mean if !to.is_float() => {
                    let means = HostUVec::from_fn(groups, ctx, |g| {
                        let (part, i) = stats.get(g);
                        let sum = if wide { part.wide_sum[i] } else { part.sum_of(i).to_i128() };
                        (sum / i128::from(counts.get(g).max(1))) as i64
                    })?;
                    narrow(to, &means, counts.mask(groups, 0, ctx)?, ctx)?
                }
                Aggregation::Mean => {
                    narrow(to, &HostUVec::from_fn(groups, ctx, mean)?, counts.mask(groups, 0, ctx)?, ctx)?
                }
                Aggregation::Var { ddof } | Aggregation::Std { ddof } | Aggregation::Sem { ddof } => {
                    let sums =
                        self.deviations(job.load, job.mover, &self.layout.by_unit(groups, mean, ctx)?)?;
                    let spreads = HostUVec::from_fn(groups, ctx, |g| {
                        let (part, i) = sums.get(g);
                        let count = f64::from(counts.get(g));
                        let [sum, squares] = part[i];
                        // The rounding error of the mean, taken out.
                        let squares = squares - sum * sum / count;
                        let squares = if squares < 0.0 { 0.0 } else { squares };
                        let variance = squares / (count - ddof as f64);
                        match aggregation {
                            Aggregation::Var { .. } => variance,
                            Aggregation::Std { .. } => variance.sqrt(),
                            _ => (variance / count).sqrt(),
                        }
                    })?;
                    narrow(to, &spreads, counts.mask(groups, ddof.max(0), ctx)?, ctx)?
                }
                Aggregation::Median => self.quantile(job, 0.5, to)?,
                Aggregation::Quantile(q) => self.quantile(job, q, to)?,
                Aggregation::NUnique => {
                    distinct_values::distinct(self.grouping, job.column, self.rows_at_once, ctx)?
                }
            });
        }
        Ok(results)
    }

    fn quantile<N: Accumulable>(&self, job: &ColumnJob<'_, '_, N>, q: f64, to: DataType) -> Result<Column> {
        let ctx = self.ctx;
        let between = select::quantile(self.grouping, job.column, q, job.fetch, self.rows_at_once, ctx)?;
        let groups = between.len();
        let mask = null_mask::from_fn(groups, ctx, |g| between[g].is_some())?;
        if to.is_float() {
            let values = HostUVec::from_fn(groups, ctx, |g| between[g].map_or(0.0, select::Between::to_f64))?;
            narrow(to, &values, Some(mask), ctx)
        } else {
            let values = HostUVec::from_fn(groups, ctx, |g| between[g].map_or(0, select::Between::to_i64))?;
            narrow(to, &values, Some(mask), ctx)
        }
    }

    fn size_column(&self) -> Result<Column> {
        let Some(sizes) = &self.sizes else {
            return Err(Error::logic("sizes were not counted"));
        };
        Ok(Column::from_values(HostUVec::from_fn(self.groups(), self.ctx, |g| {
            let (part, i) = sizes.get(g);
            i64::from(part[i])
        })?))
    }

    fn strings(&mut self, column: &Column, requests: &[(usize, Aggregation)]) -> Result<Vec<Column>> {
        let ctx = self.ctx;
        let groups = self.groups();
        let column_view = column.view()?;
        let view = column_view.strings()?;
        self.count_sizes()?;
        let mut wanted = Wants::default();
        for (_, aggregation) in requests {
            match aggregation {
                Aggregation::Min | Aggregation::Max => (),
                _ => wanted.add(wants(*aggregation, column.data_type(), column.has_nulls(), false)),
            }
        }
        // Strings stay where they are; their row numbers are accumulated.
        let extremes = |(_, how): &&(usize, Aggregation)| matches!(how, Aggregation::Min | Aggregation::Max);
        let passes = 1 + requests.iter().filter(extremes).count();
        let mover = Mover::new(passes, |to, ctx| to.moved(|row| row as u32, view.validity(), ctx));
        let load: &Load<'_, u64> = &|unit, f| match unit.values {
            Some(_) => blocks::<u32, u64>(unit, (&[], None), f),
            None => blocks_of::<u32, u64>(unit, |row| row as u32, view.validity(), f),
        };
        let stats = self.statistics::<u64>(load, &mover, wanted)?;
        let counts = Counts { sizes: self.sizes.as_ref(), stats: &stats, missing: column.has_nulls() };
        let at_rows = |row: &(dyn Fn(usize) -> Option<u64> + Sync)| {
            strings::from_fn(groups, ctx, |g| row(g).map(|row| view.get(row as usize)))
        };
        let mut results = Vec::with_capacity(requests.len());
        for (_, aggregation) in requests {
            result_type(DataType::String, *aggregation)?;
            results.push(match aggregation {
                Aggregation::First => at_rows(&|g| {
                    let (part, i) = stats.get(g);
                    part.first[i]
                })?,
                Aggregation::Last => at_rows(&|g| {
                    let (part, i) = stats.get(g);
                    part.last[i]
                })?,
                Aggregation::Min | Aggregation::Max => {
                    let order =
                        if *aggregation == Aggregation::Min { Ordering::Less } else { Ordering::Greater };
                    let best = self.extreme_string(view, load, &mover, order)?;
                    at_rows(&|g| {
                        let (part, i) = best.get(g);
                        (part[i] != NONE).then(|| u64::from(part[i]))
                    })?
                }
                Aggregation::Size => self.size_column()?,
                Aggregation::Count => {
                    Column::from_values(HostUVec::from_fn(groups, ctx, |g| i64::from(counts.get(g)))?)
                }
                _ => distinct_values::distinct(self.grouping, column, self.rows_at_once, ctx)?,
            });
        }
        Ok(results)
    }

    /// For every group the row whose string compares to all others as `better`; the first of equals.
    fn extreme_string(
        &self,
        view: StringsView<'_>,
        load: &Load<'_, u64>,
        mover: &Mover<'_>,
        better: Ordering,
    ) -> Result<Segments<'a, HostUVec<u32>>> {
        let take = |best: &mut u32, row: u32| {
            if row != NONE
                && (*best == NONE || view.bytes(row as usize).cmp(view.bytes(*best as usize)) == better)
            {
                *best = row;
            }
        };
        self.layout.run(
            self.ctx,
            Some(mover),
            &|groups| HostUVec::filled(NONE, groups, self.ctx),
            &|unit, best| {
                load(unit, &mut |ids, rows| {
                    for (id, row) in ids.iter().zip(rows) {
                        if let Some(best) = best.get_mut(*id as usize) {
                            take(best, *row as u32);
                        }
                    }
                });
            },
            &|best, later| {
                for theirs in later {
                    best.iter_mut().zip(&theirs[..]).for_each(|(best, row)| take(best, *row));
                }
            },
        )
    }
}

/// The number of values of each group.
struct Counts<'s, N: Accumulable> {
    sizes: Option<&'s Segments<'s, HostUVec<u32>>>,
    stats: &'s Segments<'s, Accumulators<N>>,
    /// Whether any row may be missing; else sizes are counts.
    missing: bool,
}

impl<N: Accumulable> Counts<'_, N> {
    #[inline(always)]
    fn get(&self, g: usize) -> u32 {
        if self.missing {
            let (part, i) = self.stats.get(g);
            part.count[i]
        } else {
            self.sizes.map_or(0, |sizes| {
                let (part, i) = sizes.get(g);
                part[i]
            })
        }
    }

    /// The groups with more values than `least`.
    fn mask(&self, groups: usize, least: i64, ctx: &Context) -> Result<Option<(Buffer, usize)>> {
        if least == 0 && !self.missing {
            // A group has a row, and so a value.
            return Ok(None);
        }
        null_mask::from_fn(groups, ctx, |g| i64::from(self.get(g)) > least).map(Some)
    }
}

/// A column of `to` from one number per group.
fn narrow<N: Accumulable>(
    to: DataType,
    values: &[N],
    mask: Option<(Buffer, usize)>,
    ctx: &Context,
) -> Result<Column> {
    if to == (DataType::Duration(TimeUnit::Days)) {
        let bits = null_mask::bits(mask.as_ref(), values.len())?;
        let valid = bits.as_ref().map(Bits::to_bitmap).transpose()?;
        let fits = |value: N| i128::from(value.to_i128() as i32) == value.to_i128();
        for (g, value) in values.iter().enumerate() {
            if valid.is_none_or(|bits| bits.get(g)) && !fits(*value) {
                return Err(Error::overflow(format!("{} days do not fit 32 bits", value.to_i128())));
            }
        }
    }
    dispatch_storage!(to, T => {
        Column::new(to, HostUVec::<T>::from_fn(values.len(), ctx, |g| values[g].to_native())?, mask)
    }, else => Err(Error::data_type(format!("{to} is not a number"))))
}
