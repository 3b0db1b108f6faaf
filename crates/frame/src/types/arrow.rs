//! Dtypes and Arrow's types, both ways.

use std::sync::Arc;

use arrow_schema::{DataType as ArrowType, Field as ArrowField};
use cuprum_column::arrow::{self, ArrowArray, ColumnMetadata};
use cuprum_column::{Column, Context, DataType, Device, Error, Result, Scalar, Table, Value};
use cuprum_compute::replace;

use super::{
    Binary, Categorical, Datetime, Decimal, Dtype, Field, Interval, List, Struct, TypedColumn, interval,
};

impl Dtype {
    /// The dtype of an Arrow type. Categories are not known from a type: a dictionary has the dtype of its
    /// values here, see [`TypedColumn::from_arrow`].
    ///
    /// Fails with [`Unsupported`](cuprum_column::ErrorKind::Unsupported) for types that have no column.
    pub fn from_arrow(arrow: &ArrowType) -> Result<Self> {
        let list = |inner: &ArrowField| Ok(Self::List(List::of(Self::from_field(inner)?)?));
        match arrow {
            ArrowType::Binary | ArrowType::LargeBinary | ArrowType::FixedSizeBinary(_) => {
                Ok(Self::Binary(Binary))
            }
            ArrowType::List(inner)
            | ArrowType::LargeList(inner)
            | ArrowType::ListView(inner)
            | ArrowType::LargeListView(inner)
            | ArrowType::FixedSizeList(inner, _)
            | ArrowType::Map(inner, _) => list(inner),
            ArrowType::Struct(fields) => {
                let field = |field: &Arc<ArrowField>| {
                    Ok(Field { name: field.name().clone(), dtype: Self::from_field(field)? })
                };
                Ok(Self::Struct(Struct::of(fields.iter().map(field).collect::<Result<Vec<_>>>()?)?))
            }
            ArrowType::Dictionary(_, values) => Self::from_arrow(values),
            ArrowType::RunEndEncoded(_, values) => Self::from_field(values),
            ArrowType::Timestamp(_, Some(zone)) => {
                let DataType::Timestamp(unit) = Self::stored(arrow)? else { unreachable!("timestamps") };
                Ok(Self::Datetime(Datetime { unit, zone: Some(Arc::clone(zone)) }))
            }
            ArrowType::Decimal32(precision, _)
            | ArrowType::Decimal64(precision, _)
            | ArrowType::Decimal128(precision, _) => {
                let storage = Self::stored(arrow)?;
                let decimal = Decimal::of(storage).and_then(|d| d.with_precision(*precision));
                Ok(decimal.map_or_else(|| Self::plain(storage), Self::Decimal))
            }
            other => Ok(Self::plain(Self::stored(other)?)),
        }
    }

    /// The dtype of an Arrow field: [`from_arrow`](Self::from_arrow) of its type, and periods and intervals
    /// where it is of pandas' extension types of them.
    pub fn from_field(field: &ArrowField) -> Result<Self> {
        let stored = Self::from_arrow(field.data_type())?;
        let described = || {
            let described = field.extension_type_metadata().unwrap_or_default();
            serde_json::from_str::<serde_json::Value>(described).map_err(|e| {
                Error::invalid_argument(format!("the metadata of the field '{}': {e}", field.name()))
            })
        };
        if field.extension_type_name() == Some(PERIOD) && stored.storage() == DataType::Int64 {
            let described = described()?;
            let frequency = described.get("freq").and_then(serde_json::Value::as_str).unwrap_or_default();
            return frequency.parse().map(Self::Period);
        }
        if field.extension_type_name() != Some(INTERVAL) {
            return Ok(stored);
        }
        let Self::Struct(fields) = &stored else { return Ok(stored) };
        let described = described()?;
        let closed =
            described.get("closed").and_then(serde_json::Value::as_str).unwrap_or_default().parse()?;
        let interval = fields.fields().first().map(|left| Interval::of(&left.dtype, closed)).transpose()?;
        Ok(interval.filter(|interval| interval.fields() == *fields).map_or(stored, Self::Interval))
    }

    /// The Arrow field that values are exported as, without a name; a dictionary of its values for categories.
    pub fn to_arrow(&self) -> Result<ArrowField> {
        TypedColumn::nulls(self, 0, &Context::beside(Device::Cpu)?)?.arrow_field("")
    }

    fn stored(arrow: &ArrowType) -> Result<DataType> {
        match arrow {
            ArrowType::Timestamp(unit, _) => DataType::from_arrow(&ArrowType::Timestamp(*unit, None)),
            other => DataType::from_arrow(other),
        }
    }

    /// The metadata of a column's Arrow type beyond its storage.
    pub fn metadata(&self, name: &str) -> ColumnMetadata {
        let mut metadata = ColumnMetadata::named(name);
        match self {
            Self::Datetime(Datetime { zone, .. }) => metadata.timezone = zone.as_deref().map(str::to_owned),
            Self::Decimal(decimal) => metadata.precision = Some(decimal.precision()),
            Self::Binary(_) => metadata.binary = true,
            Self::Categorical(kind) => {
                metadata.ordered = kind.categories().is_ordered();
                metadata.children = vec![kind.value_type().metadata("")];
            }
            Self::List(list) => metadata.children = vec![list.element().metadata("item")],
            Self::Struct(fields) => {
                metadata.children = fields.fields().iter().map(|f| f.dtype.metadata(&f.name)).collect();
            }
            Self::Period(kind) => {
                let described = serde_json::json!({"freq": kind.to_string()});
                metadata.extension = Some((PERIOD.to_owned(), described.to_string()));
            }
            Self::Interval(kind) => {
                metadata.children = Self::Struct(kind.fields()).metadata("").children;
                let subtype = match kind.bounds().storage() {
                    DataType::Timestamp(unit) => format!("timestamp[{}]", unit.code()),
                    DataType::Duration(unit) => format!("duration[{}]", unit.code()),
                    DataType::Float64 => "double".to_owned(),
                    other => other.to_string(),
                };
                let described = serde_json::json!({"subtype": subtype, "closed": kind.closed().name()});
                metadata.extension = Some((INTERVAL.to_owned(), described.to_string()));
            }
            _ => {}
        }
        metadata
    }
}

/// pandas' extension type of periods.
const PERIOD: &str = "pandas.period";
/// pandas' extension type of intervals: structs of the bounds, `left` and `right`.
const INTERVAL: &str = "pandas.interval";

/// Columns as a structure of structs, one field for each, called by `names`.
///
/// Fails where a name cannot be written, see [`cuprum_column::arrow::export_table`].
pub fn export_table(
    columns: &[TypedColumn],
    names: &[String],
    rows: usize,
) -> Result<(ArrowField, ArrowArray)> {
    let metadata: Vec<_> = columns.iter().zip(names).map(|(c, name)| c.dtype().metadata(name)).collect();
    let data = columns.iter().map(TypedColumn::exported).collect::<Result<_>>()?;
    arrow::export_table(&Table::with_rows(data, rows)?, &metadata)
}

impl TypedColumn {
    /// The column as it is exported, in host memory: categories as a dictionary of their order.
    ///
    /// Fails with [`Unsupported`](cuprum_column::ErrorKind::Unsupported) for categories that are intervals.
    pub fn exported(&self) -> Result<Column> {
        if let Dtype::Objects(_) = self.dtype() {
            return Err(Error::data_type(
                "columns of dtype object have no Arrow type: cast them to one first",
            ));
        }
        let data = self.data()?.to_host()?;
        let Dtype::Categorical(kind) = self.dtype() else { return Ok(data) };
        if matches!(kind.value_type(), Dtype::Interval(_)) {
            // The values of Arrow's dictionaries have a type, but no field that would name an extension type.
            return Err(Error::unsupported(format!(
                "Arrow data with categories of type {}: cast them to their values first",
                kind.value_type()
            )));
        }
        let ctx = data.context()?;
        let unsigned = match data.data_type() {
            DataType::Int8 => DataType::UInt8,
            DataType::Int16 => DataType::UInt16,
            _ => DataType::UInt32,
        };
        let mask = data.copy_mask(&ctx)?;
        let codes = data.with_mask(None, &ctx)?.bit_cast(unsigned)?;
        // Codes under nulls may be anything, but no index that is not there.
        let last = Scalar::new(unsigned, Value::UInt(kind.categories().len().saturating_sub(1) as u64))?;
        let codes = replace::clamp(&codes, None, Some(&last), &ctx)?;
        Column::dictionary(codes, kind.categories().values().data()?.to_host()?, mask)
    }

    /// The column as it is exported, in the memory of its device.
    pub fn exported_in_place(&self) -> Result<Column> {
        match self.dtype() {
            Dtype::Categorical(_) => self.exported()?.to_device(&self.context()?),
            _ => self.data().cloned(),
        }
    }

    /// The column's Arrow field, under a name.
    pub fn arrow_field(&self, name: &str) -> Result<ArrowField> {
        arrow::field(&self.exported()?, &self.dtype().metadata(name))
    }

    /// The column as a structure of the C data interface and the field that describes it.
    pub fn export_array(&self, name: &str) -> Result<(ArrowField, ArrowArray)> {
        let (data, metadata) = (self.exported()?, self.dtype().metadata(name));
        Ok((arrow::field(&data, &metadata)?, arrow::export_array(&data, &metadata)?))
    }

    /// The rows of several columns of categories, one after the other: the categories of all, in the order in which
    /// they first appear, and ordered where those of the first are.
    ///
    /// Fails with [`DataType`](cuprum_column::ErrorKind::DataType) for other columns.
    pub fn join_categories(columns: &[Self]) -> Result<Self> {
        Categorical::join(columns)
    }

    /// A column that was imported from an Arrow array of a field. Keys of a dictionary become categories in their
    /// order.
    pub fn from_arrow(field: &ArrowField, data: Column) -> Result<Self> {
        if let ArrowType::Dictionary(_, values) = field.data_type()
            && **values == ArrowType::Null
        {
            // No values of any type: texts, as pandas has it for categories without values.
            let none = Self::nulls(&Dtype::plain(DataType::String), data.len(), &data.context()?)?;
            return Categorical::encode_distinct(&none, field.dict_is_ordered() == Some(true));
        }
        let is_dictionary = matches!(field.data_type(), ArrowType::Dictionary(..));
        if is_dictionary && data.data_type() != DataType::Dictionary32 {
            // Values of a dictionary that were decoded.
            let values = Self::new(Dtype::from_field(field)?, data)?;
            return Categorical::encode_distinct(&values, field.dict_is_ordered() == Some(true));
        }
        if let ArrowType::Dictionary(_, values) = field.data_type() {
            let keys = Self::new(Dtype::from_arrow(values)?, data.keys()?.clone())?;
            return Categorical::of_dictionary(&data, keys, field.dict_is_ordered() == Some(true));
        }
        match Dtype::from_field(field)? {
            Dtype::Interval(kind) => interval::of_struct(kind, data),
            dtype => Self::new(dtype, data),
        }
    }
}
