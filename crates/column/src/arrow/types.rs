//! The Arrow types of data types, both ways, and metadata that a column lacks.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::extension::{EXTENSION_TYPE_METADATA_KEY, EXTENSION_TYPE_NAME_KEY};
use arrow_schema::{DataType as ArrowType, Field, Fields, TimeUnit as ArrowUnit};
use cuprum_runtime::error::ResultExt;
use cuprum_runtime::{Error, Result};

use crate::column::Column;
use crate::types::{DataType, TimeUnit};

/// Metadata of Arrow that a column lacks: names, time zones, precisions.
///
/// A default one leaves all of it open: no name, no zone, the precision that the type can hold, fields
/// of structs called by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnMetadata {
    /// The name of the field.
    pub name: String,
    /// The zone timestamps are shown in; they count from 1970 in UTC all the same.
    pub timezone: Option<String>,
    /// The most decimal digits of a decimal.
    pub precision: Option<u8>,
    /// Whether lists of `UInt8` are binary data.
    pub binary: bool,
    /// The name of an extension type and its metadata; the column has its storage type.
    pub extension: Option<(String, String)>,
    /// Whether the keys of a dictionary are in an order that means something.
    pub ordered: bool,
    /// For each field of a struct; for a list or a dictionary the last is of the elements or keys. May
    /// be empty.
    pub children: Vec<ColumnMetadata>,
}

impl ColumnMetadata {
    /// Metadata of a name and nothing else.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }
}

impl From<&Field> for ColumnMetadata {
    fn from(field: &Field) -> Self {
        let (mut timezone, mut precision) = (None, None);
        match plain(field.data_type()) {
            ArrowType::Timestamp(_, Some(zone)) => timezone = Some(zone.to_string()),
            ArrowType::Decimal32(digits, _)
            | ArrowType::Decimal64(digits, _)
            | ArrowType::Decimal128(digits, _) => precision = Some(*digits),
            _ => {}
        }
        let children = match plain(field.data_type()) {
            ArrowType::Dictionary(_, keys) => {
                vec![Self::from(&Field::new("", keys.as_ref().clone(), true))]
            }
            other => children(other).into_iter().map(Self::from).collect(),
        };
        let binary = matches!(
            plain(field.data_type()),
            ArrowType::Binary | ArrowType::LargeBinary | ArrowType::FixedSizeBinary(_)
        );
        let extension = field
            .extension_type_name()
            .map(|name| (name.to_owned(), field.extension_type_metadata().unwrap_or_default().to_owned()));
        let ordered = field.dict_is_ordered() == Some(true);
        Self { name: field.name().clone(), timezone, precision, binary, extension, ordered, children }
    }
}

/// The type of the values that a run-end encoded array decodes to; other types as they are.
fn plain(arrow: &ArrowType) -> &ArrowType {
    match arrow {
        ArrowType::RunEndEncoded(_, values) => plain(values.data_type()),
        other => other,
    }
}

/// The fields inside a list, map or struct.
fn children(arrow: &ArrowType) -> Vec<&Field> {
    match arrow {
        ArrowType::List(field)
        | ArrowType::LargeList(field)
        | ArrowType::ListView(field)
        | ArrowType::LargeListView(field)
        | ArrowType::FixedSizeList(field, _)
        | ArrowType::Map(field, _) => vec![field],
        ArrowType::Struct(fields) => fields.iter().map(AsRef::as_ref).collect(),
        _ => Vec::new(),
    }
}

/// The names and types of an array's children, in their order; the values of a dictionary are one.
pub(crate) fn inside(arrow: &ArrowType) -> Vec<(&str, &ArrowType)> {
    match arrow {
        ArrowType::Dictionary(_, values) => vec![("dictionary", values)],
        ArrowType::RunEndEncoded(ends, values) => {
            vec![("run_ends", ends.data_type()), ("values", values.data_type())]
        }
        other => children(other).into_iter().map(|f| (f.name().as_str(), f.data_type())).collect(),
    }
}

impl DataType {
    /// The Arrow type a column of this type is exported as; nested types with nothing inside, since a
    /// data type does not determine it: see [`arrow_type`].
    pub fn to_arrow(self) -> ArrowType {
        match self {
            Self::Int8 => ArrowType::Int8,
            Self::Int16 => ArrowType::Int16,
            Self::Int32 => ArrowType::Int32,
            Self::Int64 => ArrowType::Int64,
            Self::UInt8 => ArrowType::UInt8,
            Self::UInt16 => ArrowType::UInt16,
            Self::UInt32 => ArrowType::UInt32,
            Self::UInt64 => ArrowType::UInt64,
            Self::Float32 => ArrowType::Float32,
            Self::Float64 => ArrowType::Float64,
            Self::Bool8 => ArrowType::Boolean,
            Self::String => ArrowType::Utf8,
            Self::Timestamp(TimeUnit::Days) => ArrowType::Date32,
            // Arrow has no duration in days: exported in seconds.
            Self::Duration(TimeUnit::Days) => ArrowType::Duration(ArrowUnit::Second),
            Self::Timestamp(unit) => ArrowType::Timestamp(arrow_unit(unit), None),
            Self::Duration(unit) => ArrowType::Duration(arrow_unit(unit)),
            Self::Decimal32(scale) => ArrowType::Decimal32(9, arrow_scale(scale)),
            Self::Decimal64(scale) => ArrowType::Decimal64(18, arrow_scale(scale)),
            Self::Decimal128(scale) => ArrowType::Decimal128(38, arrow_scale(scale)),
            Self::Empty => ArrowType::Null,
            Self::List => ArrowType::List(Arc::new(Field::new_list_field(ArrowType::Null, true))),
            Self::Struct => ArrowType::Struct(Fields::empty()),
            Self::Dictionary32 => {
                ArrowType::Dictionary(Box::new(ArrowType::UInt32), Box::new(ArrowType::Null))
            }
        }
    }

    /// The type that names an Arrow type.
    ///
    /// Fails with [`Unsupported`](crate::ErrorKind::Unsupported) for types that have no column here, and
    /// for timestamps in a zone other than UTC, which a data type would drop.
    pub fn from_arrow(arrow: &ArrowType) -> Result<Self> {
        refuse_zone(arrow)?;
        imported_type(arrow)
    }

    /// The type of the column that an array of an Arrow type becomes; zones are left out.
    ///
    /// Fails with [`Unsupported`](crate::ErrorKind::Unsupported) for types that have no column here, inside
    /// of others too.
    pub fn stored_as(arrow: &ArrowType) -> Result<Self> {
        inside(arrow).into_iter().try_for_each(|(_, inner)| Self::stored_as(inner).map(|_| ()))?;
        imported_type(arrow)
    }
}

/// Zones are refused all the way down.
fn refuse_zone(arrow: &ArrowType) -> Result<()> {
    match arrow {
        ArrowType::Timestamp(_, Some(zone))
            if !matches!(zone.as_ref(), "UTC" | "Etc/UTC" | "+00:00" | "Z") =>
        {
            Err(Error::unsupported(format!(
                "timestamps in the time zone '{zone}'; convert them to UTC first"
            )))
        }
        _ => inside(arrow).into_iter().try_for_each(|(_, inner)| refuse_zone(inner)),
    }
}

/// The type of the column that an array of this type is imported as; a time zone is left out.
pub(crate) fn imported_type(arrow: &ArrowType) -> Result<DataType> {
    Ok(match arrow {
        ArrowType::Int8 => DataType::Int8,
        ArrowType::Int16 => DataType::Int16,
        ArrowType::Int32 => DataType::Int32,
        ArrowType::Int64 => DataType::Int64,
        ArrowType::UInt8 => DataType::UInt8,
        ArrowType::UInt16 => DataType::UInt16,
        ArrowType::UInt32 => DataType::UInt32,
        ArrowType::UInt64 => DataType::UInt64,
        ArrowType::Float32 => DataType::Float32,
        ArrowType::Float64 => DataType::Float64,
        ArrowType::Boolean => DataType::Bool8,
        ArrowType::Null => DataType::Empty,
        ArrowType::Decimal32(_, scale) => DataType::Decimal32(-i32::from(*scale)),
        ArrowType::Decimal64(_, scale) => DataType::Decimal64(-i32::from(*scale)),
        ArrowType::Decimal128(_, scale) => DataType::Decimal128(-i32::from(*scale)),
        ArrowType::Utf8 | ArrowType::LargeUtf8 | ArrowType::Utf8View => DataType::String,
        ArrowType::Date32 => DataType::Timestamp(TimeUnit::Days),
        ArrowType::Date64 => DataType::Timestamp(TimeUnit::Milliseconds),
        ArrowType::Timestamp(unit, _) => DataType::Timestamp(time_unit(*unit)),
        ArrowType::Duration(unit) => DataType::Duration(time_unit(*unit)),
        ArrowType::List(_)
        | ArrowType::LargeList(_)
        | ArrowType::ListView(_)
        | ArrowType::LargeListView(_)
        | ArrowType::FixedSizeList(..)
        | ArrowType::Map(..)
        | ArrowType::Binary
        | ArrowType::LargeBinary
        | ArrowType::FixedSizeBinary(_) => DataType::List,
        ArrowType::Struct(_) => DataType::Struct,
        ArrowType::Dictionary(..) => DataType::Dictionary32,
        ArrowType::RunEndEncoded(_, values) => imported_type(values.data_type())?,
        other => return Err(Error::unsupported(format!("Arrow type {other} has no Cuprum data type"))),
    })
}

/// Arrow counts digits behind the point; scales beyond its range are cut.
fn arrow_scale(scale: i32) -> i8 {
    i8::try_from(scale.saturating_neg()).unwrap_or(if scale < 0 { i8::MAX } else { i8::MIN })
}

fn arrow_unit(unit: TimeUnit) -> ArrowUnit {
    match unit {
        TimeUnit::Days | TimeUnit::Seconds => ArrowUnit::Second,
        TimeUnit::Milliseconds => ArrowUnit::Millisecond,
        TimeUnit::Microseconds => ArrowUnit::Microsecond,
        TimeUnit::Nanoseconds => ArrowUnit::Nanosecond,
    }
}

fn time_unit(unit: ArrowUnit) -> TimeUnit {
    match unit {
        ArrowUnit::Second => TimeUnit::Seconds,
        ArrowUnit::Millisecond => TimeUnit::Milliseconds,
        ArrowUnit::Microsecond => TimeUnit::Microseconds,
        ArrowUnit::Nanosecond => TimeUnit::Nanoseconds,
    }
}

/// The Arrow type a column is exported as, with all that is inside.
pub fn arrow_type(column: &Column) -> ArrowType {
    typed(column, &ColumnMetadata::default()).expect("metadata that says nothing fits every column")
}

/// The field a column is exported as: [`arrow_type`] with the names, zones and precisions of `metadata`.
///
/// Fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) where the metadata does not fit: a
/// precision that the decimals do not have, or fields that the structs do not have.
pub fn field(column: &Column, metadata: &ColumnMetadata) -> Result<Field> {
    if metadata.name.contains('\0') {
        return Err(Error::invalid_argument(format!("the name {:?} holds a NUL character", metadata.name)));
    }
    let arrow = typed(column, metadata).context(|| format!("metadata of '{}'", metadata.name))?;
    let field = Field::new(&metadata.name, arrow, true).with_dict_is_ordered(metadata.ordered);
    Ok(match &metadata.extension {
        None => field,
        Some((name, described)) => field.with_metadata(HashMap::from([
            (EXTENSION_TYPE_NAME_KEY.to_owned(), name.clone()),
            (EXTENSION_TYPE_METADATA_KEY.to_owned(), described.clone()),
        ])),
    })
}

fn typed(column: &Column, metadata: &ColumnMetadata) -> Result<ArrowType> {
    let wide = || column.children().first().is_some_and(|offsets| offsets.data_type() == DataType::Int64);
    let last = || metadata.children.last().cloned().unwrap_or_default();
    let elements = |column: &Column| {
        let mut metadata = last();
        if metadata.name.is_empty() {
            Field::LIST_FIELD_DEFAULT_NAME.clone_into(&mut metadata.name);
        }
        field(column, &metadata).map(Arc::new)
    };
    Ok(match (column.data_type(), column.children()) {
        (DataType::String, _) if wide() => ArrowType::LargeUtf8,
        (DataType::List, [_, inner]) if metadata.binary && inner.data_type() == DataType::UInt8 => {
            if wide() {
                ArrowType::LargeBinary
            } else {
                ArrowType::Binary
            }
        }
        (DataType::List, _) if metadata.binary => {
            return Err(Error::invalid_argument("binary data are lists of UINT8"));
        }
        (DataType::List, [_, inner]) if wide() => ArrowType::LargeList(elements(inner)?),
        (DataType::List, [_, inner]) => ArrowType::List(elements(inner)?),
        (DataType::Struct, fields) => ArrowType::Struct(struct_fields(fields, &metadata.children)?),
        (DataType::Dictionary32, [indices, keys]) => {
            ArrowType::Dictionary(Box::new(indices.data_type().to_arrow()), Box::new(typed(keys, &last())?))
        }
        (data_type, _) if data_type.is_decimal() && i8::try_from(-i64::from(data_type.scale())).is_err() => {
            return Err(Error::unsupported(format!(
                "Arrow data of type {data_type}: its decimals have from -128 to 127 digits behind the point"
            )));
        }
        (data_type, _) => match (data_type.to_arrow(), metadata.precision, &metadata.timezone) {
            (ArrowType::Timestamp(_, _), _, Some(zone)) if zone.contains('\0') => {
                return Err(Error::invalid_argument(format!("the time zone {zone:?} holds a NUL character")));
            }
            (ArrowType::Timestamp(unit, _), _, Some(zone)) => {
                ArrowType::Timestamp(unit, Some(zone.as_str().into()))
            }
            (ArrowType::Decimal32(most, scale), Some(digits), _) => {
                ArrowType::Decimal32(precision(digits, most)?, scale)
            }
            (ArrowType::Decimal64(most, scale), Some(digits), _) => {
                ArrowType::Decimal64(precision(digits, most)?, scale)
            }
            (ArrowType::Decimal128(most, scale), Some(digits), _) => {
                ArrowType::Decimal128(precision(digits, most)?, scale)
            }
            (other, _, _) => other,
        },
    })
}

fn struct_fields(columns: &[Column], metadata: &[ColumnMetadata]) -> Result<Fields> {
    if !metadata.is_empty() && metadata.len() != columns.len() {
        return Err(Error::invalid_argument(format!(
            "metadata of {} fields for structs with {}",
            metadata.len(),
            columns.len()
        )));
    }
    let field = |(i, column): (usize, &Column)| match metadata.get(i) {
        Some(metadata) => field(column, metadata),
        None => field(column, &ColumnMetadata::named(i.to_string())),
    };
    columns.iter().enumerate().map(field).collect::<Result<Vec<_>>>().map(Fields::from)
}

fn precision(digits: u8, most: u8) -> Result<u8> {
    if (1..=most).contains(&digits) {
        return Ok(digits);
    }
    Err(Error::invalid_argument(format!("`precision` is {digits}; the decimals have 1 to {most} digits")))
}

/// The type that [`flat`](super::flat) gives a column of this Arrow type.
///
/// Fails with [`Unsupported`](crate::ErrorKind::Unsupported) where it has none.
pub fn flat_type(arrow: &ArrowType) -> Result<DataType> {
    match arrow {
        ArrowType::Dictionary(_, values) => flat_type(values),
        ArrowType::RunEndEncoded(_, values) => flat_type(values.data_type()),
        // pandas' column of nothing but missing values is float64.
        ArrowType::Null => Ok(DataType::Float64),
        other => match DataType::from_arrow(other)? {
            t if t.is_nested() || t.is_decimal() => {
                Err(Error::unsupported(format!("data frames hold no columns of type {other} yet")))
            }
            t => Ok(t),
        },
    }
}
