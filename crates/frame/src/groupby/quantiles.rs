//! Quantiles of every group, one or several at once.

use cuprum_column::{Column, Error, Result, Table};
use cuprum_compute::filling;
use cuprum_compute::groupby::{self, quantile_elements};
use cuprum_compute::quantiles::Interpolation;
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::reshape::interleave_columns;

use super::{GroupBy, in_order};
use crate::dataframe::DataFrame;
use crate::index::Index;
use crate::label::Label;
use crate::types::{Dtype, TypedColumn};

impl GroupBy {
    /// The values of the columns `inputs` below which a share `q` of every group lies: one row for each group. Of two
    /// neighbours it lies between, `Lower`, `Higher` and `Nearest` find one, of the column's type; others make numbers of 64
    /// bits, and times as they are.
    ///
    /// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for a share outside of 0 to 1, and with
    /// [`DataType`](cuprum_column::ErrorKind::DataType) for columns that have no quantiles.
    pub fn quantile(&self, inputs: &[Label], q: f64, interpolation: Interpolation) -> Result<DataFrame> {
        check_shares(&[q])?;
        let found = inputs.iter().map(|input| Ok(self.shares_of(input, &[q], interpolation)?.remove(0)));
        self.lay_out(inputs.to_vec(), found.collect::<Result<_>>()?, true)
    }

    /// [`quantile`](Self::quantile) at several shares: one row for each group and share, group by group, the shares in the
    /// order given. They are the last level of the row labels, which has no name, or a column where keys are.
    ///
    /// Fails as it does.
    pub fn quantiles(&self, inputs: &[Label], q: &[f64], interpolation: Interpolation) -> Result<DataFrame> {
        check_shares(q)?;
        let ctx = self.keys.context()?;
        let of_input = |input: &Label| {
            let found = self.shares_of(input, q, interpolation)?;
            let Some(first) = found.first() else { return self.frame.accessor().get(input)?.slice(0, 0) };
            let data = found.iter().map(|column| column.data().cloned()).collect::<Result<_>>()?;
            Ok(first.like(interleave_columns(&Table::new(data)?, &ctx)?))
        };
        let columns: Vec<TypedColumn> = inputs.iter().map(of_input).collect::<Result<_>>()?;
        let shares = Index::from_columns(vec![Column::from_slice(q, &ctx)?.into()], vec![None])?;
        let index = self.below_keys(&shares)?;
        let result = DataFrame::from_parts(inputs.to_vec(), columns, index)?.with_level_names_of(&self.frame);
        if self.options.as_index { Ok(result) } else { result.reset_index() }
    }

    /// The quantiles of a column at each share, in the order of results.
    fn shares_of(&self, input: &Label, q: &[f64], interpolation: Interpolation) -> Result<Vec<TypedColumn>> {
        let (groups, ctx) = (self.groups()?, self.keys.context()?);
        let column = self.frame.accessor().get(input)?;
        let named = |e: Error| e.context(format!("column '{input}'"));
        let to = column.dtype().reduce(Aggregation::Quantile(0.5)).map_err(named)?;
        let (data, grouping) = (column.data()?, &groups.grouping);
        let (found, to) = match interpolation {
            Interpolation::Linear => {
                let requests: Vec<(&Column, Aggregation)> =
                    q.iter().map(|&q| (data, Aggregation::Quantile(q))).collect();
                (groupby::aggregate(grouping, &requests, &ctx)?, to)
            }
            Interpolation::Midpoint => {
                let one = |&q: &f64| groupby::quantiles(grouping, data, &[q], interpolation, &ctx);
                (q.iter().map(one).collect::<Result<_>>()?, to)
            }
            _ => (
                quantile_elements(grouping, data, q, interpolation, &ctx).map_err(named)?,
                column.dtype().clone(),
            ),
        };
        let found = in_order(groups, found)?.into_iter();
        found.map(|data| TypedColumn::new(to.clone(), data)).collect()
    }

    /// Row labels of so many rows for each group as `inner` has labels: these below the keys.
    pub(super) fn below_keys(&self, inner: &Index) -> Result<Index> {
        let ctx = self.keys.context()?;
        let groups = self.groups()?;
        let repeated = |(key, dtype): (&Column, &Dtype)| {
            if inner.is_empty() {
                return TypedColumn::new(dtype.clone(), key.slice(0, 0)?);
            }
            let each = Table::new(vec![key.clone(); inner.len()])?;
            TypedColumn::new(dtype.clone(), interleave_columns(&each, &ctx)?)
        };
        let mut levels: Vec<TypedColumn> =
            groups.keys.iter().zip(&self.key_types).map(repeated).collect::<Result<_>>()?;
        levels.extend(self.for_each_group(inner)?);
        let mut names = self.key_names.clone();
        names.extend(inner.names().iter().cloned());
        Index::from_columns(levels, names)
    }

    /// The labels `inner` once for each group.
    pub(super) fn for_each_group(&self, inner: &Index) -> Result<Vec<TypedColumn>> {
        let ctx = self.keys.context()?;
        let count = self.num_groups()?;
        let tiled = |column: TypedColumn| {
            column.moved(|data| {
                let table = Table::new(vec![data.to_device(&ctx)?])?;
                Ok(filling::tile(&table, count, &ctx)?.columns()[0].clone())
            })
        };
        inner.columns()?.into_iter().map(tiled).collect()
    }
}

fn check_shares(q: &[f64]) -> Result<()> {
    match q.iter().find(|q| !(0.0..=1.0).contains(*q)) {
        Some(bad) => {
            Err(Error::invalid_argument(format!("Each 'q' must be between 0 and 1. Got '{bad:?}' instead")))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::{Frame, IndexedFrame};
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
        let groups = frame.groupby(["k"]).finish().unwrap();
        let linear = Interpolation::Linear;
        let found = groups.quantiles(&["v".into()], &[0.75, 0.0], linear).unwrap();
        let column = |c: &Column| (0..4).map(|i| c.get(i).unwrap().as_f64().unwrap()).collect::<Vec<_>>();
        assert_eq!(column(found.columns()[0].data().unwrap()), [7.0, 7.0, 4.0, 1.0]);
        assert_eq!(column(found.index().level(1).unwrap().data().unwrap()), [0.75, 0.0, 0.75, 0.0]);
        assert_eq!(found.index().names(), [Some("k".into()), None]);
        let found = groups.quantiles(&["v".into()], &[0.75, 0.0], Interpolation::Higher).unwrap();
        assert_eq!(column(found.columns()[0].data().unwrap()), [7.0, 7.0, 5.0, 1.0]);
        for bad in [1.5, f64::NAN] {
            let error = groups.quantiles(&["v".into()], &[bad], linear).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        }
        assert_eq!(groups.quantiles(&["v".into()], &[], linear).unwrap().num_rows(), 0);
        let options = GroupByOptions { as_index: false, ..GroupByOptions::default() };
        let groups = GroupBy::by_labels(&frame, &["k".into()], options).unwrap();
        let found = groups.quantiles(&["v".into()], &[0.5], linear).unwrap();
        assert_eq!(found.labels(), ["k".into(), "level_1".into(), "v".into()]);
    }
}
