//! Keys of the files of a data set: their types and values, which file has which, and columns of them.

use arrow_schema::{DataType as ArrowType, Field};
use cuprum_column::{Column, Context, Error, Result};
use cuprum_compute::copying::{OutOfBoundsPolicy, gather_column};
use cuprum_runtime::Device;

use crate::filter::Condition;

/// The different values of a key, in the order of the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyValues {
    /// All are integers of 32 bits.
    Integers(Vec<i32>),
    /// At least one is none, or there are none but missing ones.
    Texts(Vec<String>),
}

/// A key of the files of a data set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    name: String,
    values: KeyValues,
    /// The number of the value of each file among them; `None` where it is missing.
    of_file: Vec<Option<usize>>,
}

impl Key {
    /// A key whose values are called so in the names of directories, for each file; `None` for a missing value.
    ///
    /// Values are integers where all are that are not missing (`01` is 1), else texts.
    pub fn new(name: impl Into<String>, texts: &[Option<String>]) -> Self {
        let present = || texts.iter().flatten();
        let integers: Option<Vec<i32>> = present().map(|text| integer(text)).collect();
        let (values, of_file) = if integers.is_some_and(|integers| !integers.is_empty()) {
            let (values, of_file) = numbered(texts, |text| integer(text).unwrap_or_default());
            (KeyValues::Integers(values), of_file)
        } else {
            let (values, of_file) = numbered(texts, Clone::clone);
            (KeyValues::Texts(values), of_file)
        };
        Self { name: name.into(), values, of_file }
    }

    /// What the key is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its different values, without the missing one.
    pub fn values(&self) -> &KeyValues {
        &self.values
    }

    /// What Arrow says of a column of the key: `Int32` or `Utf8`.
    pub fn field(&self) -> Field {
        let arrow = match self.values {
            KeyValues::Integers(_) => ArrowType::Int32,
            KeyValues::Texts(_) => ArrowType::Utf8,
        };
        Field::new(&self.name, arrow, true)
    }

    /// The different values as a column, `Int32` or `String`, without nulls.
    pub fn distinct(&self, ctx: &Context) -> Result<Column> {
        match &self.values {
            KeyValues::Integers(values) => Column::from_slice(values, ctx),
            KeyValues::Texts(values) => Column::from_strs(values, ctx),
        }
    }

    /// For the rows of files, a number of a file and its rows each, one file after the other: which of the
    /// [different](Self::distinct) values they have. `Int32`, null where the key is missing.
    ///
    /// Fails with [`OutOfRange`](cuprum_column::ErrorKind::OutOfRange) for a file that is not there.
    pub fn codes(&self, rows: &[(usize, usize)], ctx: &Context) -> Result<Column> {
        let total = rows.iter().try_fold(0usize, |sum, (_, rows)| sum.checked_add(*rows));
        let total = total.ok_or_else(|| Error::overflow("the files have too many rows"))?;
        let mut codes = cuprum_runtime::host_vec::with_capacity(total)?;
        for &(file, rows) in rows {
            let code = self.of_file.get(file).ok_or_else(|| {
                Error::out_of_range(format!("file {file} of a data set of {}", self.of_file.len()))
            })?;
            let code = code.map(|code| i32::try_from(code).unwrap_or(i32::MAX));
            codes.resize(codes.len() + rows, code);
        }
        Column::from_options(&codes, ctx)
    }

    /// The value of the key for the rows of files, as [`codes`](Self::codes) numbers them.
    pub fn column(&self, rows: &[(usize, usize)], ctx: &Context) -> Result<Column> {
        let (distinct, codes) = (self.distinct(ctx)?, self.codes(rows, ctx)?);
        if distinct.is_empty() {
            return Column::nulls(distinct.data_type(), codes.len(), ctx);
        }
        gather_column(&distinct, &codes, OutOfBoundsPolicy::Check, ctx)
    }

    /// Whether the rows of each file meet a condition on the key.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) where it compares with a value of another kind.
    pub(super) fn meet(&self, condition: &Condition) -> Result<Vec<bool>> {
        let ctx = Context::beside(Device::Cpu)?;
        let files: Vec<(usize, usize)> = (0..self.of_file.len()).map(|file| (file, 1)).collect();
        super::prune::rows_that_meet(condition, &self.column(&files, &ctx)?, &self.field(), &ctx)
    }
}

/// The integer that a text is, if it has digits and a minus sign only.
fn integer(text: &str) -> Option<i32> {
    if text.starts_with('+') { None } else { text.parse().ok() }
}

/// The different values, and the number of each one.
fn numbered<T: Clone + std::hash::Hash + Eq>(
    texts: &[Option<String>],
    value: impl Fn(&String) -> T,
) -> (Vec<T>, Vec<Option<usize>>) {
    let mut values: Vec<T> = Vec::new();
    let mut numbers = std::collections::HashMap::new();
    let number = |text: &Option<String>| {
        let value = value(text.as_ref()?);
        Some(*numbers.entry(value.clone()).or_insert_with(|| {
            values.push(value);
            values.len() - 1
        }))
    };
    let of_file = texts.iter().map(number).collect();
    (values, of_file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::{Operator, Value};
    use cuprum_column::ErrorKind;

    fn key(texts: &[Option<&str>]) -> Key {
        Key::new("k", &texts.iter().map(|text| text.map(str::to_owned)).collect::<Vec<_>>())
    }

    #[test]
    fn types_of_keys() {
        let texts = |values: &[&str]| KeyValues::Texts(values.iter().map(|&v| v.to_owned()).collect());
        for (given, values, of_file) in [
            (
                &[Some("10"), Some("2"), None, Some("10")][..],
                KeyValues::Integers(vec![10, 2]),
                vec![Some(0), Some(1), None, Some(0)],
            ),
            (
                &[Some("-3"), Some("01"), Some("1")],
                KeyValues::Integers(vec![-3, 1]),
                vec![Some(0), Some(1), Some(1)],
            ),
            (
                &[Some("-2147483648"), Some("2147483647")],
                KeyValues::Integers(vec![i32::MIN, i32::MAX]),
                vec![Some(0), Some(1)],
            ),
            (&[Some("2147483648")], texts(&["2147483648"]), vec![Some(0)]),
            (&[Some("1"), Some("x")], texts(&["1", "x"]), vec![Some(0), Some(1)]),
            (&[Some("+1")], texts(&["+1"]), vec![Some(0)]),
            (&[Some("")], texts(&[""]), vec![Some(0)]),
            (&[None, None], texts(&[]), vec![None, None]),
            (&[], texts(&[]), vec![]),
        ] {
            let key = key(given);
            assert_eq!((key.values(), &key.of_file), (&values, &of_file), "{given:?}");
        }
    }

    #[test]
    fn columns_of_keys() {
        let ctx = Context::beside(Device::Cpu).unwrap();
        let integers =
            key(&[Some("7"), None, Some("5")]).column(&[(2, 2), (1, 1), (0, 1), (0, 0)], &ctx).unwrap();
        let expected = Column::from_options(&[Some(5), Some(5), None, Some(7)], &ctx).unwrap();
        assert!(cuprum_column::arrow::are_equal(&integers, &expected).unwrap());
        let missing = key(&[None]).column(&[(0, 3)], &ctx).unwrap();
        assert_eq!((missing.len(), missing.null_count().unwrap()), (3, 3));
        assert_eq!(key(&[None]).codes(&[(1, 1)], &ctx).unwrap_err().kind(), ErrorKind::OutOfRange);
    }

    #[test]
    fn conditions_on_keys() {
        let meet = |key: &Key, operator, values: &[Value]| {
            key.meet(&Condition { column: "k".into(), operator, values: values.to_vec() })
        };
        let integers = key(&[Some("7"), None, Some("-5")]);
        for (operator, values, expected) in [
            (Operator::Equal, &[Value::Int(7)][..], [true, false, false]),
            (Operator::NotEqual, &[Value::Int(7)], [false, false, true]),
            (Operator::Less, &[Value::Float(7.5)], [true, false, true]),
            (Operator::GreaterEqual, &[Value::Int(1 << 80)], [false, false, false]),
            (Operator::In, &[Value::Int(-5), Value::Null], [false, true, true]),
            (Operator::NotIn, &[Value::Int(-5)], [true, true, false]),
            (Operator::NotIn, &[Value::Int(-5), Value::Null], [true, false, false]),
            (Operator::Equal, &[Value::Null], [false, false, false]),
            (Operator::NotEqual, &[Value::Float(f64::NAN)], [true, false, true]),
        ] {
            assert_eq!(meet(&integers, operator, values).unwrap(), expected, "{operator} {values:?}");
        }
        let texts = key(&[Some("x"), None, Some("é")]);
        assert_eq!(
            meet(&texts, Operator::Greater, &[Value::Text("x".into())]).unwrap(),
            [false, false, true]
        );
        let error = meet(&integers, Operator::Equal, &[Value::Text("7".into())]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DataType);
        assert!(error.to_string().contains("`filters`: column 'k'"), "{error}");
        assert_eq!(meet(&texts, Operator::Equal, &[Value::Int(1)]).unwrap_err().kind(), ErrorKind::DataType);
    }
}
