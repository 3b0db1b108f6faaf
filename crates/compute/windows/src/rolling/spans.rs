//! Windows as ranges of rows, and how many of their rows are valid.

use std::ops::Range;

use cuprum_column::null_mask::SetBits;
use cuprum_column::{
    Column, ColumnView, Context, DataType, Error, HostUVec, Native, Result, dispatch_storage,
};
use cuprum_runtime::parallel::{MORSEL, for_ranges, map_morsels};

use cuprum_elements::elements::Operand;

/// The window of every row: a range of rows, cut to those that there are.
pub(super) enum Spans {
    /// So many rows before each row, itself included, and so many behind it.
    Fixed { rows: usize, preceding: i64, following: i64 },
    /// The first row and the one behind the last.
    Each(HostUVec<[usize; 2]>),
}

/// The order of windows.
pub(super) struct Shape {
    /// Neither their starts nor their ends ever go back.
    pub(super) slide: bool,
    /// The rows that one thread takes: enough that filling its first window costs little.
    pub(super) step: usize,
}

impl Spans {
    /// See [`rolling_window`](super::rolling_window).
    pub(super) fn new(
        rows: usize,
        preceding: Operand<'_>,
        following: Operand<'_>,
        ctx: &Context,
    ) -> Result<Self> {
        if i64::try_from(rows).is_err() {
            return Err(Error::overflow(format!("windows of {rows} rows")));
        }
        let (before, behind) = (
            Extent::new("preceding", preceding, rows, ctx)?,
            Extent::new("following", following, rows, ctx)?,
        );
        if let (Extent::One(preceding), Extent::One(following)) = (&before, &behind) {
            let (preceding, following) = (*preceding, *following);
            check_one_size(preceding, following)?;
            return Ok(Self::Fixed { rows, preceding, following });
        }
        let spans = HostUVec::from_fn(rows, ctx, |row| span(row, rows, before.get(row), behind.get(row)))?;
        Ok(Self::Each(spans))
    }

    pub(super) fn rows(&self) -> usize {
        match self {
            Self::Fixed { rows, .. } => *rows,
            Self::Each(spans) => spans.len(),
        }
    }

    /// The rows of the window of a row.
    #[inline(always)]
    pub(super) fn get(&self, row: usize) -> Range<usize> {
        let [start, end] = match self {
            Self::Fixed { rows, preceding, following } => span(row, *rows, *preceding, *following),
            Self::Each(spans) => spans[row],
        };
        start..end
    }

    /// The rows whose windows are not cut, if windows have one size, and that size.
    pub(super) fn whole(&self) -> (Range<usize>, usize) {
        let Self::Fixed { rows, preceding, following } = self else { return (0..0, 0) };
        let (rows, width) = (*rows as i128, i128::from(*preceding) + i128::from(*following));
        let first = (i128::from(*preceding) - 1).max(0);
        let end = (rows - i128::from(*following)).min(rows);
        if first >= end { (0..0, 0) } else { (first as usize..end as usize, width as usize) }
    }

    pub(super) fn shape(&self, ctx: &Context) -> Result<Shape> {
        let rows = self.rows();
        let (slide, total) = match self {
            Self::Fixed { preceding, following, .. } => {
                let most = (i128::from(*preceding) + i128::from(*following)).clamp(1, rows.max(1) as i128);
                (true, (most as usize).saturating_mul(rows))
            }
            Self::Each(spans) => {
                let parts = map_morsels(rows, ctx, |range| {
                    let mut slide = true;
                    let mut total = 0usize;
                    for row in range {
                        let [start, end] = spans[row];
                        let [before, until] = if row == 0 { [0, 0] } else { spans[row - 1] };
                        slide &= before <= start && until <= end;
                        total = total.saturating_add(end - start);
                    }
                    Ok((slide, total))
                })?;
                parts.into_iter().fold((true, 0usize), |(a, n), (b, m)| (a && b, n.saturating_add(m)))
            }
        };
        let mean = total / rows.max(1);
        Ok(Shape {
            slide,
            step: mean.saturating_mul(4).next_multiple_of(MORSEL).clamp(MORSEL, rows.max(MORSEL)),
        })
    }
}

/// The window of a row that has so many rows before it, itself included, and so many behind it.
#[inline(always)]
fn span(row: usize, rows: usize, preceding: i64, following: i64) -> [usize; 2] {
    let (here, rows) = (row as i64 + 1, rows as i64);
    let start = here.saturating_sub(preceding).clamp(0, rows);
    let end = here.saturating_add(following).clamp(start, rows);
    [start as usize, end as usize]
}

/// One number for all windows, or one for each.
enum Extent {
    One(i64),
    Each(HostUVec<i64>),
}

/// Fails for windows of one size without a row.
pub(super) fn check_one_size(preceding: i64, following: i64) -> Result<()> {
    if i128::from(preceding) + i128::from(following) >= 1 {
        return Ok(());
    }
    Err(Error::invalid_argument(format!(
        "`preceding` is {preceding} and `following` is {following}: a window has at least one row"
    )))
}

/// The one size of the windows of so many rows; `None` where there is one for each of them.
pub(super) fn one_size(name: &str, operand: Operand<'_>, rows: usize) -> Result<Option<i64>> {
    let data_type = operand.data_type();
    if !data_type.is_integer() {
        return Err(Error::data_type(format!("`{name}` must be of integers, not {data_type}")));
    }
    if operand.has_nulls() {
        return Err(Error::invalid_argument(format!("`{name}` has nulls")));
    }
    match operand {
        Operand::Scalar(scalar) => scalar.as_i64().map(Some).ok_or_else(|| {
            Error::invalid_argument(format!("`{name}` is {scalar}, not an integer of 64 bits"))
        }),
        Operand::Column(column) if column.len() != rows => {
            Err(Error::logic(format!("`{name}` has {} rows, the column {rows}", column.len())))
        }
        Operand::Column(_) => Ok(None),
    }
}

/// A column of sizes in host memory, as integers.
pub(super) fn sizes(name: &str, column: &Column, ctx: &Context) -> Result<HostUVec<i64>> {
    let (view, data_type, rows) = (column.view()?, column.data_type(), column.len());
    let sizes = dispatch_storage!(data_type, T => {
        let values = view.values::<T>()?;
        HostUVec::from_fn(rows, ctx, |row| values[row].as_i64())?
    }, else => return Err(Error::data_type(format!("`{name}` must be of integers, not {data_type}"))));
    let large = |row: &usize| data_type == DataType::UInt64 && sizes[*row] < 0;
    match (0..rows).find(large) {
        Some(row) => Err(Error::overflow(format!(
            "`{name}` is {} at row {row}, more than 2^63 - 1",
            sizes[row] as u64
        ))),
        None => Ok(sizes),
    }
}

impl Extent {
    fn new(name: &str, operand: Operand<'_>, rows: usize, ctx: &Context) -> Result<Self> {
        match (one_size(name, operand, rows)?, operand) {
            (Some(number), _) => Ok(Self::One(number)),
            (None, Operand::Column(column)) => Ok(Self::Each(sizes(name, column, ctx)?)),
            (None, Operand::Scalar(scalar)) => Err(Error::invalid_argument(format!("`{name}` is {scalar}"))),
        }
    }

    fn get(&self, row: usize) -> i64 {
        match self {
            Self::One(number) => *number,
            Self::Each(numbers) => numbers[row],
        }
    }
}

/// The validity of rows, and the number of valid rows before each.
pub(super) struct Valid {
    /// A copy: others may write to the mask meanwhile. `None` where no row is null.
    words: Option<Words>,
}

struct Words {
    bits: HostUVec<u64>,
    /// The valid rows before each word.
    before: HostUVec<usize>,
}

impl Valid {
    pub(super) fn new(column: &ColumnView<'_>, ctx: &Context) -> Result<Self> {
        let (rows, map) = (column.len(), column.validity());
        let is_empty = column.data_type() == DataType::Empty;
        if map.is_none() && !is_empty {
            return Ok(Self { words: None });
        }
        let words = rows / 64 + 1;
        let word = |w: usize| match (map, rows.saturating_sub(w * 64)) {
            (None, _) | (_, 0) => 0,
            (Some(map), 64..) => map.word(w),
            (Some(map), inside) => map.word(w) & ((1 << inside) - 1),
        };
        let bits = HostUVec::from_fn(words, ctx, word)?;
        let mut sum = 0;
        let mut before = HostUVec::filled(0, words, ctx)?;
        for (slot, word) in before.iter_mut().zip(bits.iter()) {
            *slot = sum;
            sum += word.count_ones() as usize;
        }
        Ok(Self { words: Some(Words { bits, before }) })
    }

    #[inline(always)]
    pub(super) fn get(&self, row: usize) -> bool {
        self.words.as_ref().is_none_or(|words| words.bits[row / 64] >> (row % 64) & 1 == 1)
    }

    /// The number of valid rows before `row`.
    #[inline(always)]
    pub(super) fn before(&self, row: usize) -> usize {
        self.words.as_ref().map_or(row, |words| {
            let below = words.bits[row / 64] & ((1 << (row % 64)) - 1);
            words.before[row / 64] + below.count_ones() as usize
        })
    }

    /// Whether every row is valid.
    pub(super) fn is_all(&self) -> bool {
        self.words.is_none()
    }

    /// The number of valid rows in a range.
    #[inline(always)]
    pub(super) fn count(&self, rows: Range<usize>) -> usize {
        if self.words.is_none() { rows.len() } else { self.before(rows.end) - self.before(rows.start) }
    }

    /// The valid rows; `None` where that is all of them.
    pub(super) fn rows(&self, rows: usize, ctx: &Context) -> Result<Option<HostUVec<u64>>> {
        let Some(words) = &self.words else { return Ok(None) };
        let mut valid = HostUVec::uninit(self.before(rows), ctx)?;
        let out = valid.output();
        for_ranges(words.bits.len(), MORSEL / 64, ctx, &|range| {
            for w in range {
                for (k, bit) in SetBits(words.bits[w]).enumerate() {
                    // SAFETY: words have their bits one after the other, as they were counted.
                    unsafe { out.write(words.before[w] + k, (w * 64 + bit) as u64) };
                }
            }
            Ok(())
        })?;
        // SAFETY: the words' counts add up to the length.
        Ok(Some(unsafe { valid.assume_init() }))
    }
}
