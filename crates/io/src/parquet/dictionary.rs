//! Whether a column is worth a dictionary.

use std::hash::{DefaultHasher, Hash, Hasher};

use cuprum_column::Native;
use cuprum_column::{Column, DataType, Result, dispatch_storage};

/// Bytes at which the encoder gives a dictionary up.
const LARGEST: usize = 1 << 20;

/// Rows that are looked at.
const SAMPLE: usize = 4096;

/// Whether a dictionary is likely to make the column smaller when row groups have `group_rows` rows.
///
/// The encoder itself notices that a dictionary does not pay, but late: when it has looked up the
/// values of a megabyte. So some rows, evenly spread, are asked first: how often two of them are
/// equal tells how many values there are (the birthday problem).
pub(super) fn pays(column: &Column, group_rows: usize) -> Result<bool> {
    let view = column.view()?;
    let step = column.len().div_ceil(SAMPLE).max(1);
    let validity = view.validity();
    let rows = (0..column.len()).step_by(step).filter(|&row| validity.is_none_or(|bits| bits.get(row)));
    let (mut hashes, bytes): (Vec<u64>, usize) = if column.data_type() == DataType::String {
        let strings = view.strings()?;
        let sampled = rows.map(|row| strings.bytes(row));
        sampled.fold((Vec::new(), 0), |(mut hashes, bytes), text| {
            let mut hasher = DefaultHasher::new();
            text.hash(&mut hasher);
            hashes.push(hasher.finish());
            (hashes, bytes + 4 + text.len())
        })
    } else {
        let hashes: Vec<u64> = dispatch_storage!(column.data_type(), T => {
            let values = view.values::<T>()?;
            // Floats are told apart by their bits; those of a narrower type in a wider one do too.
            rows.map(|row| if T::IS_FLOAT { values[row].as_f64().to_bits() } else { values[row].as_i64() as u64 })
                .collect()
        }, else => return Ok(true));
        let bytes = hashes.len() * column.data_type().size().unwrap_or(8);
        (hashes, bytes)
    };
    let sampled = hashes.len();
    if sampled < 2 {
        return Ok(true);
    }
    hashes.sort_unstable();
    let equal: usize = hashes.chunk_by(|a, b| a == b).map(|run| run.len() * (run.len() - 1) / 2).sum();
    let all = sampled * (sampled - 1) / 2;
    let rows = column.len().min(group_rows);
    let values = (all / equal.max(1)).min(rows);
    Ok(values * 2 <= rows && values * bytes / sampled <= LARGEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cuprum_column::Context;
    use cuprum_testing::Random;

    #[test]
    fn depends_on_how_many_values_there_are() {
        let ctx = Context::current();
        let rows = 300_000;
        let numbers = |values: u64| {
            let numbers: Vec<i64> = (0..rows).map(|i| Random(i).below(values) as i64 - 7).collect();
            pays(&Column::from_slice(&numbers, &ctx).unwrap(), 1 << 18).unwrap()
        };
        assert!(numbers(1) && numbers(1000) && numbers(50_000));
        assert!(!numbers(400_000) && !numbers(u64::MAX));
        let text = |values: u64| {
            let text: Vec<String> =
                (0..rows).map(|i| format!("text number {}", Random(i).below(values))).collect();
            pays(&Column::from_strs(&text, &ctx).unwrap(), 1 << 18).unwrap()
        };
        assert!(text(3) && text(20_000));
        assert!(!text(200_000));
        let few: Vec<Option<f64>> = (0..5000).map(|i| (i % 2 == 0).then(|| f64::from(i % 10))).collect();
        assert!(pays(&Column::from_options(&few, &ctx).unwrap(), 1 << 18).unwrap());
        assert!(pays(&Column::empty(DataType::String), 1).unwrap());
    }
}
