//! Columns of benchmarks. Each has the rows of its [`Bench`], on its device; the same seed makes the same values.

use cuprum_column::{Column, DataType, HostUVec, Native, Table, null_mask, strings};
use cuprum_runtime::Result;

use crate::Random;
use crate::timing::Bench;

/// The random number of a row, whichever thread asks for it.
pub fn random(seed: u64, row: usize) -> u64 {
    let stream = Random(seed).next();
    Random(stream.wrapping_add((row as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))).next()
}

/// A number in [0, 1).
pub fn unit(seed: u64, row: usize) -> f64 {
    (random(seed, row) >> 11) as f64 / (1u64 << 53) as f64
}

/// A number below `bound`.
pub fn below(seed: u64, row: usize, bound: u64) -> u64 {
    ((u128::from(random(seed, row)) * u128::from(bound)) >> 64) as u64
}

/// Kinds of keys; a column has `count` different ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// Numbers below `count`.
    Dense,
    /// Any numbers of 64 bits.
    Hashed,
}

impl Keys {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Dense, Self::Hashed];

    /// The key with a number.
    pub fn key(self, number: u64) -> i64 {
        match self {
            Self::Dense => number as i64,
            Self::Hashed => Random(number).next() as i64,
        }
    }

    /// The kind as names of cases have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dense => "dense",
            Self::Hashed => "hashed",
        }
    }
}

impl Bench {
    /// A column of host memory, on the device.
    pub fn there(&self, column: &Column) -> Result<Column> {
        column.to_device(&self.ctx)
    }

    /// `value(row)` in every row.
    pub fn column<T: Native>(&self, value: impl Fn(usize) -> T + Sync) -> Result<Column> {
        self.column_of(self.rows, value)
    }

    /// [`column`](Self::column) of another number of rows.
    pub fn column_of<T: Native>(&self, rows: usize, value: impl Fn(usize) -> T + Sync) -> Result<Column> {
        self.there(&Column::from_values(HostUVec::from_fn(rows, &self.host, value)?))
    }

    /// Numbers of 64 bits below `bound`; any with [`u64::MAX`].
    pub fn ints(&self, seed: u64, bound: u64) -> Result<Column> {
        self.column(|row| below(seed, row, bound) as i64)
    }

    /// Numbers of 32 bits below `bound`.
    pub fn small_ints(&self, seed: u64, bound: u64) -> Result<Column> {
        self.column(|row| below(seed, row, bound) as i32)
    }

    /// Floats in [0, 1).
    pub fn floats(&self, seed: u64) -> Result<Column> {
        self.column(|row| unit(seed, row))
    }

    /// Floats of a normal distribution (Box and Muller).
    pub fn normals(&self, seed: u64) -> Result<Column> {
        self.column(|row| {
            let (size, angle) = (unit(seed, row).max(1e-300), unit(!seed, row));
            (-2.0 * size.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
        })
    }

    /// Booleans, one in `one_in` of them true.
    pub fn bools(&self, seed: u64, one_in: u64) -> Result<Column> {
        let values = HostUVec::from_fn(self.rows, &self.host, |row| u8::from(below(seed, row, one_in) == 0))?;
        self.there(&Column::new(DataType::Bool8, values, None)?)
    }

    /// The rows of `column`, one in eight of them null.
    pub fn with_nulls(&self, column: &Column) -> Result<Column> {
        let mask = null_mask::from_fn(column.len(), &self.host, |row| below(8, row, 8) != 0)?;
        self.there(&column.to_host()?.with_mask(Some(mask), &self.host)?)
    }

    /// Keys in random order, about as often each.
    pub fn keys(&self, seed: u64, count: usize, kind: Keys) -> Result<Column> {
        self.column(|row| kind.key(below(seed, row, count as u64)))
    }

    /// Keys with a frequency of about 1 / rank.
    pub fn zipf(&self, seed: u64, ranks: u64) -> Result<Column> {
        let log = (ranks as f64).ln();
        self.column(|row| (unit(seed, row) * log).exp() as i64 * 7_919)
    }

    /// Every row number once, in random order.
    pub fn shuffled(&self, seed: u64) -> Result<Column> {
        let (mut random, mut order) = (Random(seed), (0..self.rows as i32).collect::<Vec<_>>());
        for i in (1..self.rows).rev() {
            order.swap(i, random.below(i as u64 + 1) as usize);
        }
        Column::from_slice(&order, &self.ctx)
    }

    /// Row numbers that ascend, two of each.
    pub fn ascending(&self) -> Result<Column> {
        self.column(|row| (row / 2 * 2) as i32)
    }

    /// `text(random number, row)` in every row.
    pub fn texts(&self, seed: u64, text: impl Fn(u64, usize) -> String) -> Result<Column> {
        let texts: Vec<String> = (0..self.rows).map(|row| text(random(seed, row), row)).collect();
        self.there(&Column::from_strs(&texts, &self.host)?)
    }

    /// Words, `count` different ones: a prefix and a number.
    pub fn words(&self, seed: u64, prefix: &str, count: usize) -> Result<Column> {
        let words: Vec<String> = (0..count).map(|number| format!("{prefix}{number}")).collect();
        let word = |row: usize| Some(words[below(seed, row, count as u64) as usize].as_str());
        self.there(&strings::from_fn(self.rows, &self.host, word)?)
    }

    /// Rows of 28 bytes: three columns of 8, one of them with nulls, and one of 4.
    pub fn rows_of_28_bytes(&self) -> Result<Table> {
        let longs = self.ints(1, u64::MAX)?;
        let ints = self.column(|row| random(1, row) as i32)?;
        Table::new(vec![longs.clone(), longs.bit_cast(DataType::Float64)?, self.with_nulls(&longs)?, ints])
    }
}

/// A table of shared columns.
pub fn table(columns: &[&Column]) -> Result<Table> {
    Table::new(columns.iter().map(|&column| column.clone()).collect())
}

/// Parts of one length into which rows are cut: where each but the first begins.
pub fn cuts(rows: usize, parts: usize) -> Vec<usize> {
    (1..parts).map(|part| part * (rows / parts)).collect()
}
