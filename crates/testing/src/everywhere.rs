//! The same operation on every device.

use cuprum_column::{Column, Context, DataType, HostUVec, Result, Table, have_same_types};

use crate::{Share, contexts, contexts_in_shares};

/// Every row as text: a model that knows nothing of buffers.
pub fn rows(column: &Column) -> Vec<String> {
    (0..column.len()).map(|i| column.get(i).unwrap().to_string()).collect()
}

/// Runs an operation on every device and compares the results with the CPU's.
pub fn same_everywhere(columns: &[Column], operation: impl Fn(&[Column], &Context) -> Result<Table>) {
    let expected = operation(columns, &Context::current()).unwrap();
    for ctx in contexts() {
        let there: Vec<Column> = columns.iter().map(|column| column.to_device(&ctx).unwrap()).collect();
        let got = operation(&there, &ctx).unwrap();
        assert_eq!((got.num_rows(), got.num_columns()), (expected.num_rows(), expected.num_columns()));
        for (got, expected) in got.columns().iter().zip(expected.columns()) {
            assert_same(got, expected, &ctx);
        }
    }
}

fn assert_same(got: &Column, expected: &Column, ctx: &Context) {
    let device = ctx.resource().device();
    assert!(got.is_on(device), "results are on {device}");
    got.validate().unwrap();
    let got = got.to_host().unwrap();
    assert!(have_same_types(&got, expected));
    // As text: indices of dictionaries may be of another width.
    assert_eq!(
        (rows(&got), got.null_count().unwrap()),
        (rows(expected), expected.null_count().unwrap()),
        "{device}"
    );
}

/// Results of many similar cases. Every device computes [its share](Share) of them.
pub struct Cases {
    share: Share,
    results: Vec<Option<Column>>,
}

impl Cases {
    /// One case.
    pub fn add(&mut self, case: impl FnOnce() -> Result<Column>) -> Result<()> {
        let is_for = self.share.has(self.results.len());
        self.results.push(if is_for { Some(case()?) } else { None });
        Ok(())
    }

    /// Cases that one call of `compute` computes, which gets those of the device's share.
    pub fn add_together<C: Copy>(
        &mut self,
        cases: &[C],
        compute: impl FnOnce(&[C]) -> Result<Vec<Column>>,
    ) -> Result<()> {
        let first = self.results.len();
        let is_for = |case: usize| self.share.has(first + case);
        let wanted: Vec<C> = cases.iter().enumerate().filter(|&(i, _)| is_for(i)).map(|(_, &c)| c).collect();
        let mut computed = compute(&wanted)?.into_iter();
        let results: Vec<_> = (0..cases.len()).map(|i| is_for(i).then(|| computed.next().unwrap())).collect();
        self.results.extend(results);
        Ok(())
    }
}

/// Runs cases on every device and compares the results with the CPU's.
pub fn same_cases_everywhere(
    columns: &[Column],
    add: impl Fn(&[Column], &mut Cases, &Context) -> Result<()>,
) {
    let all = |columns: &[Column], share: Share, ctx: &Context| {
        let mut cases = Cases { share, results: Vec::new() };
        add(columns, &mut cases, ctx).unwrap();
        cases.results
    };
    let expected = all(columns, Share::ALL, &Context::current());
    for (ctx, share) in contexts_in_shares() {
        let there: Vec<Column> = columns.iter().map(|column| column.to_device(&ctx).unwrap()).collect();
        let got = all(&there, share, &ctx);
        assert_eq!(got.len(), expected.len());
        for (got, expected) in got.iter().zip(&expected) {
            if let (Some(got), Some(expected)) = (got, expected) {
                assert_same(got, expected, &ctx);
            }
        }
    }
}

/// A column of 16 bytes a row, with the validity of `numbers` and these as its lower halves.
pub fn wide_column(numbers: &Column, ctx: &Context) -> Column {
    let values = (0..numbers.len()).map(|i| (i128::from(i as u64) << 64) | (i as i128 * 3));
    let halves: Vec<i64> = values.flat_map(|value| [value as i64, (value >> 64) as i64 ^ 0x55]).collect();
    let data = HostUVec::from_slice(&halves, ctx).unwrap().into_buffer();
    let mask = numbers.copy_mask(ctx).unwrap();
    Column::from_buffer(DataType::Decimal128(2), numbers.len(), data, mask).unwrap()
}
