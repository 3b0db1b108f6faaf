//! Operators between frames: alignment, scalar promotion, and what comparisons say of missing values.
//!
//! Arithmetic with a missing element is missing. What comparisons and logic are is chosen ([`MissingTruth`]): as in
//! pandas they are never missing, comparisons being false where either side is (`!=` is true).

use std::collections::HashSet;

use cuprum_column::{Column, DataType, Error, Result, Scalar};
use cuprum_compute::binaryop::BinaryOperator;

use crate::column_accessor::ColumnAccessor;
use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame, map_stacked};
use crate::index::sort_union;
use crate::label::Label;
use crate::operations::align;
use crate::series::Series;
use crate::types::{Dtype, MissingTruth, TypedColumn, operate_as, operate_scalar_as};

impl Series {
    /// `self op other`, rows matched by label: rows that only one side has are missing in the result.
    /// Comparisons demand equal labels. The name is kept where both have it.
    pub fn binary(&self, other: &Self, op: BinaryOperator) -> Result<Self> {
        let name = if self.name() == other.name() { self.name().cloned() } else { None };
        if self.index().equals(other.index())? {
            let column = operate_as(self.column(), other.column(), op, MissingTruth::chosen())?;
            return Ok(self.with_column(column).rename(name));
        }
        if is_comparison(op) {
            return Err(Error::invalid_argument(
                "can only compare identically-labeled Series; align or reset their indexes first",
            ));
        }
        let (left, right) = align::align(self, other)?;
        Ok(left
            .with_column(operate_as(left.column(), right.column(), op, MissingTruth::chosen())?)
            .rename(name))
    }

    /// `self op scalar`, or `scalar op self` when `reflected`. The scalar takes the type of the
    /// series where it can hold its kind (an `int8` series plus 1 stays `int8`).
    pub fn binary_scalar(&self, scalar: &Scalar, op: BinaryOperator, reflected: bool) -> Result<Self> {
        Ok(self.with_column(operate_scalar_as(self.column(), scalar, op, reflected, MissingTruth::chosen())?))
    }

    /// `self op other` by position, for a plain column without labels.
    pub fn binary_column(&self, other: &TypedColumn, op: BinaryOperator, reflected: bool) -> Result<Self> {
        if other.len() != self.len() {
            return Err(Error::invalid_argument(format!(
                "operands of {} and {} rows: lengths must match",
                self.len(),
                other.len()
            )));
        }
        let other = &*other.placed(&self.context()?)?;
        let (left, right) = if reflected { (other, self.column()) } else { (self.column(), other) };
        Ok(self.with_column(operate_as(left, right, op, MissingTruth::chosen())?))
    }
}

impl DataFrame {
    /// Every column `op scalar`, or `scalar op` it when `reflected`.
    pub fn binary_scalar(&self, scalar: &Scalar, op: BinaryOperator, reflected: bool) -> Result<Self> {
        self.map_elements(stacks(op), |c| operate_scalar_as(c, scalar, op, reflected, MissingTruth::chosen()))
    }

    /// `self op other`, rows and columns matched by label. Columns that only one side has are missing.
    pub fn binary(&self, other: &Self, op: BinaryOperator) -> Result<Self> {
        let (left, right) = if self.index().equals(other.index())? {
            (self.clone(), other.clone())
        } else if is_comparison(op) {
            return Err(Error::invalid_argument("can only compare identically-labeled DataFrames"));
        } else {
            align::align(self, other)?
        };
        let (ours, theirs) = (left.accessor(), right.accessor());
        let (labels, names) = match ours.labels() == theirs.labels() {
            true => (ours.labels().to_vec(), ours.level_names().to_vec()),
            false if is_comparison(op) => {
                return Err(Error::invalid_argument("can only compare identically-labeled DataFrames"));
            }
            false if ours.num_levels() != theirs.num_levels() && !ours.is_empty() && !theirs.is_empty() => {
                return Err(Error::invalid_argument(format!(
                    "cannot match columns of {} levels with columns of {}",
                    ours.num_levels(),
                    theirs.num_levels()
                )));
            }
            false => {
                let same = ours.level_names() == theirs.level_names();
                let names =
                    if same { ours.level_names().to_vec() } else { vec![None; ours.level_names().len()] };
                (united(ours.labels(), theirs.labels()), names)
            }
        };
        let identical = ours.labels() == theirs.labels();
        let truth = MissingTruth::chosen();
        if identical {
            let sides = [ours.columns(), theirs.columns()];
            let columns = map_stacked(sides, stacks(op), |[left, right]| operate_as(left, right, op, truth))?;
            let data = ColumnAccessor::new(labels, columns, left.num_rows())?
                .with_levels_of(ours)
                .with_level_names(names);
            return Self::from_accessor(data, left.index().clone());
        }
        let columns = labels
            .iter()
            .map(|label| {
                let absent = |column: &TypedColumn| missing_like(column, left.num_rows());
                match (ours.contains(label), theirs.contains(label)) {
                    (true, true) => operate_as(ours.get(label)?, theirs.get(label)?, op, truth),
                    // Of which some are known.
                    (true, false) if op == BinaryOperator::Pow => {
                        let base = ours.get(label)?;
                        operate_as(base, &absent(base)?, op, truth)
                    }
                    (true, false) => absent(ours.get(label)?),
                    (false, _) if op == BinaryOperator::Pow => {
                        let exponent = theirs.get(label)?;
                        operate_as(&absent(exponent)?, exponent, op, truth)
                    }
                    (false, _) => absent(theirs.get(label)?),
                }
            })
            .collect::<Result<_>>()?;
        let data = ColumnAccessor::new(labels, columns, left.num_rows())?
            .with_levels_of(ours)
            .with_level_names(names);
        Self::from_accessor(data, left.index().clone())
    }

    /// Every column `op` the element of `row` that is labelled like it: a series along the columns. Labels
    /// that only one side has are missing elements.
    ///
    /// The labels are those of both in order, unless they are the same already.
    pub fn binary_row(&self, row: &Series, op: BinaryOperator, reflected: bool) -> Result<Self> {
        let theirs = row.index().labels()?;
        let same = self.labels() == theirs;
        let (own, others) = (self.accessor().num_levels(), row.index().num_levels());
        if !same && own != others && !theirs.is_empty() && self.num_columns() > 0 {
            return Err(Error::unsupported(format!(
                "an operator of columns with labels of {own} levels and a series with labels of {others}"
            )));
        }
        let labels = if same { self.labels().to_vec() } else { united(self.labels(), &theirs) };
        let find = |label: &Label| -> Result<Option<Scalar>> {
            let rows = row.index().find_label(label)?;
            if rows.is_empty() {
                return Ok(None);
            }
            if rows.len() > 1 {
                return Err(Error::invalid_argument(format!(
                    "cannot reindex on an axis with duplicate labels: '{label}'"
                )));
            }
            Ok(Some(row.column().get(rows.get(0)?.as_i64().unwrap_or(0) as usize)?))
        };
        let truth = MissingTruth::chosen();
        let alone = |column: &TypedColumn| {
            if !is_comparison(op) {
                return missing_like(column, self.num_rows());
            }
            let value = truth.of(op);
            TypedColumn::computed(Column::from_scalar(&value, self.num_rows(), &self.context()?))
        };
        let columns = labels
            .iter()
            .enumerate()
            .map(|(i, label)| {
                if same {
                    return operate_scalar_as(
                        &self.columns()[i],
                        &row.column().get(i)?,
                        op,
                        reflected,
                        truth,
                    );
                }
                if !self.contains(label) {
                    return alone(row.column());
                }
                let column = self.accessor().get(label)?;
                match find(label)? {
                    Some(scalar) => operate_scalar_as(column, &scalar, op, reflected, truth),
                    None => alone(column),
                }
            })
            .collect::<Result<_>>()?;
        if same {
            return self.replace_columns(columns);
        }
        let data = ColumnAccessor::new(labels, columns, self.num_rows())?.with_levels_of(self.accessor());
        Self::from_accessor(data, self.index().clone())
    }

    /// Every column `op` `other`, rows matched by label: a series along the rows. Rows that only one side
    /// has are missing.
    pub fn binary_column(&self, other: &Series, op: BinaryOperator, reflected: bool) -> Result<Self> {
        let (frame, other) = if self.index().equals(other.index())? {
            (self.clone(), other.clone())
        } else {
            align::align(self, other)?
        };
        frame.map_columns(|column| {
            let (left, right) = if reflected { (other.column(), column) } else { (column, other.column()) };
            operate_as(left, right, op, MissingTruth::chosen())
        })
    }
}

/// The labels of both, each once, in the order of unions of indexes.
pub(super) fn united(ours: &[Label], theirs: &[Label]) -> Vec<Label> {
    let mut labels = ours.to_vec();
    let mut seen: HashSet<&Label> = ours.iter().collect();
    labels.extend(theirs.iter().filter(|label| seen.insert(label)).cloned());
    sort_union(&mut labels, ours, theirs);
    labels
}

fn missing_like(column: &TypedColumn, rows: usize) -> Result<TypedColumn> {
    let float = Dtype::plain(DataType::Float64);
    let dtype = if column.dtype().is_numeric() { &float } else { column.dtype() };
    TypedColumn::nulls(dtype, rows, &column.context()?)
}

/// Whether columns of a numeric type may be computed as one column: the result type of the operator depends on the
/// operand types alone. Not so for division of integers, where a zero divisor changes the type of its column.
fn stacks(op: BinaryOperator) -> fn(DataType) -> bool {
    use BinaryOperator::{Add, Mul, Sub};
    if is_comparison(op) || matches!(op, Add | Sub | Mul) { DataType::is_numeric } else { DataType::is_float }
}

/// Whether the operator compares, so that its result is true or false.
pub fn is_comparison(op: BinaryOperator) -> bool {
    use BinaryOperator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    matches!(op, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
}

macro_rules! operator {
    ($($trait:ident $method:ident $op:ident;)*) => {$(
        impl std::ops::$trait<&Series> for &Series {
            type Output = Result<Series>;
            fn $method(self, other: &Series) -> Self::Output {
                self.binary(other, BinaryOperator::$op)
            }
        }
        impl std::ops::$trait<f64> for &Series {
            type Output = Result<Series>;
            fn $method(self, other: f64) -> Self::Output {
                self.binary_scalar(&Scalar::from(other), BinaryOperator::$op, false)
            }
        }
        impl std::ops::$trait<i64> for &Series {
            type Output = Result<Series>;
            fn $method(self, other: i64) -> Self::Output {
                self.binary_scalar(&Scalar::from(other), BinaryOperator::$op, false)
            }
        }
    )*};
}

operator! {
    Add add Add;
    Sub sub Sub;
    Mul mul Mul;
    Div div TrueDiv;
}

macro_rules! compare {
    ($($(#[$doc:meta])* $method:ident $op:ident;)*) => {
        impl Series {$(
            $(#[$doc])*
            pub fn $method(&self, value: impl Into<Scalar>) -> Result<Series> {
                self.binary_scalar(&value.into(), BinaryOperator::$op, false)
            }
        )*}
    };
}

compare! {
    /// True where an element equals `value`.
    eq Equal;
    /// True where an element differs from `value` or is missing.
    ne NotEqual;
    /// True where an element is less than `value`.
    lt Less;
    /// True where an element is at most `value`.
    le LessEqual;
    /// True where an element is greater than `value`.
    gt Greater;
    /// True where an element is at least `value`.
    ge GreaterEqual;
}
