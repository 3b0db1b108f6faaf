//! Filters: conditions that rows have to meet, bound to the columns of a file and put to rows.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;

use arrow_schema::{DataType as ArrowType, Field};
use cuprum_column::{Column, ColumnView, Context, DataType, Error, ErrorKind, HostUVec, Result, TimeUnit};
use cuprum_runtime::parallel;

/// How a value of a row is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// Among the values. A null among them finds nulls, and a NaN NaNs.
    In,
    /// Not among the values; nulls are not, unless one of the values is null.
    NotIn,
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::In => "in",
            Self::NotIn => "not in",
        })
    }
}

/// What rows are compared with.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A missing value. Compared with it, no row is found.
    Null,
    /// A whole number.
    Int(i128),
    /// A number.
    Float(f64),
    /// `unscaled` divided by 10^`scale`.
    Decimal {
        /// The digits.
        unscaled: i128,
        /// How many of them are behind the point.
        scale: u32,
    },
    /// A truth value.
    Bool(bool),
    /// A text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A point in time: of a wall clock, or with a zone.
    Time {
        /// Nanoseconds since 1970-01-01.
        nanoseconds: i128,
        /// Whether it is an instant (UTC) and no wall clock.
        zoned: bool,
    },
    /// A length of time, in nanoseconds.
    Duration(i128),
}

impl Value {
    /// What messages call it.
    fn kind(&self) -> &'static str {
        match self {
            Self::Null => "a missing value",
            Self::Int(_) => "an integer",
            Self::Float(_) => "a float",
            Self::Decimal { .. } => "a decimal",
            Self::Bool(_) => "a truth value",
            Self::Text(_) => "a text",
            Self::Bytes(_) => "bytes",
            Self::Time { zoned: false, .. } => "a time without a zone",
            Self::Time { zoned: true, .. } => "a time with a zone",
            Self::Duration(_) => "a duration",
        }
    }
}

/// A condition on one column.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The name of the column.
    pub column: String,
    /// How it is compared.
    pub operator: Operator,
    /// What it is compared with: one value, or any number of them for [`In`](Operator::In) and
    /// [`NotIn`](Operator::NotIn).
    pub values: Vec<Value>,
}

impl Condition {
    /// The condition that a column compares in this way with a value.
    pub fn new(column: impl Into<String>, operator: Operator, value: Value) -> Self {
        Self { column: column.into(), operator, values: vec![value] }
    }

    /// Whether a missing value meets it.
    pub(crate) fn meets_null(&self) -> bool {
        let has_null = self.values.contains(&Value::Null);
        match self.operator {
            Operator::In => has_null,
            Operator::NotIn => !has_null,
            _ => false,
        }
    }
}

/// Which rows are wanted: those that meet all conditions of any of the lists.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter(pub Vec<Vec<Condition>>);

impl Filter {
    /// The rows that meet all conditions.
    pub fn all(conditions: impl IntoIterator<Item = Condition>) -> Self {
        Self(vec![conditions.into_iter().collect()])
    }
}

/// A filter over the columns of a file, which are numbered.
pub(crate) struct Bound(pub(crate) Vec<Vec<BoundCondition>>);

/// A condition on the column of a number.
pub(crate) struct BoundCondition {
    pub(crate) column: usize,
    pub(crate) test: Test,
    /// Whether nulls meet it.
    pub(crate) nulls: bool,
}

/// What a value that is not null has to be.
#[derive(Debug)]
pub(crate) enum Test {
    /// Of what is stored as integers: within these bounds, or outside of them.
    Range { low: i128, high: i128, outside: bool },
    /// Of what is stored as integers: among these, ascending, or not.
    OneOf { values: Vec<i128>, outside: bool },
    /// Of floats, and of decimals that are divided to be such.
    Float { operator: Operator, value: f64, divisor: f64 },
    /// The same, among these.
    FloatOneOf { values: Vec<f64>, nan: bool, outside: bool, divisor: f64 },
    /// Of texts and bytes.
    Bytes { operator: Operator, value: Vec<u8> },
    /// The same, among these.
    BytesOneOf { values: BTreeSet<Vec<u8>>, outside: bool },
}

/// What a column holds, as far as comparing goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Int,
    Bool,
    Float {
        single: bool,
    },
    /// Decimals of so many digits behind the point.
    Decimal {
        scale: i32,
    },
    /// Times that are stored in so many nanoseconds.
    Time {
        nanoseconds: i128,
        zoned: bool,
    },
    Duration {
        nanoseconds: i128,
    },
    Text,
    Binary,
}

impl Kind {
    /// What a column of a file holds; `None` where it cannot be compared.
    pub(crate) fn of(arrow: &ArrowType, data_type: DataType) -> Option<Self> {
        let arrow = match arrow {
            ArrowType::Dictionary(_, values) => values.as_ref(),
            ArrowType::RunEndEncoded(_, values) => values.data_type(),
            other => other,
        };
        let nanoseconds = |unit: TimeUnit| i128::from(TimeUnit::Nanoseconds.per_day() / unit.per_day());
        Some(match data_type {
            DataType::Bool8 => Self::Bool,
            DataType::Float32 => Self::Float { single: true },
            DataType::Float64 => Self::Float { single: false },
            DataType::Decimal32(scale) | DataType::Decimal64(scale) | DataType::Decimal128(scale) => {
                Self::Decimal { scale: -scale }
            }
            DataType::Timestamp(unit) => {
                let zoned = matches!(arrow, ArrowType::Timestamp(_, Some(_)));
                Self::Time { nanoseconds: nanoseconds(unit), zoned }
            }
            DataType::Duration(unit) => Self::Duration { nanoseconds: nanoseconds(unit) },
            DataType::String => Self::Text,
            DataType::List
                if matches!(
                    arrow,
                    ArrowType::Binary
                        | ArrowType::LargeBinary
                        | ArrowType::BinaryView
                        | ArrowType::FixedSizeBinary(_)
                ) =>
            {
                Self::Binary
            }
            other if other.is_integer() => Self::Int,
            _ => return None,
        })
    }
}

/// Where a value is among integers: the next one below, and whether it is that one.
#[derive(Clone, Copy)]
struct Place {
    floor: i128,
    exact: bool,
}

impl Place {
    fn of(value: i128) -> Self {
        Self { floor: value, exact: true }
    }

    fn divided(value: i128, by: i128) -> Self {
        Self { floor: value.div_euclid(by), exact: value.rem_euclid(by) == 0 }
    }

    /// Beyond all integers of a column.
    fn outside(negative: bool) -> Self {
        Self { floor: if negative { i128::MIN } else { i128::MAX }, exact: false }
    }

    /// `value` · 10^`power`.
    fn scaled(value: i128, power: i64) -> Self {
        let ten = |power: i64| u32::try_from(power).ok().and_then(|power| 10i128.checked_pow(power));
        match (power >= 0, ten(power.abs())) {
            _ if value == 0 => Self::of(0),
            (true, factor) => match factor.and_then(|factor| value.checked_mul(factor)) {
                Some(value) => Self::of(value),
                None => Self::outside(value < 0),
            },
            (false, Some(divisor)) => Self::divided(value, divisor),
            (false, None) => Self { floor: if value < 0 { -1 } else { 0 }, exact: false },
        }
    }

    /// The place of a number that is no NaN.
    fn float(value: f64) -> Self {
        /// Below it all floats fit.
        const LIMIT: f64 = 1e38;
        if value.abs() >= LIMIT {
            return Self::outside(value < 0.0);
        }
        let floor = value.floor();
        Self { floor: floor as i128, exact: floor == value }
    }
}

/// A value as a column of a kind has it.
enum Literal {
    Whole(Place),
    Float(f64),
    Bytes(Vec<u8>),
}

impl Literal {
    /// `None` where kinds cannot be compared.
    fn of(kind: Kind, value: &Value) -> Option<Self> {
        Some(match (kind, value) {
            (Kind::Int, Value::Int(value)) => Self::Whole(Place::of(*value)),
            // No integer, and so none that is equal, less or greater.
            (Kind::Int, Value::Float(value)) if value.is_nan() => Self::Float(*value),
            (Kind::Int, Value::Float(value)) => Self::Whole(Place::float(*value)),
            (Kind::Int, Value::Decimal { unscaled, scale }) => {
                Self::Whole(Place::scaled(*unscaled, -i64::from(*scale)))
            }
            (Kind::Decimal { scale }, Value::Int(value)) => Self::Whole(Place::scaled(*value, scale.into())),
            (Kind::Decimal { scale }, Value::Decimal { unscaled, scale: own }) => {
                Self::Whole(Place::scaled(*unscaled, i64::from(scale) - i64::from(*own)))
            }
            (Kind::Decimal { .. } | Kind::Float { .. }, Value::Float(value)) => Self::Float(*value),
            (Kind::Float { .. }, Value::Int(value)) => Self::Float(*value as f64),
            (Kind::Float { .. }, Value::Decimal { unscaled, scale }) => {
                // The nearest float, which a quotient of rounded numbers is not always.
                Self::Float(format!("{unscaled}e-{scale}").parse().ok()?)
            }
            (Kind::Bool, Value::Bool(value)) => Self::Whole(Place::of(i128::from(*value))),
            (Kind::Time { nanoseconds: unit, zoned }, Value::Time { nanoseconds, zoned: own })
                if zoned == *own =>
            {
                Self::Whole(Place::divided(*nanoseconds, unit))
            }
            (Kind::Duration { nanoseconds: unit }, Value::Duration(nanoseconds)) => {
                Self::Whole(Place::divided(*nanoseconds, unit))
            }
            (Kind::Text | Kind::Binary, Value::Text(text)) => Self::Bytes(text.clone().into_bytes()),
            (Kind::Text | Kind::Binary, Value::Bytes(bytes)) => Self::Bytes(bytes.clone()),
            _ => return None,
        })
    }
}

/// A test that no value passes.
const NONE: Test = Test::Range { low: 1, high: 0, outside: false };

impl Test {
    /// `None` where the values cannot be compared.
    fn of(kind: Kind, operator: Operator, values: &[Value]) -> Option<Self> {
        let divisor = match kind {
            Kind::Decimal { scale } => 10f64.powi(scale),
            _ => 1.0,
        };
        let outside = operator == Operator::NotIn;
        if matches!(operator, Operator::In | Operator::NotIn) {
            let (mut whole, mut floats, mut bytes) = (Vec::new(), Vec::new(), BTreeSet::new());
            for value in values.iter().filter(|value| **value != Value::Null) {
                match Literal::of(kind, value)? {
                    Literal::Whole(place) => whole.extend(place.exact.then_some(place.floor)),
                    Literal::Float(_) if kind == Kind::Int => {}
                    Literal::Float(value) if kind == (Kind::Float { single: true }) => {
                        floats.push(f64::from(value as f32));
                    }
                    Literal::Float(value) => floats.push(value),
                    Literal::Bytes(value) => {
                        bytes.insert(value);
                    }
                }
            }
            return Some(match kind {
                Kind::Text | Kind::Binary => Self::BytesOneOf { values: bytes, outside },
                Kind::Float { .. } | Kind::Decimal { .. } if !floats.is_empty() => {
                    floats.extend(whole.iter().map(|&value| value as f64 / divisor));
                    let nan = floats.iter().any(|value| value.is_nan());
                    Self::FloatOneOf { values: floats, nan, outside, divisor }
                }
                _ => {
                    whole.sort_unstable();
                    Self::OneOf { values: whole, outside }
                }
            });
        }
        let [value] = values else { return None };
        if *value == Value::Null {
            return Some(NONE);
        }
        Some(match Literal::of(kind, value)? {
            Literal::Bytes(value) => Self::Bytes { operator, value },
            Literal::Float(_) if kind == Kind::Int => {
                Self::Range { low: 1, high: 0, outside: operator == Operator::NotEqual }
            }
            Literal::Float(value) => Self::Float { operator, value, divisor },
            Literal::Whole(Place { floor, exact }) => {
                let (low, high) = match operator {
                    Operator::Less if exact => (i128::MIN, floor.saturating_sub(1)),
                    Operator::Less | Operator::LessEqual => (i128::MIN, floor),
                    Operator::GreaterEqual if exact => (floor, i128::MAX),
                    Operator::Greater | Operator::GreaterEqual => (floor.saturating_add(1), i128::MAX),
                    _ if exact => (floor, floor),
                    _ => (1, 0),
                };
                Self::Range { low, high, outside: operator == Operator::NotEqual }
            }
        })
    }

    fn whole(&self, value: i128) -> bool {
        match self {
            Self::Range { low, high, outside } => (*low <= value && value <= *high) != *outside,
            Self::OneOf { values, outside } => values.binary_search(&value).is_ok() != *outside,
            Self::Float { divisor, .. } | Self::FloatOneOf { divisor, .. } => {
                self.float(value as f64 / divisor)
            }
            Self::Bytes { .. } | Self::BytesOneOf { .. } => false,
        }
    }

    fn float(&self, value: f64) -> bool {
        match self {
            Self::Float { operator, value: other, .. } => compares(*operator, value.partial_cmp(other)),
            Self::FloatOneOf { values, nan, outside, .. } => {
                ((*nan && value.is_nan()) || values.contains(&value)) != *outside
            }
            Self::OneOf { outside, .. } | Self::Range { outside, .. } => *outside,
            Self::Bytes { .. } | Self::BytesOneOf { .. } => false,
        }
    }

    fn bytes(&self, value: &[u8]) -> bool {
        match self {
            Self::Bytes { operator, value: other } => compares(*operator, Some(value.cmp(other))),
            Self::BytesOneOf { values, outside } => values.contains(value) != *outside,
            Self::OneOf { outside, .. } | Self::Range { outside, .. } => *outside,
            Self::Float { .. } | Self::FloatOneOf { .. } => false,
        }
    }
}

fn compares(operator: Operator, order: Option<Ordering>) -> bool {
    match operator {
        Operator::Equal => order == Some(Ordering::Equal),
        Operator::NotEqual => order != Some(Ordering::Equal),
        Operator::Less => order == Some(Ordering::Less),
        Operator::LessEqual => order.is_some_and(Ordering::is_le),
        Operator::Greater => order == Some(Ordering::Greater),
        Operator::GreaterEqual => order.is_some_and(Ordering::is_ge),
        Operator::In | Operator::NotIn => false,
    }
}

impl Bound {
    /// The numbers of the columns that are compared, ascending.
    pub(crate) fn columns(&self) -> Vec<usize> {
        let columns: BTreeSet<usize> = self.0.iter().flatten().map(|condition| condition.column).collect();
        columns.into_iter().collect()
    }

    /// A filter over columns of these fields and types; `column` numbers them.
    ///
    /// Fails with [`InvalidArgument`](ErrorKind::InvalidArgument) for lists without conditions, and with
    /// [`DataType`](ErrorKind::DataType) for values that a column cannot be compared with.
    pub(crate) fn new(
        filter: &Filter,
        column: impl Fn(&str) -> Result<usize>,
        field: impl Fn(usize) -> Result<(Field, DataType)>,
    ) -> Result<Self> {
        if filter.0.is_empty() || filter.0.iter().any(Vec::is_empty) {
            return Err(Error::invalid_argument("`filters` has no conditions"));
        }
        let bind = |condition: &Condition| {
            let Condition { column: name, operator, values } = condition;
            let number = column(name)?;
            let (field, data_type) = field(number)?;
            let kind = Kind::of(field.data_type(), data_type);
            let test = kind.and_then(|kind| Test::of(kind, *operator, values)).ok_or_else(|| {
                let fits = |value: &&Value| kind.is_some_and(|kind| Literal::of(kind, value).is_some());
                let odd = values.iter().find(|v| **v != Value::Null && !fits(v)).or(values.first());
                let with = odd.map_or("nothing", Value::kind);
                Error::new(
                    ErrorKind::DataType,
                    format!("`filters`: column '{name}' ({}) {operator} {with}", field.data_type()),
                )
            })?;
            Ok(BoundCondition { column: number, test, nulls: condition.meets_null() })
        };
        let bound = filter.0.iter().map(|all| all.iter().map(bind).collect::<Result<Vec<_>>>());
        Ok(Self(bound.collect::<Result<_>>()?))
    }

    /// Whether each of `rows` rows meets the filter; `column` gives the columns by their numbers.
    pub(crate) fn mask<'c>(
        &self,
        rows: usize,
        column: impl Fn(usize) -> &'c Column,
        ctx: &Context,
    ) -> Result<Column> {
        let view = |condition: &BoundCondition| {
            let column = column(condition.column);
            let elements = match column.data_type() {
                DataType::List => Some(column.children()[1].view()?),
                _ => None,
            };
            Ok((column.view()?, elements))
        };
        let views = self.0.iter().map(|all| all.iter().map(view).collect());
        let views = views.collect::<Result<Vec<Vec<(ColumnView<'_>, Option<ColumnView<'_>>)>>>>()?;
        let any = self.0.iter().zip(&views).map(|(all, views)| {
            let tests = all.iter().zip(views);
            tests.map(|(condition, (view, elements))| condition.rows(view, elements.as_ref())).collect()
        });
        let any = any.collect::<Result<Vec<Vec<BlockTest<'_>>>>>()?;
        let mut meets = HostUVec::<u8>::zeroed(rows, ctx)?;
        parallel::map_items(meets.chunks_mut(BLOCK).enumerate(), ctx, |(i, out)| {
            if let [all] = &any[..] {
                out.fill(1);
                for test in all {
                    test(i * BLOCK, out);
                }
                return Ok(());
            }
            let mut own = [0; BLOCK];
            let own = &mut own[..out.len()];
            for all in &any {
                own.fill(1);
                for test in all {
                    test(i * BLOCK, own);
                }
                out.iter_mut().zip(&*own).for_each(|(meets, own)| *meets |= own);
            }
            Ok(())
        })?;
        Column::new(DataType::Bool8, meets, None)
    }
}

/// Rows that are tested at a time.
const BLOCK: usize = 4096;

/// Makes 0 of the ones of some rows, from a first one on, that do not meet a condition.
type BlockTest<'a> = Box<dyn Fn(usize, &mut [u8]) + Sync + 'a>;

impl BoundCondition {
    /// The condition on the rows of a column; `elements` are the bytes of binary data.
    fn rows<'a>(
        &'a self,
        view: &'a ColumnView<'_>,
        elements: Option<&'a ColumnView<'_>>,
    ) -> Result<BlockTest<'a>> {
        let test = &self.test;
        macro_rules! whole {
            ($t:ty) => {{
                let values = view.raw_values::<$t>()?;
                match test {
                    Test::Range { low, high, outside } => {
                        let low = <$t>::try_from((*low).max(i128::from(<$t>::MIN)));
                        let high = <$t>::try_from((*high).min(i128::from(<$t>::MAX)));
                        // One that is beyond the type leaves nothing in between.
                        let (low, high) = low.ok().zip(high.ok()).unwrap_or((1, 0));
                        self.of_values(view, values, move |value| (low <= value && value <= high) != *outside)
                    }
                    _ => self.of_values(view, values, move |value| test.whole(i128::from(value))),
                }
            }};
        }
        macro_rules! wide {
            ($t:ty) => {
                match test {
                    // Decimals, which have few digits as a rule.
                    &Test::Float { operator, value: other, divisor } => {
                        let number = move |value: $t| {
                            let value = i128::from(value);
                            i64::try_from(value).map_or(value as f64, |value| value as f64) / divisor
                        };
                        self.of_numbers(view, view.raw_values::<$t>()?, number, (operator, other))
                    }
                    _ => whole!($t),
                }
            };
        }
        macro_rules! floats {
            ($t:ty) => {{
                let values = view.values::<$t>()?;
                match test {
                    &Test::Float { operator, value: other, .. } => {
                        self.of_numbers(view, values, f64::from, (operator, other))
                    }
                    _ => self.of_values(view, values, move |value| test.float(value.into())),
                }
            }};
        }
        let data_type = view.data_type();
        Ok(match (data_type, data_type.size()) {
            (DataType::Float32, _) => floats!(f32),
            (DataType::Float64, _) => floats!(f64),
            (DataType::String, _) => {
                let texts = view.strings()?;
                match test {
                    // Most differ in their length, which is looked at first.
                    Test::Bytes { operator: Operator::Equal, value } => {
                        self.where_valid(view, move |row| texts.bytes(row) == value.as_slice())
                    }
                    Test::Bytes { operator: Operator::NotEqual, value } => {
                        self.where_valid(view, move |row| texts.bytes(row) != value.as_slice())
                    }
                    _ => self.where_valid(view, move |row| test.bytes(texts.bytes(row))),
                }
            }
            (DataType::List, _) => {
                let lists = view.lists()?;
                let bytes = match elements {
                    Some(elements) => elements.raw_values::<u8>()?,
                    None => &[],
                };
                self.where_valid(view, move |row| test.bytes(&bytes[lists.range(row)]))
            }
            (DataType::UInt8 | DataType::Bool8, _) => whole!(u8),
            (DataType::UInt16, _) => whole!(u16),
            (DataType::UInt32, _) => whole!(u32),
            (DataType::UInt64, _) => whole!(u64),
            (_, Some(1)) => whole!(i8),
            (_, Some(2)) => whole!(i16),
            (_, Some(4)) => wide!(i32),
            (_, Some(8)) => wide!(i64),
            (_, Some(16)) => wide!(i128),
            _ => return Err(Error::data_type(format!("{data_type} cannot be filtered"))),
        })
    }

    /// `test` for rows that are not null.
    fn where_valid<'a>(
        &self,
        view: &'a ColumnView<'_>,
        test: impl Fn(usize) -> bool + Sync + 'a,
    ) -> BlockTest<'a> {
        let (nulls, valid) = (self.nulls, view.validity());
        if valid.is_none() {
            return Box::new(move |start, out| {
                for (row, slot) in (start..).zip(out) {
                    *slot &= u8::from(test(row));
                }
            });
        }
        Box::new(move |start, out| {
            for (row, slot) in (start..).zip(out) {
                let is_valid = valid.as_ref().is_none_or(|valid| valid.get(row));
                *slot &= u8::from(if is_valid { test(row) } else { nulls });
            }
        })
    }

    /// Whether the `number` of a value compares in a way with another one, in a loop for every way.
    fn of_numbers<'a, T: Copy + Sync>(
        &self,
        view: &'a ColumnView<'_>,
        values: &'a [T],
        number: impl Fn(T) -> f64 + Sync + 'a,
        (operator, other): (Operator, f64),
    ) -> BlockTest<'a> {
        match operator {
            Operator::Equal => self.of_values(view, values, move |value| number(value) == other),
            Operator::NotEqual => self.of_values(view, values, move |value| number(value) != other),
            Operator::Less => self.of_values(view, values, move |value| number(value) < other),
            Operator::LessEqual => self.of_values(view, values, move |value| number(value) <= other),
            Operator::Greater => self.of_values(view, values, move |value| number(value) > other),
            Operator::GreaterEqual => self.of_values(view, values, move |value| number(value) >= other),
            Operator::In | Operator::NotIn => self.of_values(view, values, |_| false),
        }
    }

    /// `test` of the values of rows that are not null.
    fn of_values<'a, T: Copy + Sync>(
        &self,
        view: &'a ColumnView<'_>,
        values: &'a [T],
        test: impl Fn(T) -> bool + Sync + 'a,
    ) -> BlockTest<'a> {
        if view.validity().is_some() {
            return self.where_valid(view, move |row| test(values[row]));
        }
        Box::new(move |start, out| {
            let values = &values[start..start + out.len()];
            out.iter_mut().zip(values).for_each(|(slot, &value)| *slot &= u8::from(test(value)));
        })
    }
}
