//! The schema of a file's records, in Avro's JSON.

use std::fmt::Write;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_cast::CastOptions;
use arrow_schema::{DataType as ArrowType, Field, TimeUnit};
use cuprum_column::{Error, Result};

/// The name of the record that a row is; types inside of it are called by their places, as `frame.a.b`.
const RECORD: &str = "frame";

/// The schema of rows of such columns. Every value may be null.
///
/// Fails for types and for names that Avro has not, naming the column.
pub(super) fn of(columns: &[(Arc<Field>, ArrayRef)]) -> Result<String> {
    let mut out = format!(r#"{{"type":"record","name":"{RECORD}","fields":["#);
    for (i, (field, array)) in columns.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        put(field, Some(array), RECORD, &mut out)
            .map_err(|e| e.context(format!("column '{}'", field.name())))?;
    }
    out.push_str("]}");
    Ok(out)
}

/// Whether Avro can call something so.
fn is_name(name: &[u8]) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
    name.first().is_some_and(is_letter) && name.iter().all(|byte| is_letter(byte) || byte.is_ascii_digit())
}

fn put(field: &Field, array: Option<&ArrayRef>, within: &str, out: &mut String) -> Result<()> {
    let name = field.name();
    if !is_name(name.as_bytes()) {
        return Err(Error::unsupported(format!(
            "Avro has no name '{name}': names are of letters from A to Z, digits and '_', and begin with no digit"
        )));
    }
    let _ = write!(out, r#"{{"name":"{name}","type":"#);
    kind(field, array, name, within, out)?;
    out.push('}');
    Ok(())
}

/// The type of values; `name` and `within` are what one with a name is called.
fn kind(field: &Field, array: Option<&ArrayRef>, name: &str, within: &str, out: &mut String) -> Result<()> {
    let logical = |of: &str, kind: &str| format!(r#"{{"type":"{of}","logicalType":"{kind}"}}"#);
    let plain = match field.data_type() {
        ArrowType::Null => {
            out.push_str(r#""null""#);
            return Ok(());
        }
        ArrowType::Boolean => r#""boolean""#.to_owned(),
        ArrowType::Int8 | ArrowType::Int16 | ArrowType::Int32 | ArrowType::UInt8 | ArrowType::UInt16 => {
            r#""int""#.to_owned()
        }
        ArrowType::Int64 | ArrowType::UInt32 => r#""long""#.to_owned(),
        ArrowType::Float32 => r#""float""#.to_owned(),
        ArrowType::Float64 => r#""double""#.to_owned(),
        ArrowType::Utf8 | ArrowType::LargeUtf8 => r#""string""#.to_owned(),
        ArrowType::Binary | ArrowType::LargeBinary => r#""bytes""#.to_owned(),
        ArrowType::Date32 => logical("int", "date"),
        ArrowType::Timestamp(unit, zone) => {
            let unit = match unit {
                TimeUnit::Second | TimeUnit::Millisecond => "millis",
                TimeUnit::Microsecond => "micros",
                TimeUnit::Nanosecond => "nanos",
            };
            let local = if zone.is_none() { "local-" } else { "" };
            logical("long", &format!("{local}timestamp-{unit}"))
        }
        ArrowType::Decimal128(precision, scale @ 0..) => {
            let precision = (*precision).max(scale.unsigned_abs());
            format!(r#"{{"type":"bytes","logicalType":"decimal","precision":{precision},"scale":{scale}}}"#)
        }
        ArrowType::Dictionary(..) => {
            let mut symbols = String::new();
            if let Some(array) = array {
                for symbol in texts(array.as_any_dictionary().values()) {
                    let comma = if symbols.is_empty() { "" } else { "," };
                    let _ = write!(symbols, r#"{comma}"{symbol}""#);
                }
            }
            format!(r#"{{"type":"enum","name":"{name}","namespace":"{within}","symbols":[{symbols}]}}"#)
        }
        // As many as a file says, in no bytes: a reader could not tell them from damage.
        ArrowType::List(item) | ArrowType::LargeList(item) if *item.data_type() == ArrowType::Null => {
            return Err(Error::unsupported("lists of nothing but nulls"));
        }
        ArrowType::List(item) | ArrowType::LargeList(item) => {
            let mut own = r#"{"type":"array","items":"#.to_owned();
            kind(item, None, name, within, &mut own)?;
            own + "}"
        }
        ArrowType::Struct(fields) if !fields.is_empty() => {
            let mut own = format!(r#"{{"type":"record","name":"{name}","namespace":"{within}","fields":["#);
            let inside = format!("{within}.{name}");
            for (i, field) in fields.iter().enumerate() {
                if fields[..i].iter().any(|other| other.name() == field.name()) {
                    return Err(Error::unsupported(format!("two fields are called '{}'", field.name())));
                }
                if i > 0 {
                    own.push(',');
                }
                put(field, None, &inside, &mut own)
                    .map_err(|e| e.context(format!("field '{}'", field.name())))?;
            }
            own + "]}"
        }
        other => return Err(Error::unsupported(format!("Avro has no type for {other}"))),
    };
    let _ = write!(out, r#"["null",{plain}]"#);
    Ok(())
}

/// The array with a type that a file has, where there is one of the same values.
///
/// Fails where it has not, and for times that are out of range there.
pub(super) fn storable(array: ArrayRef, field: &Field) -> Result<(Arc<Field>, ArrayRef)> {
    let to = match field.data_type() {
        ArrowType::Dictionary(_, values) if is_enum(&array) => {
            let to = ArrowType::Dictionary(Box::new(ArrowType::UInt32), values.clone());
            field.clone().with_data_type(to)
        }
        _ => plain(field),
    };
    let array = if to.data_type() == array.data_type() {
        array
    } else {
        let whole = CastOptions { safe: false, ..CastOptions::default() };
        arrow_cast::cast_with_options(&array, to.data_type(), &whole)
            .map_err(|e| Error::unsupported(e.to_string()))?
    };
    Ok((Arc::new(to), array))
}

/// Whether all values of a dictionary are texts that a symbol of an enumeration can be.
fn is_enum(array: &ArrayRef) -> bool {
    let values = array.as_any_dictionary().values();
    matches!(values.data_type(), ArrowType::Utf8 | ArrowType::LargeUtf8)
        && !values.is_empty()
        && values.null_count() == 0
        && texts(values).all(|text| is_name(text.as_bytes()))
}

/// The texts of an array that has no nulls.
fn texts(array: &ArrayRef) -> impl Iterator<Item = &str> {
    let (small, large) = (array.as_string_opt::<i32>(), array.as_string_opt::<i64>());
    let small = small.into_iter().flat_map(|array| array.iter().flatten());
    small.chain(large.into_iter().flat_map(|array| array.iter().flatten()))
}

fn plain(field: &Field) -> Field {
    let to = match field.data_type() {
        ArrowType::Dictionary(_, values) => {
            return plain(&Field::new(field.name(), (**values).clone(), true));
        }
        ArrowType::Decimal32(precision, scale) | ArrowType::Decimal64(precision, scale) => {
            ArrowType::Decimal128(*precision, *scale)
        }
        ArrowType::Timestamp(TimeUnit::Second, zone) => {
            ArrowType::Timestamp(TimeUnit::Millisecond, zone.clone())
        }
        ArrowType::Utf8View => ArrowType::LargeUtf8,
        ArrowType::BinaryView | ArrowType::FixedSizeBinary(_) => ArrowType::LargeBinary,
        ArrowType::FixedSizeList(item, _) | ArrowType::List(item) => ArrowType::List(Arc::new(plain(item))),
        ArrowType::LargeList(item) => ArrowType::LargeList(Arc::new(plain(item))),
        ArrowType::Struct(fields) => ArrowType::Struct(fields.iter().map(|field| plain(field)).collect()),
        other => other.clone(),
    };
    field.clone().with_data_type(to)
}
