//! From key columns to codes: which arithmetic gives each row its code.

use std::ops::Range;

use cuprum_column::types::Storage;
use cuprum_column::{
    Bitmap, Buffer, Column, ColumnView, Context, DataType, Error, Native, Result, Table, dispatch_storage,
};
use cuprum_elements::elements::widened;
use cuprum_runtime::cache;

use super::check_key_types;
use super::column_range::{Stats, code_bits, stats};
use super::cpu::direct_address::factorize_direct;
use super::cpu::factorize::factorize;
use super::cpu::hash_table::BATCH;
use super::cpu::key_source::{Factorized, KeySource};
use super::cpu::radix_partitioned::RadixPartitioned;
use super::cpu::sample::sample_of_many;
use super::cpu::tuning::Tuning;
use super::options::EncodeOptions;
use super::row_limit::check_rows;
use super::string_keys;
use super::valid_rows::valid_rows;
use crate::flatten;
use crate::list_keys::MissingElements;
use crate::ordered_bits::{Ordered, ordered_128, ordered_128_range};

/// One past the largest code of 64 bits.
const FULL: u128 = 1 << 64;

/// The encoding of the rows of some tables, one table after the other.
pub struct EqualityKeys<'a> {
    tables: Vec<&'a Table>,
    /// The only table whose rows have to be distinguished.
    indexed: Option<usize>,
    options: EncodeOptions,
    /// Whether texts are numbered in order of their first rows, however short they are.
    numbers_texts: bool,
    /// The first row of every table, and the number of rows in all.
    starts: Vec<usize>,
    parts: Vec<Part<'a>>,
    bound: u128,
}

/// A column of codes below a bound.
struct Part<'a> {
    codes: Codes<'a>,
    bound: u128,
}

enum Codes<'a> {
    /// The columns of one position in all tables: ordered bits less the smallest.
    Fixed { columns: Vec<ColumnView<'a>>, min: u64, missing: Missing, outside: Option<Outside> },
    /// The columns of one position in all tables: 64 bits from `shift` up of the ordered form of decimals of
    /// 128 bits less the smallest.
    Decimal { columns: Vec<ColumnView<'a>>, min: u128, shift: u32, null: u64 },
    /// 1 where the value is there, 0 where it is missing.
    Present { columns: Vec<ColumnView<'a>>, nan_is_null: bool },
    /// The columns of one position in all tables: texts of few bytes, which are numbers themselves.
    Texts { columns: Vec<ColumnView<'a>>, longest: usize, null: u64 },
    /// Numbers of distinct values.
    Numbers(Factorized),
}

/// The codes of missing values.
#[derive(Clone, Copy)]
struct Missing {
    null: u64,
    /// NaN is as good as null.
    nan_is_null: bool,
}

/// The code of values that the indexed table does not have: those from `span` on.
#[derive(Clone, Copy)]
struct Outside {
    span: u64,
    code: u64,
}

impl Outside {
    #[inline(always)]
    fn fold(self, code: u64) -> u64 {
        if code < self.span { code } else { self.code }
    }
}

impl<'a> EqualityKeys<'a> {
    /// A plan for the rows of all tables together; see [`encode`](super::encode) for the rules and errors.
    pub fn new(tables: &[&'a Table], options: EncodeOptions, ctx: &Context) -> Result<Self> {
        Self::with_tuning(tables, options, None, ctx)
    }

    /// [`new`](Self::new) with a strategy of the caller's.
    pub fn with_tuning(
        tables: &[&'a Table],
        options: EncodeOptions,
        tuning: Option<Tuning>,
        ctx: &Context,
    ) -> Result<Self> {
        Self::of(tables, None, options, tuning, false, ctx)
    }

    /// [`new`](Self::new) with codes that are the same on every device.
    pub(super) fn to_encode(tables: &[&'a Table], options: EncodeOptions, ctx: &Context) -> Result<Self> {
        Self::of(tables, None, options, None, true, ctx)
    }

    /// A plan to look rows up among those of the table `indexed`: rows of the others have the code of an
    /// equal row there, else any other code. Keys of the others that are numbers or times are not read for
    /// it.
    pub fn to_look_up(
        tables: &[&'a Table],
        indexed: usize,
        options: EncodeOptions,
        tuning: Tuning,
        ctx: &Context,
    ) -> Result<Self> {
        Self::of(tables, Some(indexed), options, Some(tuning), false, ctx)
    }

    fn of(
        tables: &[&'a Table],
        indexed: Option<usize>,
        options: EncodeOptions,
        tuning: Option<Tuning>,
        numbers_texts: bool,
        ctx: &Context,
    ) -> Result<Self> {
        let mut starts = vec![0];
        for table in tables {
            starts.push(starts[starts.len() - 1] + table.num_rows());
        }
        let mut plan = Self {
            tables: tables.to_vec(),
            indexed,
            options,
            numbers_texts,
            starts,
            parts: Vec::new(),
            bound: 1,
        };
        check_key_types(tables)?;
        let tuning = tuning.unwrap_or_else(|| Tuning::for_rows(plan.rows()));
        for position in 0..tables.first().map_or(0, |first| first.num_columns()) {
            let columns = tables.iter().map(|table| &table.columns()[position]).collect();
            plan.add(columns, tuning, ctx)?;
        }
        Ok(plan)
    }

    /// The number of rows of all tables.
    pub fn rows(&self) -> usize {
        self.starts[self.tables.len()]
    }

    /// The rows of a table.
    pub(crate) fn table_rows(&self, table: usize) -> Range<usize> {
        self.starts[table]..self.starts[table + 1]
    }

    /// Every code is below it; `u64::MAX` if unknown.
    pub fn bound(&self) -> u64 {
        u64::try_from(self.bound).unwrap_or(u64::MAX)
    }

    /// The [ordered](Ordered) integer of code 0, for a single column of fixed width whose values are all
    /// valid.
    pub fn least(&self) -> Option<u64> {
        match &self.parts[..] {
            [Part { codes: Codes::Fixed { columns, min, outside: None, .. }, .. }] => {
                columns.iter().all(|column| column.validity().is_none()).then_some(*min)
            }
            _ => None,
        }
    }

    /// The rows of a table without a missing key.
    pub fn valid_rows(&self, table: usize, ctx: &Context) -> Result<Option<(Buffer, usize)>> {
        let table = self.tables[table];
        let columns: Vec<_> = table.columns().iter().collect();
        valid_rows(&columns, table.num_rows(), self.options.nan_is_null, ctx)
    }

    /// The rows of a table without a missing key or a missing field of one: those that can equal others
    /// where missing values equal nothing.
    pub fn comparable_rows(&self, table: usize, ctx: &Context) -> Result<Option<(Buffer, usize)>> {
        let elements = MissingElements::unequal(self.options.nan_is_null);
        let (leaves, _) = flatten::flatten(self.tables[table], |_| elements, ctx)?;
        let columns: Vec<_> = leaves.columns().iter().collect();
        valid_rows(&columns, leaves.num_rows(), self.options.nan_is_null, ctx)
    }

    /// The numbers, where the keys already are numbers of distinct rows, in order of first appearance.
    fn into_numbers(mut self) -> Result<Factorized, Self> {
        if self.parts.len() == 1 {
            match self.parts.pop() {
                Some(Part { codes: Codes::Numbers(numbers), .. }) => return Ok(numbers),
                part => self.parts.extend(part),
            }
        }
        Err(self)
    }

    /// Writes the codes of rows (counted over all tables) to `out`, which has the same length.
    pub fn fill(&self, rows: Range<usize>, out: &mut [u64]) {
        let Some((first, rest)) = self.parts.split_first() else {
            out.fill(0);
            return;
        };
        self.fill_part(first, None, rows.clone(), out);
        for part in rest {
            self.fill_part(part, Some(part.bound as u64), rows.clone(), out);
        }
    }

    /// `out = codes`, or `out = out * scale + codes`.
    fn fill_part(&self, part: &Part<'_>, scale: Option<u64>, rows: Range<usize>, out: &mut [u64]) {
        match &part.codes {
            Codes::Numbers(numbers) => combine(out, scale, numbers.ids[rows].iter().map(|&id| u64::from(id))),
            Codes::Texts { columns, longest, null } => self.for_tables(rows, out, |t, local, out| {
                let (mut codes, Ok(texts)) = ([0; BATCH], columns[t].strings()) else { return };
                for (start, out) in local.step_by(BATCH).zip(out.chunks_mut(BATCH)) {
                    let codes = &mut codes[..out.len()];
                    string_keys::short_codes(&texts, *longest, *null, start, codes);
                    combine(out, scale, codes.iter().copied());
                }
            }),
            Codes::Fixed { columns, min, missing, outside } => self.for_tables(rows, out, |t, local, out| {
                let outside = outside.filter(|_| self.indexed != Some(t));
                fill_fixed(&columns[t], *min, *missing, outside, scale, local, out);
            }),
            Codes::Present { columns, nan_is_null } => self.for_tables(rows, out, |t, local, out| {
                let column = &columns[t];
                let valid = column.validity();
                dispatch_storage!(column.data_type(), T => {
                    let values = column.values::<T>().unwrap_or(&[]);
                    combine(out, scale, local.map(|row| {
                        let null = valid.is_some_and(|bits| !bits.get(row));
                        u64::from(!(null || *nan_is_null && values[row].is_nan()))
                    }));
                }, else => combine(out, scale, local.map(|row| {
                    u64::from(valid.is_none_or(|bits| bits.get(row)))
                })));
            }),
            Codes::Decimal { columns, min, shift, null } => self.for_tables(rows, out, |t, local, out| {
                let valid = columns[t].validity();
                let values = columns[t].values::<i128>().unwrap_or(&[]);
                combine(
                    out,
                    scale,
                    local.map(|row| {
                        if valid.is_none_or(|bits| bits.get(row)) {
                            (ordered_128(values[row]).wrapping_sub(*min) >> shift) as u64
                        } else {
                            *null
                        }
                    }),
                );
            }),
        }
    }

    /// Calls `f` for each table's share of `rows`.
    #[inline(always)]
    fn for_tables(&self, rows: Range<usize>, out: &mut [u64], f: impl Fn(usize, Range<usize>, &mut [u64])) {
        for (t, start) in self.starts[..self.tables.len()].iter().enumerate() {
            let (from, to) = (rows.start.max(*start), rows.end.min(self.starts[t + 1]));
            if from < to {
                f(t, from - start..to - start, &mut out[from - rows.start..to - rows.start]);
            }
        }
    }

    /// Adds one key column.
    fn add(&mut self, columns: Vec<&'a Column>, tuning: Tuning, ctx: &Context) -> Result<()> {
        let data_type = columns[0].data_type();
        if flatten::is_flattened(columns[0]) {
            let numbers = self.number_nested(&columns, tuning, ctx)?;
            return self.push(numbers_part(numbers), tuning, ctx);
        }
        if data_type.storage() == Storage::Children {
            return Err(Error::unsupported(format!("keys of type {data_type}")));
        }
        if data_type.storage() == Storage::I128 {
            return self.add_decimals(columns, tuning, ctx);
        }
        if data_type == DataType::String {
            let views = columns.iter().map(|column| column.view()).collect::<Result<Vec<_>>>()?;
            let strings = views.iter().map(ColumnView::strings).collect::<Result<Vec<_>>>()?;
            if !self.numbers_texts
                && let Some(longest) = string_keys::longest_of_short(&strings, ctx)?
            {
                let (nulls, null) =
                    (columns.iter().any(|c| c.has_nulls()), string_keys::short_bound(longest));
                let codes = Codes::Texts { columns: views, longest, null };
                return self.push(Part { codes, bound: u128::from(null) + u128::from(nulls) }, tuning, ctx);
            }
            let numbers = string_keys::number(strings, tuning, ctx)?;
            return self.push(numbers_part(numbers), tuning, ctx);
        }
        let nan_is_null = self.options.nan_is_null && columns[0].data_type().is_float();
        let has_nulls = columns.iter().any(|c| c.has_nulls());
        let range = |columns: &[&Column]| -> Result<(u64, u128, bool)> {
            let stats: Vec<Stats> = columns.iter().map(|c| stats(c, ctx)).collect::<Result<_>>()?;
            let stats = stats.into_iter().fold(Stats::NONE, Stats::merge);
            if stats.min > stats.max {
                return Ok((0, 0, stats.has_nan));
            }
            Ok((stats.min, u128::from(stats.max - stats.min) + 1, stats.has_nan))
        };
        let (mut min, mut span, mut has_nan) = match self.indexed {
            Some(table) => range(&columns[table..=table])?,
            None => range(&columns)?,
        };
        // A code for missing values and one for values outside.
        let indexed = self.indexed.filter(|_| span + 2 <= FULL);
        if self.indexed.is_some() && indexed.is_none() {
            (min, span, has_nan) = range(&columns)?;
        }
        let nulls = has_nulls || (nan_is_null && (has_nan || indexed.is_some()));
        let columns = columns.into_iter().map(Column::view).collect::<Result<Vec<_>>>()?;
        let mut missing = Missing { null: 0, nan_is_null };
        if nulls && span == FULL {
            // No code is left for nulls, so whether a value is there is a key of its own.
            let present = Codes::Present { columns: columns.clone(), nan_is_null };
            self.push(Part { codes: present, bound: 2 }, tuning, ctx)?;
            let codes = Codes::Fixed { columns, min, missing, outside: None };
            return self.push(Part { codes, bound: span }, tuning, ctx);
        }
        missing.null = if nulls { span as u64 } else { 0 };
        let bound = span + u128::from(nulls);
        let outside = indexed.map(|_| Outside { span: span as u64, code: bound as u64 });
        let bound = (bound + u128::from(outside.is_some())).max(1);
        self.push(Part { codes: Codes::Fixed { columns, min, missing, outside }, bound }, tuning, ctx)
    }

    /// The numbers of the distinct rows of a nested key.
    fn number_nested(&self, columns: &[&Column], tuning: Tuning, ctx: &Context) -> Result<Factorized> {
        let elements = MissingElements::equal(self.options.nan_is_null);
        let tables = columns
            .iter()
            .map(|column| Table::with_rows(flatten::leaves(column, elements, ctx)?, column.len()))
            .collect::<Result<Vec<_>>>()?;
        let plan =
            EqualityKeys::with_tuning(&tables.iter().collect::<Vec<_>>(), self.options, Some(tuning), ctx)?;
        number_rows(plan, None, tuning, ctx)
    }

    /// Adds a key of decimals of 128 bits: one column of codes where they differ in 64 bits alone, else the
    /// higher and the lower halves.
    fn add_decimals(&mut self, columns: Vec<&'a Column>, tuning: Tuning, ctx: &Context) -> Result<()> {
        let columns = columns.into_iter().map(Column::view).collect::<Result<Vec<_>>>()?;
        let (mut min, mut max) = (u128::MAX, 0);
        for column in &columns {
            let (low, high) = ordered_128_range(column.values::<i128>()?, column.validity(), ctx)?;
            (min, max) = (min.min(low), max.max(high));
        }
        let nulls = columns.iter().any(|column| column.validity().is_some());
        // One less than the number of codes.
        let span = max.saturating_sub(min);
        let decimal = |shift, null| Codes::Decimal { columns: columns.clone(), min, shift, null };
        if span < FULL - u128::from(nulls) {
            let bound = span + 1 + u128::from(nulls);
            return self.push(Part { codes: decimal(0, (span + 1) as u64), bound }, tuning, ctx);
        }
        let high = (span >> 64) + 1;
        if nulls && high == FULL {
            let present = Codes::Present { columns: columns.clone(), nan_is_null: false };
            self.push(Part { codes: present, bound: 2 }, tuning, ctx)?;
            self.push(Part { codes: decimal(64, 0), bound: high }, tuning, ctx)?;
        } else {
            let bound = high + u128::from(nulls);
            self.push(Part { codes: decimal(64, high as u64), bound }, tuning, ctx)?;
        }
        self.push(Part { codes: decimal(0, 0), bound: FULL }, tuning, ctx)
    }

    /// Packs a further column of codes; numbers pairs anew where 64 bits are not enough.
    fn push(&mut self, part: Part<'a>, tuning: Tuning, ctx: &Context) -> Result<()> {
        if let Some(bound) = self.bound.checked_mul(part.bound).filter(|bound| *bound <= FULL) {
            self.bound = bound;
            self.parts.push(part);
        } else {
            let numbers = factorize(&Pairs { plan: self, part: &part }, None, tuning, ctx)?;
            let numbers = numbers_part(numbers);
            self.bound = numbers.bound;
            self.parts = vec![numbers];
        }
        Ok(())
    }
}

fn numbers_part<'a>(numbers: Factorized) -> Part<'a> {
    let bound = (numbers.first_rows.len() as u128).max(1);
    Part { codes: Codes::Numbers(numbers), bound }
}

impl KeySource for EqualityKeys<'_> {
    type Key = u64;
    type Kept = ();

    fn len(&self) -> usize {
        self.rows()
    }

    fn fill(&self, rows: Range<usize>, out: &mut [u64]) {
        EqualityKeys::fill(self, rows, out);
    }
}

/// The codes so far and those of one more column, side by side.
struct Pairs<'p, 'a> {
    plan: &'p EqualityKeys<'a>,
    part: &'p Part<'a>,
}

impl KeySource for Pairs<'_, '_> {
    type Key = u128;
    type Kept = ();

    fn len(&self) -> usize {
        self.plan.rows()
    }

    fn fill(&self, rows: Range<usize>, out: &mut [u128]) {
        let (mut low, mut high) = ([0; BATCH], [0; BATCH]);
        for (start, out) in rows.clone().step_by(BATCH).zip(out.chunks_mut(BATCH)) {
            let (low, high) = (&mut low[..out.len()], &mut high[..out.len()]);
            let batch = start..start + out.len();
            self.plan.fill(batch.clone(), high);
            self.plan.fill_part(self.part, None, batch, low);
            for ((out, low), high) in out.iter_mut().zip(low).zip(high) {
                *out = u128::from(*high) << 64 | u128::from(*low);
            }
        }
    }
}

#[inline(always)]
fn combine(out: &mut [u64], scale: Option<u64>, codes: impl Iterator<Item = u64>) {
    match scale {
        None => out.iter_mut().zip(codes).for_each(|(out, code)| *out = code),
        // Never overflows: the product of all bounds fits.
        Some(scale) => {
            out.iter_mut()
                .zip(codes)
                .for_each(|(out, code)| *out = out.wrapping_mul(scale).wrapping_add(code));
        }
    }
}

#[inline(always)]
fn combine_all_plain<T: Ordered>(out: &mut [u64], scale: Option<u64>, values: &[T], code: impl Fn(T) -> u64) {
    combine(out, scale, values.iter().map(|&value| code(value)));
}

widened! {
    /// [`combine`] with the codes of values that are all there.
    combine_all is combine_all_plain [T: Ordered] (
        out: &mut [u64], scale: Option<u64>, values: &[T], code: impl Fn(T) -> u64
    )
}

fn fill_fixed(
    view: &ColumnView<'_>,
    min: u64,
    missing: Missing,
    outside: Option<Outside>,
    scale: Option<u64>,
    rows: Range<usize>,
    out: &mut [u64],
) {
    // A loop for each, so that the usual one does not compare.
    match outside {
        None => fill_folded(view, min, missing, |code| code, scale, rows, out),
        Some(outside) => fill_folded(view, min, missing, move |code| outside.fold(code), scale, rows, out),
    }
}

#[inline(always)]
fn fill_folded(
    view: &ColumnView<'_>,
    min: u64,
    missing: Missing,
    fold: impl Fn(u64) -> u64 + Copy,
    scale: Option<u64>,
    rows: Range<usize>,
    out: &mut [u64],
) {
    let valid = view.validity();
    let is_bool = view.data_type() == DataType::Bool8;
    dispatch_storage!(view.data_type(), T => {
        let Ok(values) = view.values::<T>() else { return };
        let values = &values[rows.clone()];
        // Closures hold copies: memory behind references might change with every code that is written.
        let code = move |value: T| {
            if missing.nan_is_null && value.is_nan() {
                missing.null
            } else {
                fold(code_bits(value, is_bool).wrapping_sub(min))
            }
        };
        match valid {
            None if is_bool => combine(out, scale, values.iter().map(|&v| code(v))),
            None => {
                // Keys are read from one end to the other.
                cache::fetch_behind(bytemuck::cast_slice(values), size_of_val(values));
                combine_all(out, scale, values, move |v: T| {
                if T::IS_FLOAT && missing.nan_is_null && v.is_nan() {
                    missing.null
                } else {
                    fold(v.ordered_with_nan().wrapping_sub(min))
                }
            });
            },
            Some(valid) => combine(out, scale, values.iter().zip(rows).map(|(&v, row)| {
                if valid.get(row) { code(v) } else { missing.null }
            })),
        }
    }, else => ());
}

/// Numbers the rows of the plan that are set in `valid`, in order of their first rows.
#[doc(hidden)]
pub fn number_rows(
    plan: EqualityKeys<'_>,
    valid: Option<Bitmap<'_>>,
    tuning: Tuning,
    ctx: &Context,
) -> Result<Factorized> {
    number_or_part(plan, valid, Tuning { parted_above: usize::MAX, ..tuning }, ctx)?.into_numbers(ctx)
}

/// Rows by their keys.
pub enum Numbered {
    /// Each with a number.
    Rows(Factorized),
    /// Many keys, part by part.
    Parts(Box<RadixPartitioned>),
}

impl Numbered {
    /// A number for each row, also where they are in parts.
    pub fn into_numbers(self, ctx: &Context) -> Result<Factorized> {
        match self {
            Self::Rows(numbers) => Ok(numbers),
            Self::Parts(parts) => parts.into_numbers(ctx),
        }
    }
}

/// Numbers the rows of the plan that are set in `valid`, in order of their first rows, or moves them to parts
/// where there are many keys and these index no table. The choice does not depend on the number of threads.
#[doc(hidden)]
pub fn number_or_part(
    plan: EqualityKeys<'_>,
    valid: Option<Bitmap<'_>>,
    tuning: Tuning,
    ctx: &Context,
) -> Result<Numbered> {
    check_rows("keys", plan.rows())?;
    let plan = if valid.is_none() {
        match plan.into_numbers() {
            Ok(numbers) => return Ok(Numbered::Rows(numbers)),
            Err(plan) => plan,
        }
    } else {
        plan
    };
    if plan.bound() <= tuning.direct_bound {
        let fill = |rows, out: &mut [u64]| plan.fill(rows, out);
        let numbers = factorize_direct(plan.rows(), plan.bound(), valid, &fill, ctx)?;
        return Ok(Numbered::Rows(numbers));
    }
    Ok(match sample_of_many(&plan, valid, tuning.parted_above)? {
        Some((sample, keys_about)) => Numbered::Parts(Box::new(RadixPartitioned::new(
            &plan,
            valid,
            keys_about,
            &sample.frequent(),
            ctx,
        )?)),
        None => Numbered::Rows(factorize(&plan, valid, tuning, ctx)?),
    })
}
