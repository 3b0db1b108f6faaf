//! Types that mean something: [`Dtype`] over the storage types of columns.
//!
//! A [`DataType`] says how values are stored, a [`Dtype`] what they mean. Every kind of dtype has a file here
//! with its rules, all in one shape ([`TypeRules`]): its name, the common type with others, the types of
//! operators, reductions and casts, whether it can be sorted and grouped by. A rule decides from types alone;
//! then `compute` runs it. Operations that a kind does not have are refused with its name.
//!
//! | kind | stored as | name |
//! |---|---|---|
//! | [`Numeric`] | itself | `int64`, `float32`, … |
//! | [`Boolean`] | `Bool8` | `bool` |
//! | [`Text`] | `String` | `str` |
//! | [`Binary`] | list of `UInt8` | `binary` |
//! | [`Null`] | `Empty` | `object`, as pandas calls a column of nothing |
//! | [`Date`] | `Timestamp` of days | `date32` |
//! | [`Datetime`] | `Timestamp`, in UTC where there is a zone | `datetime64[ns]`, `datetime64[ns, Europe/Berlin]` |
//! | [`Timedelta`] | `Duration` | `timedelta64[ns]` |
//! | [`Period`] | `Int64`: the number of spans since 1970 | `period[M]` |
//! | [`Decimal`] | itself | `decimal128(12, 2)` |
//! | [`Categorical`] | `Int8` to `Int32`: the position of the category | `category` |
//! | [`Interval`] | struct of the lower and the upper bound | `interval[int64, right]` |
//! | [`List`] | list | `list<int64>` |
//! | [`Struct`] | struct | `struct<a: int64, b: str>` |
//! | [`Objects`] | `Int32`: the position of an object of the language that calls | `object` |

pub mod equality;
pub mod promotion;

mod arrow;
mod binary;
mod boolean;
mod cast;
mod categorical;
mod column;
mod concat;
pub(crate) mod date;
mod date_spellings;
mod datetime;
pub(crate) mod decimal;
mod decoded_once;
mod default_width;
mod interval;
mod late;
mod list;
mod meet;
mod missing_truth;
mod null;
mod numeric;
mod object;
mod operate;
pub(crate) mod partial_dates;
mod period;
mod rows;
mod string;
mod structs;
mod taking;
mod time_formats;
mod time_texts;
mod timedelta;
mod zones;

use std::fmt;

use cuprum_column::validate::MAX_DEPTH;
use cuprum_column::{Column, DataType, Error, Result, TimeUnit};
use cuprum_compute::binaryop::{self, BinaryOperator};
use cuprum_compute::reduce::Aggregation;

pub use arrow::export_table;
pub use binary::Binary;
pub use boolean::Boolean;
pub(crate) use cast::check_kinds;
pub use cast::{cast, reduce, reduce_to_column, unify, unify_keys, unify_labels};
pub(crate) use cast::{marks_to_nulls, one_value, reduce_to_columns, stored};
pub use categorical::{Categorical, Categories};
pub(crate) use column::read_together;
pub use column::{TypedColumn, to_device};
pub(crate) use concat::concat_columns;
pub use date::Date;
pub use datetime::Datetime;
pub use decimal::Decimal;
pub use default_width::{DefaultWidth, Number, with_default_width};
pub use interval::{Closed, Interval, bounds, contain, intervals, overlap, with_closed};
pub(crate) use interval::{
    constant, from_scalar as interval_of_scalar, row_label, to_scalar as interval_scalar,
};
pub use list::List;
pub(crate) use meet::meet;
pub use missing_truth::MissingTruth;
pub use null::Null;
pub use numeric::Numeric;
pub(crate) use numeric::keeps_width;
pub use object::{ObjectPlace, ObjectStore, Objects};
pub(crate) use operate::{Power, one};
pub use operate::{operate, operate_as, operate_scalar, operate_scalar_as};
pub(crate) use period::print_periods;
pub use period::{Period, PeriodEdge, period_as, period_bounds, period_dates, to_periods};
pub use string::Text;
pub(crate) use string::are_not_empty;
pub use structs::{Field, Struct};
pub(crate) use taking::Taking;
pub use taking::{late_rows, set_late_rows};
pub(crate) use time_formats::MONTHS;
pub(crate) use time_texts::{format_of_first, refuse_doubtful_century, unit_of_texts};
pub use timedelta::Timedelta;
pub use zones::{
    convert_zone, instant_among, instant_beside, local_times, localize, operate_instant, operate_instant_as,
    print_instants, print_times, read_times, round_times,
};
pub(crate) use zones::{instant_on_clocks, says_offset, times_by_clock};

/// The meaning of the values of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum Dtype {
    Numeric(Numeric),
    Bool(Boolean),
    String(Text),
    Binary(Binary),
    Null(Null),
    Date(Date),
    Datetime(Datetime),
    Timedelta(Timedelta),
    Period(Period),
    Decimal(Decimal),
    Categorical(Categorical),
    Interval(Interval),
    List(List),
    Struct(Struct),
    Objects(Objects),
}

/// The rules of one kind. Methods that a kind leaves as they are say what holds where the stored value is
/// the value, and where it is not that nothing can be done but count and move rows.
pub trait TypeRules {
    /// The name, as pandas (or else cuDF) spells it.
    fn name(&self) -> String;

    /// The data type of the stored values.
    fn storage(&self) -> DataType;

    /// Whether the stored value is the value, so that operations on the one are operations on the other.
    fn is_plain(&self) -> bool {
        true
    }

    /// The type that holds the values of both: for `concat`, `where`, keys of joins and filling. `None`
    /// where there is none. Asked of either side.
    fn common(&self, other: &Dtype) -> Option<Dtype>;

    /// The type of `self op other`; [`operate`] prepares the operands.
    fn binary(&self, op: BinaryOperator, other: &Dtype) -> Result<Dtype> {
        if !self.is_plain() || !other.is_plain() {
            return Err(no_operator(op, &self.name(), &other.name()));
        }
        binaryop::result_type(self.storage(), other.storage(), op).map(Dtype::plain)
    }

    /// The type that an aggregation of the values has.
    fn reduce(&self, how: Aggregation) -> Result<Dtype> {
        match how {
            Aggregation::Count | Aggregation::Size => Ok(Dtype::plain(DataType::Int64)),
            Aggregation::NUnique if self.is_key() => Ok(Dtype::plain(DataType::Int64)),
            _ if self.is_plain() => how.result_type(self.storage()).map(Dtype::plain),
            _ => Err(no_aggregation(how, &self.name())),
        }
    }

    /// Whether values have an order: that of the stored values.
    fn is_ordered(&self) -> bool {
        self.is_plain()
    }

    /// Whether rows can be grouped, joined and told apart by values of the type.
    fn is_key(&self) -> bool {
        self.is_plain()
    }
}

/// The type of `lhs op rhs` for lists and structs: comparisons of those of one type, whose values are keys.
fn nested_operator(lhs: &Dtype, op: BinaryOperator, rhs: &Dtype) -> Result<Dtype> {
    let is_compared = match op {
        BinaryOperator::Equal | BinaryOperator::NotEqual => lhs.is_key(),
        _ => op.is_comparison() && lhs.is_ordered(),
    };
    if lhs == rhs && is_compared {
        return Ok(Dtype::plain(DataType::Bool8));
    }
    Err(no_operator(op, &lhs.name(), &rhs.name()))
}

/// The type of an aggregation of lists and structs: counts and extremes.
fn nested_aggregation(of: &Dtype, how: Aggregation) -> Result<Dtype> {
    match how {
        Aggregation::Count | Aggregation::Size => Ok(Dtype::plain(DataType::Int64)),
        Aggregation::NUnique if of.is_key() => Ok(Dtype::plain(DataType::Int64)),
        Aggregation::Min | Aggregation::Max if of.is_ordered() => Ok(of.clone()),
        Aggregation::First | Aggregation::Last => Ok(of.clone()),
        _ => Err(no_aggregation(how, &of.name())),
    }
}

impl Dtype {
    /// The dtype of columns that say no more than how they are stored.
    ///
    /// A decimal gets all digits that its storage has; a list, a struct and a dictionary do not say what
    /// they hold, see [`Dtype::of`].
    pub fn plain(storage: DataType) -> Self {
        match storage {
            DataType::Bool8 => Self::Bool(Boolean),
            DataType::String => Self::String(Text),
            DataType::Timestamp(TimeUnit::Days) => Self::Date(Date),
            DataType::Timestamp(unit) => Self::Datetime(Datetime { unit, zone: None }),
            DataType::Duration(unit) => Self::Timedelta(Timedelta { unit }),
            DataType::Empty => Self::Null(Null),
            DataType::List => Self::List(List::stored(Self::Null(Null))),
            DataType::Struct => Self::Struct(Struct::stored([])),
            t => Decimal::of(t).map_or_else(|| Self::Numeric(Numeric::of(t)), Self::Decimal),
        }
    }

    /// The depth of nested types.
    fn depth(&self) -> usize {
        match self {
            Self::List(list) => 1 + list.element().depth(),
            Self::Struct(structs) => 1 + structs.fields().iter().map(|f| f.dtype.depth()).max().unwrap_or(0),
            _ => 1,
        }
    }

    /// Fails where a type of such elements or fields would be deeper than columns are.
    fn has_room_around(&self) -> Result<()> {
        if self.depth() < MAX_DEPTH {
            return Ok(());
        }
        Err(Error::data_type(format!("a data type is nested deeper than {MAX_DEPTH} levels")))
    }

    /// The dtype of a column by its storage: fields of structs are called by their numbers. A dictionary has
    /// the dtype of its values, see [`TypedColumn::from`].
    pub fn of(column: &Column) -> Self {
        match (column.data_type(), column.children()) {
            (DataType::List, [_, elements]) => Self::List(List::stored(Self::of(elements))),
            (DataType::Struct, fields) => {
                let field =
                    |(i, column): (usize, &Column)| Field { name: i.to_string(), dtype: Self::of(column) };
                Self::Struct(Struct::stored((0..).zip(fields).map(field)))
            }
            (DataType::Dictionary32, [_, keys]) => Self::of(keys),
            (storage, _) => Self::plain(storage),
        }
    }

    fn rules(&self) -> &dyn TypeRules {
        match self {
            Self::Numeric(rules) => rules,
            Self::Bool(rules) => rules,
            Self::String(rules) => rules,
            Self::Binary(rules) => rules,
            Self::Null(rules) => rules,
            Self::Date(rules) => rules,
            Self::Datetime(rules) => rules,
            Self::Timedelta(rules) => rules,
            Self::Period(rules) => rules,
            Self::Decimal(rules) => rules,
            Self::Categorical(rules) => rules,
            Self::Interval(rules) => rules,
            Self::List(rules) => rules,
            Self::Struct(rules) => rules,
            Self::Objects(rules) => rules,
        }
    }

    /// See [`TypeRules::name`].
    pub fn name(&self) -> String {
        self.rules().name()
    }

    /// See [`TypeRules::storage`].
    pub fn storage(&self) -> DataType {
        self.rules().storage()
    }

    /// See [`TypeRules::is_plain`].
    pub fn is_plain(&self) -> bool {
        self.rules().is_plain()
    }

    /// See [`TypeRules::common`].
    pub fn common(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            _ if self == other => Some(self.clone()),
            (Self::Null(_), other) => Some(other.clone()),
            (this, Self::Null(_)) => Some(this.clone()),
            _ => self.rules().common(other).or_else(|| other.rules().common(self)),
        }
    }

    /// See [`TypeRules::binary`].
    pub fn binary(&self, op: BinaryOperator, other: &Self) -> Result<Self> {
        // The side that is not plain decides.
        let (rules, partner) = if self.is_plain() { (other, self) } else { (self, other) };
        if rules.is_plain() {
            return self.rules().binary(op, other);
        }
        rules.rules().binary(op, partner)
    }

    /// See [`TypeRules::reduce`].
    pub fn reduce(&self, how: Aggregation) -> Result<Self> {
        self.rules().reduce(how)
    }

    /// See [`TypeRules::is_ordered`].
    pub fn is_ordered(&self) -> bool {
        self.rules().is_ordered()
    }

    /// See [`TypeRules::is_key`].
    pub fn is_key(&self) -> bool {
        self.rules().is_key()
    }

    /// [`common`](Self::common) of row labels: none of truth values beside numbers, which are not equal there.
    pub(crate) fn common_of_labels(&self, other: &Self) -> Option<Self> {
        if self.is_truth_beside_number(other) { None } else { self.common(other) }
    }

    /// Whether one is of truth values and the other of numbers.
    pub(crate) fn is_truth_beside_number(&self, other: &Self) -> bool {
        let number = |dtype: &Self| matches!(dtype, Self::Numeric(_) | Self::Decimal(_));
        let truth = |dtype: &Self| matches!(dtype, Self::Bool(_));
        (truth(self) && number(other)) || (number(self) && truth(other))
    }

    /// Numbers and truth values.
    pub fn is_numeric(&self) -> bool {
        matches!(self, Self::Numeric(_) | Self::Bool(_))
    }

    /// `Err` that says that `operation` is not defined for this type.
    pub fn refuse<T>(&self, operation: impl fmt::Display) -> Result<T> {
        Err(Error::data_type(format!("{operation} is not defined for columns of type {self}")))
    }
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

impl From<DataType> for Dtype {
    fn from(storage: DataType) -> Self {
        Self::plain(storage)
    }
}

fn no_operator(op: BinaryOperator, left: &str, right: &str) -> Error {
    Error::data_type(format!("operator {op} does not take operands of {left} and {right}"))
}

fn no_aggregation(how: Aggregation, name: &str) -> Error {
    Error::data_type(format!("{how} does not take {name}"))
}
