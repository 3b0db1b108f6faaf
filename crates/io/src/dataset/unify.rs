//! Columns of files as columns of one type, which has the values of all.
//!
//! Types are unified as `pyarrow.unify_schemas(…, promote_options="permissive")` does, and no further than values stay
//! what they are:
//!
//! | types | together |
//! |---|---|
//! | anything, and a column without values | the type of the others |
//! | integers | the narrowest that holds both types; of `UInt64` and signed ones that which holds the values |
//! | integers and floats | `Float64`, where all integers are below 2⁵³ |
//! | floats | the wider one |
//! | decimals, and integers with them | the narrowest decimal with the digits of both |
//! | timestamps of one zone or none; durations | the finest unit, where all values fit it |
//! | lists; structs | of what is inside, fields by their names and missing where a file has none |

use cuprum_column::arrow::ColumnMetadata;
use cuprum_column::{
    Column, Context, DataType, Error, ErrorKind, Result, Scalar, TimeUnit, Value, null_mask,
};
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::{lists, replace, unary};
use cuprum_runtime::nvtx::func_range;

/// A column of a file.
#[derive(Clone, Debug)]
pub struct FileColumn<'f> {
    /// How messages call the file.
    pub file: &'f str,
    /// How messages call the type of the column.
    pub type_name: String,
    /// Its values.
    pub values: Column,
    /// What Arrow knows of them beyond their storage.
    pub metadata: ColumnMetadata,
}

/// Columns of one type.
#[derive(Clone, Debug)]
pub struct Unified {
    /// The columns, in their order.
    pub columns: Vec<Column>,
    /// What Arrow knows of each.
    pub metadata: ColumnMetadata,
}

/// Columns of files, which messages call `what`, as columns of one type; the table in this module's head says which. Those
/// without values (nulls and NaN only) get the type of the others, nulls of it. The values are in memory of `ctx`.
///
/// Fails with [`InvalidArgument`](ErrorKind::InvalidArgument), naming two files and their types, where no type has the
/// values of both, and with [`Overflow`](ErrorKind::Overflow) for a time that the finest unit does not hold.
pub fn unify(columns: &[FileColumn<'_>], what: &str, ctx: &Context) -> Result<Unified> {
    func_range!(c"dataset.unify");
    let parts: Vec<Part> =
        columns.iter().map(|c| Part { values: c.values.clone(), metadata: c.metadata.clone() }).collect();
    let files = || columns.iter().map(|column| column.file).collect::<Vec<_>>().join(", ");
    let unified = together(&parts, ctx).map_err(|e| match e.kind() {
        ErrorKind::Overflow => e.context(format!("{what}, of {}", files())),
        _ => e.context(what.to_owned()),
    })?;
    if let Some(unified) = unified {
        return Ok(unified);
    }
    let mut known = Vec::new();
    for (column, part) in columns.iter().zip(&parts) {
        if part.has_values(ctx)? {
            known.push((column, part));
        }
    }
    let Some((&(first, of_first), others)) = known.split_first() else {
        return Err(Error::logic(format!("{what}: columns without values have no common type")));
    };
    let mut odd = others.last().map_or(first, |(column, _)| *column);
    for (column, part) in others {
        if together(&[of_first.clone(), (*part).clone()], ctx).is_ok_and(|both| both.is_none()) {
            odd = column;
            break;
        }
    }
    Err(no_common_type(what, (&odd.type_name, odd.file), (&first.type_name, first.file)))
}

/// The error that no type has the values of two files, each told by the name of its type and its own.
pub fn no_common_type(what: &str, one: (&str, &str), other: (&str, &str)) -> Error {
    Error::invalid_argument(format!(
        "{what} is {} in {}, but {} in {}, and no type has the values of both",
        one.0, one.1, other.0, other.1
    ))
}

/// A column of one of the files, or what is inside of one.
#[derive(Clone)]
struct Part {
    values: Column,
    metadata: ColumnMetadata,
}

/// What types are, as far as they have to be the same.
#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Integer { signed: bool, bytes: usize },
    Float { bytes: usize },
    Decimal { bytes: usize, precision: u8, scale: i32 },
    Timestamp { unit: TimeUnit, zone: Option<String> },
    Duration { unit: TimeUnit },
    List(Box<Kind>),
    Struct(Vec<(String, Kind)>),
    Other { storage: DataType, binary: bool, extension: Option<(String, String)> },
}

impl Kind {
    fn of(column: &Column, metadata: &ColumnMetadata) -> Self {
        let storage = column.data_type();
        let bytes = storage.size().unwrap_or_default();
        let other =
            || Self::Other { storage, binary: metadata.binary, extension: metadata.extension.clone() };
        if metadata.extension.is_some() || metadata.binary {
            return other();
        }
        match storage {
            DataType::Float32 | DataType::Float64 => Self::Float { bytes },
            DataType::Decimal32(scale) | DataType::Decimal64(scale) | DataType::Decimal128(scale) => {
                let most = match bytes {
                    4 => 9,
                    8 => 18,
                    _ => 38,
                };
                Self::Decimal {
                    bytes,
                    precision: metadata.precision.unwrap_or(most),
                    scale: scale.saturating_neg(),
                }
            }
            // Dates are no points in time.
            DataType::Timestamp(TimeUnit::Days) => other(),
            DataType::Timestamp(unit) => Self::Timestamp { unit, zone: metadata.timezone.clone() },
            DataType::Duration(unit) => Self::Duration { unit },
            DataType::List => match column.children() {
                [_, elements] => Self::List(Box::new(Self::of(elements, &inside(metadata, 0)))),
                _ => other(),
            },
            DataType::Struct => {
                let fields = column.children().iter().enumerate();
                let field = |(i, field): (usize, &Column)| {
                    let metadata = inside(metadata, i);
                    (metadata.name.clone(), Self::of(field, &metadata))
                };
                Self::Struct(fields.map(field).collect())
            }
            storage if storage.is_integer() => Self::Integer { signed: storage.is_signed_integer(), bytes },
            _ => other(),
        }
    }
}

/// What Arrow knows of a field or of elements; fields that it does not know are called by their numbers.
fn inside(metadata: &ColumnMetadata, i: usize) -> ColumnMetadata {
    metadata.children.get(i).cloned().unwrap_or_else(|| ColumnMetadata::named(i.to_string()))
}

impl Part {
    fn kind(&self) -> Kind {
        Kind::of(&self.values, &self.metadata)
    }

    /// Whether a value is neither null nor NaN.
    fn has_values(&self, ctx: &Context) -> Result<bool> {
        let values = &self.values;
        if values.data_type().is_float() {
            let values = replace::nans_to_nulls(values, ctx)?;
            return Ok(values.null_count()? < values.len());
        }
        Ok(values.data_type() != DataType::Empty && values.null_count()? < values.len())
    }

    /// The least and the greatest value of integers.
    fn bounds(&self, ctx: &Context) -> Result<Option<(i128, i128)>> {
        let whole = |scalar: &Scalar| match scalar.value() {
            Value::Int(value) => Some(i128::from(*value)),
            Value::UInt(value) => Some(i128::from(*value)),
            _ => None,
        };
        let least = reduce(&self.values, Aggregation::Min, ctx)?;
        let greatest = reduce(&self.values, Aggregation::Max, ctx)?;
        Ok(whole(&least).zip(whole(&greatest)))
    }

    fn nulls_of(like: &Column, len: usize, ctx: &Context) -> Result<Column> {
        Column::nulls_like(like, len, ctx)
    }
}

/// Columns in their common type; `None` where there is none.
fn together(parts: &[Part], ctx: &Context) -> Result<Option<Unified>> {
    let Some(first) = parts.first() else { return Ok(None) };
    let kind = first.kind();
    if parts[1..].iter().all(|part| part.kind() == kind) {
        let columns = parts.iter().map(|part| part.values.clone()).collect();
        return Ok(Some(Unified { columns, metadata: first.metadata.clone() }));
    }
    let mut known = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        if part.has_values(ctx)? {
            known.push(i);
        }
    }
    if known.is_empty() {
        known.push(0);
    }
    let own: Vec<&Part> = known.iter().map(|&i| &parts[i]).collect();
    let Some(Unified { columns, metadata }) = of_values(&own, ctx)? else { return Ok(None) };
    let all = parts.iter().enumerate().map(|(i, part)| match known.iter().position(|&own| own == i) {
        Some(at) => Ok(columns[at].clone()),
        None => Part::nulls_of(&columns[0], part.values.len(), ctx),
    });
    Ok(Some(Unified { columns: all.collect::<Result<_>>()?, metadata }))
}

/// The same of columns that have values, or of one.
fn of_values(parts: &[&Part], ctx: &Context) -> Result<Option<Unified>> {
    let kinds: Vec<Kind> = parts.iter().map(|part| part.kind()).collect();
    let metadata = parts[0].metadata.clone();
    if kinds[1..].iter().all(|kind| *kind == kinds[0]) {
        let columns = parts.iter().map(|part| part.values.clone()).collect();
        return Ok(Some(Unified { columns, metadata }));
    }
    let all = |is: fn(&Kind) -> bool| kinds.iter().all(is);
    let cast = |to: DataType, metadata: ColumnMetadata| {
        let columns = parts.iter().map(|part| unary::cast(&part.values, to, ctx)).collect::<Result<_>>()?;
        Ok(Some(Unified { columns, metadata }))
    };
    if all(|kind| matches!(kind, Kind::Integer { .. })) {
        return match common_integer(parts, &kinds, ctx)? {
            Some(to) => cast(to, metadata),
            None => Ok(None),
        };
    }
    if all(|kind| matches!(kind, Kind::Integer { .. } | Kind::Decimal { .. })) {
        return match common_decimal(&kinds) {
            Some((to, precision)) => cast(to, ColumnMetadata { precision: Some(precision), ..metadata }),
            None => Ok(None),
        };
    }
    if all(|kind| matches!(kind, Kind::Integer { .. } | Kind::Float { .. })) {
        return match common_float(parts, &kinds, ctx)? {
            Some(to) => cast(to, metadata),
            None => Ok(None),
        };
    }
    match &kinds[0] {
        Kind::Timestamp { zone, .. } => {
            let Some(unit) = finest(&kinds, |kind| match kind {
                Kind::Timestamp { unit, zone: own } if own == zone => Some(*unit),
                _ => None,
            }) else {
                return Ok(None);
            };
            cast(DataType::Timestamp(unit), metadata)
        }
        Kind::Duration { .. } => {
            let Some(unit) = finest(&kinds, |kind| match kind {
                Kind::Duration { unit } => Some(*unit),
                _ => None,
            }) else {
                return Ok(None);
            };
            cast(DataType::Duration(unit), metadata)
        }
        Kind::List(_) if all(|kind| matches!(kind, Kind::List(_))) => unify_lists(parts, ctx),
        Kind::Struct(_) if all(|kind| matches!(kind, Kind::Struct(_))) => unify_structs(parts, ctx),
        _ => Ok(None),
    }
}

/// The finest of the units; `None` where a kind has none.
fn finest(kinds: &[Kind], unit: impl Fn(&Kind) -> Option<TimeUnit>) -> Option<TimeUnit> {
    let units: Option<Vec<TimeUnit>> = kinds.iter().map(unit).collect();
    units?.into_iter().max_by_key(|unit| unit.per_day())
}

fn integer(signed: bool, bytes: usize) -> DataType {
    match (signed, bytes) {
        (true, 1) => DataType::Int8,
        (true, 2) => DataType::Int16,
        (true, 4) => DataType::Int32,
        (true, _) => DataType::Int64,
        (false, 1) => DataType::UInt8,
        (false, 2) => DataType::UInt16,
        (false, 4) => DataType::UInt32,
        (false, _) => DataType::UInt64,
    }
}

fn common_integer(parts: &[&Part], kinds: &[Kind], ctx: &Context) -> Result<Option<DataType>> {
    let widest = |of: bool| {
        let bytes = kinds.iter().filter_map(|kind| match kind {
            Kind::Integer { signed, bytes } if *signed == of => Some(*bytes),
            _ => None,
        });
        bytes.max()
    };
    let (signed, unsigned) = (widest(true), widest(false));
    let Some(signed) = signed else { return Ok(Some(integer(false, unsigned.unwrap_or(8)))) };
    let bytes = signed.max(unsigned.map_or(0, |bytes| 2 * bytes));
    if bytes <= 8 {
        return Ok(Some(integer(true, bytes)));
    }
    let (mut least, mut greatest) = (0, 0);
    for part in parts {
        if let Some((low, high)) = part.bounds(ctx)? {
            (least, greatest) = (least.min(low), greatest.max(high));
        }
    }
    Ok(match (i64::try_from(greatest), least) {
        (Ok(_), _) => Some(DataType::Int64),
        (Err(_), 0) => Some(DataType::UInt64),
        _ => None,
    })
}

fn common_float(parts: &[&Part], kinds: &[Kind], ctx: &Context) -> Result<Option<DataType>> {
    let mut widest = 0;
    let mut integers = false;
    for (part, kind) in parts.iter().zip(kinds) {
        if let Kind::Float { bytes } = kind {
            widest = widest.max(*bytes);
            continue;
        }
        integers = true;
        // Beyond, not every integer is a float.
        if let Some((low, high)) = part.bounds(ctx)?
            && low.unsigned_abs().max(high.unsigned_abs()) > 1 << 53
        {
            return Ok(None);
        }
    }
    Ok(Some(if integers || widest > 4 { DataType::Float64 } else { DataType::Float32 }))
}

/// The decimals with the digits of all, those of integers too, not narrower than one that is there, and their precision.
fn common_decimal(kinds: &[Kind]) -> Option<(DataType, u8)> {
    let (mut scale, mut whole, mut least) = (0, 0, 0);
    for kind in kinds {
        let (own_whole, own_scale, bytes) = match kind {
            Kind::Decimal { bytes, precision, scale } => (i32::from(*precision) - scale, *scale, *bytes),
            Kind::Integer { bytes, .. } => (
                match bytes {
                    1 => 3,
                    2 => 5,
                    4 => 10,
                    _ => 20,
                },
                0,
                0,
            ),
            _ => return None,
        };
        (scale, whole, least) = (scale.max(own_scale), whole.max(own_whole), least.max(bytes));
    }
    let (precision, stored) = (whole.checked_add(scale)?, scale.checked_neg()?);
    let storages = [
        (4, 9, DataType::Decimal32(stored)),
        (8, 18, DataType::Decimal64(stored)),
        (16, 38, DataType::Decimal128(stored)),
    ];
    let (.., to) = storages.into_iter().find(|(bytes, most, _)| *bytes >= least && precision <= *most)?;
    Some((to, u8::try_from(precision).ok()?))
}

fn unify_lists(parts: &[&Part], ctx: &Context) -> Result<Option<Unified>> {
    let lists = parts.iter().map(|part| lists::compact(&part.values, ctx)).collect::<Result<Vec<_>>>()?;
    let elements: Vec<Part> = lists
        .iter()
        .zip(parts)
        .map(|(lists, part)| Part {
            values: lists.children()[1].clone(),
            metadata: inside(&part.metadata, 0),
        })
        .collect();
    let Some(Unified { columns, metadata }) = together(&elements, ctx)? else { return Ok(None) };
    let lists = lists
        .iter()
        .zip(columns)
        .map(|(lists, elements)| Column::lists(lists.children()[0].clone(), elements, lists.copy_mask(ctx)?));
    let metadata = ColumnMetadata { children: vec![metadata], ..parts[0].metadata.clone() };
    Ok(Some(Unified { columns: lists.collect::<Result<_>>()?, metadata }))
}

fn unify_structs(parts: &[&Part], ctx: &Context) -> Result<Option<Unified>> {
    let mut names: Vec<String> = Vec::new();
    // For each file, its fields by name.
    let mut fields: Vec<Vec<Part>> = Vec::new();
    for part in parts {
        let values = null_mask::push_down_nulls(&part.values, ctx)?;
        let own = (0..values.children().len())
            .map(|i| Ok(Part { values: values.field(i)?, metadata: inside(&part.metadata, i) }))
            .collect::<Result<Vec<_>>>()?;
        let called = |name: &str| own.iter().filter(|field| field.metadata.name == name).count();
        if own.iter().any(|field| called(&field.metadata.name) > 1) {
            return Ok(None);
        }
        for field in &own {
            if !names.contains(&field.metadata.name) {
                names.push(field.metadata.name.clone());
            }
        }
        fields.push(own);
    }
    let mut made: Vec<Vec<Column>> = vec![Vec::new(); parts.len()];
    let mut children = Vec::new();
    for name in &names {
        let own: Vec<Option<&Part>> =
            fields.iter().map(|own| own.iter().find(|field| field.metadata.name == *name)).collect();
        let having: Vec<Part> = own.iter().flatten().copied().cloned().collect();
        let Some(Unified { columns, metadata }) = together(&having, ctx)? else { return Ok(None) };
        let mut columns = columns.into_iter();
        let like = columns.as_slice()[0].clone();
        for (i, own) in own.iter().enumerate() {
            let column = match own {
                Some(_) => columns.next(),
                None => None,
            };
            let column = column.map_or_else(|| Part::nulls_of(&like, parts[i].values.len(), ctx), Ok)?;
            made[i].push(column);
        }
        children.push(metadata);
    }
    let columns = parts
        .iter()
        .zip(made)
        .map(|(part, fields)| Column::structs(part.values.len(), fields, part.values.copy_mask(ctx)?));
    let metadata = ColumnMetadata { children, ..parts[0].metadata.clone() };
    Ok(Some(Unified { columns: columns.collect::<Result<_>>()?, metadata }))
}
