//! Categories as columns of truth values: pandas' `get_dummies`.

use cuprum_column::{Column, DataType, Error, Result, Scalar, Value};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::replace::replace_nulls;
use cuprum_compute::unary;

use crate::column_accessor::ColumnAccessor;
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::label::Label;
use crate::series::Series;
use crate::types::{Categorical, Dtype, TypedColumn};

/// What [`Series::dummies`] makes.
#[derive(Clone, Copy, Debug)]
pub struct DummyOptions {
    /// Without the first value, or the missing one where there is no other: the others tell.
    pub drop_first: bool,
    /// With a last column, called NaN, for missing elements, whether there are any or not.
    pub missing: bool,
    /// The type of the columns: booleans or numbers 0 and 1.
    pub dtype: DataType,
}

impl Default for DummyOptions {
    fn default() -> Self {
        Self { drop_first: false, missing: false, dtype: DataType::Bool8 }
    }
}

impl Series {
    /// A column for each different value, in ascending order (for each category, in theirs), that says in
    /// which rows the value is. The columns are called by the values; a missing element is none.
    ///
    /// The values are numbered once, and each column is made of their numbers. Fails with
    /// [`DataType`](cuprum_column::ErrorKind::DataType) for another type of the columns than booleans and
    /// numbers, and for values that have no order.
    pub fn dummies(&self, options: DummyOptions) -> Result<DataFrame> {
        let (labels, columns) = dummies(self, options)?.into_iter().unzip();
        let data =
            ColumnAccessor::new(labels, columns, self.len())?.with_level_dtypes([self.dtype().clone()]);
        DataFrame::from_accessor(data, self.index().clone())
    }
}

impl DataFrame {
    /// The frame with columns replaced by the [dummies](Series::dummies) of each, after all others, called
    /// `prefix`, `separator` and the value.
    pub fn dummies(
        &self,
        columns: &[(Label, String)],
        separator: &[String],
        options: DummyOptions,
    ) -> Result<Self> {
        if separator.len() != columns.len() {
            return Err(Error::invalid_argument(format!(
                "Length of 'prefix_sep' ({}) did not match the length of the columns being encoded ({})",
                separator.len(),
                columns.len()
            )));
        }
        let gone: Vec<Label> = columns.iter().map(|(label, _)| label.clone()).collect();
        let rest = self.drop_columns(&gone)?;
        let (mut labels, mut parts) = (rest.labels().to_vec(), rest.columns().to_vec());
        for ((label, prefix), separator) in columns.iter().zip(separator) {
            let found = dummies(&self.column(label.clone())?, options);
            for (value, column) in found.map_err(|e| e.context(format!("column '{label}'")))? {
                labels.push(format!("{prefix}{separator}{value}").into());
                parts.push(column);
            }
        }
        Self::from_accessor(ColumnAccessor::new(labels, parts, self.num_rows())?, self.index().clone())
    }
}

fn dummies(series: &Series, options: DummyOptions) -> Result<Vec<(Label, TypedColumn)>> {
    let numeric = options.dtype.is_integer() || options.dtype.is_float();
    if !numeric && options.dtype != DataType::Bool8 {
        return Err(Error::data_type(format!(
            "`dtype` is {}; dummies are booleans or numbers",
            options.dtype
        )));
    }
    let ctx = series.context()?;
    // The values are compared once; the columns are made of their codes, which have few bytes.
    let coded = match series.dtype() {
        Dtype::Categorical(_) => series.column().clone(),
        _ => Categorical::encode_distinct(series.column(), false)?,
    };
    let Dtype::Categorical(kind) = coded.dtype() else {
        return Err(Error::logic("encoded values are categories"));
    };
    let (codes, values) = (coded.data()?, kind.categories().values());
    let typed = |flags: &Column| TypedColumn::computed(unary::cast(flags, options.dtype, &ctx));
    let mut columns = vec![];
    for row in usize::from(options.drop_first)..values.len() {
        let label = match Label::of(values.dtype(), &values.get(row)?)? {
            // Beside NaN integers are floats, as in an index of both.
            Label::Int(value) if options.missing => Label::Float(value as f64),
            label => label,
        };
        let code = Scalar::new(codes.data_type(), Value::Int(row as i64))?;
        let flags = binary_operation(codes, &code, BinaryOperator::Equal, &ctx)?;
        let flags = replace_nulls(&flags, &Scalar::from(false), false, &ctx)?;
        columns.push((label, typed(&flags)?));
    }
    // The missing value is the first where there is no other.
    if options.missing && !(options.drop_first && values.is_empty()) {
        columns.push((Label::Float(f64::NAN), typed(series.isna()?.column().data()?)?));
    }
    Ok(columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cuprum_column::{Context, ErrorKind};

    fn texts() -> Column {
        let ctx = Context::current();
        let values = Column::from_strs(&["b", "a", "b", ""], &ctx).unwrap();
        let rows = Column::from_slice(&[0i64, 1, 2, -1], &ctx).unwrap();
        let nullify = cuprum_compute::copying::OutOfBoundsPolicy::Nullify;
        cuprum_compute::copying::gather_column(&values, &rows, nullify, &ctx).unwrap()
    }

    fn values(frame: &DataFrame, at: usize) -> Vec<Option<i64>> {
        (0..frame.num_rows()).map(|i| frame.columns()[at].get(i).unwrap().as_i64()).collect()
    }

    #[test]
    fn a_column_for_each_value() {
        let series = Series::from_column(texts(), None);
        let options = DummyOptions { missing: true, dtype: DataType::Int8, ..DummyOptions::default() };
        let found = series.dummies(options).unwrap();
        assert_eq!(found.labels(), ["a".into(), "b".into(), Label::Float(f64::NAN)]);
        assert_eq!(values(&found, 1), [Some(1), Some(0), Some(1), Some(0)]);
        assert_eq!(values(&found, 2), [Some(0), Some(0), Some(0), Some(1)]);
        let numbers = Column::from_slice(&[2i64], &Context::current()).unwrap();
        let numbers = Series::from_column(numbers, None).dummies(options).unwrap();
        assert_eq!(numbers.labels()[0].to_string(), "2.0");
        let none = series.slice(3, 1).unwrap();
        assert_eq!(none.dummies(options).unwrap().num_columns(), 1);
        let first = DummyOptions { drop_first: true, ..options };
        assert_eq!(none.dummies(first).unwrap().num_columns(), 0);
        let texts = DummyOptions { dtype: DataType::String, ..options };
        assert_eq!(series.dummies(texts).unwrap_err().kind(), ErrorKind::DataType);
    }

    #[test]
    fn columns_of_a_frame() {
        let ctx = Context::current();
        let numbers = Column::from_slice(&[1.5, 2.0, 2.0, 1.5], &ctx).unwrap();
        let frame = DataFrame::new([("s", texts()), ("n", numbers)]).unwrap();
        let options = DummyOptions { drop_first: true, ..DummyOptions::default() };
        let columns = [("n".into(), "p".to_owned()), ("s".into(), String::new())];
        let found = frame.dummies(&columns, &["_".into(), "-".into()], options).unwrap();
        assert_eq!(found.labels(), ["p_2.0".into(), "-b".into()]);
        let kept = frame.dummies(&columns[1..], &["_".into()], options).unwrap();
        assert_eq!(kept.labels(), ["n".into(), "_b".into()]);
        assert_eq!(frame.dummies(&columns, &[], options).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
}
