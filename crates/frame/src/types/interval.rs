//! Intervals between two bounds.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use cuprum_column::{Column, Context, DataType, Device, Error, Result, Scalar, Value, null_mask};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::strings::combine;
use cuprum_compute::unary::{UnaryOperator, unary_operation};

use super::{
    Datetime, Dtype, MissingTruth, Struct, TypeRules, TypedColumn, cast, no_aggregation, no_operator,
    operate, operate_as,
};
use crate::index::element;
use crate::label::Label;
use crate::types::equality::is_any;

/// The bounds that belong to an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Closed {
    /// The upper one: `(0, 1]`.
    #[default]
    Right,
    /// The lower one: `[0, 1)`.
    Left,
    /// Both: `[0, 1]`.
    Both,
    /// None: `(0, 1)`.
    Neither,
}

impl Closed {
    const ALL: [Self; 4] = [Self::Right, Self::Left, Self::Both, Self::Neither];

    /// Whether the lower bound belongs to the interval.
    pub fn left(self) -> bool {
        matches!(self, Self::Left | Self::Both)
    }

    /// Whether the upper bound belongs to the interval.
    pub fn right(self) -> bool {
        matches!(self, Self::Right | Self::Both)
    }

    /// As pandas calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Left => "left",
            Self::Both => "both",
            Self::Neither => "neither",
        }
    }

    /// The brackets that an interval is written in.
    pub(crate) fn brackets(self) -> (char, char) {
        (if self.left() { '[' } else { '(' }, if self.right() { ']' } else { ')' })
    }
}

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Closed {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|closed| closed.name() == name).ok_or_else(|| {
            Error::invalid_argument(format!(
                "invalid option for 'closed': {name}; it is 'left', 'right', 'both' or 'neither'"
            ))
        })
    }
}

/// Intervals between bounds of one type: stored as structs of the lower and the upper one, null as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    bounds: Arc<Dtype>,
    closed: Closed,
}

impl Interval {
    /// Intervals between such bounds. Numbers are of 64 bits, as in pandas.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for bounds that are no numbers and no times.
    pub fn of(bounds: &Dtype, closed: Closed) -> Result<Self> {
        let bounds = match bounds {
            Dtype::Numeric(_) => Dtype::plain(match bounds.storage() {
                t if t.is_float() => DataType::Float64,
                t if t.is_unsigned_integer() => DataType::UInt64,
                _ => DataType::Int64,
            }),
            Dtype::Null(_) => Dtype::plain(DataType::Float64),
            Dtype::Datetime(_) | Dtype::Timedelta(_) => bounds.clone(),
            other => {
                return Err(Error::data_type(format!(
                    "category, object, and string subtypes are not supported for intervals: these are {other}"
                )));
            }
        };
        Ok(Self { bounds: Arc::new(bounds), closed })
    }

    /// The type of the bounds.
    pub fn bounds(&self) -> &Dtype {
        &self.bounds
    }

    /// The bounds that belong to an interval.
    pub fn closed(&self) -> Closed {
        self.closed
    }

    /// The same with other bounds closed.
    #[must_use]
    pub fn with_closed(&self, closed: Closed) -> Self {
        Self { bounds: Arc::clone(&self.bounds), closed }
    }

    /// The fields that they are stored as.
    pub fn fields(&self) -> Struct {
        let field = |name: &str| super::Field { name: name.into(), dtype: self.bounds().clone() };
        Struct::stored([field("left"), field("right")])
    }

    /// The stored value of a row between stored bounds.
    fn stored(left: &Scalar, right: &Scalar, ctx: &Context) -> Result<Scalar> {
        let bounds = [left, right].map(|bound| Column::from_scalar(bound, 1, ctx));
        Scalar::nested(Column::structs(1, bounds.into_iter().collect::<Result<_>>()?, None)?)
    }

    /// The stored value that a label is; `None` for one that is no interval of this type.
    pub(crate) fn element(&self, label: &Label) -> Result<Option<Scalar>> {
        let Label::Interval(bounds, closed) = label else { return Ok(None) };
        let (left, right) = (element(&bounds.0, &self.bounds)?, element(&bounds.1, &self.bounds)?);
        let (Some(left), Some(right)) = (left, right) else { return Ok(None) };
        if *closed != self.closed || left.is_null() || right.is_null() {
            return Ok(None);
        }
        Self::stored(&left, &right, &Context::beside(Device::Cpu)?).map(Some)
    }
}

/// The intervals from the rows of `left` to those of `right`, missing where both are.
///
/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for bounds that are no numbers and no times, and
/// with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where they differ in length, one of two is
/// missing, or the lower is above the upper.
pub fn intervals(left: &TypedColumn, right: &TypedColumn, closed: Closed) -> Result<TypedColumn> {
    if left.len() != right.len() {
        return Err(Error::invalid_argument(format!(
            "left and right must have the same length: they have {} and {} rows",
            left.len(),
            right.len()
        )));
    }
    let bounds = left.dtype().common(right.dtype()).ok_or_else(|| {
        Error::data_type(format!(
            "must not have differing left [{}] and right [{}] types",
            left.dtype(),
            right.dtype()
        ))
    })?;
    let kind = Interval::of(&bounds, closed)?;
    let (left, right) = (cast(left, kind.bounds())?, cast(right, kind.bounds())?);
    let ctx = left.context()?;
    let (no_left, no_right) = (left.missing()?, right.missing()?);
    if is_any(&binary_operation(&no_left, &no_right, BinaryOperator::NotEqual, &ctx)?)? {
        return Err(Error::invalid_argument(
            "missing values must be missing in the same location both left and right sides",
        ));
    }
    if is_any(operate(&left, &right, BinaryOperator::Greater)?.data()?)? {
        return Err(Error::invalid_argument("left side of interval must be <= right side"));
    }
    of_bounds(kind, &left, &right)
}

/// The intervals of a dtype between bounds of its type, missing where the lower is.
pub(crate) fn of_bounds(kind: Interval, left: &TypedColumn, right: &TypedColumn) -> Result<TypedColumn> {
    let ctx = left.context()?;
    let present = unary_operation(&left.missing()?, UnaryOperator::Not, &ctx)?;
    let mask = null_mask::bools_to_mask(&present, &ctx)?;
    let fields = vec![left.data()?.clone(), right.data()?.clone()];
    let structs = Column::structs(left.len(), fields, Some(mask).filter(|(_, nulls)| *nulls > 0))?;
    TypedColumn::new(Dtype::Interval(kind), null_mask::push_down_nulls(&structs, &ctx)?)
}

/// Structs of the bounds as intervals: missing where the struct is, or its lower bound.
pub(super) fn of_struct(kind: Interval, data: Column) -> Result<TypedColumn> {
    let column = TypedColumn::new(Dtype::Interval(kind.clone()), data)?;
    let (left, right) = bounds(&column)?;
    of_bounds(kind, &left, &right)
}

/// The lower and the upper bounds of a column of intervals.
///
/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for other columns.
pub fn bounds(column: &TypedColumn) -> Result<(TypedColumn, TypedColumn)> {
    let Dtype::Interval(kind) = column.dtype() else { return column.dtype().refuse("having bounds") };
    let stored = null_mask::push_down_nulls(column.data()?, &column.context()?)?;
    let bound = |i| TypedColumn::new(kind.bounds().clone(), stored.field(i)?);
    Ok((bound(0)?, bound(1)?))
}

/// The same bounds, of which others belong to the intervals.
pub fn with_closed(column: &TypedColumn, closed: Closed) -> Result<TypedColumn> {
    let Dtype::Interval(kind) = column.dtype() else { return column.dtype().refuse("`set_closed`") };
    TypedColumn::new(Dtype::Interval(kind.with_closed(closed)), column.data()?.clone())
}

/// For each interval whether a value, of the type of the bounds or one that compares with it, lies in it; false
/// where it is missing.
pub fn contain(column: &TypedColumn, value: &Label) -> Result<Column> {
    let Dtype::Interval(kind) = column.dtype() else { return column.dtype().refuse("`contains`") };
    let ctx = column.context()?;
    let (left, right) = bounds(column)?;
    let value = constant(value, column.len(), &ctx)?;
    let (above, below) = sides(kind.closed());
    let (above, below) = (operate(&left, &value, above)?, operate(&value, &right, below)?);
    binary_operation(above.data()?, below.data()?, BinaryOperator::And, &ctx)
}

/// For each interval whether it has points in common with another; one without points has none.
///
/// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for a label that is no interval.
pub fn overlap(column: &TypedColumn, other: &Label) -> Result<Column> {
    let Dtype::Interval(kind) = column.dtype() else { return column.dtype().refuse("`overlaps`") };
    let Label::Interval(of, closed) = other else {
        return Err(Error::data_type(format!("`other` must be Interval-like, not {other}")));
    };
    let ctx = column.context()?;
    let (left, right) = bounds(column)?;
    let (first, last) = (constant(&of.0, column.len(), &ctx)?, constant(&of.1, column.len(), &ctx)?);
    let meet = |both| if both { BinaryOperator::LessEqual } else { BinaryOperator::Less };
    let starts = operate(&left, &last, meet(kind.closed().left() && closed.right()))?;
    let ends = operate(&first, &right, meet(kind.closed().right() && closed.left()))?;
    let has_points = |closed: Closed| meet(closed.left() && closed.right());
    let full = operate(&left, &right, has_points(kind.closed()))?;
    let other_full = operate(&first, &last, has_points(*closed))?;
    [ends, full, other_full].iter().try_fold(starts.data()?.clone(), |all, one| {
        binary_operation(&all, one.data()?, BinaryOperator::And, &ctx)
    })
}

/// The comparison of a lower bound with a point inside, and that of the point with an upper bound.
fn sides(closed: Closed) -> (BinaryOperator, BinaryOperator) {
    let of = |closed| if closed { BinaryOperator::LessEqual } else { BinaryOperator::Less };
    (of(closed.left()), of(closed.right()))
}

/// A column of one value.
pub(crate) fn constant(label: &Label, len: usize, ctx: &Context) -> Result<TypedColumn> {
    let value =
        || label.to_scalar().ok_or_else(|| Error::data_type(format!("{label} is no element of a column")));
    match label {
        Label::Instant(_, unit, zone) => {
            let dtype = Dtype::Datetime(Datetime { unit: *unit, zone: Some(Arc::clone(zone)) });
            TypedColumn::new(dtype, Column::from_scalar(&value()?, len, ctx)?)
        }
        Label::Interval(of, closed) => {
            intervals(&constant(&of.0, len, ctx)?, &constant(&of.1, len, ctx)?, *closed)
        }
        _ => Ok(Column::from_scalar(&value()?, len, ctx)?.into()),
    }
}

/// `left op right` where one side is intervals: intervals equal those of the same bounds that are closed alike,
/// and are ordered by their lower, then their upper bounds. With anything else they are never equal.
pub(super) fn compare(
    left: &TypedColumn,
    right: &TypedColumn,
    op: BinaryOperator,
    truth: MissingTruth,
) -> Result<TypedColumn> {
    left.dtype().binary(op, right.dtype())?;
    let ctx = left.context()?;
    let alike = match (left.dtype(), right.dtype()) {
        (Dtype::Interval(a), Dtype::Interval(b)) => {
            a.closed() == b.closed() && a.bounds().common(b.bounds()).is_some()
        }
        _ => false,
    };
    if !alike {
        return TypedColumn::computed(truth.never_equal(op, &[left.data()?, right.data()?]));
    }
    let (a, b) = (bounds(left)?, bounds(right)?);
    let of = |a: &TypedColumn, b: &TypedColumn, op| operate_as(a, b, op, truth)?.data().cloned();
    let both = |a: Column, b: Column, op| binary_operation(&a, &b, op, &ctx);
    TypedColumn::computed(match op {
        BinaryOperator::Equal => both(of(&a.0, &b.0, op)?, of(&a.1, &b.1, op)?, BinaryOperator::And),
        BinaryOperator::NotEqual => both(of(&a.0, &b.0, op)?, of(&a.1, &b.1, op)?, BinaryOperator::Or),
        _ => {
            let strict = match op {
                BinaryOperator::Less | BinaryOperator::LessEqual => BinaryOperator::Less,
                _ => BinaryOperator::Greater,
            };
            let same = of(&a.0, &b.0, BinaryOperator::Equal)?;
            let tied = both(same, of(&a.1, &b.1, op)?, BinaryOperator::And)?;
            both(of(&a.0, &b.0, strict)?, tied, BinaryOperator::Or)
        }
    })
}

/// The intervals that a scalar or another value is beside a column, as often as the column has rows: what
/// [`compare`] takes.
pub(super) fn beside(column: &TypedColumn, scalar: &Scalar) -> Result<TypedColumn> {
    let ctx = column.context()?;
    if scalar.is_null() {
        return TypedColumn::nulls(column.dtype(), column.len(), &ctx);
    }
    constant(&Label::from_scalar(scalar)?, column.len(), &ctx)
}

/// An interval as a scalar of its own: its bounds, the closed one's name, and the zone of instants, which the
/// stored value of a row leaves to the dtype.
pub(crate) fn to_scalar(left: &Label, right: &Label, closed: Closed) -> Option<Scalar> {
    let ctx = Context::beside(Device::Cpu).ok()?;
    let zone = match left {
        Label::Instant(_, _, zone) => Scalar::string(Arc::clone(zone)),
        _ => Scalar::null(DataType::String),
    };
    let parts = [left.to_scalar()?, right.to_scalar()?, Scalar::string(closed.name()), zone];
    let parts = parts.iter().map(|part| Column::from_scalar(part, 1, &ctx)).collect::<Result<_>>().ok()?;
    Scalar::nested(Column::structs(1, parts, None).ok()?).ok()
}

/// The label that such a scalar is; `None` for other structs.
pub(crate) fn from_scalar(row: &Column) -> Result<Option<Label>> {
    if row.data_type() != DataType::Struct || row.children().len() != 4 {
        return Ok(None);
    }
    let part = |i| row.field(i)?.get(0);
    let (closed, zone) = (part(2)?, part(3)?);
    let Some(Ok(closed)) = closed.as_str().map(Closed::from_str) else { return Ok(None) };
    let bound = |i| {
        let value = part(i)?;
        let dtype = match (value.data_type(), zone.value()) {
            (DataType::Timestamp(unit), Value::String(zone)) => {
                Dtype::Datetime(Datetime { unit, zone: Some(Arc::clone(zone)) })
            }
            (plain, _) => Dtype::plain(plain),
        };
        Label::of(&dtype, &value)
    };
    Ok(Some(Label::interval(bound(0)?, bound(1)?, closed)))
}

/// A row of intervals as a label.
pub(crate) fn row_label(kind: &Interval, row: &Column) -> Result<Label> {
    if row.has_nulls() {
        return Ok(Label::Missing);
    }
    let bound = |i| Label::of(kind.bounds(), &row.field(i)?.get(0)?);
    Ok(Label::interval(bound(0)?, bound(1)?, kind.closed()))
}

/// The intervals between numbers as they are printed; missing ones stay so.
pub(super) fn print(column: &TypedColumn, kind: &Interval) -> Result<Column> {
    if !kind.bounds().is_numeric() {
        return column.dtype().refuse("casting to str");
    }
    let ctx = column.context()?;
    let (left, right) = bounds(column)?;
    let text = Dtype::plain(DataType::String);
    let (left, right) = (cast(&left, &text)?, cast(&right, &text)?);
    let (open, close) = kind.closed().brackets();
    let sign = |sign: char| Column::from_scalar(&Scalar::string(sign.to_string()), column.len(), &ctx);
    let (open, close) = (sign(open)?, sign(close)?);
    let left = combine::concatenate(&[&open, left.data()?], "", None, &ctx)?;
    let right = combine::concatenate(&[right.data()?, &close], "", None, &ctx)?;
    combine::concatenate(&[&left, &right], ", ", None, &ctx)
}

impl TypeRules for Interval {
    fn name(&self) -> String {
        format!("interval[{}, {}]", self.bounds, self.closed)
    }

    fn storage(&self) -> DataType {
        DataType::Struct
    }

    fn is_plain(&self) -> bool {
        false
    }

    /// Intervals that are closed alike, between bounds of the common type.
    fn common(&self, other: &Dtype) -> Option<Dtype> {
        let Dtype::Interval(other) = other else { return None };
        if self.closed != other.closed {
            return None;
        }
        let bounds = Arc::new(self.bounds.common(&other.bounds)?);
        Some(Dtype::Interval(Self { bounds, closed: self.closed }))
    }

    /// Intervals equal nothing but intervals; they are ordered among those that are closed alike.
    fn binary(&self, op: BinaryOperator, other: &Dtype) -> Result<Dtype> {
        let equality = matches!(op, BinaryOperator::Equal | BinaryOperator::NotEqual);
        let ordered =
            matches!(other, Dtype::Interval(b) if self.common(&Dtype::Interval(b.clone())).is_some());
        if !op.is_comparison() {
            return Err(no_operator(op, &self.name(), &other.name()));
        }
        if !equality && !ordered {
            return Err(Error::data_type(format!(
                "invalid comparison between {} and {other} by {op}",
                self.name()
            )));
        }
        Ok(Dtype::plain(DataType::Bool8))
    }

    fn reduce(&self, how: Aggregation) -> Result<Dtype> {
        match how {
            Aggregation::Count | Aggregation::Size | Aggregation::NUnique => {
                Ok(Dtype::plain(DataType::Int64))
            }
            Aggregation::First | Aggregation::Last | Aggregation::Min | Aggregation::Max => {
                Ok(Dtype::Interval(self.clone()))
            }
            _ => Err(no_aggregation(how, &self.name())),
        }
    }

    fn is_ordered(&self) -> bool {
        true
    }

    fn is_key(&self) -> bool {
        true
    }
}
