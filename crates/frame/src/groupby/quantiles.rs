//! Several quantiles of every group at once.

use cuprum_column::{Column, Error, Result, Scalar};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::copying::{OutOfBoundsPolicy, gather_column};
use cuprum_compute::filling;
use cuprum_compute::reduce::Aggregation;

use super::{GroupBy, Request};
use crate::dataframe::DataFrame;
use crate::frame::IndexedFrame;
use crate::index::Index;
use crate::label::Label;
use crate::reshape::concat::{Join, RowLabels, concat_rows};

impl GroupBy {
    /// The values of the columns `inputs` below which shares `q` of every group lie, interpolated between
    /// neighbours: one row for each group and share, group by group, the shares in the order given. They are
    /// the last level of the row labels, which has no name.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a share outside of 0 to 1
    /// and for none, with [`Unsupported`](cuprum_column::ErrorKind::Unsupported) for groups whose keys are
    /// columns of results.
    pub fn quantiles(&self, inputs: &[Label], q: &[f64]) -> Result<DataFrame> {
        if !self.options.as_index {
            return Err(Error::unsupported("quantile of groups takes one `q` unless as_index"));
        }
        if let Some(bad) = q.iter().find(|q| !(0.0..=1.0).contains(*q)) {
            return Err(Error::invalid_argument(format!("`q` is {bad}; quantiles lie between 0 and 1")));
        }
        if q.is_empty() {
            return Err(Error::invalid_argument("`q` is empty: give one share or more"));
        }
        let of_share = |q: &f64| {
            let request = |l: &Label| Request::new(l.clone(), l.clone(), Aggregation::Quantile(*q));
            self.aggregate(&inputs.iter().map(request).collect::<Vec<_>>())
        };
        let parts = q.iter().map(of_share).collect::<Result<Vec<_>>>()?;
        let stacked = concat_rows(&parts.iter().collect::<Vec<_>>(), Join::Outer, RowLabels::Keep)?;
        // Row `g * shares + s` of the result is row `s * groups + g` of what was stacked.
        let ctx = self.keys.context()?;
        let (groups, shares) = (self.num_groups()?, q.len());
        let int = |n: usize| Scalar::from(n as i64);
        let numbers = filling::sequence(0, 1, groups * shares, &ctx)?;
        let group = binary_operation(&numbers, &int(shares), BinaryOperator::FloorDiv, &ctx)?;
        let share = binary_operation(&numbers, &int(shares), BinaryOperator::Mod, &ctx)?;
        let rows = binary_operation(&share, &int(groups), BinaryOperator::Mul, &ctx)?;
        let rows = binary_operation(&rows, &group, BinaryOperator::Add, &ctx)?;
        let result = stacked.take(&rows)?;
        let of_row = gather_column(&Column::from_slice(q, &ctx)?, &share, OutOfBoundsPolicy::Check, &ctx)?;
        let mut levels = result.index().columns()?;
        let mut names = result.index().names().to_vec();
        levels.push(of_row.into());
        names.push(None);
        result.with_index(Index::from_columns(levels, names)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Frame;
    use crate::groupby::GroupByOptions;
    use cuprum_column::{Context, ErrorKind};

    #[test]
    fn group_by_group() {
        let ctx = Context::current();
        let frame = DataFrame::new([
            ("k", Column::from_strs(&["b", "a", "b", "b"], &ctx).unwrap()),
            ("v", Column::from_slice(&[1.0, 7.0, 3.0, 5.0], &ctx).unwrap()),
        ])
        .unwrap();
        let groups = frame.groupby(&["k"]).unwrap();
        let found = groups.quantiles(&["v".into()], &[0.75, 0.0]).unwrap();
        let column = |c: &Column| (0..4).map(|i| c.get(i).unwrap().as_f64().unwrap()).collect::<Vec<_>>();
        assert_eq!(column(found.columns()[0].data().unwrap()), [7.0, 7.0, 4.0, 1.0]);
        assert_eq!(column(found.index().level(1).unwrap().data().unwrap()), [0.75, 0.0, 0.75, 0.0]);
        assert_eq!(found.index().names(), [Some("k".into()), None]);
        for bad in [vec![1.5], vec![], vec![f64::NAN]] {
            assert_eq!(groups.quantiles(&["v".into()], &bad).unwrap_err().kind(), ErrorKind::InvalidArgument);
        }
        let options = GroupByOptions { as_index: false, ..GroupByOptions::default() };
        let groups = GroupBy::by_labels(&frame, &["k".into()], options).unwrap();
        assert_eq!(groups.quantiles(&["v".into()], &[0.5]).unwrap_err().kind(), ErrorKind::Unsupported);
    }
}
