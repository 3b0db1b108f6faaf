//! Aggregations by name, and several of them at once: what pandas' `agg` takes.

use cuprum_column::{Error, Result};
use cuprum_compute::reduce::Aggregation;

use crate::column_accessor::ColumnAccessor;
use crate::dataframe::DataFrame;
use crate::groupby::{GroupBy, Request};
use crate::index::Index;
use crate::label::Label;
use crate::operations::reduce::{MissingElements, reduce_column, reduce_column_by, side_by_side};
use crate::series::Series;
use crate::types::concat_columns;
use crate::types::{self, TypedColumn};

/// The names that [`NamedAggregation::of`] knows.
pub const NAMES: [&str; 17] = [
    "sum", "prod", "min", "max", "mean", "median", "quantile", "var", "std", "sem", "count", "size",
    "nunique", "first", "last", "any", "all",
];

/// An aggregation by pandas' name. `parameter` is the `ddof` (1, if not given) of `var`, `std` and `sem` and
/// the share (a half) of `quantile`.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for other names, for a share
/// outside 0 to 1 and for a parameter that the aggregation does not have.
pub fn aggregation(name: &str, parameter: Option<f64>) -> Result<Aggregation> {
    let takes = matches!(name, "var" | "std" | "sem" | "quantile");
    if let Some(parameter) = parameter.filter(|_| !takes) {
        return Err(Error::invalid_argument(format!("{name} has no parameter, {parameter} was given")));
    }
    let ddof = match parameter {
        Some(ddof) if name != "quantile" => {
            // Beyond these limits no number of elements makes a difference.
            if ddof.fract() != 0.0 || ddof.abs() > 2f64.powi(53) {
                return Err(Error::invalid_argument(format!("`ddof` is {ddof}; it is a whole number")));
            }
            ddof as i64
        }
        _ => 1,
    };
    Ok(match name {
        "sum" => Aggregation::Sum,
        "prod" | "product" => Aggregation::Product,
        "min" => Aggregation::Min,
        "max" => Aggregation::Max,
        "mean" => Aggregation::Mean,
        "median" => Aggregation::Median,
        "quantile" => {
            let q = parameter.unwrap_or(0.5);
            if !(0.0..=1.0).contains(&q) {
                return Err(Error::invalid_argument(format!("`q` is {q}; quantiles lie between 0 and 1")));
            }
            Aggregation::Quantile(q)
        }
        "var" => Aggregation::Var { ddof },
        "std" => Aggregation::Std { ddof },
        "sem" => Aggregation::Sem { ddof },
        "count" => Aggregation::Count,
        "size" => Aggregation::Size,
        "nunique" => Aggregation::NUnique,
        "first" => Aggregation::First,
        "last" => Aggregation::Last,
        "any" => Aggregation::Any,
        "all" => Aggregation::All,
        other => {
            let known = NAMES.join(", ");
            return Err(Error::invalid_argument(format!("`func` is '{other}'; known are {known}")));
        }
    })
}

/// An aggregation and what its results are called.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedAggregation {
    /// The name.
    pub name: Label,
    /// The aggregation.
    pub how: Aggregation,
}

impl NamedAggregation {
    /// An aggregation under a name of one's own.
    pub fn new(name: impl Into<Label>, how: Aggregation) -> Self {
        Self { name: name.into(), how }
    }

    /// An aggregation by pandas' name, which its results bear; see [`aggregation`].
    pub fn of(name: &str) -> Result<Self> {
        Ok(Self::new(name, aggregation(name, None)?))
    }
}

/// Several aggregations of the columns of a frame or of its groups.
#[derive(Clone, Debug)]
pub enum Aggregations {
    /// Each of the columns by each of these.
    Each(Vec<NamedAggregation>),
    /// Some columns, each by aggregations of its own.
    OfColumns(Vec<(Label, Vec<NamedAggregation>)>),
    /// Results with labels of their own.
    Named(Vec<Request>),
}

impl Aggregations {
    /// The columns and what becomes of each.
    fn of_columns(&self, all: &[Label]) -> Vec<(Label, Vec<NamedAggregation>)> {
        match self {
            Self::Each(each) => all.iter().map(|label| (label.clone(), each.clone())).collect(),
            Self::OfColumns(columns) => columns.clone(),
            Self::Named(requests) => {
                let mut columns: Vec<(Label, Vec<NamedAggregation>)> = vec![];
                for request in requests {
                    let named = NamedAggregation::new(request.output.clone(), request.aggregation);
                    match columns.iter_mut().find(|(label, _)| *label == request.input) {
                        Some((_, aggregations)) => aggregations.push(named),
                        None => columns.push((request.input.clone(), vec![named])),
                    }
                }
                columns
            }
        }
    }

    /// The names of all results, each once: in order of first appearance.
    fn names(&self) -> Vec<Label> {
        let names: Vec<&Label> = match self {
            Self::Each(each) => each.iter().map(|named| &named.name).collect(),
            Self::OfColumns(columns) => {
                columns.iter().flat_map(|(_, c)| c).map(|named| &named.name).collect()
            }
            Self::Named(requests) => requests.iter().map(|request| &request.output).collect(),
        };
        let mut found: Vec<Label> = vec![];
        for name in names {
            if !found.contains(name) {
                found.push(name.clone());
            }
        }
        found
    }
}

impl GroupBy {
    /// One row per group and one column per aggregation of the columns `inputs`: under pairs of the column's
    /// label and the aggregation's name, or under labels of their own.
    pub fn agg(&self, inputs: &[Label], what: &Aggregations) -> Result<DataFrame> {
        if let Aggregations::Named(requests) = what {
            return self.aggregate(requests);
        }
        let pair = |label: &Label, named: &NamedAggregation| {
            let parts = label.parts().iter().cloned().chain([named.name.clone()]);
            Request::new(Label::tuple(parts), label.clone(), named.how)
        };
        let requests = what.of_columns(inputs);
        let requests = requests.iter().flat_map(|(label, each)| each.iter().map(|named| pair(label, named)));
        self.aggregate(&requests.collect::<Vec<_>>())
    }
}

impl DataFrame {
    /// One row for each name and one column for each that is aggregated, missing where it has not the
    /// aggregation. What aggregations give for a column needs a common type.
    ///
    /// Fails as [`reduce`](Self::reduce), with [`KeyNotFound`](cuprum_column::ErrorKind::KeyNotFound) for
    /// columns that are not there and with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for
    /// a name that a column has twice.
    pub fn agg(&self, what: &Aggregations, absent: MissingElements) -> Result<Self> {
        let names = what.names();
        let (mut labels, mut columns) = (vec![], vec![]);
        for (label, each) in what.of_columns(self.labels()) {
            let of = |e: Error| e.context(format!("column '{label}'"));
            let column = self.accessor().get(&label)?;
            let mut values: Vec<Option<TypedColumn>> = vec![None; names.len()];
            let hows: Vec<Aggregation> = each.iter().map(|named| named.how).collect();
            let reduced = reduce_column_by(column, &hows, absent).map_err(of)?;
            for (named, value) in each.iter().zip(reduced) {
                let at = names.iter().position(|name| *name == named.name);
                let slot = at.and_then(|at| values.get_mut(at)).filter(|slot| slot.is_none());
                let slot = slot.ok_or_else(|| {
                    Error::invalid_argument(format!(
                        "two aggregations of '{label}' are called '{}'",
                        named.name
                    ))
                })?;
                *slot = Some(value.decoded().map_err(of)?);
            }
            let parts: Vec<Option<&TypedColumn>> = values.iter().map(Option::as_ref).collect();
            types::check_kinds(&parts.iter().flatten().copied().collect::<Vec<_>>()).map_err(of)?;
            columns.push(concat_columns(&parts, &vec![1; parts.len()]).map_err(of)?);
            labels.push(label);
        }
        let data = ColumnAccessor::new(labels, columns, names.len())?.with_levels_of(self.accessor());
        Self::from_accessor(data, Index::from_labels(&names)?)
    }

    /// Some columns, each reduced by an aggregation of its own: a series labelled by them. The values need a
    /// common type. Fails as [`agg`](Self::agg).
    pub fn reduce_columns(
        &self,
        columns: &[(Label, Aggregation)],
        absent: MissingElements,
    ) -> Result<Series> {
        let mut values = vec![];
        for (label, how) in columns {
            let value = reduce_column(self.accessor().get(label)?, *how, absent);
            values.push(value.and_then(|v| v.decoded()).map_err(|e| e.context(format!("column '{label}'")))?);
        }
        let values = side_by_side(&values)?;
        let labels: Vec<Label> = columns.iter().map(|(label, _)| label.clone()).collect();
        Series::new(values, None, Index::from_labels(&labels)?)
    }
}

impl Series {
    /// Several aggregations: a series labelled by their names. Fails as [`DataFrame::agg`].
    pub fn agg(&self, each: &[NamedAggregation], absent: MissingElements) -> Result<Self> {
        let label = || Label::Int(0);
        let table = self.to_frame(Some(label())).agg(&Aggregations::Each(each.to_vec()), absent)?;
        Ok(table.column(label())?.rename(self.name().cloned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::df;
    use crate::frame::{Frame, IndexedFrame};
    use cuprum_column::ErrorKind;

    fn frame() -> DataFrame {
        df! { "k" => ["x", "y", "x"], "a" => [Some(1i64), None, Some(3)], "b" => [0.5, 1.5, 4.0] }.unwrap()
    }

    fn cells(column: &TypedColumn) -> Vec<Option<f64>> {
        (0..column.len()).map(|row| column.get(row).unwrap().as_f64().filter(|x| !x.is_nan())).collect()
    }

    #[test]
    fn names_and_parameters() {
        for name in NAMES {
            assert_eq!(NamedAggregation::of(name).unwrap().name, Label::from(name));
        }
        assert_eq!(aggregation("std", Some(0.0)).unwrap(), Aggregation::Std { ddof: 0 });
        for (name, parameter) in [("mode", None), ("sum", Some(1.0)), ("quantile", Some(2.0))] {
            assert_eq!(aggregation(name, parameter).unwrap_err().kind(), ErrorKind::InvalidArgument);
        }
    }

    #[test]
    fn of_columns() {
        let frame = frame().drop_columns(&["k".into()]).unwrap();
        let [sum, mean] = ["sum", "mean"].map(|name| NamedAggregation::of(name).unwrap());
        let each =
            frame.agg(&Aggregations::Each(vec![sum.clone(), mean.clone()]), MissingElements::Skip).unwrap();
        assert_eq!(each.index().labels().unwrap(), ["sum", "mean"].map(Label::from));
        assert_eq!(cells(&each.columns()[0]), [Some(4.0), Some(2.0)]);
        assert_eq!(cells(&each.columns()[1]), [Some(6.0), Some(2.0)]);
        let some = Aggregations::OfColumns(vec![("b".into(), vec![mean]), ("a".into(), vec![sum.clone()])]);
        let some = frame.agg(&some, MissingElements::Propagate).unwrap();
        assert_eq!(some.labels(), ["b", "a"].map(Label::from));
        assert_eq!(cells(&some.columns()[0]), [Some(2.0), None]);
        assert_eq!(cells(&some.columns()[1]), [None, None]);
        let twice =
            frame.agg(&Aggregations::Each(vec![sum.clone(), sum]), MissingElements::Skip).unwrap_err();
        assert_eq!(twice.kind(), ErrorKind::InvalidArgument);
        let each = [("b".into(), Aggregation::Max), ("a".into(), Aggregation::Count)];
        assert_eq!(
            cells(frame.reduce_columns(&each, MissingElements::Skip).unwrap().column()),
            [Some(4.0), Some(2.0)]
        );
    }

    #[test]
    fn of_groups() {
        let groups = frame().groupby(["k"]).finish().unwrap();
        let each = Aggregations::Each(vec![NamedAggregation::of("max").unwrap()]);
        let found = groups.agg(&["b".into()], &each).unwrap();
        assert_eq!(found.labels(), [Label::tuple(["b".into(), "max".into()])]);
        assert_eq!(cells(&found.columns()[0]), [Some(4.0), Some(1.5)]);
    }
}
